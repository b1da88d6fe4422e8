# embed_files(TARGET name SYMBOL embedded_x FILES a.sql b.sql ...)
#
# Links the bytes of the files, sorted by name, into `name` as the table of src/base/embedded.h:
#   const EmbeddedFile embedded_x[]; const size_t n_embedded_x; const char *const embedded_x_names[];
# The assembler reads the files itself (.incbin: gcc and clang, ELF), so that even large tables cost no compile time.
# This file is also the script that writes the source: cmake -DSYMBOL=... -DOUTPUT=... -DFILES="a;b" -P Embed.cmake

if(CMAKE_SCRIPT_MODE_FILE)
  if(NOT FILES)
    message(FATAL_ERROR "embed ${SYMBOL}: no files")
  endif()
  set(data "")
  set(rows "")
  set(names "")
  set(i 0)
  foreach(file IN LISTS FILES)
    get_filename_component(name "${file}" NAME_WLE)
    file(SIZE "${file}" size)
    # Global but hidden: link-time optimisation may move the table away from the assembler text.
    string(APPEND data "__asm__(\".pushsection .rodata\\n.balign 16\\n.globl ${SYMBOL}_${i}\\n.hidden ${SYMBOL}_${i}\\n\"\n"
      "        \"${SYMBOL}_${i}:\\n.incbin \\\"${file}\\\"\\n.byte 0\\n.popsection\\n\");\n"
      "extern const char ${SYMBOL}_${i}[];\n")
    string(APPEND rows "    {\"${name}\", ${SYMBOL}_${i}, ${size}},\n")
    string(APPEND names "\"${name}\", ")
    math(EXPR i "${i} + 1")
  endforeach()
  file(WRITE "${OUTPUT}" "// Written by cmake/Embed.cmake.\n#include \"src/base/embedded.h\"\n\n${data}\n"
    "const EmbeddedFile ${SYMBOL}[] = {\n${rows}};\nconst size_t n_${SYMBOL} = ${i};\n"
    "const char *const ${SYMBOL}_names[] = {${names}NULL};\n")
  return()
endif()

function(embed_files)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "TARGET;SYMBOL" "FILES")
  set(files "")
  foreach(file IN LISTS arg_FILES)
    get_filename_component(file "${file}" ABSOLUTE)
    list(APPEND files "${file}")
  endforeach()
  list(SORT files)
  set(output "${CMAKE_CURRENT_BINARY_DIR}/${arg_SYMBOL}.c")
  # Rewritten when a file changes, and so compiled again: the assembler's reading is invisible to dependency scanning.
  add_custom_command(OUTPUT "${output}"
    COMMAND "${CMAKE_COMMAND}" "-DSYMBOL=${arg_SYMBOL}" "-DOUTPUT=${output}" "-DFILES=${files}" -P "${CMAKE_CURRENT_FUNCTION_LIST_FILE}"
    DEPENDS ${files} "${CMAKE_CURRENT_FUNCTION_LIST_FILE}"
    COMMENT "Embedding ${arg_SYMBOL}" VERBATIM)
  target_sources(${arg_TARGET} PRIVATE "${output}")
endfunction()
