# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
"""Breaches are warned about once, counted in run.json, counted on by a resumed run, and end a strict run."""

import json

import process as p

LONG = {"kairos": 1, "step": 10, "end": 2000,
        "bodies": [{"name": "g", "fixed": True},
                   {"name": "a", "mass": 1, "inertia": [1, 1, 1], "position": [1, 0, 0]}],
        "joints": [{"type": "revolute", "name": "hinge", "bodies": ["g", "a"], "at": [0, 0, 0], "axis": [0, 1, 0]}],
        "outputs": [{"system": True, "quantities": ["energy", "max_violation"], "file": "system.csv"}]}


def breaches(folder):
    return json.loads((folder / "run.json").read_text())["breaches"]


def main():
    p.need_program()
    with p.Folder() as folder:
        scene = folder / "long.json"
        scene.write_text(json.dumps(LONG))
        err = p.run(scene, "-o", folder / "whole", "-q")
        p.check(err.count("'hinge'") == 2 and "is off by" in err and "longest stable" in err, err)
        whole = breaches(folder / "whole")
        p.check("hinge" in whole["violation"]["where"] and whole["violation"]["count"] > 100, whole)
        p.check(whole["violation"]["worst"] > 1000 * whole["violation"]["limit"], whole)
        warnings = json.loads((folder / "whole" / "run.json").read_text())["warnings"]
        p.check(any("hinge" in w and "shorter step" in w for w in warnings), warnings)

        # A run in parts counts as one in one go.
        for end in (0, 30, 640, 650, 1990, 2000):
            p.run(scene, "-o", folder / "parts", "-q", "--resume", "--end", end)
        p.check(breaches(folder / "parts") == whole, breaches(folder / "parts"), whole)

        # Strict: the run fails, what it has is kept.
        err = p.run(scene, "-o", folder / "strict", "-q", "--set", '/checks={"strict":true}', status=1)
        p.check("checks.violation" in err and "hinge" in err, err)
        summary = json.loads((folder / "strict" / "run.json").read_text())
        p.check(summary["result"] == "failed" and "hinge" in summary["error"], summary)
        p.check(len((folder / "strict" / "system.csv").read_text().splitlines()) >= 2, "samples are missing")

        err = p.run(scene, "-o", folder / "off", "-q", "--set", '/checks={"enabled":false}')
        p.check(err == "" and breaches(folder / "off") == {}, err)

        code, _, err = p.call("check", scene, "--set", '/checks={"overlap":-1}')
        p.check(code == 2 and "overlap" in err, err)


if __name__ == "__main__":
    main()
