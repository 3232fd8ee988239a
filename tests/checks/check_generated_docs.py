# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
"""The generated pages in docs/ are what kairos-gendocs writes now."""

import difflib
import subprocess
import tempfile
from pathlib import Path

import tree


def compare(written, docs):
    """Problems between the folder that was just written and the one in the tree."""
    problems = []
    for file in sorted(p for p in Path(written).rglob("*") if p.is_file()):
        name = file.relative_to(written)
        kept = Path(docs) / name
        if not kept.is_file():
            problems.append(f"docs/{name}: is missing; 'make docs' writes it")
        elif kept.read_bytes() != file.read_bytes():
            difference = list(difflib.unified_diff(tree.text(kept).splitlines(), tree.text(file).splitlines(),
                                                   f"docs/{name}", "generated now", lineterm="", n=1))
            problems.append(f"docs/{name}: is stale; 'make docs' writes it\n" + "\n".join(difference[:30]))
    for file in sorted((Path(docs) / "scene").glob("*")):  # this folder holds nothing else
        if not (Path(written) / "scene" / file.name).is_file():
            problems.append(f"docs/scene/{file.name}: kairos-gendocs does not write it; delete it")
    return problems


if __name__ == "__main__":
    tool = tree.build_root() / "bin" / "kairos-gendocs"
    if not tool.is_file():
        tree.skip("generated docs", "kairos-gendocs was not built")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([str(tool), folder], check=True, stdout=subprocess.DEVNULL)
        number = sum(p.is_file() for p in Path(folder).rglob("*"))
        found = compare(folder, tree.source_root() / "docs")
        if number == 0:
            found.append("kairos-gendocs wrote nothing")
        tree.report("generated docs", found, f"{number} files")
