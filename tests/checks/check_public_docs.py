# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
"""Every function, type, enumerator and macro of a public header has a comment: on the line before it,
or behind it on one of its own lines. And of a header's lines at least 30 % carry comments; directives and
the insides of inline functions are not counted."""

import re

import tree

SHARE = 0.30    # of the lines that are not blank
SHORT = 20      # lines up to which the share is not asked for


def has_comment(first, last, code_lines, comment_lines):
    """A comment on lines first…last, or one that stands alone and ends on the line before."""
    if any(n in comment_lines for n in range(first, last + 1)):
        return True
    before = first - 1
    return before in comment_lines and not code_lines[before - 1].strip()


def declarations(code):
    """(first line, last line, text, body) of each declaration at file level. `body` is what stands between
    its outermost braces. The braces of extern "C" are looked through."""
    code = re.sub(r'extern\s+"[^"]*"\s*\{', lambda m: re.sub(r"[^\n]", " ", m.group(0)), code)
    code = re.sub(r"^[ \t]*[A-Z][A-Z0-9_]*[ \t]*$", lambda m: " " * len(m.group(0)), code, flags=re.M)
    start, depth, body, open_at = None, 0, None, 0
    for at, char in enumerate(code):
        if start is None:
            if char.isspace() or char in ";}":
                continue
            start, body = at, None
        if char == "{":
            if depth == 0:
                open_at = at + 1
            depth += 1
        elif char == "}":
            depth -= 1
            if depth == 0:
                body = (open_at, at)
                head = code[start:open_at - 1]
                if head.rstrip().endswith(")") and not re.search(r"=", head):  # a function's own body
                    yield start, at, head, None
                    start = None
        elif char == ";" and depth == 0:
            yield start, at, code[start:at], body
            start = None


def title(declaration):
    """A short name to show for a declaration."""
    head = re.sub(r"\{.*\}", " ", declaration, flags=re.S)
    function = re.search(r"(\w+)\s*\(", head)
    words = re.findall(r"\w+", head)
    pointer = re.search(r"\(\s*\*\s*(\w+)", head)
    if pointer:
        return pointer.group(1)
    if function and not head.lstrip().startswith("typedef"):
        return function.group(1)
    array = re.search(r"(\w+)\s*\[", head)
    if array:
        return array.group(1)
    return words[-1] if words else "?"


def check_header(source):
    """(line, message) of each problem."""
    code, comments = tree.blank(source, strings=False)
    lines = code.splitlines()
    problems = []

    # Macros; the include guard is none.
    guard = re.search(r"#[ \t]*ifndef[ \t]+(\w+)\s*#[ \t]*define[ \t]+\1\b", code)
    for match in re.finditer(r"^[ \t]*#[ \t]*define[ \t]+(\w+)(?:\\\n|[^\n])*", code, re.M):
        if guard and match.group(1) == guard.group(1):
            continue
        if re.search(rf"^[ \t]*#[ \t]*undef[ \t]+{match.group(1)}\b", code, re.M):
            continue  # a helper that does not leave the header
        first, last = tree.line_of(code, match.start(1)), tree.line_of(code, match.end())
        if not has_comment(first, last, lines, comments):
            problems.append((first, f"macro {match.group(1)} has no comment"))

    plain = tree.without_preprocessor(code)
    inside = set()  # lines inside of inline functions
    for start, end, declaration, body in declarations(plain):
        first, last = tree.line_of(plain, start), tree.line_of(plain, end)
        if re.match(r"(_Static_assert|static_assert)\b", declaration):
            continue
        if re.fullmatch(r"(struct|union|enum)\s+\w+\s*", declaration):
            continue  # a forward declaration: the definition carries the comment
        # Only the head and the tail of a body with comments of its own count for the whole.
        own = has_comment(first, first, lines, comments) or last in comments
        if body is None:
            own = has_comment(first, last, lines, comments)
            if plain[end] == "}":
                inside.update(range(first + 1, last + 1))
        if not own:
            problems.append((first, f"{title(declaration)} has no comment"))
        if body and re.match(r"(typedef\s+)?enum\b", declaration):
            at = body[0]
            for part in plain[body[0]:body[1]].split(","):
                name = re.search(r"\w+", part)
                if name and not re.match(r"\s*\w+\s*\(", part):  # an X-macro list carries its own comments
                    line = tree.line_of(plain, at + name.start())
                    if not has_comment(line, line, lines, comments):
                        problems.append((line, f"enumerator {name.group(0)} has no comment"))
                at += len(part) + 1

    written = [n for n, line in enumerate(source.splitlines(), 1)
               if line.strip() and n not in inside and not line.lstrip().startswith("#")]
    share = sum(n in comments for n in written) / max(1, len(written))
    if len(written) > SHORT and share < SHARE:
        problems.append((1, f"{share:.0%} of the lines carry comments; at least {SHARE:.0%} are asked for"))
    return sorted(problems)


def check(root):
    headers = [f for f in tree.files(root, ".h") if str(f).startswith("include/kairos/")]
    return [f"{f}:{line}: {message}" for f in headers for line, message in check_header(tree.text(root / f))]


if __name__ == "__main__":
    tree.report("public symbols", check(tree.source_root()), "include/kairos/*.h")
