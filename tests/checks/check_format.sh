#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
#
# Every C file is laid out as .clang-format says.

exec "$(dirname "${BASH_SOURCE[0]}")/../../tools/format" --check
