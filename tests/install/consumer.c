// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors

#include <kairos/kairos.h>

#include <stdio.h>
#include <string.h>

// Prints the version of the library and fails when the headers are of another one.
int main(void)
{
    puts(kai_info_version());
    return strcmp(kai_info_version(), KAI_VERSION_STRING) != 0;
}
