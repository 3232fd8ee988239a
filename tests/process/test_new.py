# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
"""kairos new: every starter is told, written, sound, and runs without a warning."""

import json
import re

import process as p


def main():
    p.need_program()
    code, out, err = p.call("new")
    p.check(code == 0 and err == "", code, err)
    names = [line.split()[0] for line in out.splitlines()]
    p.check({"empty", "mechanism", "contact", "granular", "cloth", "driveline"} <= set(names), names)
    p.check(all(re.match(r"\w+ +\w.{20,}", line) for line in out.splitlines()), "each is told in a sentence", out)
    p.check("mechanism " not in p.call("scenes")[1], "starters are not among the scenes")
    with p.Folder() as folder:
        for name in names:
            code, out, err = p.call("new", name, cwd=folder)
            p.check(code == 0 and out == "" and f"kairos run {name}.json" in err, name, err)
            text = (folder / f"{name}.json").read_text()
            p.check(text.startswith(f"// {name}: ") and text.count("//") >= 2, name, "has comments")
            err = p.run(folder / f"{name}.json", "-o", folder / name, "-q")
            summary = json.loads((folder / name / "run.json").read_text())
            p.check(err == "" and summary["warnings"] == [] and summary["steps"] > 0, name, err, summary["warnings"])
            p.check((folder / name / "index.html").stat().st_size < 4e6 and list((folder / name).glob("*.csv")), name, "results")
        # What they show is what they say.
        settled = json.loads((folder / "granular" / "run.json").read_text())["stopped_by"]
        p.check(settled is not None, "the grains come to rest")
        wheel = (folder / "driveline" / "wheel.csv").read_text().splitlines()[-1].split(",")
        engine = (folder / "driveline" / "engine.csv").read_text().splitlines()[-1].split(",")
        p.check(abs(float(wheel[2]) / float(engine[2]) - 0.25) < 1e-9, "the gear's ratio", wheel, engine)
        for words, part in ((("mechanims",), "did you mean 'mechanism'?"), (("xyzzy",), "lists them"), (("empty",), "is there already"),
                            (("empty", "none/x.json"), "No such file"), (("empty", "a", "b"), "too many")):
            before = (folder / "empty.json").read_bytes()
            code, _, err = p.call("new", *words, cwd=folder)
            p.check(code == 2 and part in err and (folder / "empty.json").read_bytes() == before, words, code, err)
        p.check(p.call("new", "empty", "mine.json", cwd=folder)[0] == 0 and (folder / "mine.json").exists(), "a name of one's own")
    print("new: ok")


main()
