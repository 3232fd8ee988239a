# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
"""What the checks share: the files of the tree, C text without comments, and how a check reports.

A check is a module with check(root, …) -> list of "file:line: message". Run as a script it checks the
tree that KAIROS_SOURCE names and fails when the list is not empty. check_selftest.py runs every check
on small bad trees, so that a check that went blind is noticed.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

SKIPPED = 77  # CTest's SKIP_RETURN_CODE


def source_root():
    return Path(os.environ.get("KAIROS_SOURCE", Path(__file__).resolve().parents[2]))


def build_root():
    return Path(os.environ.get("KAIROS_BUILD", source_root() / "build"))


def files(root, *suffixes):
    """Paths relative to root, sorted: tracked files and new ones that git does not ignore. Outside of
    git, every file that is not below a build folder."""
    root = Path(root)
    listing = subprocess.run(["git", "-C", str(root), "ls-files", "-coz", "--exclude-standard"],
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    if listing.returncode == 0:
        names = [n.decode("utf-8", "surrogateescape") for n in listing.stdout.split(b"\0") if n]
    else:
        names = [str(p.relative_to(root)) for p in root.rglob("*")
                 if not re.match(r"(build[^/]*|out|\.git)/", str(p.relative_to(root)) + "/")]
    return [Path(n) for n in sorted(set(names))
            if (not suffixes or n.endswith(suffixes)) and (root / n).is_file()]


def text(path):
    return Path(path).read_text(encoding="utf-8", errors="replace")


_TOKENS = re.compile(r'//(?:\\\n|[^\n])*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)


def blank(source, strings=True):
    """The C source with comments (and the insides of strings) replaced by blanks: same length, same lines.
    Returns (code, comment_lines), the second being the set of line numbers that a comment touches."""
    comment_lines = set()

    def replace(match):
        token = match.group(0)
        if token[0] in "\"'":
            if not strings:
                return token
            return token[0] + re.sub(r"[^\n]", " ", token[1:-1]) + token[-1]
        first = source.count("\n", 0, match.start()) + 1
        comment_lines.update(range(first, first + token.count("\n") + 1))
        return re.sub(r"[^\n]", " ", token)

    return _TOKENS.sub(replace, source), comment_lines


def without_preprocessor(code):
    """Blanks directives, with their continuation lines."""
    return re.sub(r"^[ \t]*#(?:\\\n|[^\n])*", lambda m: re.sub(r"[^\n]", " ", m.group(0)), code, flags=re.M)


def line_of(source, position):
    return source.count("\n", 0, position) + 1


def report(title, problems, looked_at):
    """Prints what a check found and ends the process."""
    for problem in problems:
        print(problem)
    print(f"{title}: {looked_at} looked at, {len(problems)} problems")
    sys.exit(1 if problems else 0)


def skip(title, why):
    print(f"{title}: {why}: skipped")
    sys.exit(SKIPPED)
