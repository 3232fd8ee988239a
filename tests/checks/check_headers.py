# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
"""Each public header compiles alone, and twice, as C11 and (where g++ is there) as C++ with C linkage."""

import re
import shutil
import subprocess

import tree


def compiles(command, program):
    done = subprocess.run(command + ["-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-"], input=program,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.returncode == 0, done.stdout


def check(root, include_folders):
    includes = [f"-I{folder}" for folder in include_folders]
    compilers = [["cc", "-x", "c", "-std=c11"]]
    if shutil.which("g++"):
        compilers.append(["g++", "-x", "c++", "-std=c++17"])
    problems = []
    for file in tree.files(root, ".h"):
        if not str(file).startswith("include/kairos/"):
            continue
        line = f"#include <kairos/{file.name}>\n"
        for compiler in compilers:
            fine, output = compiles(compiler + includes, line + line)
            if not fine:
                problems.append(f"{file}:1: does not compile alone with {compiler[0]} {compiler[-1]}\n{output}")
        source = tree.text(root / file)
        if re.search(r"^KAI_API\b", source, re.M) and 'extern "C"' not in source:
            problems.append(f'{file}:1: declares functions outside of extern "C"')
    return problems


if __name__ == "__main__":
    tree.report("standalone headers", check(tree.source_root(), [
        tree.source_root() / "include", tree.build_root() / "include"]), "include/kairos/*.h")
