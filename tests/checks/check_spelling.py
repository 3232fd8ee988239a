# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
"""codespell finds no misspelled word in pages, scenes, headers, sources and tools."""

import shutil
import subprocess
from pathlib import Path

import tree

# Words that codespell takes for misspelled ones: of the field, of names, of code.
RIGHT = "statics strack mater tread crate fro haa numer nd co-ordinate"
LOOKED_AT = (".md", ".h", ".c", ".json", ".py", ".ts", ".html", ".css")
LEFT_OUT = ("tests/", "viewer/dist/", "viewer/package-lock.json", "docs/scene.schema.json")


def check(root):
    names = [str(name) for name in tree.files(root, *LOOKED_AT) if not str(name).startswith(LEFT_OUT)]
    done = subprocess.run(["codespell", "-q", "3", "-L", ",".join(RIGHT.split()), *names], cwd=Path(root),
                          stdout=subprocess.PIPE, text=True)
    return done.stdout.splitlines()


if __name__ == "__main__":
    if not shutil.which("codespell"):
        tree.skip("spelling", "codespell is not installed")
    root = tree.source_root()
    tree.report("spelling", check(root), len(tree.files(root, *LOOKED_AT)))
