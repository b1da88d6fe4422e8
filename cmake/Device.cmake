# Device code of kernels/device, linked into target `kernels` (kernels/code.h): PTX for NVIDIA, code objects for AMD.
#
# clang 19 or newer makes both without any vendor's toolkit; code objects also need its lld. What cannot be made here is linked as
# it stands committed in kernels/prebuilt, so that every build has all of it. Other GPUs get theirs from NVRTC or hipRTC at run time,
# which take the source: that is always linked.
set(GPUADVISE_KERNELS auto CACHE STRING "Device code: auto, clang (compiled here, or an error) or prebuilt (what is committed)")
set_property(CACHE GPUADVISE_KERNELS PROPERTY STRINGS auto clang prebuilt)

# Target and the oldest PTX version that can say what it needs: older drivers then take it. No clang 19 knows sm_120a, whose one instruction of its own
# is written as it stands: compiled for sm_90, the text then gets its lines.
set(ptx_targets sm_60:60 sm_80:70 sm_89:84 sm_90a:84 sm_120a:87)
set(amd_targets gfx906 gfx90a gfx942 gfx1030 gfx1100 gfx1151 gfx1200 gfx1201)
set(device_options -std=c++17 -O3 -ffp-contract=off -Wall -I${CMAKE_SOURCE_DIR})
if(GPUADVISE_WERROR)
  list(APPEND device_options -Werror)
endif()

file(GLOB device_headers CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/kernels/device/*.h)
set(device_source ${CMAKE_SOURCE_DIR}/kernels/device/kernels.c)
# One folder for all presets: no flag of theirs reaches this code, and each would take minutes to compile it again.
set(GPUADVISE_DEVICE_DIR ${CMAKE_BINARY_DIR}/device CACHE PATH "Where compiled device code is kept; builds may share it")
set(device_out ${GPUADVISE_DEVICE_DIR})
file(MAKE_DIRECTORY ${device_out})
string(MD5 device_mine ${CMAKE_BINARY_DIR})

find_program(CLANG_DEVICE NAMES clang-19 clang-20 clang-21 clang-22 DOC "clang 19 or newer, for device code")
if(CLANG_DEVICE)
  string(REGEX REPLACE "^.*clang" "ld.lld" lld_name "${CLANG_DEVICE}")
  find_program(LLD_DEVICE NAMES ${lld_name} DOC "lld of the same version, for AMD code objects")
endif()
if(GPUADVISE_KERNELS STREQUAL "clang" AND NOT (CLANG_DEVICE AND LLD_DEVICE))
  message(FATAL_ERROR "GPUADVISE_KERNELS=clang needs clang-19 and lld-19 (Debian packages of these names)")
endif()

function(device_file name)
  cmake_parse_arguments(DEVICE "" RELABEL "" ${ARGN})
  set(relabel "")
  if(DEVICE_RELABEL)
    set(relabel COMMAND sed -i -e "s/^\\.version .*/.version 8.7/" -e "s/^\\.target .*/.target ${DEVICE_RELABEL}/" ${device_out}/${name}.${device_mine})
  endif()
  add_custom_command(OUTPUT ${device_out}/${name}
    COMMAND ${CLANG_DEVICE} ${DEVICE_UNPARSED_ARGUMENTS} ${device_options} ${device_source} -o ${device_out}/${name}.${device_mine}
    ${relabel}
    COMMAND ${CMAKE_COMMAND} -E rename ${device_out}/${name}.${device_mine} ${device_out}/${name}  # whole, whoever else builds
    DEPENDS ${device_source} ${device_headers} ${CMAKE_SOURCE_DIR}/cmake/Device.cmake COMMENT "Device code ${name}" VERBATIM)
endfunction()

set(prebuilt ${CMAKE_SOURCE_DIR}/kernels/prebuilt)
set(fresh_ptx "")
set(fresh_objects "")
if(CLANG_DEVICE)
  foreach(pair IN LISTS ptx_targets)
    string(REPLACE ":" ";" pair ${pair})
    list(GET pair 0 target)
    list(GET pair 1 version)
    set(compiled ${target})
    set(feature ${version})
    set(more "")
    if(target STREQUAL "sm_120a")
      set(compiled sm_90)
      set(feature 85)
      set(more -DGK_SM120A RELABEL ${target})
    endif()
    # Without the feature clang picks a version that knows no warp exchange; the path keeps it from looking for a toolkit.
    device_file(${target}.ptx -x cuda --cuda-device-only --cuda-gpu-arch=${compiled} --cuda-feature=+ptx${feature}
      -nocudainc -nocudalib --cuda-path=/nonexistent -S ${more})
    list(APPEND fresh_ptx ${device_out}/${target}.ptx)
  endforeach()
endif()
if(CLANG_DEVICE AND LLD_DEVICE)
  foreach(target IN LISTS amd_targets)
    # No hash of this folder's path in it: the same bytes wherever it is built.
    device_file(${target}.hsaco -x hip --cuda-device-only -fuse-cuid=none --no-gpu-bundle-output --offload-arch=${target} -nogpuinc -nogpulib)
    list(APPEND fresh_objects ${device_out}/${target}.hsaco)
  endforeach()
  # `cmake --build ... --target prebuilt_device` after a change of device code; a test compares.
  add_custom_target(prebuilt_device COMMAND ${CMAKE_COMMAND} -E copy ${fresh_ptx} ${fresh_objects} ${prebuilt}
    COMMAND sh -c "chmod 644 ${prebuilt}/*" DEPENDS ${fresh_ptx} ${fresh_objects} VERBATIM)
  add_dependencies(prebuilt_device kernels)  # never twice at once
endif()

# What is linked: compiled here, or committed. A release without one of them would leave its GPUs to hipRTC or to nothing.
set(device_files "")
foreach(pair IN LISTS ptx_targets)
  string(REGEX REPLACE ":.*" ".ptx" name ${pair})
  list(APPEND device_names ${name})
endforeach()
foreach(target IN LISTS amd_targets)
  list(APPEND device_names ${target}.hsaco)
endforeach()
if(GPUADVISE_KERNELS STREQUAL "prebuilt")
  set(fresh_ptx "")
  set(fresh_objects "")
endif()
foreach(name IN LISTS device_names)
  if(${device_out}/${name} IN_LIST fresh_ptx OR ${device_out}/${name} IN_LIST fresh_objects)
    list(APPEND device_files ${device_out}/${name})
  elseif(EXISTS ${prebuilt}/${name})
    list(APPEND device_files ${prebuilt}/${name})
  else()
    message(FATAL_ERROR "no device code ${name}: neither clang-19 with lld-19 to compile it, nor kernels/prebuilt/${name}")
  endif()
endforeach()
if(fresh_objects)
  message(STATUS "Device code: PTX and AMD code objects by ${CLANG_DEVICE}")
elseif(fresh_ptx)
  message(STATUS "Device code: PTX by ${CLANG_DEVICE}; no ${lld_name}: the committed AMD code objects")
else()
  message(STATUS "Device code: the committed PTX and AMD code objects")
endif()
embed_files(TARGET kernels SYMBOL embedded_device FILES ${device_files})
embed_files(TARGET kernels SYMBOL embedded_device_source FILES ${device_headers} ${device_source})
