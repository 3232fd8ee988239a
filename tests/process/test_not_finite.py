# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
"""nan and inf never reach a table: a run that makes one ends with status 1 and names it; rows of before stay."""

import json

import process as p

G = 9.81


def write(folder, **content):
    path = folder / "scene.json"
    path.write_text(json.dumps({"kairos": 1, "step": 0.001, "end": 0.1, **content}))
    return path


def strict(path):
    """JSON as it must be: no NaN, no Infinity."""
    def refuse(word):
        p.check(False, path, "has", word)
    return json.loads(path.read_text(), parse_constant=refuse)


def tables_are_finite(out):
    for path in out.glob("*.csv"):
        text = path.read_text()
        p.check("nan" not in text and "inf" not in text and text.endswith("\n"), path, text[-200:])


def test_energy(folder):
    """A speed of 1e297 m/s is a number; its square is none."""
    scene = write(folder, bodies=[{"name": "a", "mass": 1, "inertia": [1, 1, 1]}],
                  forces=[{"type": "force", "body": "a", "value": [{"ramp": {"slope": 1e299}}, 0, 0]}],
                  gravity=[0, 0, 0], checks={"enabled": False},
                  outputs=[{"body": "a", "every": 0.001, "quantities": ["position"], "file": "a.csv"},
                           {"system": True, "every": 0.001, "quantities": ["energy"], "file": "system.csv"}])
    out = folder / "energy"
    err = p.run(scene, "-o", out, "-q", status=1)
    p.check("system.csv: system.energy.kinetic is inf at t = 0.00" in err and "must be finite" in err, err)
    p.check(len((out / "system.csv").read_text().splitlines()) >= 2, "rows of before are gone")
    tables_are_finite(out)
    summary = strict(out / "run.json")
    p.check(summary["result"] == "failed" and "kinetic is inf" in summary["error"], summary)
    err = p.run(scene, "-o", out, "-q", "--set", "/checks/enabled=true", status=1)
    p.check("energy is not finite: kinetic inf J" in err and "body 'a' is fastest" in err, err)
    tables_are_finite(out)


def test_snapshot(folder):
    """Stresses of 1e200 Pa are numbers; their squares are none."""
    scene = write(folder, analysis="linear-statics", gravity=[0, 0, -1e200],
                  solids={"steel": {"type": "elastic", "density": 1000, "young": 1e210, "poisson": 0.3}},
                  structures=[{"name": "block", "type": "box", "size": [1, 0.1, 0.1], "cells": [4, 1, 1],
                               "element": {"type": "hex8", "solid": "steel"}, "fixed": [{"set": "x0"}]}],
                  outputs=[{"elements": {"structure": "block"}, "quantities": ["number", "von_mises"], "file": "out.csv"}])
    err = p.run(scene, "-o", folder / "snapshot", "-q", status=1)
    p.check("out.csv: von_mises of row 1 is inf at t = 0 s; must be finite" in err, err)
    tables_are_finite(folder / "snapshot")
    p.check(not list((folder / "snapshot").glob("*.csv*")), "a table of a part of the elements")


def test_linear_statics(folder):
    """Rubber as soft as 1 kPa turns inside out by linear theory; as stiff as 100 GPa it has an energy."""
    def scene(young):
        return write(folder, analysis="linear-statics",
                     solids={"rubber": {"type": "neo-hookean", "density": 1000, "young": young, "poisson": 0.3}},
                     structures=[{"name": "block", "type": "box", "size": [1, 0.1, 0.1], "cells": [4, 1, 1],
                                  "element": {"type": "hex8", "solid": "rubber"}, "fixed": [{"set": "x0"}]}],
                     outputs=[{"system": True, "quantities": ["energy"], "file": "system.csv"}])
    err = p.run(scene(1e3), "-o", folder / "soft", "-q", status=1)
    p.check("linear statics: displacements turn an element inside out" in err, err)
    tables_are_finite(folder / "soft")
    p.run(scene(1e11), "-o", folder / "stiff", "-q")
    tables_are_finite(folder / "stiff")
    row = [float(x) for x in (folder / "stiff" / "system.csv").read_text().splitlines()[1].split(",")]
    # Half of what the weight loses is stored.
    p.check(abs(row[3] / (-0.5 * row[2]) - 1) < 1e-3, row)


def test_nearest(folder):
    """Where nothing is near, the distance is an empty cell, which the page reads as a gap."""
    scene = write(folder, bodies=[{"name": "ball", "density": 1000, "position": [0, 0, 1],
                                   "shapes": [{"type": "sphere", "radius": 0.1}]}],
                  outputs=[{"nearest": {"at": [0, 0, 0], "limit": 0.88}, "every": 0.02,
                            "quantities": ["distance", "body"], "file": "near.csv"}])
    out = folder / "nearest"
    p.run(scene, "-o", out, "-q")
    rows = [line.split(",") for line in (out / "near.csv").read_text().splitlines()[1:]]
    p.check(len(rows) == 6 and rows[0][1:] == ["", "0"] and rows[-1][2] == "1", rows)
    p.check(abs(float(rows[-1][1]) - (0.9 - G * 0.1 * 0.1 / 2)) < 1e-3, rows)


def test_far(folder):
    """Contacts too far from a body for a 32-bit number: the checkpoint can be read, and the run goes on."""
    scene = write(folder, end=0.02, step=0.002, contact="nsc",
                  solids={"rope": {"type": "elastic", "density": 1100, "young": 5e6, "damping": 0.01}},
                  bodies=[{"name": "ball", "density": 300, "position": [0.06, 0.03, 0.9],
                           "shapes": [{"type": "sphere", "radius": 0.16}]}],
                  structures=[{"name": "net", "type": "net", "size": [1.2, 1.2], "cells": [2, 2],
                               "position": [0, 0, 0.5], "element": {"type": "ancf-cable", "solid": "rope", "radius": 0.004},
                               "fixed": [{"set": "x0", "coordinates": "position"}, {"set": "x1", "coordinates": "position"}],
                               "contacts": [{"set": "all", "surface": "capsules", "radius": 1e150}]}],
                  outputs=[{"system": True, "every": 0.002, "quantities": ["contacts"], "file": "system.csv"}])
    for end in (0.01, 0.02):
        p.run(scene, "-o", folder / "far", "-q", "--resume", "--end", end)
    p.check(strict(folder / "far" / "run.json")["steps"] == 10, "10 steps")


def test_fields(folder):
    """Fields of contacts in a world without any."""
    for contact in ("none", "nsc"):
        scene = write(folder, contact=contact,
                      bodies=[{"name": "b", "mass": 1, "shapes": [{"type": "sphere", "radius": 0.1}]}],
                      trajectory={"fields": ["contact_load", "contact_count", "contact_force"]})
        p.run(scene, "-o", folder / f"fields-{contact}", "-q")


def main():
    p.need_program()
    with p.Folder() as folder:
        for test in (test_energy, test_snapshot, test_linear_statics, test_nearest, test_far, test_fields):
            test(folder)


if __name__ == "__main__":
    main()
