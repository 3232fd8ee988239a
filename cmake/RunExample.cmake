# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
#
# Runs an example in an empty folder and compares what it prints with the stored output, byte for byte:
#   cmake -DPROGRAM=… -DEXPECTED=… -DFOLDER=… -P RunExample.cmake

file(REMOVE_RECURSE "${FOLDER}")
file(MAKE_DIRECTORY "${FOLDER}")
execute_process(COMMAND "${PROGRAM}"
    WORKING_DIRECTORY "${FOLDER}"
    OUTPUT_FILE "${FOLDER}/stdout"
    RESULT_VARIABLE status)
file(READ "${FOLDER}/stdout" printed)
if(NOT status STREQUAL "0")
    message(FATAL_ERROR "${PROGRAM} ended with ${status}; it printed:\n${printed}")
endif()
if(EXISTS "${EXPECTED}")
    execute_process(COMMAND "${CMAKE_COMMAND}" -E compare_files "${FOLDER}/stdout" "${EXPECTED}"
        RESULT_VARIABLE differs)
    if(differs)
        execute_process(COMMAND diff -u "${EXPECTED}" "${FOLDER}/stdout")
        message(FATAL_ERROR "the output differs from ${EXPECTED}; it is kept in ${FOLDER}/stdout")
    endif()
endif()
message("${printed}")
