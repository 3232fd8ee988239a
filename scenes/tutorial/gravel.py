#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
"""Writes gravel.csv: a lattice of stones with a little disorder, one row per stone."""
import random

random.seed(1)
r = 0.012
with open("gravel.csv", "w") as table:
    table.write("x,y,z,radius\n")
    for i in range(52):
        for j in range(20):
            for k in range(2):
                x, y, z = (i - 8) * 2.05 * r, (j - 9.5) * 2.05 * r, (2 * k + 1.1) * r
                radius = r * random.uniform(0.8, 1.0)
                table.write(f"{x + random.uniform(-3e-4, 3e-4):.5f},{y + random.uniform(-3e-4, 3e-4):.5f},{z:.5f},{radius:.5f}\n")
