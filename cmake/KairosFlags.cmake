# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
#
# kairos_flags: an interface target with the language level, the warnings and the sanitizers that every
# target of this project is compiled with. Nothing of it is exported. kairos_warnings: the same without
# sanitizers, for kairos-import.

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, Debug or Sanitize" FORCE)
endif()

# No -ffast-math: NaN must stay visible and sums keep their order. No -march: hot kernels carry
# per-CPU clones, so that one binary serves every x86-64 machine.
set(CMAKE_C_FLAGS_RELEASE "-O3 -g1 -fno-math-errno -fno-trapping-math -DNDEBUG")
set(CMAKE_C_FLAGS_DEBUG "-O0 -g3")
set(CMAKE_C_FLAGS_SANITIZE "-O1 -g -fno-omit-frame-pointer")

add_library(kairos_warnings INTERFACE)
add_library(kairos_flags INTERFACE)
target_link_libraries(kairos_flags INTERFACE kairos_warnings)
set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS ON) # -std=gnu17: vector extensions, attributes
set(CMAKE_C_VISIBILITY_PRESET hidden)

target_compile_options(kairos_warnings INTERFACE
    -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wdouble-promotion -Wundef
    -Wformat=2 -Wpointer-arith -Wcast-qual
    -fopenmp-simd # of OpenMP only `omp simd`: threads are our own (src/base/thread_pool.h)
    $<$<C_COMPILER_ID:Clang>:-Wno-pass-failed> # a loop that clang cannot vectorise is slower, not wrong
    $<$<BOOL:${KAIROS_WERROR}>:-Werror>)

# GCC 12 analyses a per-CPU clone (src/base/simd.h) by its dispatcher, which has no body yet: it takes
# calls from one clone to another for calls without effect, and drops them. Without these two analyses it
# cannot. They are left out everywhere, so that no list of files has to be kept: with the hot files
# compiled so, instructions of arch, box-stack, pour and wall-ball change by less than 0.06 %.
target_compile_options(kairos_flags INTERFACE
    $<$<AND:$<C_COMPILER_ID:GNU>,$<NOT:$<CONFIG:Debug,Sanitize>>>:-fno-ipa-modref;-fno-ipa-pure-const>)

if(KAIROS_SANITIZE)
    target_compile_options(kairos_flags INTERFACE
        -fsanitize=${KAIROS_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(kairos_flags INTERFACE -fsanitize=${KAIROS_SANITIZE})
    # The resolvers of per-CPU clones run before a sanitizer has started, so the clones are left out.
    # They watch blocks of malloc only.
    target_compile_definitions(kairos_flags INTERFACE
        KAIROS_NO_TARGET_CLONES=1 KAIROS_NO_MAPPED_BLOCKS=1)
endif()
