# embed_page(TARGET name STYLE a.css SCRIPTS a.js b.js)
#
# Links the parts of HTML pages into `name` (embed_files, SYMBOL embedded_page) and writes page_policy.h for it: PAGE_POLICY, a content
# security policy under which a page runs these scripts and this style and nothing else, and asks nothing of any network.
# This file is also the script that writes that header: cmake -DOUTPUT=... -DSTYLE=... -DSCRIPTS="a;b" -P Page.cmake

# The SHA-256 of a file as policies want it: in base64.
function(policy_hash file ret)
  file(SHA256 "${file}" hex)
  string(APPEND hex "00")  # 33 bytes: eleven groups of three, the last digit of which is padding
  set(digits "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
  set(text "")
  foreach(group RANGE 10)
    math(EXPR at "${group} * 6")
    string(SUBSTRING "${hex}" ${at} 6 bytes)
    foreach(shift 18 12 6 0)
      math(EXPR digit "(0x${bytes} >> ${shift}) & 63")
      string(SUBSTRING "${digits}" ${digit} 1 digit)
      string(APPEND text "${digit}")
    endforeach()
  endforeach()
  string(SUBSTRING "${text}" 0 43 text)
  set(${ret} "'sha256-${text}='" PARENT_SCOPE)
endfunction()

if(CMAKE_SCRIPT_MODE_FILE)
  policy_hash("${STYLE}" style)
  set(scripts "")
  foreach(file IN LISTS SCRIPTS)
    file(READ "${file}" text)
    # Would end the element that holds it.
    if(text MATCHES "</[Ss][Cc][Rr][Ii][Pp][Tt]" OR text MATCHES "<!--")
      message(FATAL_ERROR "${file} cannot stand in a script element of HTML")
    endif()
    policy_hash("${file}" hash)
    string(APPEND scripts " ${hash}")
  endforeach()
  file(WRITE "${OUTPUT}" "// Written by cmake/Page.cmake.\n#define PAGE_POLICY \\\n    \"default-src 'none'; script-src${scripts}; style-src ${style}; \" \\\n    \"base-uri 'none'; form-action 'none'\"\n")
  return()
endif()

function(embed_page)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "TARGET;STYLE" "SCRIPTS")
  set(scripts "")
  foreach(file IN LISTS arg_SCRIPTS)
    get_filename_component(file "${file}" ABSOLUTE)
    list(APPEND scripts "${file}")
  endforeach()
  get_filename_component(style "${arg_STYLE}" ABSOLUTE)
  embed_files(TARGET ${arg_TARGET} SYMBOL embedded_page FILES ${style} ${scripts})
  set(output "${CMAKE_CURRENT_BINARY_DIR}/generated/page_policy.h")
  add_custom_command(OUTPUT "${output}"
    COMMAND "${CMAKE_COMMAND}" "-DOUTPUT=${output}" "-DSTYLE=${style}" "-DSCRIPTS=${scripts}" -P "${CMAKE_CURRENT_FUNCTION_LIST_FILE}"
    DEPENDS ${style} ${scripts} "${CMAKE_CURRENT_FUNCTION_LIST_FILE}"
    COMMENT "Hashing the parts of HTML pages" VERBATIM)
  target_sources(${arg_TARGET} PRIVATE "${output}")
  target_include_directories(${arg_TARGET} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/generated)
endfunction()
