# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
"""Warnings: shipped scenes give none but those listed here, and traps are told of once, by the user's own names."""

import json
import re

import process as p

# What shipped scenes warn of, all of it true: closed loops of revolute joints hold some directions twice.
EXPECTED = {
    "andrews": [r"revolute joint 'pin3' between .*: 3 of its 5 rows are redundant",
                r"revolute joint 'pin4' between .*: 3 of its 5 rows are redundant",
                r"revolute joint 'pin5' between .*: 3 of its 5 rows are redundant"],
    "bricard": [r"revolute joint 'hinge6' between body 'rod5' and body 'ground': 1 of its 5 rows are redundant"],
}
# Scenes that begin with the world of another one, and are full of overlaps without it.
BEGIN = {"bed-plate": "bed"}
# Some seconds each to set up; their like are among the others.
LARGE = {"excavator-digging"} if p.SANITIZED else set()


def warnings(err):
    return [line.split("warning: ", 1)[1] for line in err.splitlines() if "warning: " in line]


def spelled(path):
    """A scene with its includes, formulas and instances worked out."""
    return json.loads(p.call("check", path, "--spelled")[1])


def write(folder, **content):
    path = folder / "scene.json"
    path.write_text(json.dumps({"kairos": 1, "step": 1e-3, "end": 3e-3, **content}))
    return path


def check_shipped(folder):
    scenes = sorted((p.SOURCE / "scenes").glob("*.json"))
    p.check(len(scenes) >= 35, len(scenes))
    for path in scenes:
        if path.stem in LARGE:
            continue
        step = spelled(path).get("step", 1e-3)
        out, start = folder / "out", []
        if path.stem in BEGIN:
            p.run(BEGIN[path.stem], "-o", folder / "begin", "-q")
            start = ["--start", folder / "begin" / "checkpoint.h5"]
        told = warnings(p.run(path, "-o", out, "-q", "--end", 3 * step, *start))
        wanted = EXPECTED.get(path.stem, [])
        p.check(len(told) == len(wanted) and all(re.match(w, t) for w, t in zip(wanted, told)), path.stem, told)
        code, _, err = p.call("check", path)
        p.check(code == 0 and (start or warnings(err) == []), path.stem, err)
        kept = json.loads((out / "run.json").read_text())["warnings"]
        p.check(kept == told, path.stem, kept)


def check_limits(folder):
    """Both ends of a range are no redundant rows; a second hinge in the place of the first is."""
    bodies = [{"name": "post", "fixed": True}, {"name": "door", "mass": 1, "inertia": [1, 1, 1], "position": [1, 0, 0]}]
    hinge = {"type": "revolute", "bodies": ["post", "door"], "at": [0, 0, 0], "axis": [0, 1, 0]}
    out = folder / "limits"
    for integrator in ("euler", "hht"):
        scene = write(folder, integrator=integrator, bodies=bodies,
                      joints=[{**hinge, "name": "hinge", "limits": [-0.5, 0.5], "friction": 0.1}],
                      outputs=[{"body": "door", "quantities": ["acceleration"], "file": "door.csv"}])
        p.check(warnings(p.run(scene, "-o", out, "-q")) == [], integrator)
    scene = write(folder, bodies=bodies, joints=[{**hinge, "name": "hinge", "limits": [-0.5, 0.5]}, {**hinge, "name": "double"}])
    told = warnings(p.run(scene, "-o", out, "-q"))
    p.check(len(told) == 1 and "5 of its 5 rows are redundant" in told[0], told)


BOX = {"type": "box", "size": [0.2, 0.2, 0.2]}
FLOOR = {"name": "floor", "fixed": True, "shapes": [{"type": "plane"}]}


def box(name, height, **more):
    return {"name": name, "density": 1000, "position": [0, 0, height], "shapes": [{**BOX, **more}]}


def check_contact(folder):
    """(scene, parts of the only warning) of `check` and `run`."""
    told = ['no contact: shapes of body \'floor\' and body \'crate\' pass through each other', '"nsc"', '"none"']
    hung = [{"type": "spring", "bodies": ["floor", "crate"], "points": [[0, 0, 2], [0, 0, 0.12]], "stiffness": 1e4}]
    pin = [{"type": "fixed", "bodies": ["floor", "crate"], "at": [0, 0, 0.1]}]
    cases = [({"bodies": [FLOOR, box("crate", 0.1)]}, told),
             ({"bodies": [FLOOR, box("crate", 0.1)], "contact": "none"}, None),
             ({"bodies": [FLOOR, box("crate", 0.1)], "contact": "nsc"}, None),
             ({"bodies": [FLOOR, box("crate", 0.1)], "collision": {"detect": True}}, None),
             ({"bodies": [FLOOR, box("crate", 0.1, collide=False)]}, None),
             ({"bodies": [FLOOR, {**FLOOR, "name": "wall"}]}, None),
             ({"bodies": [FLOOR, box("crate", 0.1)], "joints": pin}, None),
             ({"bodies": [box("crate", 0.1)]}, None),
             # Falls 2 cm in 64 ms; rises; is held by a spring; falls beside another, which a third overtakes.
             ({"bodies": [FLOOR, box("crate", 0.12)], "end": 0.064}, told),
             ({"bodies": [FLOOR, box("crate", 0.12)], "end": 0.062}, None),
             ({"bodies": [FLOOR, {**box("crate", 0.12), "velocity": [0, 0, 3]}], "end": 0.5}, None),
             ({"bodies": [FLOOR, {**box("crate", 0.12), "velocity": [0, 0, 3]}], "end": 0.7}, told),
             ({"bodies": [FLOOR, {**box("crate", 0.12), "velocity": [0, 0, 3]}], "gravity": [0, 0, 0], "end": 100}, None),
             ({"bodies": [FLOOR, box("crate", 0.12)], "end": 1, "forces": hung}, None),
             ({"bodies": [box("a", 3), box("b", 2)], "end": 1}, None),
             ({"bodies": [{**box("floor", 3), "velocity": [0, 0, -1]}, box("crate", 2)], "end": 1}, told),
             ({"bodies": [{**box("a", 3), "position": [1, 0, 3], "velocity": [0, 0, -1]}, box("b", 2)], "end": 9}, None)]
    for content, parts in cases:
        scene = write(folder, **content)
        code, _, err = p.call("check", scene)
        for text in (err, p.run(scene, "-o", folder / "contact", "-q")):
            lines = warnings(text)
            kept = folder / "contact" / "run.json"
            p.check(text is err or json.loads(kept.read_text())["warnings"] == lines, content, text)
            p.check(code == 0 and len(lines) == (parts is not None), content, text)
            p.check(all(part in lines[0] for part in parts or []), lines)


def check_overlap(folder):
    """Shapes that overlap at the start are told of once; those that touch, or cannot meet, are not."""
    beam = {"name": "beam", "fixed": True, "shapes": [{**BOX, "at": [0, 0, 0.05]}]}
    plate = {"type": "box", "size": [1, 1, 0.01]}
    cases = [([FLOOR, box("low", 0.05), box("high", 0.1)],
              "at the start body 'low' and body 'high' overlap by 0.15 m, the deepest of 2 such pairs"),
             ([FLOOR, box("low", 0.1), box("high", 0.3)], None),
             ([FLOOR, box("low", 0.0995), box("high", 0.2995)], None),
             ([FLOOR, {"name": "plate", "density": 1000, "position": [0, 0, 0.004], "shapes": [plate]}],
              "at the start body 'floor' and body 'plate' overlap by 0.001 m;"),
             ([FLOOR, beam], None)]
    for method in ("nsc", "smc"):
        for bodies, part in cases:
            scene = write(folder, bodies=bodies, contact=method, end=0)
            for text in (p.call("check", scene)[2], p.run(scene, "-o", folder / "overlap", "-q")):
                told = [t for t in warnings(text) if "longest safe" not in t]
                p.check(len(told) == (part is not None) and (part is None or told[0].startswith(part)), method, told)
        joint = [{"type": "fixed", "bodies": ["low", "high"], "at": [0, 0, 0.1]}]
        scene = write(folder, bodies=[box("low", 0.05), box("high", 0.1)], contact=method, joints=joint, end=0)
        told = [t for t in warnings(p.run(scene, "-o", folder / "overlap", "-q")) if "longest safe" not in t]
        p.check(told == [], told)


def check_step(folder):
    """A step at which a spring cannot be followed is told of, with the longest that can; others are not."""
    spring = {"name": "leaf", "type": "spring", "bodies": ["post", "door"], "points": [[0, 0, 0], [1, 0, 0]], "stiffness": 2e6}
    bodies = [{"name": "post", "fixed": True}, {"name": "door", "mass": 2, "inertia": [1, 1, 1], "position": [1, 0, 0]}]
    told = ["step 0.003 s is longer than 0.002 s, the longest stable one of euler, set by spring 'leaf' between body 'post' and "
            "body 'door': 2e+06 N/m on 2 kg swings with a period of 0.00628 s; take a shorter step, make it softer"]
    for step, integrator, parts in ((3e-3, "euler", told), (1.99e-3, "euler", None), (2.79e-3, "rk4", None),
                                    (2.81e-3, "rk4", ["longer than 0.0028 s", "of rk4"]), (3e-3, "hht", None),
                                    (2.1e-3, "leapfrog", ["of leapfrog"])):
        scene = write(folder, step=step, end=2 * step, integrator=integrator, bodies=bodies, forces=[spring])
        _, _, err = p.call("check", scene)
        for text in (err, p.run(scene, "-o", folder / "step", "-q")):
            lines = warnings(text)
            p.check(len(lines) == (parts is not None), step, integrator, text)
            p.check(all(part in lines[0] for part in parts or []), lines)
    scene = write(folder, step=1e-3, bodies=bodies, forces=[spring])
    p.check(len(warnings(p.run(scene, "-o", folder / "step", "-q", "--step", 3e-3))) == 1, "--step")
    scene = write(folder, step=3e-3, end=6e-3, bodies=bodies, forces=[spring], checks={"enabled": False})
    p.check(warnings(p.run(scene, "-o", folder / "step", "-q")) == [], "checks off")


def check_counts(folder):
    """Nodes and surfaces of structures are no bodies; particles are counted apart."""
    out = folder / "counts"
    p.run(p.SOURCE / "scenes" / "cloth-on-ball.json", "-o", out, "-q", "--end", 0)
    summary = json.loads((out / "run.json").read_text())
    p.check((summary["bodies"], summary["shapes"], summary["nodes"]) == (2, 2, 289), summary)
    _, text, _ = p.call("check", p.SOURCE / "scenes" / "cloth-on-ball.json")
    p.check("(2 bodies, 289 nodes, 256 elements, 2 shapes," in text, text)
    p.run(p.SOURCE / "scenes" / "ball-on-lawn.json", "-o", out, "-q", "--end", 0)
    summary = json.loads((out / "run.json").read_text())
    scene = spelled(p.SOURCE / "scenes" / "ball-on-lawn.json")
    p.check(summary["bodies"] == len(scene["bodies"]), summary["bodies"])
    p.check(summary["nodes"] == sum(s["cells"] + 1 for s in scene["structures"]), summary["nodes"])
    pool = json.loads((p.SOURCE / "scenes" / "ball-pool.json").read_text())
    rows = len((p.SOURCE / "scenes" / "ball-pool.csv").read_text().splitlines()) - 1
    _, text, _ = p.call("check", p.SOURCE / "scenes" / "ball-pool.json")
    p.check(f"({len(pool['bodies'])} bodies, {rows} particles, " in text, text)
    p.run(p.SOURCE / "scenes" / "ball-pool.json", "-o", out, "-q", "--end", 0)
    summary = json.loads((out / "run.json").read_text())
    p.check(summary["particles"] == rows and summary["bodies"] == rows + len(pool["bodies"]), summary)


def main():
    p.need_program()
    with p.Folder() as folder:
        check_limits(folder)
        check_contact(folder)
        check_overlap(folder)
        check_step(folder)
        check_counts(folder)
        check_shipped(folder)
    print("warnings: ok")


main()
