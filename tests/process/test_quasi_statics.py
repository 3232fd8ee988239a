# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
"""Equilibrium at every step, and by linear theory, through scenes: the strip that rolls up against its circles, in one go and in parts."""

import csv
import json
import math

import process as p

SCENE = p.SOURCE / "scenes" / "roll-up.json"


def tip(out):
    with open(out / "tip.csv") as file:
        return [{k.replace("strip.x1.", ""): float(v) for k, v in row.items()} for row in csv.DictReader(file)]


def main():
    p.need_program()
    with p.Folder() as folder:
        p.run(SCENE, "-o", folder / "whole", "-q")
        rows = tip(folder / "whole")
        p.check(len(rows) == 41, f"{len(rows)} samples")
        # The moment t · 2 π E I / L bends it to a circle of 1 / (2 π t): its end is at sin(2 π t) / 2 π t along x. 20 corotational
        # elements have chords in the place of arcs, so that each turns by its share, but is short by 1/24 of its angle squared.
        for row in rows[1:]:
            angle = 2 * math.pi * row["time"]
            want = math.sin(angle) / angle, (1 - math.cos(angle)) / angle
            error = math.hypot(row["position.x"] - want[0], row["position.z"] - want[1])
            p.check(error < (angle / 20) ** 2 / 24 + 1e-6, f"at {row['time']} s the end is off by {error}: {row}, {want}")
        p.check(json.loads((folder / "whole" / "run.json").read_text())["steps"] == 40, "40 steps")

        for end, threads in ((0.3, 2), (0.625, 1), (1, 5)):
            p.run(SCENE, "-o", folder / "parts", "-q", "--resume", "--end", end, "--threads", threads)
        p.same(p.results(folder / "whole"), p.results(folder / "parts"), "in parts:")

        # By linear theory the end goes up by M L² / 2 E I and stays above its place.
        scene = json.loads(SCENE.read_text())
        scene["analysis"] = "linear-statics"
        moment = 268.08257310632899
        scene["forces"][0]["value"] = [0, -moment, 0]
        (folder / "linear.json").write_text(json.dumps(scene))
        p.run(folder / "linear.json", "-o", folder / "linear", "-q")
        rows = tip(folder / "linear")
        stiffness = 2e11 * 0.04 * 0.004 ** 3 / 12
        p.check(len(rows) == 1 and abs(rows[0]["position.z"] / (moment / (2 * stiffness)) - 1) < 1e-7, rows)
        p.check(abs(rows[0]["position.x"] - 1) < 1e-7, rows)

        # The same without a matrix of elements, to a residual of 1e-10.
        p.run(folder / "linear.json", "-o", folder / "free", "-q", "--set", '/solver={"matrix_free": true, "iterations": 20000}')
        free = tip(folder / "free")
        p.check(abs(free[0]["position.z"] / rows[0]["position.z"] - 1) < 1e-7, free, rows)
        p.check(json.loads((folder / "free" / "run.json").read_text())["solver"]["name"] == "minres", "no matrix, so minres")
        scene["solver"] = {"type": "direct", "matrix_free": True}
        (folder / "refused.json").write_text(json.dumps(scene))
        code, _, err = p.call("check", folder / "refused.json")
        p.check(code == 2 and "/solver: matrix_free with type direct" in err, code, err)


main()
