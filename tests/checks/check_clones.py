# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
"""A function with KAI_CLONES that calls another one of its file: GCC 12 drops such calls unless the file is
compiled with the flags that CMakeLists.txt gives to those on its list KAIROS_CLONES_CALL_CLONES."""

import re

import check_hygiene
import tree

LIST = re.compile(r"set\(KAIROS_CLONES_CALL_CLONES\s+([^)]*)\)")
CLONE = re.compile(r"^KAI_CLONES\b", re.M)
INCLUDE = re.compile(r'^#include "([^"]+)"', re.M)


def sources(root, name, seen):
    """A C file and the headers of src/ that it takes in, directly or not; each once."""
    if name in seen or not (root / name).is_file():
        return ""
    seen.add(name)
    source = tree.text(root / name)
    return "".join(sources(root, f"src/{other}", seen) for other in INCLUDE.findall(source)) + source


def bodies(source):
    """Whether it is a clone and what it may call, by function."""
    code, _ = tree.blank(source)
    lines = tree.without_preprocessor(code).splitlines()
    found = {}
    for name, first, last in check_hygiene.functions(source):
        text = "\n".join(lines[first - 1:last])
        found[name] = "KAI_CLONES" in text.split("{")[0], set(re.findall(r"\b(\w+)\s*\(", text)) - {name}
    return found


def calls(found, start):
    """Clones that a clone reaches, also by way of functions that may be inlined into it."""
    reached, todo, seen = set(), [start], set()
    while todo:
        for other in found[todo.pop()][1] & found.keys() - seen:
            seen.add(other)
            if found[other][0]:
                reached.add(other)
            else:
                todo.append(other)
    return reached - {start}


def check(root):
    listed = LIST.search(tree.text(root / "CMakeLists.txt"))
    listed = set(listed.group(1).split()) if listed else set()
    problems = [f"CMakeLists.txt:1: KAIROS_CLONES_CALL_CLONES names {name}, which needs it not"
                for name in sorted(listed)]
    for file in tree.files(root, ".c"):
        name = str(file)
        source = sources(root, name, set()) if name.startswith("src/") else ""
        if len(CLONE.findall(source)) < 2:
            continue
        found = bodies(source)
        pairs = [(a, b) for a in sorted(found) if found[a][0] for b in sorted(calls(found, a))]
        if pairs and name in listed:
            problems = [p for p in problems if f" {name}," not in p]
        elif pairs:
            problems.append(f"{name}:1: {pairs[0][0]} calls {pairs[0][1]}, both KAI_CLONES; name the file in "
                            "KAIROS_CLONES_CALL_CLONES of CMakeLists.txt")
    return problems


if __name__ == "__main__":
    tree.report("calls between clones", check(tree.source_root()), "src/")
