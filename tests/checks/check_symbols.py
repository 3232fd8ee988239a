# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
"""The shared library exports kai_ names only, and the globals of an object file carry its stem:
body.c defines kai_body or kai_body_…, so that a name tells where it is written."""

import subprocess
from pathlib import Path

import tree


def globals_of(file, *options):
    """Names of the defined global symbols. The .avx2 and .resolver parts of per-CPU clones are dropped."""
    lines = subprocess.run(["nm", "-P", "--defined-only", *options, str(file)],
                           check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    return sorted({line.split()[0].split("@")[0].split(".")[0] for line in lines if line.strip()})


def check_library(library):
    return [f"{Path(library).name}: exports {name}; exported names start with kai_"
            for name in globals_of(library, "-D") if not name.startswith("kai_")]


def check_object(file, source):
    stem = Path(source).stem
    return [f"{source}: defines {name}; globals of this file are kai_{stem} or start with kai_{stem}_"
            for name in globals_of(file, "-g")
            if name != f"kai_{stem}" and not name.startswith(f"kai_{stem}_")]


def check(root, build):
    problems = check_library(build / "lib" / "libkairos.so")
    objects = build / "CMakeFiles" / "kairos_objects.dir"
    count = 0
    for file in sorted(objects.rglob("*.c.o")):
        source = file.relative_to(objects).with_suffix("")  # drops .o
        if (root / source).is_file():  # a deleted source may have left its object
            count += 1
            problems += check_object(file, source)
    if count == 0:
        problems.append(f"no object files were found below {objects}")
    return problems, count


if __name__ == "__main__":
    found, number = check(tree.source_root(), tree.build_root())
    tree.report("symbols", found, f"{number} object files")
