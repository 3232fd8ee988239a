# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
#
# tests/fuzz/fuzz_<what>.c → <build>/bin/fuzz_<what>, linked with libFuzzer. The library itself is
# instrumented for coverage too. tools/fuzz runs them.

if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "KAIROS_FUZZ needs clang: use the fuzz preset")
endif()
target_compile_options(kairos_flags INTERFACE -fsanitize=fuzzer-no-link)

add_library(kairos_fuzz_flags INTERFACE) # linked after kairos_flags
target_compile_options(kairos_fuzz_flags INTERFACE -Wno-missing-prototypes) # LLVMFuzzerTestOneInput
target_link_options(kairos_fuzz_flags INTERFACE -fsanitize=fuzzer)

file(GLOB harnesses CONFIGURE_DEPENDS tests/fuzz/fuzz_*.c)
foreach(harness IN LISTS harnesses)
    get_filename_component(name "${harness}" NAME_WE)
    add_executable(${name} "${harness}")
    target_link_libraries(${name} PRIVATE kairos_static kairos_flags kairos_fuzz_flags kairos_dependencies)
    target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/tests")
endforeach()
