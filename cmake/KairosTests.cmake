# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
#
# CTest entries, found by name:
#   tests/<module>/test_<what>.c   <module>/<what>   cmocka, static library    label unit
#   tests/process/test_<what>.py   process/<what>    real processes            label process
#   tests/checks/check_<what>.*    checks/<what>     the tree itself           label checks
#   examples/<name>.c              examples/<name>   output equals <name>.out  label examples
#   tests/install                  install/consumer  the installed copy        label install
#   tests/fuzz/fuzz_<what>.c       fuzz/<what>       libFuzzer                 label fuzz
#   tests/mutate                   run by process/mutants and process/malloc
#
# A test file may say, in a comment of its own:
#   ctest-labels: slow validate    more labels (slow: left out under sanitizers)
#   ctest-timeout: 600             seconds, instead of 120
#   ctest-serial                   never beside another test (timing, memory, disk)

set(tests "${PROJECT_SOURCE_DIR}/tests")
set(scratch "${PROJECT_BINARY_DIR}/tests")
file(MAKE_DIRECTORY "${scratch}")

# --- What running the tests needs ------------------------------------------------------------------

# The system's Python before any other one in PATH: it is the one that sees the distribution's modules.
find_program(KAIROS_PYTHON NAMES python3 PATHS /usr/bin NO_DEFAULT_PATH)
find_program(KAIROS_PYTHON NAMES python3)
find_program(KAIROS_BASH NAMES bash)

pkg_check_modules(KAIROS_CMOCKA QUIET IMPORTED_TARGET cmocka)
set(KAIROS_UNIT_TESTS ON)
if(NOT KAIROS_CMOCKA_FOUND)
    if(NOT KAIROS_TESTS STREQUAL "AUTO")
        kairos_missing("cmocka (unit tests)" "libcmocka-dev")
    endif()
    message(STATUS "cmocka was not found: no unit tests ('make test' installs libcmocka-dev)")
    set(KAIROS_UNIT_TESTS OFF)
endif()

# Every test sees the same surroundings, sanitizers included.
set(KAIROS_TEST_ENVIRONMENT
    "KAIROS_BIN=${PROJECT_BINARY_DIR}/bin/kairos"
    "KAIROS_SOURCE=${PROJECT_SOURCE_DIR}"
    "KAIROS_BUILD=${PROJECT_BINARY_DIR}"
    "KAIROS_SANITIZE=${KAIROS_SANITIZE}"
    "KAIROS_LOOP_GRAIN=0" # small loops run on all threads, as large ones do
    "PYTHONDONTWRITEBYTECODE=1")
set(KAIROS_TIMEOUT_FACTOR 1)
if(KAIROS_SANITIZE)
    set(KAIROS_TIMEOUT_FACTOR 5)
endif()
if(KAIROS_SANITIZE MATCHES "address")
    # Memory that cannot be had must come back as NULL, as it does without the sanitizer.
    list(APPEND KAIROS_TEST_ENVIRONMENT
        "ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1:detect_stack_use_after_return=1"
        "UBSAN_OPTIONS=print_stacktrace=1")
endif()
if(KAIROS_SANITIZE MATCHES "thread")
    list(APPEND KAIROS_TEST_ENVIRONMENT
        "TSAN_OPTIONS=ignore_noninstrumented_modules=1 halt_on_error=1 second_deadlock_stack=1")
endif()

# Labels, timeout and surroundings of one entry; `file` is read for its ctest- lines.
function(kairos_test_properties name file)
    set(labels ${ARGN})
    set(timeout 120)
    set(serial OFF)
    file(STRINGS "${file}" lines REGEX "ctest-(labels|timeout|serial)" LIMIT_COUNT 8)
    foreach(line IN LISTS lines)
        if(line MATCHES "ctest-labels: *([a-z0-9 _-]+)")
            string(REGEX MATCHALL "[a-z0-9_-]+" more "${CMAKE_MATCH_1}")
            list(APPEND labels ${more})
        elseif(line MATCHES "ctest-timeout: *([0-9]+)")
            set(timeout ${CMAKE_MATCH_1})
        elseif(line MATCHES "ctest-serial")
            set(serial ON)
        endif()
    endforeach()
    math(EXPR timeout "${timeout} * ${KAIROS_TIMEOUT_FACTOR}")
    set_tests_properties("${name}" PROPERTIES
        LABELS "${labels}"
        TIMEOUT ${timeout}
        RUN_SERIAL ${serial}
        SKIP_RETURN_CODE 77
        ENVIRONMENT "${KAIROS_TEST_ENVIRONMENT}")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
endfunction()

# --- Unit tests ------------------------------------------------------------------------------------

file(GLOB sources CONFIGURE_DEPENDS "${tests}/*/test_*.c")
list(FILTER sources EXCLUDE REGEX "/tests/(install|checks|fuzz|mutate|process)/")
if(NOT KAIROS_UNIT_TESTS)
    set(sources)
endif()
add_library(kairos_test_flags INTERFACE) # linked after kairos_flags, whose -Wextra it takes back in part
target_compile_options(kairos_test_flags INTERFACE -Wno-unused-parameter) # cmocka's void** state
foreach(source IN LISTS sources)
    get_filename_component(stem "${source}" NAME_WE)
    get_filename_component(folder "${source}" DIRECTORY)
    get_filename_component(module "${folder}" NAME)
    string(REGEX REPLACE "^test_" "" what "${stem}")
    set(target test_${module}_${what})
    add_executable(${target} "${source}")
    target_link_libraries(${target} PRIVATE
        kairos_static kairos_flags kairos_test_flags kairos_dependencies PkgConfig::KAIROS_CMOCKA)
    target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/src" "${tests}")
    target_compile_definitions(${target} PRIVATE
        KAIROS_SOURCE_DIR="${PROJECT_SOURCE_DIR}" KAIROS_BUILD_DIR="${PROJECT_BINARY_DIR}")
    set_target_properties(${target} PROPERTIES
        OUTPUT_NAME ${stem} RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin/tests/${module}")
    add_test(NAME ${module}/${what} COMMAND ${target} WORKING_DIRECTORY "${scratch}")
    kairos_test_properties(${module}/${what} "${source}" unit ${module})
endforeach()

# tools/gendocs looks at the pages that kairos-gendocs writes.
if(TARGET test_tools_gendocs)
    target_link_libraries(test_tools_gendocs PRIVATE kairos_gendocs kairos_static)
endif()

# model/api_misuse calls what the public headers declare.
if(TARGET test_model_api_misuse)
    set(calls "${PROJECT_BINARY_DIR}/tests/generated/api_calls.inc")
    file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/tests/generated")
    add_custom_command(OUTPUT "${calls}"
        COMMAND "${KAIROS_PYTHON}" "${tests}/model/api_calls.py" "${PROJECT_SOURCE_DIR}/include/kairos" "${calls}"
        DEPENDS "${tests}/model/api_calls.py" ${KAIROS_PUBLIC_HEADERS}
        COMMENT "Writing calls of every public function" VERBATIM)
    target_sources(test_model_api_misuse PRIVATE "${calls}")
    target_include_directories(test_model_api_misuse PRIVATE "${PROJECT_BINARY_DIR}/tests/generated")
endif()

# --- Scripts: processes and checks -----------------------------------------------------------------

function(kairos_add_scripts folder prefix)
    file(GLOB scripts CONFIGURE_DEPENDS
        "${tests}/${folder}/${prefix}_*.py" "${tests}/${folder}/${prefix}_*.sh")
    foreach(script IN LISTS scripts)
        get_filename_component(what "${script}" NAME_WE)
        string(REGEX REPLACE "^${prefix}_" "" what "${what}")
        set(runner "${KAIROS_PYTHON}")
        if(script MATCHES "\\.sh$")
            set(runner "${KAIROS_BASH}")
        endif()
        add_test(NAME ${folder}/${what} COMMAND "${runner}" "${script}" WORKING_DIRECTORY "${scratch}")
        kairos_test_properties(${folder}/${what} "${script}" ${folder})
    endforeach()
endfunction()
kairos_add_scripts(process test)

# Lets memory run out, for process/malloc; a sanitizer has an allocator of its own.
if(CMAKE_SYSTEM_NAME STREQUAL "Linux" AND NOT KAIROS_SANITIZE)
    add_library(kairos_failing_malloc MODULE "${tests}/mutate/failing_malloc.c")
    target_link_libraries(kairos_failing_malloc PRIVATE ${CMAKE_DL_LIBS})
    set_target_properties(kairos_failing_malloc PROPERTIES PREFIX "" OUTPUT_NAME failing_malloc C_VISIBILITY_PRESET default
        LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin/tests/mutate")
endif()
kairos_add_scripts(checks check)

# Plug-ins for process/plugins: an example, which is one too, and one for another version.
function(kairos_add_plugin name source)
    add_library(kairos_plugin_${name} MODULE "${source}")
    target_link_libraries(kairos_plugin_${name} PRIVATE kairos kairos_flags m)
    set_target_properties(kairos_plugin_${name} PROPERTIES PREFIX "" OUTPUT_NAME ${name}
        LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin/tests/process")
endfunction()
kairos_add_plugin(trees "${PROJECT_SOURCE_DIR}/examples/user_section.c")
kairos_add_plugin(sunflower "${PROJECT_SOURCE_DIR}/examples/user_sampler.c")
kairos_add_plugin(old "${tests}/process/plugin_old.c")

# --- Examples --------------------------------------------------------------------------------------

foreach(name IN LISTS KAIROS_examples_names)
    add_test(NAME examples/${name} COMMAND "${CMAKE_COMMAND}"
        "-DPROGRAM=$<TARGET_FILE:examples_${name}>"
        "-DEXPECTED=${PROJECT_SOURCE_DIR}/examples/${name}.out"
        "-DFOLDER=${scratch}/examples/${name}"
        -P "${PROJECT_SOURCE_DIR}/cmake/RunExample.cmake")
    kairos_test_properties(examples/${name} "${PROJECT_SOURCE_DIR}/examples/${name}.c" examples)
endforeach()

# --- The installed copy ----------------------------------------------------------------------------

if(EXISTS "${tests}/install/run.sh" AND NOT KAIROS_SANITIZE)
    add_test(NAME install/consumer COMMAND "${KAIROS_BASH}" "${tests}/install/run.sh"
        "${CMAKE_COMMAND}" "${PROJECT_BINARY_DIR}" "${CMAKE_C_COMPILER}" "${CMAKE_INSTALL_LIBDIR}"
        "${PROJECT_VERSION}")
    kairos_test_properties(install/consumer "${tests}/install/run.sh" install)
endif()

# --- Fuzzing ---------------------------------------------------------------------------------------

# The harnesses are built by clang in a tree of their own (preset fuzz), once, when the first runs.
file(GLOB harnesses CONFIGURE_DEPENDS "${tests}/fuzz/fuzz_*.c")
foreach(harness IN LISTS harnesses)
    get_filename_component(what "${harness}" NAME_WE)
    string(REGEX REPLACE "^fuzz_" "" what "${what}")
    add_test(NAME fuzz/${what} COMMAND "${KAIROS_BASH}" "${PROJECT_SOURCE_DIR}/tools/fuzz" --share ${what}
        WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
    kairos_test_properties(fuzz/${what} "${harness}" fuzz)
    set_tests_properties(fuzz/${what} PROPERTIES TIMEOUT 1800 COST 1000) # starts first
endforeach()
