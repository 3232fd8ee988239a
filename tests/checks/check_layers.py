# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
"""Symbols point one way, as includes do: an object file needs symbols of its own module and of those it knows
only. Public headers are a vocabulary for all modules, so an include alone does not show a call against the order."""

import subprocess

import check_includes
import tree


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


def check(files):
    return [f"{source}: needs {len(names)} symbols of {module}/, which it must not know: {', '.join(sorted(names))}"
            for (source, module), names in sorted(against(files).items())]


if __name__ == "__main__":
    objects = tree.build_root() / "CMakeFiles" / "kairos_objects.dir"
    found = read(tree.source_root().resolve(), objects)
    trouble = check(found)
    if not found:
        trouble.append(f"no object files were found below {objects}")
    tree.report("layers", trouble, f"{len(found)} object files")
