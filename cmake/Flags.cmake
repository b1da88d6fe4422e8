# Compiler and linker flags of every target, in one interface library: `flags`.
add_library(flags INTERFACE)

target_compile_definitions(flags INTERFACE _POSIX_C_SOURCE=200809L _XOPEN_SOURCE=700)

# The same numbers everywhere: no fused multiply-add where the source has none.
target_compile_options(flags INTERFACE -ffp-contract=off)

# ---- warnings: what gcc 12 and clang 14 both know, then gcc's own
target_compile_options(flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wdouble-promotion -Wstrict-prototypes
  -Wmissing-prototypes -Wold-style-definition -Wredundant-decls -Wnested-externs -Wformat=2 -Wvla -Wundef -Wcast-qual
  -Wcast-align -Wwrite-strings -Wpointer-arith -Wimplicit-fallthrough -Wnull-dereference -Wunused-macros
  $<$<C_COMPILER_ID:GNU>:-Wlogical-op -Wduplicated-cond -Wduplicated-branches -Walloca -Wtrampolines
    -Wno-format-truncation>  # cutting off is what snprintf is for
  $<$<C_COMPILER_ID:Clang,AppleClang>:-Wno-enum-float-conversion -Wno-enum-enum-conversion>)  # an enum names plain numbers here; clang 19 minds
if(GPUADVISE_WERROR)
  target_compile_options(flags INTERFACE -Werror)
endif()

# ---- clang-tidy; `base` is analyzed without analyze.h, since it defines what that file wraps (CMakeLists.txt)
if(GPUADVISE_ANALYZE)
  find_program(CLANG_TIDY clang-tidy REQUIRED)
  set(CMAKE_C_CLANG_TIDY ${CLANG_TIDY} --quiet)
  set(tidy_layer ${CMAKE_C_CLANG_TIDY} --extra-arg=-include${CMAKE_SOURCE_DIR}/cmake/analyze.h)
endif()

# ---- position independent, so that releases load at random addresses
include(CheckPIESupported)
check_pie_supported(LANGUAGES C)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

# ---- sanitizers
if(GPUADVISE_SANITIZE)
  target_compile_options(flags INTERFACE
    -fsanitize=${GPUADVISE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(flags INTERFACE -fsanitize=${GPUADVISE_SANITIZE})
  if(GPUADVISE_LIBFUZZER)
    target_compile_options(flags INTERFACE -fsanitize=fuzzer-no-link)
  endif()
endif()

# ---- what runs is counted. Threads may lose counts among them, which makes no line that ran one that did not.
if(GPUADVISE_COVERAGE)
  target_compile_options(flags INTERFACE --coverage -fprofile-update=single)
  target_link_options(flags INTERFACE --coverage)
endif()

# ---- releases: hardened and optimized across files
if(CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT GPUADVISE_SANITIZE)
  # No path of its builder in the program, and the same bytes from any folder; LTO compiles as it links.
  foreach(map -ffile-prefix-map=${CMAKE_BINARY_DIR}=build -ffile-prefix-map=${CMAKE_SOURCE_DIR}=.)
    target_compile_options(flags INTERFACE ${map})
    target_link_options(flags INTERFACE ${map})
  endforeach()
  # Sizes that are known at run time only are checked too (3; clang and glibc that know no 3 take it for 2).
  target_compile_options(flags INTERFACE -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3 -fstack-protector-strong)
  target_link_options(flags INTERFACE -Wl,-z,relro,-z,now,-z,noexecstack)
  # What only some compilers and processors have: no stack that jumps over its guard page, no jumps into the middle.
  include(CheckCCompilerFlag)
  foreach(flag -fstack-clash-protection -fcf-protection=full -mbranch-protection=standard)
    string(MAKE_C_IDENTIFIER "HAS${flag}" has)
    check_c_compiler_flag("-Werror ${flag}" ${has})
    if(${has})
      target_compile_options(flags INTERFACE ${flag})
      target_link_options(flags INTERFACE ${flag})  # LTO compiles as it links
    endif()
  endforeach()
  include(CheckIPOSupported)
  check_ipo_supported(RESULT lto OUTPUT why LANGUAGES C)
  set(CMAKE_INTERPROCEDURAL_OPTIMIZATION ${lto})
endif()
