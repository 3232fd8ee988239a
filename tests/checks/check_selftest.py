# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
"""Runs the checks on small trees with known faults (and on one without): a check must find each of them
and nothing else."""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import check_generated_docs
import check_headers
import check_hygiene
import check_includes
import check_layers
import check_laws
import check_links
import check_public_docs
import check_spelling
import check_symbols
import check_viewer

BANNER = "\n".join(check_hygiene.BANNER) + "\n"
failures = []


def plant(files):
    """A folder with these files; it lives until the process ends."""
    folder = tempfile.TemporaryDirectory()
    plant.folders.append(folder)
    for name, content in files.items():
        path = Path(folder.name) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    return Path(folder.name)


plant.folders = []


def expect(what, problems, *fragments):
    """Exactly one problem for each fragment, in order."""
    if len(problems) != len(fragments) or any(f not in p for f, p in zip(fragments, problems)):
        failures.append(f"{what}: expected {list(fragments)}, got {problems}")


def test_includes():
    good = {
        "include/kairos/base.h": "#include <stddef.h>\n",
        "include/kairos/world.h": "#include <kairos/base.h>\n",
        "src/base/array.h": "#include <kairos/base.h>\n",
        "src/base/array.c": '#include "array.h"\n// #include "model/world.h"\n/*\n#include "model/world.h"\n*/\n',
        "src/model/world.h": '#include "base/array.h"\n#include <kairos/world.h>\n',
        "src/solve/pcg.c": '#include "base/array.h"\n',
        "src/step/euler.c": '#include "model/world.h"\n',
        "src/fea/fea.h": "\n",
        "src/step/integrators/integrator_rk4.c": '#include "model/world.h"\n',
        "src/scene/load.c": '#include "model/world.h"\n#include <jansson.h>\n',
        "apps/kairos/main.c": '#include <kairos/world.h>\n#include "args.h"\n#include <stdio.h>\n',
        "apps/kairos/args.h": "\n",
        "tests/base/test_array.c": '#include "model/world.h"\n',
    }
    expect("includes, good", check_includes.check(plant(good)))
    bad = dict(good, **{
        "apps/kairos/main.c": '#include "base/array.h"\n',
        "examples/fall.c": '#include "../src/base/array.h"\n',
        "include/kairos/world.h": '#include "base/array.h"\n',
        "src/base/array.c": '\n#include "model/world.h"\n',
        "src/base/log.c": "#include <kairos/world.h>\n#include <kairos/kairos.h>\n",
        "src/step/integrators/integrator_rk4.c": '#include "fea/fea.h"\n',
        "src/odd/a.c": '#include "base/array.h"\n',
        "src/record/csv.h": '#include "scene/load.h"\n',
        "src/scene/load.h": "",
        "src/solve/pcg.c": '#include "../model/world.h"\n',
        "src/toolkits/granular/bed.c": '  #  include "base/array.h"\n',
        "src/step/euler.c": '#include "missing.h"\n',
    })
    expect("includes, bad", check_includes.check(plant(bad)),
           "apps/kairos/main.c:1:", "examples/fall.c:1:", "include/kairos/world.h:1:", "src/base/array.c:2:",
           "src/base/log.c:1:", "src/base/log.c:2:", "src/odd/a.c:1:", "src/record/csv.h:1:", "src/solve/pcg.c:1:",
           "src/step/euler.c:1:", "src/step/integrators/integrator_rk4.c:1:", "src/toolkits/granular/bed.c:1:")


def test_layers():
    good = [("src/model/a.c", {"kai_a"}, {"kai_m", "malloc"}), ("src/math/m.c", {"kai_m"}, set()),
            ("src/fea/b.c", {"kai_b"}, {"kai_a"})]
    expect("layers, good", check_layers.check(good))
    expect("layers, bad", check_layers.check(good + [("src/model/c.c", set(), {"kai_b"})]),
           "src/model/c.c: needs 1 symbols of fea/")


def test_symbols():
    folder = plant({"src/base/array.c": "int kai_array_push(void) { return 1; }\nint kai_array = 2;\n"
                                        "static int local(void) { return 3; }\n"
                                        "int kai_arrays(void) { return local(); }\nint stray(void) { return 4; }\n"})
    objects = folder / "build/CMakeFiles/kairos_objects.dir/src/base"
    objects.mkdir(parents=True)
    (folder / "build/lib").mkdir()
    subprocess.run(["cc", "-fPIC", "-c", folder / "src/base/array.c", "-o", objects / "array.c.o"], check=True)
    (objects / "deleted.c.o").write_bytes((objects / "array.c.o").read_bytes())
    subprocess.run(["cc", "-shared", objects / "array.c.o", "-o", folder / "build/lib/libkairos.so"], check=True)
    expect("symbols", check_symbols.check(folder, folder / "build")[0],
           "libkairos.so: exports stray", "array.c: defines kai_arrays;", "array.c: defines stray;")


def test_public_docs():
    good = """/// A header,
/// and what it is for.

#ifndef KAIROS_A_H
#define KAIROS_A_H
#ifdef __cplusplus
extern "C" {
#endif
/// One.
#define KAI_ONE 1
#define KAI_TWO 2 // two
/// A long one.
#define KAI_LONG(x) \\
    do {            \\
        (x)++;      \\
    } while (0)
/// A type.
typedef struct kai_a {
    int x;
} kai_a;
struct kai_forward;
/* Codes. */
typedef enum kai_code {
    KAI_FINE, ///< fine
    /// bad, with a comma, in its comment
    KAI_BAD = 3,
    KAI_WORSE /* worse */
} kai_code;
#define KAI_ENTRY(name) KAI_##name,
/// More codes.
typedef enum kai_more {
    KAI_MORE_LIST(KAI_ENTRY)
    KAI_MORE_COUNT           ///< how many
} kai_more;
#undef KAI_ENTRY
/// Adds.
KAI_API int kai_add(int a,
                    int b);
KAI_API int kai_sub(int a, int b); // subtracts
/// Doubles.
static inline int kai_twice(int a)
{
    if (a) { return a + a; }
    return 0;
}
/// A callback.
typedef int (*kai_call)(int a);
/// A constant.
extern const char* const kai_names[3];
_Static_assert(sizeof(int) == 4, "size");
#ifdef __cplusplus
}
#endif
#endif
"""
    expect("public docs, good", check_public_docs.check_header(good))
    bad = good
    for comment in ("/// One.\n", " // two", "/// A type.\n", " ///< fine", "    /// bad, with a comma, in its comment\n",
                    "/// Adds.\n", " // subtracts", "/// Doubles.\n", "/// A callback.\n", "/// A constant.\n",
                    "/* Codes. */\n"):
        assert comment in bad
        bad = bad.replace(comment, "\n" if comment.endswith("\n") else "")
    found = [message for _, message in check_public_docs.check_header(bad)]
    expect("public docs, bad", sorted(found)[1:], "enumerator KAI_BAD", "enumerator KAI_FINE", "kai_a ", "kai_add ",
           "kai_call ", "kai_code ", "kai_names ", "kai_sub ", "kai_twice ", "macro KAI_ONE", "macro KAI_TWO")
    expect("public docs, share", sorted(found)[:1], "of the lines carry comments")


def test_headers():
    folder = plant({
        "include/kairos/fine.h": "#ifndef F\n#define F\n#include <stddef.h>\nstatic inline size_t f(void) { return 1; }\n#endif\n",
        "include/kairos/lacks.h": "#ifndef L\n#define L\nsize_t kai_l(void);\n#endif\n",
        "include/kairos/linkage.h": "#ifndef K\n#define K\n#define KAI_API\nKAI_API int kai_k(void);\n#endif\n",
        "include/kairos/twice.h": "struct kai_twice { int x; };\n",
    })
    found = check_headers.check(folder, [folder / "include"])
    for fragment in ("lacks.h:1: does not compile alone with cc", "linkage.h:1: declares functions outside",
                     "twice.h:1: does not compile alone with cc"):
        if not any(fragment in problem for problem in found):
            failures.append(f"headers: expected {fragment} in {found}")
    if any("fine.h" in problem for problem in found):
        failures.append(f"headers: fine.h was refused: {found}")


def test_generated_docs():
    folder = plant({"new/a.md": "1\n", "new/b.md": "2\n", "new/c/d.md": "3\n", "docs/a.md": "1\n", "docs/b.md": "old\n",
                    "docs/by-hand.md": "kept\n", "docs/scene/old.md": "left\n"})
    expect("generated docs", check_generated_docs.compare(folder / "new", folder / "docs"),
           "docs/b.md: is stale", "docs/c/d.md: is missing",
           "docs/scene/old.md: kairos-gendocs does not write it")


def test_links():
    folder = plant({"README.md": "[docs](docs/README.md)\n", "docs/lost.md": "# Lost\n",
                    "docs/README.md": "# The docs: `a`, b\n[a](a.md#two-words-1) [b](a.md#none)\n[here](#the-docs-a-b)\n",
                    "docs/a.md": "# Two words\n# Two words\n```\n[no](link.md)\n```\n`[no](x.md)` [up](../up.md) [far](https://a.b/c)\n"})
    expect("links", check_links.check(folder), "docs/README.md:2: a.md#none: there is no such heading",
           "docs/a.md:6: ../up.md: there is no such file", "docs/lost.md: no page leads here",
           "docs/README.md: does not name docs/lost.md")


def test_spelling():
    if shutil.which("codespell"):
        folder = plant({"docs/a.md": "statics, the tread of a tire\n", "src/a.h": "// recie" + "ve\n", "tests/a.c": "// recie" + "ve\n"})
        expect("spelling", check_spelling.check(folder), "src/a.h:1:")


def test_hygiene():
    def function(name, lines):
        return f"int {name}(int a)\n{{\n" + "    ++a; // }\n" * (lines - 4) + '    return a + *"}";\n}\n'

    note = "TO" + "DO"
    good = {
        "src/a.c": BANNER + function("limit", 100) + "const int table[] = {\n" + "    1,\n" * 200 + "};\n"
        + "// long on purpose: one formula\n" + function("excused", 150) + f"// {note}(ann, #12): faster\n",
        "docs/a.md": "see /usr/share and tests/wo" + "rk/ and $HOME/ro" + "ot/\n",
    }
    expect("hygiene, good", check_hygiene.check(plant(good)))
    bad = {
        "docs/a.md": "run /wo" + "rk/x\n",
        "src/banner.c": "// a file\n",
        "src/long.c": BANNER + "int x;\n" * 999,
        "src/long_function.c": BANNER + "struct a { int b; };\n" + function("too_long", 101) + function("fine", 10),
        "src/note.c": BANNER + f"// {note}: later\n// {note}(ann): later\n",
    }
    expect("hygiene, bad", check_hygiene.check(plant(bad)), "docs/a.md:1:", "src/banner.c:1:", "src/long.c:1: 1001",
           "src/long_function.c:4: too_long has 101", "src/note.c:3:", "src/note.c:4:")


def test_laws():
    law = '#include <math.h>\n#define KAI_LAW static inline\n{}'
    good = "KAI_LAW double kai_law_a(double x, const double* y)\n{ return x + *y; }\n"
    command = ["g++", "-x", "c++", "-std=c++17", "-fsyntax-only", "-Wall", "-Wextra", "-Werror"]
    expect("laws", check_laws.check(plant({
        "src/model/laws/law_a.h": law.format(good),
        "src/model/laws/law_b.h": law.format("KAI_LAW double kai_law_b(double x)\n{ double* y = malloc(8); return *y; }\n"),
        "src/model/laws/law_c.h": law.format("double kai_law_c(double x);\n"),
    }), command), "law_b.h:1: does not compile", "law_c.h:1: has no function")


def test_viewer():
    tree = {"viewer/src/main.ts": "let a = 1;\n", "viewer/tools/build.mjs": "", "viewer/tsconfig.json": "{}",
            "viewer/package.json": '{\n  "dependencies": {\n    "three": "0.1.2"\n  }\n}\n', "viewer/package-lock.json": "{}"}
    page = "<!-- sources: {} -->\n" + check_viewer.MARK + '\n<link href="data:,x"><script>let a = 1;</script>\n'
    stamp = check_viewer.hash_of(plant(tree) / "viewer")
    expect("viewer, good", check_viewer.check(plant({**tree, "viewer/dist/viewer.html": page.format(stamp)})))
    expect("viewer, missing", check_viewer.check(plant(tree)), "is missing")
    bad = {**tree, "viewer/src/more.ts": "", "viewer/dist/viewer.html": page.format(stamp) + check_viewer.MARK + '<script src="http://x/y.js">',
           "viewer/package.json": '{\n  "dependencies": {\n    "three": "^0.1.2"\n  }\n}\n',
           "viewer/package-lock.json": '{"resolved": "https://registry.example/three.tgz"}'}
    expect("viewer, bad", check_viewer.check(plant(bad)), "is stale", "2 times", "fetches something", "names the registry", "three is ^0.1.2")


for test in (test_includes, test_layers, test_symbols, test_public_docs, test_headers, test_generated_docs, test_links, test_spelling, test_hygiene, test_laws, test_viewer):
    test()
for failure in failures:
    print(failure)
print(f"self-test of the checks: {len(failures)} problems")
sys.exit(1 if failures else 0)
