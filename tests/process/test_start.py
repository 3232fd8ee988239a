# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
"""A scene begins with a saved world: states by name, and, with keep_time, the very bits of a run that never ended."""

import csv
import json
import math

import process as p


def load(folder):
    return json.loads((folder / "run.json").read_text())


def rows(path):
    with open(path, newline="") as file:
        return [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]


def pile(folder, name, **changes):
    """Boxes and spheres fall on a floor; a motor turns a wheel as a function of time; a shaft turns."""
    table = "\n".join(f"{0.25 * (i % 4)},{0.25 * (i // 4 % 4)},{0.12 + 0.24 * (i // 16)}" for i in range(48))
    (folder / "grains.csv").write_text("x,y,z\n" + table + "\n")
    content = {
        "kairos": 1, "step": 0.002, "end": 0.6, "contact": {"method": "smc", "tangential": "history"}, "solver": "apgd",
        "materials": {"clay": {"density": 1500, "young": 1e6, "friction": 0.5}},
        "bodies": [
            {"name": "floor", "fixed": True, "shapes": [{"type": "plane", "normal": [0, 0, 1], "material": "clay"}]},
            {"name": "wheel", "mass": 2, "inertia": [0.1, 0.2, 0.3, 0.01, 0, 0], "com": [0.05, 0, 0], "position": [-1, 0, 1]},
            {"name": "block", "density": 800, "position": [0.4, 0.4, 0.9], "rotation": {"axis": [1, 2, 3], "angle": 0.4},
             "shapes": [{"type": "box", "size": [0.2, 0.3, 0.25], "material": "clay"}]}],
        "particles": [{"name": "grains", "file": "grains.csv", "material": "clay", "shape": {"type": "sphere", "radius": 0.11}}],
        "joints": [{"name": "axle", "type": "revolute", "bodies": ["floor", "wheel"], "at": [-1, 0, 1], "axis": [0, 1, 0]}],
        "motors": [{"name": "drive", "type": "rotation-torque", "joint": "axle", "value": {"sine": {"amplitude": 2, "frequency": 1}}}],
        "shafts": [{"name": "crank", "inertia": 0.5, "speed": 3}],
        "outputs": [{"body": "block", "every": 0.01, "quantities": ["position", "velocity", "rotation"], "file": "block.csv"}],
        "view": {"enabled": False}}
    content.update(changes)
    (folder / f"{name}.json").write_text(json.dumps(content))
    return folder / f"{name}.json"


def test_goes_on(folder):
    """With keep_time the second half has the bits of the whole: contacts remember, functions go on."""
    p.run(pile(folder, "whole"), "-o", folder / "whole", "-q")
    p.run(pile(folder, "first", end=0.3), "-o", folder / "first", "-q")
    second = pile(folder, "second", start={"file": "first/checkpoint.h5", "keep_time": True}, stop=[],
                  outputs=[{"body": "block", "every": 0.02, "quantities": ["position", "velocity", "rotation"], "file": "late.csv"}])
    for threads in (1, 3):
        p.run(second, "-o", folder / "second", "-q", "--threads", threads)
        p.check(load(folder / "second")["state_hash"] == load(folder / "whole")["state_hash"], "the hashes differ", threads)
    late, all_rows = rows(folder / "second" / "late.csv"), {row["time"]: row for row in rows(folder / "whole" / "block.csv")}
    p.check(len(late) == 16 and late[0]["time"] == 0.3 and all(row == all_rows[row["time"]] for row in late), late[:2])
    # Its own resumption is exact, too.
    p.run(second, "-o", folder / "parts", "-q", "--end", 0.42)
    p.run(second, "-o", folder / "parts", "-q", "--resume")
    p.same(p.results(folder / "second"), p.results(folder / "parts"), "resumed:")
    # Another scene cannot go on.
    err = p.run(pile(folder, "other", gravity=[0, 0, -5], start={"file": "first/checkpoint.h5", "keep_time": True}), "-o", folder / "never",
                status=2)
    p.check("is of another scene" in err and not (folder / "never").exists(), err)


def test_by_name(folder):
    """The state of what has the same name, to the bit; the rest as the scene says; time begins at 0."""
    p.run(pile(folder, "first", end=0.3), "-o", folder / "first", "-q")
    last = rows(folder / "first" / "block.csv")[-1]
    extra = {"name": "new", "mass": 1, "inertia": [1, 1, 1], "position": [5, 0, 5]}
    content = json.loads(pile(folder, "same").read_text())
    bodies = [body for body in content["bodies"] if body["name"] != "wheel"] + [extra]
    # Another joint, no motor, another body, one less.
    second = pile(folder, "second", start="first/checkpoint.h5", bodies=bodies, joints=[], motors=[], end=0.1,
                  outputs=[{"body": name, "every": 0.01, "quantities": ["position", "velocity", "rotation"], "file": f"{name}.csv"}
                           for name in ("block", "new")] +
                          [{"particles": "grains", "every": 1, "file": "grains-out.csv"},
                           {"shaft": "crank", "every": 0.1, "quantities": ["angle", "speed"], "file": "crank.csv"}])
    code, _, err = p.call("run", second, "-o", folder / "second")
    p.check(code == 0 and "the state of 49 bodies, 1 shafts" in err and "'new'" in err and "'wheel'" in err, err)
    first = rows(folder / "second" / "block.csv")[0]
    p.check(first == {**last, "time": 0.0}, first, last)
    p.check(rows(folder / "second" / "new.csv")[0]["new.position.x"] == 5.0, "what is new begins as the scene says")
    crank = rows(folder / "second" / "crank.csv")[0]
    p.check(abs(crank["crank.angle"] - 0.9) < 1e-12 and crank["crank.speed"] == 3.0, crank)
    heights = [row["z"] for row in rows(folder / "second" / "grains-out-000000.csv")]
    p.check(len(heights) == 48 and max(heights) < 0.12 + 0.48 - 0.01, "the grains have fallen", max(heights))
    # The same by the command line; a group of another size begins as its table says.
    (folder / "second.json").write_text(json.dumps({k: v for k, v in json.loads(second.read_text()).items() if k != "start"}))
    p.run(second, "-o", folder / "third", "-q", "--start", folder / "first" / "checkpoint.h5")
    p.check(load(folder / "third")["state_hash"] == load(folder / "second")["state_hash"], "--start differs from the key")
    lines = (folder / "grains.csv").read_text().splitlines()
    (folder / "grains.csv").write_text("\n".join(lines[:-1]) + "\n")
    err = p.call("run", second, "-o", folder / "fourth", "--start", folder / "first" / "checkpoint.h5")[2]
    p.check("'grains'" in err, err)


def test_problems(folder):
    scene = pile(folder, "first", end=0.02)
    p.run(scene, "-o", folder / "first", "-q")
    (folder / "bad.h5").write_bytes((folder / "first" / "checkpoint.h5").read_bytes()[:-20])
    (folder.parent / "kairos-outside.h5").write_bytes(b"x")
    try:
        for start, part in (("none.h5", "none.h5"), ("bad.h5", "not a checkpoint"), ("first.json", "not a checkpoint"),
                            ("../kairos-outside.h5", "outside"), (3, "must be the name of a file"), ({"file": "a.h5", "keep_tim": 1}, "did you mean"),
                            ({"keep_time": True}, "file is missing")):
            code, _, err = p.call("check", pile(folder, "bad", start=start))
            p.check(code == 2 and part in err and err.count("\n") == 1, start, code, err)
        code, _, err = p.call("run", scene, "-o", folder / "never", "--start", folder / "none.h5")
        p.check(code == 2 and "none.h5" in err and not (folder / "never").exists(), err)
    finally:
        (folder.parent / "kairos-outside.h5").unlink()


def test_pair(folder):
    """The scenes that ship: a bed at rest, and a plate pressed into it."""
    p.run("bed", "-o", folder / "bed", "-q")
    p.check("kinetic energy" in load(folder / "bed")["stopped_by"] and load(folder / "bed")["time"] < 5, load(folder / "bed"))
    p.run("bed-plate", "-o", folder / "plate", "-q", "--start", folder / "bed" / "checkpoint.h5")
    force = [row["press.effort"] for row in rows(folder / "plate" / "press.csv")]
    weight = 7800 * 0.3 * 0.3 * 0.03 * 9.81
    p.check(abs(force[1] - weight) < 1e-6 * weight and min(force) < -weight, "the plate is carried, then pressed", force[1], min(force))
    p.check(all(math.isfinite(f) for f in force), force)


def main():
    p.need_program()
    for test in (test_goes_on, test_by_name, test_problems, test_pair):
        with p.Folder() as folder:
            test(folder)
        print("ok", test.__name__)


if __name__ == "__main__":
    main()
