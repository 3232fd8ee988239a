# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
"""Banners, bare to-do notes, paths of one machine, and the size limits of files and functions."""

import re

import tree

BANNER = ("// SPDX-License-Identifier: BSD-3-Clause", "// SPDX-FileCopyrightText: 2026 Kairos contributors")
FILE_LINES = 1000
FUNCTION_LINES = 100
LONG_ON_PURPOSE = "long on purpose:"  # in a comment just above a function, followed by the reason

# Spelled so that this file does not find itself.
NOTE = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X)\b(?!\([^()]*#\d+\))")
PATH = re.compile(r"(?<![\w./$}-])/(?:wo" r"rk|ro" r"ot)/")
TEXT = (".c", ".h", ".inl", ".py", ".sh", ".md", ".txt", ".cmake", ".in", ".json", ".html", ".js", ".css", ".csv",
        "Makefile", "run", ".clang-format", ".gitignore")


def functions(source):
    """(name, first line, last line) of each function body of a C file."""
    code, _ = tree.blank(source)
    code = tree.without_preprocessor(code)
    code = re.sub(r'extern\s+" *"\s*\{', lambda m: re.sub(r"[^\n]", " ", m.group(0)), code)
    depth, start, inside = 0, None, None
    for at, char in enumerate(code):
        if depth == 0 and start is None and not char.isspace() and char not in ";}":
            start = at
        if char == "{":
            head = code[start:at] if start is not None else ""
            if depth == 0 and head.rstrip().endswith(")") and "=" not in re.sub(r"\(.*\)", "", head, flags=re.S):
                name = re.findall(r"(\w+)\s*\(", head)
                inside = (name[0] if name else "?", tree.line_of(code, start))
            depth += 1
        elif char == "}":
            depth -= 1
            if depth == 0 and inside:
                yield inside[0], inside[1], tree.line_of(code, at)
                inside, start = None, None
        elif char == ";" and depth == 0:
            start = None


def check_text(name, source):
    problems = []
    for number, line in enumerate(source.splitlines(), 1):
        if NOTE.search(line):
            problems.append(f"{name}:{number}: a note without an issue; write it as NOTE(name, #issue)")
        if PATH.search(line):
            problems.append(f"{name}:{number}: an absolute path of one machine")
    return problems


def check_c(name, source):
    problems = []
    lines = source.splitlines()
    if tuple(lines[:2]) != BANNER:
        problems.append(f"{name}:1: does not open with the two SPDX lines")
    if len(lines) > FILE_LINES:
        problems.append(f"{name}:1: {len(lines)} lines; the limit is {FILE_LINES}")
    for function, first, last in functions(source):
        length = last - first + 1
        above = "\n".join(lines[max(0, first - 6):first])
        if length > FUNCTION_LINES and LONG_ON_PURPOSE not in above:
            problems.append(f"{name}:{first}: {function} has {length} lines; the limit is {FUNCTION_LINES} "
                            f"('{LONG_ON_PURPOSE} reason' in a comment above it lifts that)")
    return problems


def check(root):
    problems = []
    for file in tree.files(root):
        name = str(file)
        if not name.endswith(TEXT) and not name.startswith("tools/"):
            continue
        source = tree.text(root / file)
        problems += check_text(name, source)
        if name.endswith((".c", ".h", ".inl")):
            problems += check_c(name, source)
    return problems


if __name__ == "__main__":
    tree.report("hygiene", check(tree.source_root()), f"{len(tree.files(tree.source_root()))} files")
