// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors

#include <kairos/kairos.h>

#include <stdio.h>
#include <string.h>

// Prints the version of the library and fails when the headers are of another one. With an
// argument: fails when the program that reads STEP and glTF files cannot be used.
int main(int argc, char** argv)
{
    char layers[256];
    kai_error error = {0};
    (void)argv;
    if (argc > 1) {
        if (kai_import_containment(layers, sizeof layers, &error) == KAI_OK) return 0;
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    puts(kai_info_version());
    return strcmp(kai_info_version(), KAI_VERSION_STRING) != 0;
}
