# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
"""Shipped scenes of frictional contact that are too long to write by hand; tools/make-scenes writes them."""

import math
import random

RED, GREEN, BLUE, ORANGE, SAND = "#c0392b", "#2e7d5b", "#2c6fbb", "#d98e1b", "#c9b27c"


def box(size, at=None, color=None, material=None, **more):
    shape = {"type": "box", "size": list(size)}
    if at is not None:
        shape["at"] = list(at)
    if material is not None:
        shape["material"] = material
    if color is not None:
        shape["color"] = color
    return {**shape, **more}


def ground(size=20.0, material=None, color="#7d8471"):
    """A floor that is seen: its top is z = 0."""
    return {"name": "ground", "fixed": True, "shapes": [box([size, size, 0.2], [0, 0, -0.1], color, material)]}


def system(every, *more):
    return {"system": True, "every": every, "quantities": ["energy", "contacts", "max_penetration", "residual", *more],
            "file": "system.csv"}


# Dominoes ----------------------------------------------------------------------------------------------------
def dominoes(write):
    thick, wide, tall, pitch, count = 0.0075, 0.024, 0.048, 0.021, 100
    bodies = [ground(0.7, "table", "#3f4a56")]
    shades = [f"0.5 + 0.42 * cos(2*pi * ((n - 1) / {count} + {shift}))" for shift in (0, 0.36, 0.68)]
    domino = {"parameters": {"n": 1, "x": 0, "y": 0, "turn": 0},
              "bodies": [{"name": "domino {n}", "density": 1200, "position": ["x", "y", tall / 2],
                          "rotation": {"axis": [0, 0, 1], "angle": "turn"},
                          "shapes": [box([thick, wide, tall], None, shades, "domino")]}]}
    instances = []
    turn, radius, arm = 0.0, 0.215, 0.062
    for i in range(count):
        r = radius - arm * turn / (2 * math.pi)
        x, y = r * math.cos(turn), r * math.sin(turn)
        slope = math.atan2(r * math.cos(turn) - arm / (2 * math.pi) * math.sin(turn),
                           -r * math.sin(turn) - arm / (2 * math.pi) * math.cos(turn))
        if i == 0:  # leans over its front edge, a little past the point of no return
            lean = math.atan2(thick, tall) + 0.06
            along = (math.cos(slope), math.sin(slope))
            forward = -math.cos(lean) * thick / 2 + math.sin(lean) * tall / 2 + thick / 2
            half, tip = slope / 2, lean / 2
            bodies.append({
                "name": "domino 1", "density": 1200,
                "position": [x + along[0] * forward, y + along[1] * forward,
                             math.sin(lean) * thick / 2 + math.cos(lean) * tall / 2],
                "rotation": [math.cos(half) * math.cos(tip), -math.sin(half) * math.sin(tip),
                             math.cos(half) * math.sin(tip), math.sin(half) * math.cos(tip)],
                "shapes": [box([thick, wide, tall], None, [0.92, 0.23, 0.32], "domino")]})
        else:
            instances.append({"template": "domino", "parameters": {"n": i + 1, "x": x, "y": y, "turn": slope}})
        turn += pitch / r
    write("dominoes.json", {
        "kairos": 1, "name": "row of dominoes",
        "description": "A hundred dominoes stand in a spiral; the first one leans too far, and the wave runs inwards at about "
                       "a metre a second.",
        "step": 5e-4, "end": 3.0, "contact": "nsc", "solver": {"type": "psor", "iterations": 60},
        "materials": {"table": {"friction": 0.6}, "domino": {"friction": 0.25, "restitution": 0.2}}, "bodies": bodies,
        "templates": {"domino": domino}, "instances": instances,
        "view": {"camera": [0.26, -0.5, 0.4], "target": [0, 0, 0.0]},
        "outputs": [{"body": f"domino {i}", "every": 0.005, "quantities": ["rotation", "angular_velocity"],
                     "file": f"domino-{i}.csv"} for i in (1, 50, 100)] + [system(0.01)]})


# Pouring -----------------------------------------------------------------------------------------------------
def plate(size, at, axis, angle, color, material, **more):
    return box(size, at, color, material, rotation={"axis": axis, "angle": angle}, **more)


def pour(write):
    """A hopper over a box; grains start on a lattice in the hopper."""
    half, mouth, low, high, top, thick = 0.5, 0.21, 0.95, 1.25, 2.2, 0.04
    shapes = [box([1.4, 1.4, 0.06], [0, 0, -0.03], "#8a8f98", "steel")]
    # The box that catches the grains; its front is not drawn.
    for x, y, size in ((-0.52, 0, [thick, 1.08, 0.5]), (0.52, 0, [thick, 1.08, 0.5]), (0, 0.52, [1.08, thick, 0.5]),
                       (0, -0.52, [1.08, thick, 0.5])):
        shapes.append(box(size, [x, y, 0.25], "#b9c4d0", "steel", visible=(x, y) != (0, -0.52)))
    # The funnel: four plates that meet around the mouth, and four upright ones above them.
    slope = math.atan2(high - low, half - mouth)
    length = math.hypot(high - low, half - mouth) + 0.02
    middle, up = (half + mouth) / 2, (low + high) / 2
    off = (thick / 2 * math.sin(slope), thick / 2 * math.cos(slope))
    for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        at = [(middle + off[0]) * x, (middle + off[0]) * y, up - off[1]]
        size = [length, 2 * half + 0.04, thick] if x else [2 * half + 0.04, length, thick]
        front = y == -1
        shapes.append(plate(size, at, [0, -x, 0] if x else [y, 0, 0], slope, "#7f93a8", "steel", visible=not front))
        wall = [thick, 2 * half + 2 * thick, top - high] if x else [2 * half + 2 * thick, thick, top - high]
        shapes.append(box(wall, [(half + thick / 2) * x, (half + thick / 2) * y, (top + high) / 2], "#7f93a8", "steel",
                          visible=not front))
    rng, radius, rows = random.Random(5), 0.03, ["x,y,z,radius"]
    pitch, z = 2.06 * 1.1 * radius, high + 0.02
    count = int((2 * half - 0.01) / pitch)
    while len(rows) <= 2400:
        z += pitch
        for j in range(count):
            for i in range(count):
                x, y = ((k - (count - 1) / 2) * pitch + rng.uniform(-1e-3, 1e-3) for k in (i, j))
                rows.append(f"{x:.5f},{y:.5f},{z + rng.uniform(-1e-3, 1e-3):.5f},{radius * rng.uniform(0.85, 1.1):.5f}")
    write.table("pour.csv", rows)
    write("pour.json", {
        "kairos": 1, "name": "pour and settle",
        "description": "Some thousand grains leave a hopper through its mouth, pile up in a box and settle. The same with the "
                       "penalty method: --set /contact/method=smc --set /step=auto.",
        "step": 1e-3, "end": 5.0, "contact": {"method": "nsc", "envelope": 0.004, "recovery_speed": 0.3},
        "solver": {"type": "psor", "iterations": 40, "tolerance": 1e-5},
        "materials": {"grain": {"density": 2500, "friction": 0.5, "restitution": 0.2, "young": 4e6},
                      "steel": {"friction": 0.3, "restitution": 0.2, "young": 4e6}},
        "bodies": [{"name": "hopper", "fixed": True, "shapes": shapes}],
        "particles": [{"name": "grains", "file": "pour.csv", "material": "grain",
                       "shape": {"type": "sphere", "radius": radius, "color": SAND}}],
        "trajectory": {"contacts": "always"},  # force chains, for the page
        "view": {"camera": [2.1, -3.9, 2.3], "target": [0, 0, 1.0]},
        "outputs": [{"body": "hopper", "every": 0.02, "quantities": ["contact_force"], "file": "hopper.csv"}, system(0.02)]})


# The mixer ---------------------------------------------------------------------------------------------------
def mixer(write, each=64):
    rng = random.Random(1)
    wall = "#9db4c8"
    vessel = [box([20, 1, 20], [0, -5, 0], "#707a85", "all")]
    for x, z, size in ((-10, 0, [1, 10, 20.99]), (10, 0, [1, 10, 20.99]), (0, -10, [20.99, 10, 1]), (0, 10, [20.99, 10, 1])):
        vessel.append(box(size, [x, 0, z], wall, "all", visible=(x, z) != (0, 10)))
    bodies = [{"name": "vessel", "fixed": True, "shapes": vessel},
              {"name": "paddle", "density": 4000, "position": [0, -1.6, 0], "shapes": [box([10, 5, 1], None, RED, "all")]}]
    upright = {"axis": [1, 0, 0], "angle": math.pi / 2}
    templates = {name: {"parameters": {"n": 1}, "bodies": [
        {"name": f"{name} {{n}}", "density": 1000, "shapes": [{**shape, "material": "all", "color": color}]}]}
        for name, shape, color in (("ball", {"type": "sphere", "radius": 1.0}, BLUE), ("cube", {"type": "box", "size": [1.25] * 3}, ORANGE),
                                   ("can", {"type": "cylinder", "radius": 0.8, "length": 1.0, "rotation": upright}, GREEN))}
    instances = []
    for i in range(each):
        for name in templates:
            at = [rng.uniform(-5, 5), 4 + 0.05 * i, rng.uniform(-5, 5)]
            instances.append({"template": name, "parameters": {"n": i + 1}, "at": at})
    write("mixer.json", {
        "kairos": 1, "name": "mixer",
        "description": "A paddle turns ten times a minute in a square vessel and stirs 64 balls, 64 cubes and 64 cylinders, which "
                       "are dropped in all at once, some of them inside each other. A scene that other engines are measured with.",
        "gravity": [0, -9.8, 0], "step": 0.02, "end": 15.0, "contact": {"method": "nsc", "recovery_speed": 0.6},
        "solver": {"type": "psor", "iterations": 50}, "checks": {"overlap": 3}, "materials": {"all": {"friction": 0.6}}, "bodies": bodies,
        "templates": templates, "instances": instances,
        "joints": [{"name": "bearing", "type": "revolute", "bodies": ["vessel", "paddle"], "at": [0, -1.6, 0], "axis": [0, 1, 0]}],
        "motors": [{"name": "drive", "type": "rotation-speed", "joint": "bearing", "value": math.pi / 3}],
        "view": {"camera": [9, 22, 22], "target": [0, -1.5, 0]},
        "outputs": [{"motor": "drive", "every": 0.02, "quantities": ["effort", "speed"], "file": "drive.csv"}, system(0.02)]})


SCENES = (dominoes, pour, mixer)
