# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
#
# Headers, both libraries, the command line, the scenes, a CMake package and a pkg-config file.

include(CMakePackageConfigHelpers)
set(KAIROS_CMAKE_DIR "${CMAKE_INSTALL_LIBDIR}/cmake/kairos")

install(TARGETS kairos kairos_static EXPORT kairos-targets
    LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}"
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(TARGETS kairos_import RUNTIME DESTINATION "${CMAKE_INSTALL_LIBEXECDIR}/kairos")
install(FILES ${KAIROS_PUBLIC_HEADERS} "${PROJECT_BINARY_DIR}/include/kairos/version.h"
    DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/kairos")
if(TARGET kairos_cli)
    install(TARGETS kairos_cli RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
    # The program prints its manual page and what shells complete by: made when it is installed.
    install(CODE "
        function(kairos_print file)
            execute_process(COMMAND \"$<TARGET_FILE:kairos_cli>\" \${ARGN}
                OUTPUT_FILE \"${PROJECT_BINARY_DIR}/\${file}\" COMMAND_ERROR_IS_FATAL ANY)
        endfunction()
        kairos_print(kairos.1 help --man)
        kairos_print(kairos.bash completion bash)
        kairos_print(kairos.zsh completion zsh)
        kairos_print(kairos.fish completion fish)")
    install(FILES "${PROJECT_BINARY_DIR}/kairos.1" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
    install(FILES "${PROJECT_BINARY_DIR}/kairos.bash" RENAME kairos
        DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
    install(FILES "${PROJECT_BINARY_DIR}/kairos.zsh" RENAME _kairos
        DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions")
    install(FILES "${PROJECT_BINARY_DIR}/kairos.fish"
        DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")
endif()
if(IS_DIRECTORY "${PROJECT_SOURCE_DIR}/scenes")
    install(DIRECTORY scenes/ DESTINATION "${CMAKE_INSTALL_DATADIR}/kairos/scenes"
        PATTERN "*.kairos-decomposition" EXCLUDE)
endif()
install(FILES docs/scene.schema.json DESTINATION "${CMAKE_INSTALL_DATADIR}/kairos" OPTIONAL)
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}")

install(EXPORT kairos-targets NAMESPACE kairos:: DESTINATION "${KAIROS_CMAKE_DIR}")
configure_package_config_file(cmake/kairos-config.cmake.in kairos-config.cmake
    INSTALL_DESTINATION "${KAIROS_CMAKE_DIR}")
# Before 1.0 a minor version may break programs.
write_basic_package_version_file(kairos-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES
    "${PROJECT_BINARY_DIR}/kairos-config.cmake" "${PROJECT_BINARY_DIR}/kairos-config-version.cmake"
    DESTINATION "${KAIROS_CMAKE_DIR}")

# The prefix is reckoned from where the file lies, so a tree that was moved still works.
file(RELATIVE_PATH KAIROS_PC_TO_PREFIX
    "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig" "${CMAKE_INSTALL_PREFIX}")
string(REGEX REPLACE "/$" "" KAIROS_PC_TO_PREFIX "${KAIROS_PC_TO_PREFIX}")
string(REPLACE ";" " " KAIROS_PC_OPTIONAL "${KAIROS_OPTIONAL_MODULES}")
configure_file(cmake/kairos.pc.in kairos.pc @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/kairos.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
