# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
#
# bench_common: what benchmark programs share. bench_peers: other engines and solvers that they compare
# with, from the system's packages only. A peer that is not there is left out; the program that would
# use it says so.

add_library(bench_common STATIC EXCLUDE_FROM_ALL "${PROJECT_SOURCE_DIR}/bench/common.c")
target_include_directories(bench_common
    PUBLIC "${PROJECT_SOURCE_DIR}/bench"
    PRIVATE "${PROJECT_SOURCE_DIR}/src")
target_link_libraries(bench_common PUBLIC kairos_static kairos_dependencies PRIVATE kairos_flags)

add_library(bench_peers INTERFACE)

# kairos_add_peer(NAME SOURCE LIBRARIES... [INCLUDE folders...]): programs see KAIROS_PEER_<NAME>.
function(kairos_add_peer name source)
    cmake_parse_arguments(PEER "" "" "INCLUDE" ${ARGN})
    string(TOLOWER "bench_peer_${name}" target)
    add_library(${target} STATIC EXCLUDE_FROM_ALL "${PROJECT_SOURCE_DIR}/bench/peers/${source}")
    target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/bench")
    target_include_directories(${target} SYSTEM PRIVATE ${PEER_INCLUDE})
    target_link_libraries(${target} PUBLIC ${PEER_UNPARSED_ARGUMENTS})
    if(source MATCHES "\\.c$")
        target_link_libraries(${target} PRIVATE kairos_flags)
    else()
        target_compile_options(${target} PRIVATE
            -Wall -Wextra $<$<BOOL:${KAIROS_WERROR}>:-Werror>)
    endif()
    target_link_libraries(bench_peers INTERFACE ${target})
    target_compile_definitions(bench_peers INTERFACE KAIROS_PEER_${name})
endfunction()

# A sanitizer would look into libraries that were not built for it.
if(KAIROS_SANITIZE)
    return()
endif()

pkg_check_modules(BENCH_ODE QUIET ode)
if(BENCH_ODE_FOUND)
    kairos_add_peer(ODE ode.c ${BENCH_ODE_LINK_LIBRARIES} INCLUDE ${BENCH_ODE_INCLUDE_DIRS})
    kairos_add_peer(ODE_BED ode_bed.c ${BENCH_ODE_LINK_LIBRARIES} INCLUDE ${BENCH_ODE_INCLUDE_DIRS})
endif()

find_library(BENCH_MUJOCO_LIBRARY mujoco)
find_path(BENCH_MUJOCO_INCLUDE mujoco/mujoco.h)
if(BENCH_MUJOCO_LIBRARY AND BENCH_MUJOCO_INCLUDE)
    kairos_add_peer(MUJOCO mujoco.c ${BENCH_MUJOCO_LIBRARY} INCLUDE ${BENCH_MUJOCO_INCLUDE})
    kairos_add_peer(MUJOCO_SMALL mujoco_small.c ${BENCH_MUJOCO_LIBRARY} INCLUDE ${BENCH_MUJOCO_INCLUDE})
endif()

find_library(BENCH_UMFPACK_LIBRARY umfpack)
find_library(BENCH_KLU_LIBRARY klu)
find_path(BENCH_SUITESPARSE_INCLUDE suitesparse/umfpack.h)
if(BENCH_UMFPACK_LIBRARY AND BENCH_KLU_LIBRARY AND BENCH_SUITESPARSE_INCLUDE)
    kairos_add_peer(SUITESPARSE suitesparse.c ${BENCH_UMFPACK_LIBRARY} ${BENCH_KLU_LIBRARY}
        INCLUDE ${BENCH_SUITESPARSE_INCLUDE})
endif()

find_library(BENCH_CHOLMOD_LIBRARY cholmod)
find_path(BENCH_CHOLMOD_INCLUDE suitesparse/cholmod.h)
if(BENCH_CHOLMOD_LIBRARY AND BENCH_CHOLMOD_INCLUDE)
    kairos_add_peer(CHOLMOD cholmod.c ${BENCH_CHOLMOD_LIBRARY} INCLUDE ${BENCH_CHOLMOD_INCLUDE})
endif()

pkg_check_modules(BENCH_CCD QUIET ccd)
if(BENCH_CCD_FOUND)
    kairos_add_peer(CCD ccd.c ${BENCH_CCD_LINK_LIBRARIES} INCLUDE ${BENCH_CCD_INCLUDE_DIRS})
endif()

# Bullet is C++: its compiler must be of the kind that compiles the rest, because it links the program.
pkg_check_modules(BENCH_BULLET QUIET bullet)
if(BENCH_BULLET_FOUND)
    include(CheckLanguage)
    check_language(CXX)
    if(CMAKE_CXX_COMPILER)
        enable_language(CXX)
    endif()
    if(CMAKE_CXX_COMPILER AND CMAKE_CXX_COMPILER_ID STREQUAL CMAKE_C_COMPILER_ID)
        kairos_add_peer(BULLET bullet.cpp ${BENCH_BULLET_LINK_LIBRARIES}
            INCLUDE ${BENCH_BULLET_INCLUDE_DIRS})
        kairos_add_peer(BULLET_BED bullet_bed.cpp ${BENCH_BULLET_LINK_LIBRARIES}
            INCLUDE ${BENCH_BULLET_INCLUDE_DIRS})
        kairos_add_peer(BULLET_NARROW bullet_narrow.cpp ${BENCH_BULLET_LINK_LIBRARIES}
            INCLUDE ${BENCH_BULLET_INCLUDE_DIRS})
    endif()
endif()

# So is FCL.
pkg_check_modules(BENCH_FCL QUIET fcl)
if(BENCH_FCL_FOUND AND CMAKE_CXX_COMPILER AND CMAKE_CXX_COMPILER_ID STREQUAL CMAKE_C_COMPILER_ID)
    kairos_add_peer(FCL fcl.cpp ${BENCH_FCL_LINK_LIBRARIES} INCLUDE ${BENCH_FCL_INCLUDE_DIRS})
endif()

find_library(BENCH_SICONOS_LIBRARY siconos_numerics)
find_library(BENCH_SICONOS_EXTERNALS siconos_externals)
find_path(BENCH_SICONOS_INCLUDE siconos/numerics/NonSmoothDrivers.h)
if(BENCH_SICONOS_LIBRARY AND BENCH_SICONOS_EXTERNALS AND BENCH_SICONOS_INCLUDE)
    kairos_add_peer(SICONOS siconos.c ${BENCH_SICONOS_LIBRARY} ${BENCH_SICONOS_EXTERNALS}
        INCLUDE ${BENCH_SICONOS_INCLUDE}/siconos ${BENCH_SICONOS_INCLUDE}/siconos/numerics)
endif()
