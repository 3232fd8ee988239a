# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
"""The shipped scenes of frictional contact; tools/make-scenes writes them."""

import math
import random

RED, GREEN, BLUE, ORANGE, GREY = "#c0392b", "#2e7d5b", "#2c6fbb", "#d98e1b", "#555555"
SAND, STONE, BRICK, STEEL, WOOD = "#c9b27c", "#9a958c", "#a8523a", "#8d99a6", "#b5824a"


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


# Block on an incline -----------------------------------------------------------------------------------------
def block_on_incline(write):
    angle, width, thick = math.radians(20), 4.4, 0.2
    along, normal = (math.cos(angle), 0, -math.sin(angle)), (math.sin(angle), 0, math.cos(angle))
    lanes = (("stuck", 0.6, GREEN), ("barely", 0.38, BLUE), ("slow", 0.25, ORANGE), ("ice", 0.0, RED))
    length, top = 6.0, 2.4
    middle = [along[i] * length / 2 - normal[i] * thick / 2 + (0, 0, top)[i] for i in range(3)]
    bodies = [ground(24.0, "table"),
              {"name": "incline", "fixed": True, "position": middle, "rotation": {"axis": [0, 1, 0], "angle": angle},
               "shapes": [box([length, width, thick], None, "#c2b59b", "table"),
                          *[box([length, 0.02, 0.06], [0, y, thick / 2 + 0.03], "#7a6f5a", "table", collide=False)
                            for y in (-2.2, -1.1, 0.0, 1.1, 2.2)]]}]
    materials, outputs = {"table": {"friction": 1.0}}, []
    size = (0.5, 0.5, 0.3)
    for i, (name, friction, color) in enumerate(lanes):
        at = [along[k] * 0.6 + normal[k] * size[2] / 2 + (0, 1.1 * (i - 1.5), top)[k] for k in range(3)]
        materials[name] = {"friction": friction, "density": 700}
        bodies.append({"name": name, "position": at, "rotation": {"axis": [0, 1, 0], "angle": angle},
                       "shapes": [box(size, None, color, name)]})
        outputs.append({"body": name, "every": 0.01, "quantities": ["position", "velocity", "contact_force"],
                        "file": f"{name}.csv"})
    write("block-on-incline.json", {
        "kairos": 1, "name": "blocks on an incline",
        "description": "Four blocks on a slope of 20 degrees, whose tangent is 0.364: two stick (friction 0.6 and 0.38), one slides "
                       "(0.25) at 1.05 m/s², and one without friction at 3.36 m/s² leaves the edge and slides on over the floor.",
        "step": 2e-3, "end": 3.0, "contact": "nsc", "materials": materials, "bodies": bodies,
        "view": {"camera": [9.0, -8.0, 4.6], "target": [2.8, 0, 1.0]},
        "outputs": outputs + [system(0.01)]})


# Stack -------------------------------------------------------------------------------------------------------
def box_stack(write):
    side, gap = 0.25, 0.0
    bodies = [ground(6.0)]
    colors = (BLUE, ORANGE, GREEN, RED, "#8e5ea2")
    for i in range(20):
        bodies.append({"name": f"box {i + 1}", "density": 600, "position": [0, 0, (i + 0.5) * (side + gap)],
                       "rotation": {"axis": [0, 0, 1], "angle": 0.06 * i},
                       "shapes": [box([side, side, side], None, colors[i % 5])]})
    write("box-stack.json", {
        "kairos": 1, "name": "stack of 20 boxes",
        "description": "Twenty boxes stand on each other, each turned a little against the one below, and do not sink, creep or "
                       "sway: the lowest carries the weight of all.",
        "step": 2e-3, "end": 10.0, "contact": "nsc", "solver": {"type": "psor", "iterations": 200}, "bodies": bodies,
        "view": {"camera": [5.2, -8.2, 4.4], "target": [0, 0, 2.45]},
        "outputs": [{"body": "box 20", "every": 0.05, "quantities": ["position", "velocity", "rotation"], "file": "top.csv"},
                    {"body": "ground", "every": 0.05, "quantities": ["contact_force"], "file": "ground.csv"}, system(0.05)]})


# Arch --------------------------------------------------------------------------------------------------------
def arch(write):
    inner, outer, depth, count, courses, height = 2.0, 2.7, 1.0, 13, 5, 0.5
    base = courses * height
    bodies = [ground(16.0, "stone", "#6f7a5d")]
    shades = ("#b8a98c", "#a89878", "#c4b79c")
    for side, sign in (("left", -1), ("right", 1)):
        for k in range(courses):
            wide = 1.5
            bodies.append({"name": f"{side} pier {k + 1}", "position": [sign * (inner + wide / 2), 0, (k + 0.5) * height],
                           "shapes": [box([wide, depth, height], None, shades[k % 3], "stone")]})
    for i in range(count):
        a, b = math.pi * i / count, math.pi * (i + 1) / count
        points = [(r * math.cos(t), y, base + r * math.sin(t)) for r in (inner, outer) for t in (a, b)
                  for y in (-depth / 2, depth / 2)]
        middle = [sum(p[k] for p in points) / len(points) for k in range(3)]
        key = i == count // 2
        bodies.append({"name": "keystone" if key else f"voussoir {i + 1}", "position": middle,
                       "shapes": [{"type": "hull", "points": [[p[k] - middle[k] for k in range(3)] for p in points],
                                   "material": "stone", "color": ORANGE if key else shades[(i + i // 3) % 3]}]})
    write("arch.json", {
        "kairos": 1, "name": "stone arch",
        "description": "Thirteen wedges of stone, without mortar, span four metres on two piers of five courses: each pushes its "
                       "neighbours, and the line of thrust stays inside the stones, so that the arch stands.",
        "step": 2e-3, "end": 10.0, "contact": "nsc", "solver": {"type": "psor", "iterations": 200},
        "materials": {"stone": {"density": 2400, "friction": 0.7}}, "bodies": bodies,
        "view": {"camera": [3.5, -10.5, 4.2], "target": [0, 0, 2.4]},
        "outputs": [{"body": "keystone", "every": 0.05, "quantities": ["position", "velocity", "contact_force"],
                     "file": "keystone.csv"},
                    {"body": "left pier 1", "every": 0.05, "quantities": ["position", "rotation"], "file": "pier.csv"},
                    system(0.05)]})


# Dominoes ----------------------------------------------------------------------------------------------------
def dominoes(write):
    thick, wide, tall, pitch, count = 0.0075, 0.024, 0.048, 0.021, 100
    bodies = [ground(0.7, "table", "#3f4a56")]
    turn, radius, arm = 0.0, 0.215, 0.062
    for i in range(count):
        r = radius - arm * turn / (2 * math.pi)
        x, y = r * math.cos(turn), r * math.sin(turn)
        slope = math.atan2(r * math.cos(turn) - arm / (2 * math.pi) * math.sin(turn),
                           -r * math.sin(turn) - arm / (2 * math.pi) * math.cos(turn))
        red, green, blue = (0.5 + 0.42 * math.cos(2 * math.pi * (i / count + s)) for s in (0.0, 0.36, 0.68))
        body = {"name": f"domino {i + 1}", "density": 1200, "position": [x, y, tall / 2],
                "rotation": {"axis": [0, 0, 1], "angle": slope},
                "shapes": [box([thick, wide, tall], None, [red, green, blue], "domino")]}
        if i == 0:  # leans over its front edge, a little past the point of no return
            lean = math.atan2(thick, tall) + 0.06
            along = (math.cos(slope), math.sin(slope))
            forward = -math.cos(lean) * thick / 2 + math.sin(lean) * tall / 2 + thick / 2
            body["position"] = [x + along[0] * forward, y + along[1] * forward,
                                math.sin(lean) * thick / 2 + math.cos(lean) * tall / 2]
            half, tip = slope / 2, lean / 2
            body["rotation"] = [math.cos(half) * math.cos(tip), -math.sin(half) * math.sin(tip),
                                math.cos(half) * math.sin(tip), math.sin(half) * math.cos(tip)]
        bodies.append(body)
        turn += pitch / r
    write("dominoes.json", {
        "kairos": 1, "name": "row of dominoes",
        "description": "A hundred dominoes stand in a spiral; the first one leans too far, and the wave runs inwards at about "
                       "a metre a second.",
        "step": 5e-4, "end": 3.0, "contact": "nsc", "solver": {"type": "psor", "iterations": 60},
        "materials": {"table": {"friction": 0.6}, "domino": {"friction": 0.25, "restitution": 0.2}}, "bodies": bodies,
        "view": {"camera": [0.26, -0.5, 0.4], "target": [0, 0, 0.0]},
        "outputs": [{"body": f"domino {i}", "every": 0.005, "quantities": ["rotation", "angular_velocity"],
                     "file": f"domino-{i}.csv"} for i in (1, 50, 100)] + [system(0.01)]})


# Wall --------------------------------------------------------------------------------------------------------
def wall_ball(write):
    long, deep, high, courses, per = 0.4, 0.2, 0.2, 12, 9
    rng = random.Random(3)
    bodies = [ground(80.0, "concrete", "#7b7f86")]
    for k in range(courses):
        odd = k % 2
        pieces = [(i * long + long / 2, long) for i in range(per)] if not odd else (
            [(long / 4, long / 2)] + [(i * long, long) for i in range(1, per)] + [(per * long - long / 4, long / 2)])
        for x, length in pieces:
            tint = rng.uniform(-0.07, 0.07)
            bodies.append({"name": f"brick {k + 1}.{len(bodies)}", "position": [x - per * long / 2, 0, (k + 0.5) * high],
                           "shapes": [box([length, deep, high], None, [0.62 + tint, 0.31 + tint / 2, 0.22 + tint / 2], "brick")]})
    bodies.append({"name": "ball", "position": [0.3, -4.0, 1.35], "velocity": [0, 14, 1.2],
                   "shapes": [{"type": "sphere", "radius": 0.4, "material": "iron", "color": "#2b2f36"}]})
    write("wall-ball.json", {
        "kairos": 1, "name": "wall hit by a ball",
        "description": "An iron ball of two tonnes goes through a wall of dry bricks at 14 m/s: those it meets fly, those beside "
                       "them turn, the rest falls or stays.",
        "step": 2e-3, "end": 3.0, "contact": {"method": "nsc", "recovery_speed": 0.5},
        "solver": {"type": "psor", "iterations": 80},
        "materials": {"brick": {"density": 1900, "friction": 0.6}, "iron": {"density": 7400, "friction": 0.4},
                      "concrete": {"friction": 0.7}}, "bodies": bodies,
        "view": {"camera": [4.4, 6.6, 3.0], "target": [0.2, 0.5, 1.0], "frame_rate": 100},
        "outputs": [{"body": "ball", "every": 0.005, "quantities": ["position", "velocity", "contact_force"], "file": "ball.csv"},
                    system(0.01)]})


# Newton's cradle ---------------------------------------------------------------------------------------------
def newtons_cradle(write):
    radius, count, string, spread, gap = 0.05, 5, 0.5, 0.25, 5e-4
    pitch, high = 2 * radius + gap, 0.8
    drop = math.sqrt(string**2 - spread**2)
    length = (count - 1) * pitch
    rail = [box([length + 0.3, 0.02, 0.02], [0, y, high], "#6b5336", collide=False) for y in (-spread, spread)]
    posts = [box([0.02, 0.02, high], [x, y, high / 2], "#6b5336", collide=False) for x in (-length / 2 - 0.15, length / 2 + 0.15)
             for y in (-spread, spread)]
    bodies = [{"name": "frame", "fixed": True, "shapes": [
        box([length + 0.4, 2 * spread + 0.1, 0.04], [0, 0, -0.02], "#3b2f22", collide=False), *rail, *posts]}]
    joints = []
    for i in range(count):
        x = (i - (count - 1) / 2) * pitch
        swing = math.radians(-35) if i == 0 else 0.0
        at = [x + drop * math.sin(swing), 0.0, high - drop * math.cos(swing)]
        # The strings are drawn as thin rods of the ball, which do not collide and weigh nothing.
        rods = []
        for y in (-spread, spread):
            rods.append({"type": "cylinder", "radius": 0.0015, "length": string, "color": "#222222", "collide": False,
                         "at": [0, y / 2, drop / 2], "rotation": {"axis": [1, 0, 0], "angle": -math.atan2(y, drop)}})
        mass = 7800 * 4 / 3 * math.pi * radius**3
        inertia = 0.4 * mass * radius**2
        bodies.append({"name": f"ball {i + 1}", "mass": mass, "inertia": [inertia] * 3, "position": at,
                       "rotation": {"axis": [0, 1, 0], "angle": -swing},
                       "shapes": [{"type": "sphere", "radius": radius, "material": "steel",
                                   "color": ORANGE if i == 0 else STEEL}, *rods]})
        joints.append({"name": f"string {i + 1}", "type": "revolute", "bodies": ["frame", f"ball {i + 1}"], "at": [x, 0, high],
                       "axis": [0, 1, 0]})
    write("newtons-cradle.json", {
        "kairos": 1, "name": "Newton's cradle",
        "description": "Five steel balls on strings, half a millimetre apart, so that impacts come one after the other: "
                       "one ball comes in, one leaves, and the energy stays.",
        "step": 5e-5, "end": 8.0, "contact": {"method": "nsc", "restitution_speed": 1e-3},
        "materials": {"steel": {"friction": 0.0, "restitution": 1.0}}, "bodies": bodies, "joints": joints,
        "view": {"camera": [0.55, -1.35, 0.75], "target": [0, 0, 0.42]},
        "outputs": [{"joint": "string 1", "every": 0.005, "quantities": ["angle", "angle_rate"], "file": "first.csv"},
                    {"joint": "string 3", "every": 0.005, "quantities": ["angle", "angle_rate"], "file": "middle.csv"},
                    {"joint": f"string {count}", "every": 0.005, "quantities": ["angle", "angle_rate"], "file": "last.csv"},
                    {"system": True, "every": 0.005, "quantities": ["energy", "momentum", "contacts"], "file": "system.csv"}]})


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
    for i in range(each):
        for name, shape, color in (("ball", {"type": "sphere", "radius": 1.0}, BLUE), ("cube", {"type": "box", "size": [1.25] * 3}, ORANGE),
                                   ("can", {"type": "cylinder", "radius": 0.8, "length": 1.0, "rotation": upright}, GREEN)):
            at = [rng.uniform(-5, 5), 4 + 0.05 * i, rng.uniform(-5, 5)]
            bodies.append({"name": f"{name} {i + 1}", "density": 1000, "position": at, "shapes": [{**shape, "material": "all", "color": color}]})
    write("mixer.json", {
        "kairos": 1, "name": "mixer",
        "description": "A paddle turns ten times a minute in a square vessel and stirs 64 balls, 64 cubes and 64 cylinders, which "
                       "are dropped in all at once. A scene that other engines are measured with.",
        "gravity": [0, -9.8, 0], "step": 0.02, "end": 15.0, "contact": {"method": "nsc", "recovery_speed": 0.6},
        "solver": {"type": "psor", "iterations": 50}, "materials": {"all": {"friction": 0.6}}, "bodies": bodies,
        "joints": [{"name": "bearing", "type": "revolute", "bodies": ["vessel", "paddle"], "at": [0, -1.6, 0], "axis": [0, 1, 0]}],
        "motors": [{"name": "drive", "type": "rotation-speed", "joint": "bearing", "value": math.pi / 3}],
        "view": {"camera": [9, 22, 22], "target": [0, -1.5, 0]},
        "outputs": [{"motor": "drive", "every": 0.02, "quantities": ["effort", "speed"], "file": "drive.csv"}, system(0.02)]})


# Chain mail --------------------------------------------------------------------------------------------------
def ring(radius, wire, sides, flat, color):
    """A ring of capsules in the plane x y, or across it: its axis is z, x or y."""
    shapes, half = [], math.pi / sides
    for i in range(sides):
        a = 2 * half * i + half
        c, s = radius * math.cos(half) * math.cos(a), radius * math.cos(half) * math.sin(a)
        tx, ty = -math.sin(a), math.cos(a)
        at, along = ([c, s, 0.0], (tx, ty, 0.0)) if flat == "z" else (([c, 0.0, s], (tx, 0.0, ty)) if flat == "y" else
                                                                      ([0.0, c, s], (0.0, tx, ty)))
        # From z, the capsule's axis, to along.
        axis = [-along[1], along[0], 0.0]
        angle = math.acos(max(-1.0, min(1.0, along[2])))
        if math.hypot(axis[0], axis[1]) < 1e-9:
            axis = [1.0, 0.0, 0.0]
        shapes.append({"type": "capsule", "radius": wire, "length": 2 * radius * math.sin(half), "at": at,
                       "rotation": {"axis": axis, "angle": angle}, "material": "steel", "color": color})
    mass = 7800 * math.pi * wire**2 * 2 * math.pi * radius
    axial, across = mass * radius**2, 0.5 * mass * radius**2
    inertia = [axial if flat == k else across for k in "xyz"]
    return {"mass": mass, "inertia": inertia, "shapes": shapes}


def chain_mail(write, side=12):
    big, small, wire, pitch, sides = 0.10, 0.066, 0.012, 0.26, 8
    bodies = [ground(8.0, "steel", "#5b616b")]
    half, high = (side - 1) * pitch / 2, 2.0
    for j in range(side):
        for i in range(side):
            edge = i in (0, side - 1) or j in (0, side - 1)
            at = [i * pitch - half, j * pitch - half, high]
            body = {"name": f"ring {i + 1}.{j + 1}", "position": at, **ring(big, wire, sides, "z", STEEL if not edge else "#40454d")}
            if edge:
                body = {"name": body["name"], "fixed": True, "position": at, "shapes": body["shapes"]}
            bodies.append(body)
            for di, dj, flat in ((1, 0, "y"), (0, 1, "x")):
                if i + di < side and j + dj < side:
                    bodies.append({"name": f"link {i + 1}.{j + 1}.{flat}", "position": [at[0] + di * pitch / 2, at[1] + dj * pitch / 2, high],
                                   **ring(small, wire, sides, flat, "#b08d3c")})
    bodies.append({"name": "ball", "density": 700, "position": [0.3, 0.15, 3.4],
                   "shapes": [{"type": "sphere", "radius": 0.35, "material": "steel", "color": RED}]})
    write("chain-mail.json", {
        "kairos": 1, "name": "chain mail",
        "description": "A sheet of 144 rings, held together by 264 smaller ones that go through them, hangs from its edge; a ball "
                       "falls into it. Nothing but contact joins the rings.",
        "step": 1e-3, "end": 3.0, "contact": {"method": "nsc", "recovery_speed": 0.3}, "solver": {"type": "psor", "iterations": 100},
        "materials": {"steel": {"friction": 0.2}}, "bodies": bodies,
        "view": {"camera": [2.6, -3.4, 3.2], "target": [0, 0, 1.8]},
        "outputs": [{"body": "ball", "every": 0.005, "quantities": ["position", "velocity", "contact_force"], "file": "ball.csv"},
                    system(0.01)]})


SCENES = (block_on_incline, box_stack, arch, dominoes, wall_ball, newtons_cradle, pour, mixer, chain_mail)
