# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
"""Each src/model/laws/law_*.h compiles for a device: every function of it is called from a CUDA kernel.

With nvcc (in PATH or /usr/local/cuda/bin) the kernel is compiled by it; without, by a C++ compiler
with the three words of CUDA defined away, which still shows that the laws are C++.
"""

import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import tree

# What a C++ compiler needs to read CUDA's words, where nvcc does not.
PLAIN = "#ifndef __CUDACC__\n#define __global__\n#endif\n"

FUNCTION = re.compile(r"^KAI_(?:LAW|CONTACT_INLINE) ([\w ]+?)\s*(\*?)(\bkai_\w+)\(([^)]*)\)\s*\{", re.M)


def functions(text):
    """(result, name, types of arguments) of each inline function in a header."""
    for result, star, name, arguments in FUNCTION.findall(text):
        types = []
        for argument in arguments.split(","):
            words = argument.split()
            if words == ["void"] or not words:
                continue
            stars = "*" * argument.count("*")
            types.append(" ".join(words[:-1]).replace("*", "") + stars)
        yield (result + star).strip(), name, types


def program(header, text):
    """A translation unit whose kernel calls every function of the header."""
    lines = [PLAIN, f'#include "{header}"\n']
    names = []
    for result, name, types in functions(text):
        names.append(name)
        parameters = "".join(f", {kind} a{i}" for i, kind in enumerate(types))
        call = f"{name}({', '.join(f'a{i}' for i in range(len(types)))})"
        out, body = ("double*", f"{call};") if result == "void" else (f"{result}*", f"*out = {call};")
        lines.append(f"__global__ void kernel_{name}({out} out{parameters}) {{ {body} }}\n")
    return "".join(lines), names


def compilers():
    """The command that compiles a file to nothing, for a device where nvcc is there."""
    nvcc = shutil.which("nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")
    if nvcc:
        return [nvcc, "-x", "cu", "-std=c++17", "-c", "-o", "/dev/null", "-Werror", "all-warnings"]
    for name in ("g++", "clang++", "c++"):
        if shutil.which(name):
            return [name, "-x", "c++", "-std=c++17", "-fsyntax-only", "-Wall", "-Wextra", "-Werror"]
    return None


def check(root, command):
    problems = []
    for file in tree.files(root, ".h"):
        if not re.match(r"src/model/laws/law(_\w+)?\.h$", str(file)):
            continue
        source, names = program(f"model/laws/{file.name}", tree.text(root / file))
        if not names:
            problems.append(f"{file}:1: has no function of a pair (KAI_LAW)")
            continue
        with tempfile.TemporaryDirectory() as folder:
            unit = Path(folder) / "law.cu"
            unit.write_text(source)
            done = subprocess.run(command + [f"-I{root}/src", f"-I{root}/include", str(unit)],
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0:
            problems.append(f"{file}:1: does not compile with {Path(command[0]).name}\n{done.stdout}")
    return problems


if __name__ == "__main__":
    COMMAND = compilers()
    if COMMAND is None:
        tree.skip("laws for devices", "there is no nvcc and no C++ compiler")
    tree.report("laws for devices", check(tree.source_root(), COMMAND),
                f"src/model/laws/law_*.h with {Path(COMMAND[0]).name}")
