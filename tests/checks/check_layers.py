# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
"""Symbols point one way, as includes do: an object file needs symbols of its own module and of those it knows
only. Public headers are a vocabulary for all modules, so an include alone does not show a call against the order."""

import subprocess
import sys

import check_includes
import tree

# What still points against the order, by source file: the modules it needs symbols of, and how many symbols.
# The numbers must not grow; one that has shrunk must be written here, so that it cannot grow back.
ALLOWED = {
    ("src/model/part.c", "fea"): 4,  # kinds of solids
    ("src/model/parts/part_elements.c", "fea"): 23,  # kinds of elements
    ("src/model/parts/part_structures.c", "fea"): 7,  # kinds of structures
    ("src/model/structures/structure_render_mesh.c", "fea"): 4,  # results and layers of elements, for colours of a render mesh
}


def symbols(file, option):
    lines = subprocess.run(["nm", "-P", "-g", option, str(file)],
                           check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    return {line.split()[0].split(".")[0] for line in lines if line.strip()}


def read(root, objects):
    """(source, defined names, needed names) of every object file whose source is there."""
    result = []
    for file in sorted(objects.rglob("*.c.o")):
        source = file.relative_to(objects).with_suffix("")
        if (root / source).is_file():
            result.append((str(source), symbols(file, "--defined-only"), symbols(file, "--undefined-only")))
    return result


def against(files):
    """{(source, module): names} of what is needed of modules that the source's one does not know."""
    home = {name: check_includes.module_of(source) for source, defined, _ in files for name in defined}
    wrong = {}
    for source, _, needed in files:
        known = check_includes.known(check_includes.module_of(source))
        for name in needed:
            module = home.get(name)
            if module is not None and module not in known:
                wrong.setdefault((source, module), set()).add(name)
    return wrong


def check(files, allowed):
    problems, wrong = [], against(files)
    for (source, module), names in sorted(wrong.items()):
        most = allowed.get((source, module), 0)
        if len(names) > most:
            problems.append(f"{source}: needs {len(names)} symbols of {module}/, which it must not know "
                            f"(at most {most}): {', '.join(sorted(names))}")
    for (source, module), most in sorted(allowed.items()):
        count = len(wrong.get((source, module), ()))
        if count < most:
            problems.append(f"{source}: needs {count} symbols of {module}/ only; write that into ALLOWED "
                            f"of check_layers.py (now {most})")
    return problems


if __name__ == "__main__":
    objects = tree.build_root() / "CMakeFiles" / "kairos_objects.dir"
    found = read(tree.source_root().resolve(), objects)
    if "--list" in sys.argv:
        for (place, other), names in sorted(against(found).items()):
            print(f'    ("{place}", "{other}"): {len(names)},  # {" ".join(sorted(names))[:300]}')
        sys.exit(0)
    trouble = check(found, ALLOWED)
    if not found:
        trouble.append(f"no object files were found below {objects}")
    tree.report("layers", trouble, f"{len(found)} object files")
