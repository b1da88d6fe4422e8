# The install tree: program, man page, completions, schemas, documents. What the program can write itself, it writes; where the
# program of a cross build cannot run here (CMAKE_CROSSCOMPILING_EMULATOR), man page and completions are left out.

# generated(FILE arguments...): FILE in the build folder is what `gpuadvise arguments...` prints.
function(generated file)
  set(path ${CMAKE_BINARY_DIR}/generated/${file})
  add_custom_command(OUTPUT ${path}
    COMMAND gpuadvise ${ARGN} > ${path}.part
    COMMAND ${CMAKE_COMMAND} -E rename ${path}.part ${path}
    DEPENDS gpuadvise VERBATIM)
  set_property(GLOBAL APPEND PROPERTY gpuadvise_generated ${path})
endfunction()

set(made ${CMAKE_BINARY_DIR}/generated)
set(share ${CMAKE_INSTALL_DATADIR})
install(TARGETS gpuadvise)
if(CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
  message(WARNING "a cross build without CMAKE_CROSSCOMPILING_EMULATOR: the program writes its man page and completions, so that there will be none")
else()
  generated(gpuadvise.1 help --man)
  generated(gpuadvise.bash completion bash)
  generated(_gpuadvise completion zsh)
  generated(gpuadvise.fish completion fish)
  get_property(documents GLOBAL PROPERTY gpuadvise_generated)
  add_custom_target(documents ALL DEPENDS ${documents})
  install(FILES ${made}/gpuadvise.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${made}/gpuadvise.bash DESTINATION ${share}/bash-completion/completions RENAME gpuadvise)
  install(FILES ${made}/_gpuadvise DESTINATION ${share}/zsh/site-functions)
  install(FILES ${made}/gpuadvise.fish DESTINATION ${share}/fish/vendor_completions.d)
endif()
install(DIRECTORY share/schema DESTINATION ${share}/gpuadvise FILES_MATCHING PATTERN "*.json")
# README.md names its neighbours as they lie here.
install(FILES README.md CHANGELOG.md CONTRIBUTING.md LICENSE DESTINATION ${share}/doc/gpuadvise)
install(DIRECTORY docs DESTINATION ${share}/doc/gpuadvise FILES_MATCHING PATTERN "*.md" PATTERN "*.stack")

set(examples ${share}/gpuadvise/examples)
install(DIRECTORY share/kubernetes share/oci share/github share/slurm share/openmpi DESTINATION ${examples} USE_SOURCE_PERMISSIONS)
install(FILES share/systemd/gpuadvise-refresh.timer DESTINATION ${examples}/systemd)
# Neither systemd nor cron looks for a program where users install it: these have its whole path, known when it is installed. A % is special to both.
install(CODE "set(bin \"${CMAKE_INSTALL_BINDIR}\")\nset(from \"${CMAKE_SOURCE_DIR}/share\")\nset(examples \"${examples}\")")
install(CODE [[
  get_filename_component(prefix "${CMAKE_INSTALL_PREFIX}" ABSOLUTE)
  get_filename_component(program "${bin}/gpuadvise" ABSOLUTE BASE_DIR "${prefix}")
  string(REPLACE "%" "%%" program_in_unit "\"${program}\"")
  string(REPLACE "%" "\\%" program_in_crontab "'${program}'")
  foreach(example systemd/gpuadvise-refresh.service cron/gpuadvise-refresh)
    get_filename_component(file "${examples}/${example}" ABSOLUTE BASE_DIR "${prefix}")
    message(STATUS "Installing: $ENV{DESTDIR}${file}")
    configure_file("${from}/${example}.in" "$ENV{DESTDIR}${file}" @ONLY)
    list(APPEND CMAKE_INSTALL_MANIFEST_FILES "${file}")
  endforeach()]])

add_custom_target(uninstall COMMAND sh ${CMAKE_SOURCE_DIR}/cmake/uninstall.sh ${CMAKE_BINARY_DIR}/install_manifest.txt USES_TERMINAL VERBATIM)
