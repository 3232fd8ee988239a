# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
#
# Finds what the engine links. KAIROS_LINK_LIBRARIES lists the targets; the installed package looks for
# the same ones (kairos-config.cmake.in), and kairos.pc names them for pkg-config.

function(kairos_missing what package)
    message(FATAL_ERROR
        "${what} was not found. Debian/Ubuntu package: ${package}. "
        "'tools/install-packages build' installs everything the build needs.")
endfunction()

find_package(PkgConfig QUIET)
if(NOT PKG_CONFIG_FOUND)
    kairos_missing("pkg-config" "pkg-config")
endif()

pkg_check_modules(KAIROS_JANSSON QUIET IMPORTED_TARGET jansson)
if(NOT KAIROS_JANSSON_FOUND)
    kairos_missing("Jansson (JSON)" "libjansson-dev")
endif()

# Debian calls the serial build hdf5-serial and lets hdf5 point to whichever is the default.
pkg_search_module(KAIROS_HDF5 QUIET IMPORTED_TARGET hdf5-serial hdf5)
if(NOT KAIROS_HDF5_FOUND)
    kairos_missing("HDF5 (C library, serial)" "libhdf5-dev")
endif()

find_package(ZLIB QUIET)
if(NOT ZLIB_FOUND)
    kairos_missing("zlib" "zlib1g-dev")
endif()

# Neither has a pkg-config file in Debian.
find_path(KAIROS_METIS_INCLUDE metis.h)
find_library(KAIROS_METIS_LIBRARY metis)
if(NOT KAIROS_METIS_INCLUDE OR NOT KAIROS_METIS_LIBRARY)
    kairos_missing("METIS (order of elimination)" "libmetis-dev")
endif()
find_path(KAIROS_CAMD_INCLUDE camd.h PATH_SUFFIXES suitesparse)
find_library(KAIROS_CAMD_LIBRARY camd)
if(NOT KAIROS_CAMD_INCLUDE OR NOT KAIROS_CAMD_LIBRARY)
    kairos_missing("CAMD of SuiteSparse (order of elimination)" "libsuitesparse-dev")
endif()
set_property(SOURCE ${PROJECT_SOURCE_DIR}/src/solve/ldl_dissect.c APPEND PROPERTY INCLUDE_DIRECTORIES
    ${KAIROS_METIS_INCLUDE} ${KAIROS_CAMD_INCLUDE})

set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads QUIET)
if(NOT Threads_FOUND)
    kairos_missing("POSIX threads" "libc6-dev")
endif()

set(KAIROS_LINK_LIBRARIES
    PkgConfig::KAIROS_JANSSON PkgConfig::KAIROS_HDF5 ZLIB::ZLIB Threads::Threads
    metis camd m ${CMAKE_DL_LIBS})

# Optional: one module needs it, and says so when it is not there. KAIROS_HAVE_X tells the code.
set(KAIROS_OPTIONAL_DEFINITIONS)
set(KAIROS_OPTIONAL_MODULES) # names for pkg-config
# With NO_LINK only the program kairos-import links it (KairosPrograms.cmake).
function(kairos_optional name module what package)
    option(KAIROS_${name} "Use ${what} when it is there" ON)
    if(KAIROS_${name})
        pkg_check_modules(KAIROS_${name}_LIB QUIET IMPORTED_TARGET ${module})
    endif()
    if(KAIROS_${name}_LIB_FOUND)
        if(NOT "NO_LINK" IN_LIST ARGN)
            set(KAIROS_LINK_LIBRARIES ${KAIROS_LINK_LIBRARIES} PkgConfig::KAIROS_${name}_LIB PARENT_SCOPE)
            set(KAIROS_OPTIONAL_MODULES ${KAIROS_OPTIONAL_MODULES} ${module} PARENT_SCOPE)
        endif()
        set(KAIROS_OPTIONAL_DEFINITIONS ${KAIROS_OPTIONAL_DEFINITIONS}
            KAIROS_HAVE_${name}="${KAIROS_${name}_LIB_VERSION}" PARENT_SCOPE)
    else()
        message(STATUS "Without ${what} (Debian/Ubuntu package: ${package})")
    endif()
endfunction()
kairos_optional(QHULL qhull_r "Qhull (convex hulls)" libqhull-dev)
kairos_optional(LIBWEBSOCKETS libwebsockets "libwebsockets (kairos view, --live)" libwebsockets-dev)
kairos_optional(ASSIMP assimp "Assimp (mesh files)" libassimp-dev NO_LINK)

# Gmsh is opened at run time by kairos-import: its library brings a CAD kernel.
option(KAIROS_GMSH "Use Gmsh (STEP files) when it is there" ON)
find_path(KAIROS_GMSH_INCLUDE gmshc.h)
if(KAIROS_GMSH AND KAIROS_GMSH_INCLUDE)
    file(STRINGS ${KAIROS_GMSH_INCLUDE}/gmshc.h KAIROS_GMSH_VERSION REGEX "define GMSH_API_VERSION \"")
    string(REGEX REPLACE ".*\"(.*)\".*" "\\1" KAIROS_GMSH_VERSION "${KAIROS_GMSH_VERSION}")
    set_property(SOURCE ${PROJECT_SOURCE_DIR}/src/scene/structure_import.c
        ${PROJECT_SOURCE_DIR}/src/base/info.c ${PROJECT_SOURCE_DIR}/apps/import/gmsh.c
        APPEND PROPERTY COMPILE_DEFINITIONS "KAIROS_HAVE_GMSH=\"${KAIROS_GMSH_VERSION}\"")
else()
    message(STATUS "Without Gmsh (STEP files; Debian/Ubuntu package: libgmsh-dev)")
endif()

add_library(kairos_dependencies INTERFACE)
target_link_libraries(kairos_dependencies INTERFACE ${KAIROS_LINK_LIBRARIES})
target_compile_definitions(kairos_dependencies INTERFACE ${KAIROS_OPTIONAL_DEFINITIONS})
