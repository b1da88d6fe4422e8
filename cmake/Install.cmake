# The install tree: program, man page, completions, schemas, documents. What the program can write itself, it writes.

# generated(FILE arguments...): FILE in the build folder is what `gpuadvise arguments...` prints.
function(generated file)
  set(path ${CMAKE_BINARY_DIR}/generated/${file})
  add_custom_command(OUTPUT ${path}
    COMMAND gpuadvise ${ARGN} > ${path}.part
    COMMAND ${CMAKE_COMMAND} -E rename ${path}.part ${path}
    DEPENDS gpuadvise VERBATIM)
  set_property(GLOBAL APPEND PROPERTY gpuadvise_generated ${path})
endfunction()

generated(gpuadvise.1 help --man)
generated(gpuadvise.bash completion bash)
generated(_gpuadvise completion zsh)
generated(gpuadvise.fish completion fish)
get_property(documents GLOBAL PROPERTY gpuadvise_generated)
add_custom_target(documents ALL DEPENDS ${documents})

set(made ${CMAKE_BINARY_DIR}/generated)
set(share ${CMAKE_INSTALL_DATADIR})
install(TARGETS gpuadvise)
install(FILES ${made}/gpuadvise.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${made}/gpuadvise.bash DESTINATION ${share}/bash-completion/completions RENAME gpuadvise)
install(FILES ${made}/_gpuadvise DESTINATION ${share}/zsh/site-functions)
install(FILES ${made}/gpuadvise.fish DESTINATION ${share}/fish/vendor_completions.d)
install(DIRECTORY share/schema DESTINATION ${share}/gpuadvise FILES_MATCHING PATTERN "*.json")
install(DIRECTORY share/systemd share/cron share/kubernetes DESTINATION ${share}/gpuadvise/examples)
install(FILES docs/prices-import.md docs/claims.md docs/ci.md README.md LICENSE DESTINATION ${share}/doc/gpuadvise)
