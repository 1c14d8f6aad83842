# What `cmake --install` copies, and the Debian package (cpack).
include(GNUInstallDirs)

set(manual ${CMAKE_BINARY_DIR}/man)
add_custom_command(OUTPUT ${manual}/tabia.1
  COMMAND sh ${PROJECT_SOURCE_DIR}/cmake/manual.sh $<TARGET_FILE:tabia> ${manual}
  DEPENDS tabia cmake/manual.sh)
add_custom_target(manual ALL DEPENDS ${manual}/tabia.1)

# Debian's zsh does not read site-functions of /usr.
set(zsh_functions site-functions)
if(CMAKE_INSTALL_PREFIX STREQUAL "/usr" AND EXISTS /etc/debian_version)
  set(zsh_functions vendor-completions)
endif()

install(TARGETS tabia tabia-engine RUNTIME)
install(TARGETS tabia_sqlite LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${manual}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES engine/tabia-engine.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(DIRECTORY configs DESTINATION ${CMAKE_INSTALL_DATADIR}/tabia)
install(FILES LICENSE README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES cli/completions/tabia.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME tabia)
install(FILES cli/completions/_tabia DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/${zsh_functions})
install(FILES cli/completions/tabia.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "the Tabia authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "learns a chess evaluation by playing itself")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION games)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
include(CPack)
