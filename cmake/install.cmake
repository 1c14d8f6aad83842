# What `cmake --install` copies, and the Debian package (cpack).
include(GNUInstallDirs)

# A system's own package: Debian's rules for copyright, changelog, manual pages and zsh, which does not read
# site-functions of /usr.
set(debian OFF)
set(zsh_functions site-functions)
if(CMAKE_INSTALL_PREFIX STREQUAL "/usr" AND EXISTS /etc/debian_version)
  set(debian ON)
  set(zsh_functions vendor-completions)
endif()

set(manual ${CMAKE_BINARY_DIR}/man)
add_custom_command(OUTPUT ${manual}/tabia.1
  COMMAND sh ${PROJECT_SOURCE_DIR}/cmake/manual.sh $<TARGET_FILE:tabia> ${manual}
  COMMAND ${CMAKE_COMMAND} -E copy ${PROJECT_SOURCE_DIR}/engine/tabia-engine.1 ${manual}
  DEPENDS tabia cmake/manual.sh engine/tabia-engine.1)
add_custom_target(manual ALL DEPENDS ${manual}/tabia.1)

install(TARGETS tabia tabia-engine RUNTIME)
install(TARGETS tabia_sqlite LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/tabia)
install(DIRECTORY configs DESTINATION ${CMAKE_INSTALL_DATADIR}/tabia
  PATTERN *.sh PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
# The links of the documents hold where they are installed: configs/ is a link there.
install(FILES README.md ARCHITECTURE.md CHANGELOG.md CONTRIBUTING.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR})
file(RELATIVE_PATH configs ${CMAKE_INSTALL_FULL_DOCDIR} ${CMAKE_INSTALL_FULL_DATADIR}/tabia/configs)
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/links)
file(CREATE_LINK ${configs} ${CMAKE_BINARY_DIR}/links/configs SYMBOLIC)
install(FILES ${CMAKE_BINARY_DIR}/links/configs DESTINATION ${CMAKE_INSTALL_DOCDIR})
# Who makes a package names itself as for Debian's tools.
set(contact "the Tabia authors <maintainers@tabia.example>")
if(DEFINED ENV{DEBEMAIL})
  set(contact "$ENV{DEBEMAIL}") # may be "NAME <ADDRESS>"
  if(NOT contact MATCHES "<")
    set(name "$ENV{DEBFULLNAME}")
    if(name STREQUAL "")
      set(name "the Tabia authors")
    endif()
    set(contact "${name} <${contact}>")
  endif()
endif()
if(debian)
  set(packed ${CMAKE_BINARY_DIR}/debian)
  configure_file(cmake/changelog.in ${packed}/changelog)
  add_custom_command(OUTPUT ${packed}/changelog.gz
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${packed}/man
    COMMAND ${CMAKE_COMMAND} -E copy_directory ${manual} ${packed}/man
    COMMAND gzip -9nf ${packed}/man/*.1
    COMMAND gzip -9nkf ${packed}/changelog
    DEPENDS ${manual}/tabia.1 ${packed}/changelog)
  add_custom_target(debian ALL DEPENDS ${packed}/changelog.gz)
  install(DIRECTORY ${packed}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${packed}/changelog.gz DESTINATION ${CMAKE_INSTALL_DOCDIR})
  install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)
  install(FILES cmake/lintian-overrides DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides RENAME tabia)
else()
  install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
  install(DIRECTORY ${manual}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()
install(FILES cli/completions/tabia.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME tabia)
install(FILES cli/completions/_tabia DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/${zsh_functions})
install(FILES cli/completions/tabia.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

add_custom_target(uninstall COMMAND sh ${PROJECT_SOURCE_DIR}/cmake/uninstall.sh ${CMAKE_BINARY_DIR})

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR})
set(CPACK_PACKAGE_CONTACT "${contact}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "learns a chess evaluation by playing itself")
set(CPACK_PACKAGE_DESCRIPTION "Tabia starts from the rules of chess: it plays itself, stores the games in
an SQLite file, fits evaluation weights to them and proves the new weights by
a match. It also tunes the evaluations of other engines, runs matches between
UCI engines, rates the games of PGN files, and converts games to the formats
of training tools.
.
The package holds the program tabia, the UCI engine tabia-engine, and an
extension for SQLite.")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science) # in `games` programs are in /usr/games
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)

# The source archive: cpack --config build/release/CPackSourceConfig.cmake
set(CPACK_SOURCE_GENERATOR TGZ)
set(CPACK_SOURCE_PACKAGE_FILE_NAME tabia-${PROJECT_VERSION})
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_SOURCE_DIR}/cmake/source_archive.cmake)
include(CPack)
