# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
"""Scenes made of templates against the same scenes spelled out by hand, here by loops: equal state, bit for bit.

Also `check --spelled`, parameters from the command line, and `fmt`.
"""
import json
import math

import process as p

SCENES = p.SOURCE / "scenes"


def state_of(scene, folder, *options):
    code, out, err = p.call("run", scene, "-o", folder, "-q", "--json", *options)
    p.check(code == 0, err)
    return json.loads(out)["state_hash"]


def compare(name, spelled, folder, end):
    path = folder / f"{name}-spelled.json"
    path.write_text(json.dumps(spelled))
    ours = state_of(SCENES / f"{name}.json", folder / name, "--end", end)
    theirs = state_of(path, folder / f"{name}-spelled", "--end", end)
    p.check(ours == theirs, name, ours, "is not that of the scene spelled out,", theirs)


def cart():
    scene = json.loads((SCENES / "cart.json").read_text())
    scene = {key: scene[key] for key in ("kairos", "end", "contact", "materials", "bodies", "outputs")}
    scene["end"] = 4
    scene["bodies"][2]["position"][2] = 0.6
    joints, motors = [], []
    for corner, x, y, side in (("front-left", 0.8, 0.5, 1), ("front-right", 0.8, -0.5, -1),
                               ("rear-left", -0.8, 0.5, 1), ("rear-right", -0.8, -0.5, -1)):
        scene["bodies"] += [
            {"name": corner + ".upright", "mass": 5, "position": [x, y, 0.3],
             "shapes": [{"type": "box", "size": [0.1, 0.1, 0.3], "collide": False}]},
            {"name": corner + ".wheel", "mass": 10, "position": [x, y + side * 0.15, 0.3],
             "shapes": [{"type": "cylinder", "radius": 0.3, "length": 0.15, "material": "rubber",
                         "rotation": {"axis": [1, 0, 0], "angle": side * math.pi / 2}}]}]
        joints += [
            {"name": corner + ".slide", "type": "prismatic", "bodies": ["chassis", corner + ".upright"],
             "at": [x, y, 0.3], "axis": [0, 0, 1], "spring": {"stiffness": 20000, "preload": 50 * 9.81},
             "damping": 1500, "limits": [-0.1, 0.15]},
            {"name": corner + ".axle", "type": "revolute", "bodies": [corner + ".upright", corner + ".wheel"],
             "at": [x, y + side * 0.15, 0.3], "axis": [0, 1, 0]}]
    for side in ("left", "right"):
        motors.append({"name": "motor-" + side, "type": "rotation-speed", "joint": f"rear-{side}.axle",
                       "value": {"step": {"to": 5, "at": 0.2, "duration": 1}}})
    return {**scene, "joints": joints, "motors": motors}


def robot_arm():
    links = (("turret", 0, 0, 0, 0.35, [0, 0, 1], 0.15, 70, 0.17), ("upper", 0, 0.35, 0, 0.6, [0, 1, 0], 0.1, 30, 0.25),
             ("fore", 0, 0.95, 0.5, 0, [0, 1, 0], 0.08, 40, 0.25), ("roll", 0.5, 0.95, 0.4, 0, [1, 0, 0], 0.065, 90, 0.25),
             ("wrist", 0.9, 0.95, 0.25, 0, [0, 1, 0], 0.055, 30, 0.5), ("flange", 1.15, 0.95, 0.12, 0, [1, 0, 0], 0.05, 120, 0.4))
    bodies = [{"name": "floor", "fixed": True,
               "shapes": [{"type": "cylinder", "radius": 0.3, "length": 0.1, "at": [0, 0, -0.05]}]},
              {"name": "tool", "mass": 8.1, "position": [1.34, 0, 0.95],
               "shapes": [{"type": "box", "size": [0.12, 0.2, 0.2]}]}]
    joints = [{"name": "grip", "type": "fixed", "bodies": ["flange.body", "tool"], "at": [1.28, 0, 0.95]}]
    motors, before = [], "floor"
    for name, x, z, dx, dz, axis, thick, swing, rate in links:
        bodies.append({"name": name + ".body", "density": 1200, "position": [x + dx / 2, 0, z + dz / 2],
                       "rotation": {"axis": [0, 1, 0], "angle": math.atan2(dx, dz)},
                       "shapes": [{"type": "capsule", "radius": thick, "length": math.hypot(dx, dz)}]})
        joints.append({"name": name + ".axis", "type": "revolute", "bodies": [before, name + ".body"],
                       "at": [x, 0, z], "axis": axis})
        motors.append({"name": name + ".motor", "type": "rotation-angle", "joint": name + ".axis", "value": {
            "product": [{"step": {"to": 1, "duration": 1}},
                        {"sine": {"amplitude": swing * math.pi / 180, "frequency": rate}}]}})
        before = name + ".body"
    return {"kairos": 1, "step": 0.001, "end": 6, "integrator": "trapezoidal", "bodies": bodies, "joints": joints,
            "motors": motors}


def scaffold(storeys=20):
    def corner(level, i, j):
        return f"storey.{level}.corner.{i}.{j}.c"

    def beam(a, b, y_axis, **section):
        return {"type": "euler-beam", "nodes": [a, b], "solid": "steel", "y_axis": y_axis, **section}

    tube = {"radius": 0.024, "inner_radius": 0.024 - 0.004}
    bodies, elements, forces = [], [], []
    for level in range(storeys + 1):
        for i in range(2):
            for j in range(2):
                bodies.append({"name": corner(level, i, j), "mass": 2, "inertia": [0.01, 0.01, 0.01],
                               "fixed": level == 0, "position": [i * 3, j * 1.2, level * 2],
                               "shapes": [{"type": "sphere", "radius": 0.06}]})
    for level in range(1, storeys + 1):
        def below(i, j):
            return corner(level - 1, i, j)

        def here(i, j):
            return corner(level, i, j)

        for i, j in ((0, 0), (1, 0), (0, 1), (1, 1)):
            elements.append(beam(below(i, j), here(i, j), [0, 1, 0], **tube))
        elements += [beam(here(0, 0), here(1, 0), [0, 1, 0], **tube), beam(here(0, 1), here(1, 1), [0, 1, 0], **tube),
                     beam(here(0, 0), here(0, 1), [1, 0, 0], **tube), beam(here(1, 0), here(1, 1), [1, 0, 0], **tube),
                     beam(below(0, 0), here(1, 0), [0, 1, 0], radius=0.024 - 0.006)]
        gust = {"step": {"to": 60 * level / storeys, "duration": 1}}
        forces += [{"type": "force", "body": here(0, 0),
                    "value": [{"step": {"to": 60 * 0.2 * level / storeys, "duration": 1}}, gust, 0]},
                   {"type": "force", "body": here(1, 0), "value": [0, gust, 0]}]
    return {"kairos": 1, "step": 0.005, "end": 8, "integrator": {"type": "hht"},
            "solids": {"steel": {"type": "elastic", "young": 210e9, "poisson": 0.3, "density": 7850, "damping": 0.002}},
            "bodies": bodies, "elements": elements, "forces": forces}


def by_name(folder):
    """--set NAME=VALUE, for a scene and for the value that an instance gives."""
    state = state_of(SCENES / "cart.json", folder / "a", "--end", 0.05, "--set", "stiffness=30 N/mm")
    other = state_of(SCENES / "cart.json", folder / "b", "--end", 0.05, "--set", "/parameters/stiffness/value=30")
    p.check(state == other, "--set by name", state, other)
    p.check(state != state_of(SCENES / "cart.json", folder / "c", "--end", 0.05), "--set changed nothing")
    text = p.call("check", SCENES / "robot-arm.json", "--set", "fore.dx=70 cm", "--spelled")[1]
    bodies = {body["name"]: body for body in json.loads(text)["bodies"]}
    p.check(bodies["fore.body"]["position"] == [0.35, 0, 0.95], bodies["fore.body"])
    code, _, err = p.call("check", SCENES / "cart.json", "--set", "radius=2 m")
    p.check(code == 2 and "radius is 2000 mm; must be <= 380" in err, err)
    code, _, err = p.call("check", SCENES / "cart.json", "--set", "radios=2")
    p.check(code == 2 and 'did you mean "radius"?' in err, err)


def layout(folder):
    """fmt writes what it prints, keeps what is meant, and tells which files it would change."""
    path = folder / "scene.json"
    path.write_text('{ // note\n"kairos":1,"step":1e-3,\n\n"end" : 1}')
    path.chmod(0o640)
    wanted = '{\n  // note\n  "kairos": 1,\n  "step": 1e-3,\n\n  "end": 1\n}\n'
    p.check(p.call("fmt", path, "--check")[:2] == (1, f"{path}\n"), "fmt --check names the file")
    p.check(p.call("fmt", path, "--print")[1] == wanted, "fmt --print")
    p.check(p.call("fmt", path)[0] == 0 and path.read_text() == wanted, path.read_text())
    p.check(path.stat().st_mode & 0o777 == 0o640, "the file keeps its mode")
    p.check(p.call("fmt", "--check", path)[:2] == (0, ""), "fmt --check of what was laid out")
    (folder / "bad.json").write_text('{"a": }')
    code, _, err = p.call("fmt", folder / "bad.json", path)
    p.check(code == 2 and "bad.json:1:7" in err and (folder / "bad.json").read_text() == '{"a": }', err)
    for scene in sorted(SCENES.glob("*.json")):
        text = p.call("fmt", "--print", scene)[1]
        p.check(json.loads(p.without_comments(text)) == json.loads(p.without_comments(scene.read_text())), scene.name, "became another scene")


def main():
    p.need_program()
    with p.Folder() as folder:
        compare("cart", cart(), folder, 0.5)
        compare("robot-arm", robot_arm(), folder, 0.5)
        compare("scaffold", scaffold(), folder, 0.5)
        by_name(folder)
        layout(folder)
    print("templates: ok")


main()
