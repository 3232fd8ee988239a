# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
"""kairos doc: sections, kinds and keys in the terminal, from the pages of the reference."""

import re

import process as p


def describe(*words):
    code, out, err = p.call("doc", *words)
    p.check(code == 0 and err == "", words, code, err)
    return out


def main():
    p.need_program()
    contents = describe()
    pages = sorted((p.SOURCE / "docs" / "scene").glob("*.md"))
    for page in pages:
        title = page.read_text().splitlines()[0][2:]
        p.check((title in contents) == (page.stem != "keys"), title)
    out = describe("revolute")
    p.check(out.startswith("Joints: revolute\n\nHinge (pin)"), out)
    out = describe("friction")
    p.check("Materials\n  friction: a number; default 0.6; must be >= 0\n" in out, out)
    p.check("Material pairs" in out and "Joints" in out, out)
    out = describe("contact.method")
    p.check(out.startswith("Contact\n  method: ") and out.count("  method: ") == 1, out)
    out = describe("spring.rest_length")
    p.check("rest_length: a number; unit m" in out, out)
    out = describe("bodies")
    p.check("  mass: a number; unit kg; must be > 0\n      Mass; instead of density.\n" in out, out)
    p.check("\n\n\n" not in out and "`" not in out and "](" not in out, out)
    # Every key of the index is found.
    keys = re.findall(r"^\| `([^`]+)` \|", (p.SOURCE / "docs" / "scene" / "keys.md").read_text(), re.M)
    p.check(len(keys) > 300, len(keys))
    for key in keys[::7]:
        p.check(f"  {key}" in describe(key), key)
    code, _, err = p.call("doc", "frction")
    p.check(code == 2 and "did you mean 'friction'?" in err, err)
    code, _, err = p.call("doc", "zzzzzz")
    p.check(code == 2 and "'kairos doc' lists the sections" in err, err)
    print("doc: ok")


main()
