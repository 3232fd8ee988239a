# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
#
# The command line, the documentation generator, examples and benchmarks. Each is built when its
# sources are there.

file(RELATIVE_PATH KAIROS_BIN_TO_LIB
    "${CMAKE_INSTALL_FULL_BINDIR}" "${CMAKE_INSTALL_FULL_LIBDIR}")
# The build tree and most prefixes have lib/ beside bin/; Debian's /usr has a folder more.
set(KAIROS_RPATH "$ORIGIN/../lib" "$ORIGIN/${KAIROS_BIN_TO_LIB}")
list(REMOVE_DUPLICATES KAIROS_RPATH)

# The importer, which the library starts: always built, also where only the library is wanted. Without
# sanitizers: they need more address space than it may have, and calls that it refuses itself.
file(GLOB KAIROS_IMPORT_SOURCES CONFIGURE_DEPENDS apps/import/*.c)
add_executable(kairos_import ${KAIROS_IMPORT_SOURCES})
target_link_libraries(kairos_import PRIVATE kairos_warnings ${CMAKE_DL_LIBS})
target_include_directories(kairos_import PRIVATE "${PROJECT_SOURCE_DIR}/src")
if(TARGET PkgConfig::KAIROS_ASSIMP_LIB)
    target_link_libraries(kairos_import PRIVATE PkgConfig::KAIROS_ASSIMP_LIB)
    target_compile_definitions(kairos_import PRIVATE KAIROS_HAVE_ASSIMP="${KAIROS_ASSIMP_LIB_VERSION}")
endif()
set_target_properties(kairos_import PROPERTIES
    OUTPUT_NAME kairos-import RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/libexec/kairos")
if(TARGET kairos)
    add_dependencies(kairos kairos_import)
endif()
add_dependencies(kairos_static kairos_import)

# The command line: public API only, like any program of a user.
file(GLOB KAIROS_CLI_SOURCES CONFIGURE_DEPENDS apps/kairos/*.c)
if(KAIROS_APPS AND KAIROS_CLI_SOURCES)
    # The pages of the reference, one after the other, for 'kairos doc'.
    file(GLOB KAIROS_REFERENCE_PAGES CONFIGURE_DEPENDS docs/scene/*.md)
    list(FILTER KAIROS_REFERENCE_PAGES EXCLUDE REGEX "/keys\\.md$")
    set(KAIROS_REFERENCE "${PROJECT_BINARY_DIR}/scene-reference.md")
    add_custom_command(OUTPUT "${KAIROS_REFERENCE}"
        COMMAND ${CMAKE_COMMAND} -E cat ${KAIROS_REFERENCE_PAGES} > "${KAIROS_REFERENCE}"
        DEPENDS ${KAIROS_REFERENCE_PAGES} VERBATIM)
    add_executable(kairos_cli ${KAIROS_CLI_SOURCES} "${KAIROS_REFERENCE}")
    target_link_libraries(kairos_cli PRIVATE kairos kairos_flags m ${CMAKE_DL_LIBS})
    target_compile_definitions(kairos_cli PRIVATE
        CLI_REFERENCE="${KAIROS_REFERENCE}"
        CLI_SWEEP_PAGE="${PROJECT_SOURCE_DIR}/apps/kairos/sweep_page.html"
        KAIROS_SCENES_BUILD_DIR="${PROJECT_SOURCE_DIR}/scenes"
        KAIROS_SCENES_INSTALL_DIR="${CMAKE_INSTALL_FULL_DATADIR}/kairos/scenes")
    set_source_files_properties(apps/kairos/sweep_page.c PROPERTIES
        OBJECT_DEPENDS "${PROJECT_SOURCE_DIR}/apps/kairos/sweep_page.html")
    set_source_files_properties(apps/kairos/command_doc.c PROPERTIES
        OBJECT_DEPENDS "${KAIROS_REFERENCE}")
    set_target_properties(kairos_cli PROPERTIES
        OUTPUT_NAME kairos
        BUILD_WITH_INSTALL_RPATH ON
        INSTALL_RPATH "${KAIROS_RPATH}")
endif()

# Writes the generated pages of docs/ from the descriptors of all kinds. The pages are a library, so
# that tests/tools/test_gendocs.c looks at the same ones.
add_library(kairos_gendocs STATIC EXCLUDE_FROM_ALL
    tools/gendocs/families.c tools/gendocs/keys.c tools/gendocs/pages_bodies.c
    tools/gendocs/pages_language.c tools/gendocs/pages_mechanism.c
    tools/gendocs/pages_outputs.c tools/gendocs/pages_run.c tools/gendocs/pages_sensors.c
    tools/gendocs/pages_signals.c tools/gendocs/pages_structures.c
    tools/gendocs/reference.c tools/gendocs/schema.c
    tools/gendocs/tables.c)
target_link_libraries(kairos_gendocs PRIVATE kairos_static kairos_flags kairos_dependencies)
target_include_directories(kairos_gendocs PRIVATE "${PROJECT_SOURCE_DIR}/src"
                                          PUBLIC "${PROJECT_SOURCE_DIR}/tools/gendocs")
add_executable(kairos-gendocs tools/gendocs/gendocs.c)
target_link_libraries(kairos-gendocs PRIVATE
    kairos_gendocs kairos_static kairos_flags kairos_dependencies ${CMAKE_DL_LIBS})
target_include_directories(kairos-gendocs PRIVATE "${PROJECT_SOURCE_DIR}/src")
set_target_properties(kairos-gendocs PROPERTIES ENABLE_EXPORTS ON) # plug-ins register with its library

# One program a file, in <build>/bin/<folder>/<name>. KAIROS_<FOLDER>_NAMES lists them.
function(kairos_add_programs folder pattern)
    file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${folder}/${pattern}")
    set(names)
    foreach(source IN LISTS sources)
        get_filename_component(name "${source}" NAME_WE)
        set(target ${folder}_${name})
        add_executable(${target} "${source}")
        target_link_libraries(${target} PRIVATE ${ARGN} kairos_flags m)
        set_target_properties(${target} PROPERTIES
            OUTPUT_NAME ${name}
            RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin/${folder}")
        list(APPEND names ${name})
    endforeach()
    set(KAIROS_${folder}_names ${names} PARENT_SCOPE)
endfunction()

if(PROJECT_IS_TOP_LEVEL)
    kairos_add_programs(examples "*.c" kairos)
    include(KairosPeers) # bench_peers: other engines and solvers, where they are installed
    kairos_add_programs(bench "bench_*.c" bench_common bench_peers)
    foreach(name IN LISTS KAIROS_bench_names)
        target_include_directories(bench_${name} PRIVATE "${PROJECT_SOURCE_DIR}/src")
    endforeach()
endif()
