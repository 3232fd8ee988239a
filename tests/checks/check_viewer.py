# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
"""viewer/dist/viewer.html was built from the sources beside it, is one file that fetches nothing, and has one
place for the data. Where npm and the packages are there, it is built again and compared."""

import hashlib
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import tree

MARK = "<!--KAIROS-DATA-->"
BUILT_FROM = ("package.json", "package-lock.json", "tsconfig.json", "tools/build.mjs")
REBUILD = "'make viewer' builds it"


def sources(viewer):
    """Names of all files that the page is made of, as viewer/tools/build.mjs lists them."""
    names = [str(p.relative_to(viewer)) for p in (viewer / "src").rglob("*") if p.is_file()]
    return sorted(names + list(BUILT_FROM))


def hash_of(viewer):
    value = hashlib.sha256()
    for name in sources(viewer):
        content = (viewer / name).read_bytes()
        value.update(f"{name}\0{len(content)}\0".encode())
        value.update(content)
    return value.hexdigest()


def check(root):
    viewer = Path(root) / "viewer"
    page = viewer / "dist" / "viewer.html"
    if not page.is_file():
        return [f"viewer/dist/viewer.html: is missing; {REBUILD}"]
    problems = []
    text = tree.text(page)
    stamp = re.search(r"sources: ([0-9a-f]{64})", text[:2000])
    if not stamp or stamp.group(1) != hash_of(viewer):
        problems.append(f"viewer/dist/viewer.html: is stale against viewer/src; {REBUILD}")
    if text.count(MARK) != 1:
        problems.append(f"viewer/dist/viewer.html: holds {MARK} {text.count(MARK)} times; must be once")
    for found in re.findall(r"""<(?:script|link|img|iframe)[^>]*\s(?:src|href)=["']?(?!data:)[^"'\s>]+""", text):
        problems.append(f"viewer/dist/viewer.html: fetches something: {found[:80]}")
    lock = tree.text(viewer / "package-lock.json")
    for host in sorted(set(re.findall(r'"resolved": "(\w+://[^/"]+)', lock))):
        problems.append(f"viewer/package-lock.json: names the registry {host}; 'npm install' with viewer/.npmrc leaves it out")
    for name, version in re.findall(r'^    "([\w@/.-]+)": "([^"]+)",?$', tree.text(viewer / "package.json"), re.M):
        if name not in ("build", "check") and not re.fullmatch(r"\d+\.\d+\.\d+", version):
            problems.append(f"viewer/package.json: {name} is {version}; must be one exact version")
    return problems


def rebuilt(root):
    """Problems of a page that is built now; None where it cannot be built."""
    viewer = Path(root) / "viewer"
    node = shutil.which("node")
    if not node or not (viewer / "node_modules" / "esbuild").is_dir():
        return None
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "viewer"
        shutil.copytree(viewer, copy, ignore=shutil.ignore_patterns("node_modules", "dist"))
        (copy / "node_modules").symlink_to(viewer / "node_modules")
        done = subprocess.run([node, str(copy / "tools/build.mjs")], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0:
            return [f"viewer: cannot be built:\n{done.stdout}"]
        if (copy / "dist/viewer.html").read_bytes() != (viewer / "dist/viewer.html").read_bytes():
            return [f"viewer/dist/viewer.html: differs from one that is built now; {REBUILD}"]
        return []


if __name__ == "__main__":
    root = tree.source_root()
    if not (root / "viewer").is_dir():
        tree.skip("viewer", "there is no viewer folder")
    found = check(root)
    again = rebuilt(root) if not found else []
    if again is None and not found:
        tree.skip("viewer", "hashes agree, but node or viewer/node_modules is not there to build it again ('make viewer')")
    tree.report("viewer", found + (again or []), f"{len(sources(root / 'viewer'))} files")
