# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
"""Dependencies point one way: a module includes its own headers and those of the modules it knows."""

import re
from pathlib import Path

import tree

# The order of docs/architecture.md. A module also knows what the ones named here know.
KNOWS = {
    "base": [],
    "math": ["base"],
    "geometry": ["math"],
    "proximity": ["geometry"],
    "parallel": ["base"],
    "model": ["proximity", "parallel"],
    "contact": ["model"],
    "fea": ["model"],
    "fluid": ["model"],
    "sense": ["contact"],
    "solve": ["math"],
    "step": ["contact", "fea", "sense", "solve"],
    "measure": ["step"],
    "control": ["measure"],
    "record": ["fluid", "control"],
    "import": ["base"],
    "scene": ["record", "import"],
    "view": ["record"],
    "run": ["scene", "view"],
    "render": ["record"],
    "toolkits": [],  # public API only
}
# Public headers that not every module may include: the module one must be, or know. Headers that are not
# here (values, ids, results, kinds, functions of time) are a vocabulary for all.
PUBLIC_HEADERS = {
    "shape": "geometry",
    "material": "geometry",
    "body": "model",
    "collision": "model",
    "contact": "model",
    "contact_law": "model",
    "load": "model",
    "joint": "model",
    "shaft": "model",
    "node": "model",
    "solid": "model",
    "element": "model",
    "element_kinds": "model",
    "joint_nodes": "model",
    "structure": "model",
    "structure_file": "scene",
    "state": "model",
    "sensor": "model",
    "particles": "model",
    "world": "model",
    "integrator": "model",
    "judge": "step",
    "output": "measure",
    "signal": "model",
    "event": "model",
    "scene": "scene",
    "view": "view",
    "run": "run",
    "results": "run",
}
# These see <kairos/…> and headers of their own folder, nothing of src/.
PUBLIC_ONLY = ("src/toolkits/", "apps/", "examples/")
# But for the words that the library and the importer, which it starts, use with each other.
SHARED = {"apps/import": ("src/import/import_protocol.h",)}

# Integrators ask the system and its terms (step/); what is inside these modules is not theirs.
INTEGRATOR = re.compile(r"src/step/integrators/(integrator_\w+|newmark)\.c")
INSIDES = ("contact", "fea", "solve", "proximity")

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.M)


def known(module):
    result, waiting = {module}, [module]
    while waiting:
        for other in KNOWS.get(waiting.pop(), []):
            if other not in result:
                result.add(other)
                waiting.append(other)
    return result


def module_of(path):
    parts = Path(path).parts
    return parts[1] if len(parts) > 2 and parts[0] == "src" else None


def resolve(root, file, name):
    """The file of the tree that a quoted include means, relative to root, or None."""
    for base in ((root / file).parent, root / "src", root / "include"):
        target = (base / name).resolve()
        if target.is_file() and target.is_relative_to(root):
            return target.relative_to(root)
    return None


def problem_of(root, file, quote, name):
    """What is wrong with one include, or None."""
    place = str(file)
    target = resolve(root, file, name) if quote == '"' or name.startswith("kairos/") else None
    if str(target) in SHARED.get(place.rsplit("/", 1)[0], ()):
        return None
    public = name.startswith("kairos/") or (target and target.parts[0] == "include")

    if place.startswith("include/"):
        if quote == '"' and not public:
            return "public headers include public and standard headers only"
        return None
    if place.startswith(PUBLIC_ONLY):
        if quote == "<" or public or (target and target.parent == file.parent):
            return None
        return "only the public API <kairos/…> may be used here"

    module = module_of(file)
    if module is None:
        return None
    if module not in KNOWS:
        return f"module '{module}' is not in the table of check_includes.py"
    other = module_of(target) if target else None
    if public:
        stem = Path(name).stem
        if stem == "kairos":
            return "the library itself includes the public headers it needs, not all of them"
        other = PUBLIC_HEADERS.get(stem)
    elif quote == '"' and target is None:
        return "no such file in the tree"
    if other is not None and other not in known(module):
        return f"{module}/ must not know {other}/ (it knows {', '.join(sorted(known(module) - {module})) or 'nothing'})"
    if INTEGRATOR.fullmatch(place) and other in INSIDES and not public:
        return f"integrators ask the system and its terms, not {other}/"
    return None


def check(root):
    root = Path(root).resolve()
    problems = []
    for file in tree.files(root, ".c", ".h", ".inl", ".inc"):
        if not str(file).startswith(("src/", "include/") + PUBLIC_ONLY):
            continue
        code, _ = tree.blank(tree.text(root / file), strings=False)
        for match in INCLUDE.finditer(code):
            wrong = problem_of(root, file, match.group(1), match.group(2))
            if wrong:
                line = tree.line_of(code, match.start(2))
                problems.append(f"{file}:{line}: includes {match.group(2)}: {wrong}")
    return problems


if __name__ == "__main__":
    tree.report("include direction", check(tree.source_root()),
                f"{len(tree.files(tree.source_root(), '.c', '.h'))} files")
