# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
"""Every link of every page in Markdown leads somewhere: to a file of the tree, and to a heading of it where the link
has an anchor. Every page of docs/ can be reached from README.md, and the contents list of docs/ names them all."""

import re
from pathlib import Path
from urllib.parse import unquote

import tree

LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\]]*\])*\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)")
HEADING = re.compile(r"^(#{1,6})\s+(.*?)\s*#*\s*$")


def without_code(text, spans=True):
    """The text with fenced blocks, indented blocks and, when asked, code between backticks blanked, line by line."""
    lines, fence = [], None
    for line in text.split("\n"):
        mark = re.match(r"\s*(```+|~~~+)", line)
        if fence is None and mark:
            fence = mark.group(1)
            lines.append("")
        elif fence is not None:
            if mark and mark.group(1).startswith(fence):
                fence = None
            lines.append("")
        elif line.startswith("    ") and not re.match(r"\s*([*+-]|\d+\.)\s", line):
            lines.append("")
        else:
            lines.append(re.sub(r"`[^`\n]*`", lambda m: "x" * len(m.group(0)), line) if spans else line)
    return "\n".join(lines)


def anchors(text):
    """Anchors that GitHub gives the headings of a page."""
    found, seen = set(), {}
    for line in without_code(text, spans=False).split("\n"):
        match = HEADING.match(line)
        if not match:
            continue
        title = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", match.group(2))
        slug = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
        number = seen.get(slug, 0)
        seen[slug] = number + 1
        found.add(f"{slug}-{number}" if number else slug)
    return found


def links(text):
    """(line, target) of every link."""
    plain = without_code(text)
    return [(plain.count("\n", 0, m.start()) + 1, unquote(m.group(1))) for m in LINK.finditer(plain)]


def check(root):
    root = Path(root)
    pages = {str(name): tree.text(root / name) for name in tree.files(root, ".md")}
    headings = {name: anchors(text) for name, text in pages.items()}
    problems, reached, leads = [], {}, {}
    for name, text in pages.items():
        for line, target in links(text):
            if re.match(r"[a-z][a-z0-9+.-]*:", target):
                continue  # another host: not ours to look at
            path, _, anchor = target.partition("#")
            there = (root / name).parent.joinpath(path).resolve() if path else (root / name).resolve()
            try:
                other = str(there.relative_to(root.resolve()))
            except ValueError:
                problems.append(f"{name}:{line}: {target}: leads out of the tree")
                continue
            if not there.exists():
                problems.append(f"{name}:{line}: {target}: there is no such file")
            elif anchor and other in headings and anchor not in headings[other]:
                problems.append(f"{name}:{line}: {target}: there is no such heading")
            leads.setdefault(name, set()).add(other)
    ways, reached = ["README.md"], {"README.md"}
    while ways:
        for other in leads.get(ways.pop(), ()):
            if other in pages and other not in reached:
                reached.add(other)
                ways.append(other)
    problems += [f"{name}: no page leads here from README.md" for name in sorted(pages)
                 if name.startswith("docs/") and name not in reached and "README.md" in pages]
    contents = leads.get("docs/README.md", set())
    problems += [f"docs/README.md: does not name {name}" for name in sorted(pages)
                 if re.fullmatch(r"docs/[^/]+\.md", name) and name not in contents
                 and name != "docs/README.md" and "docs/README.md" in pages]
    return problems


if __name__ == "__main__":
    root = tree.source_root()
    tree.report("links", check(root), len(tree.files(root, ".md")))
