# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
"""The excavator that digs: tools/make-scenes writes it.

A machine of about three tonnes stands at the edge of a pit of gravel. Three hydraulic cylinders move boom, stick and
bucket; each is a barrel and a rod, and a motor gives its length over time. The bucket hangs on a four-bar linkage. The
lengths follow from a course of the bucket's tip that was laid out by hand: reach, dig, curl, lift, swing, dump, swing
back. All of it is plane geometry in x (forwards) and z (up); the platform turns about z.
"""

import glob
import json
import math
import random
import subprocess
import tempfile
from pathlib import Path

YELLOW, DARK, STEEL, GLASS = "#e0a51f", "#33373d", "#9aa4ae", "#6f8fa8"
GREYS = ("#8f8a82", "#a39a8a", "#77736c")
PIT = (1.35, 3.95, 0.75, 0.85)  # from x, to x, half width, depth
LEVEL = -0.02  # where the gravel's surface is about
SIZES = (0.036, 0.043, 0.05)
STEP, END = 4e-3, 12.0

# The machine, at rest in its own plane ------------------------------------------------------------------------
BOOM_PIN, BOOM, STICK, TIP = (0.45, 0.95), 2.25, 1.3, 0.72
BOOM_FOOT, BOOM_EYE = (0.85, 0.62), (0.95, 0.12)  # of the boom's cylinder: on the platform; on the boom, along and above it
STICK_FOOT, STICK_EYE = (1.05, 0.50), (-0.36, 0.10)  # of the stick's: on the boom; on the stick
BUCKET_FOOT = (-0.10, 0.26)  # of the bucket's: on the stick
ROCKER_PIN, ROCKER, LINK, LUG = (STICK - 0.26, 0.0), 0.30, 0.28, (-0.14, 0.15)  # LUG: on the bucket, along and across
# The course of the tip: time, its place in the plane, and the bucket's angle in degrees (-90: hangs, -180: holds).
COURSE = ((0.0, 3.65, 0.55, -55), (1.0, 3.65, -0.02, -52), (1.7, 3.45, -0.42, -66), (2.6, 2.95, -0.58, -92),
          (3.5, 2.40, -0.50, -128), (4.2, 2.10, -0.10, -158), (5.0, 1.95, 0.75, -176), (6.0, 2.00, 1.55, -180),
          (7.6, 2.05, 1.60, -180), (8.2, 2.35, 1.45, -150), (9.2, 3.15, 1.15, -62), (9.8, 3.10, 1.4, -55),
          (10.6, 3.15, 1.55, -55), (11.4, 3.45, 1.0, -55), (12.0, 3.65, 0.55, -55))
SWING = ((5.2, 7.6, math.pi / 2), (9.7, 11.6, -math.pi / 2))


def rotated(p, a):
    return (p[0] * math.cos(a) - p[1] * math.sin(a), p[0] * math.sin(a) + p[1] * math.cos(a))


def added(p, q):
    return (p[0] + q[0], p[1] + q[1])


def meet(p, r, q, s, side):
    """Where the circles about p and q meet: the point to the left (side 1) or right (-1) of the way from p to q."""
    dx, dz = q[0] - p[0], q[1] - p[1]
    d = math.hypot(dx, dz)
    a = (r * r - s * s + d * d) / (2 * d)
    h = math.sqrt(r * r - a * a)
    return (p[0] + (a * dx - side * h * dz) / d, p[1] + (a * dz + side * h * dx) / d)


def spline(points, t):
    """A cubic through the points with slopes of the neighbours, level at both ends (Catmull and Rom)."""
    n = len(points)
    i = max(k for k in range(n - 1) if points[k][0] <= t or k == 0)
    slope = [0.0 if k in (0, n - 1) else (points[k + 1][1] - points[k - 1][1]) / (points[k + 1][0] - points[k - 1][0])
             for k in (i, i + 1)]
    (t0, y0), (t1, y1) = points[i], points[i + 1]
    h, u = t1 - t0, (t - t0) / (t1 - t0)
    return ((1 + 2 * u) * (1 - u)**2 * y0 + u * u * (3 - 2 * u) * y1 + h * u * (1 - u)**2 * slope[0]
            - h * u * u * (1 - u) * slope[1])


def posture(t):
    """All points of the plane at time t, and the three lengths."""
    x, z, turn = (spline([(c[0], c[k]) for c in COURSE], t) for k in (1, 2, 3))
    beta = math.radians(turn)
    pin = (x - TIP * math.cos(beta), z - TIP * math.sin(beta))
    elbow = meet(BOOM_PIN, BOOM, pin, STICK, 1)
    boom = math.atan2(elbow[1] - BOOM_PIN[1], elbow[0] - BOOM_PIN[0])
    stick = math.atan2(pin[1] - elbow[1], pin[0] - elbow[0])
    rocker = added(elbow, rotated(ROCKER_PIN, stick))
    # The bucket's own axes: from pin to tip, and across it away from the opening.
    lug = added(pin, rotated((LUG[0], LUG[1]), beta))
    knee = meet(rocker, ROCKER, lug, LINK, 1)
    p = {"pin": pin, "tip": (x, z), "elbow": elbow, "rocker": rocker, "lug": lug, "knee": knee,
         "boom foot": BOOM_FOOT, "boom eye": added(BOOM_PIN, rotated(BOOM_EYE, boom)),
         "stick foot": added(BOOM_PIN, rotated(STICK_FOOT, boom)), "stick eye": added(elbow, rotated(STICK_EYE, stick)),
         "bucket foot": added(elbow, rotated(BUCKET_FOOT, stick)), "bucket eye": knee}
    lengths = [math.dist(p[f"{name} foot"], p[f"{name} eye"]) for name in ("boom", "stick", "bucket")]
    return p, (boom, stick, beta), lengths


# Bodies ---------------------------------------------------------------------------------------------------------
def part(name, origin, angle, mass, shapes):
    """A body of the plane: its x axis at an angle to the ground, its z axis to the left of it."""
    return {"name": name, "mass": mass, "position": [origin[0], 0.0, origin[1]],
            "rotation": {"axis": [0, -1, 0], "angle": angle}, "shapes": shapes}


def bar(a, b, width, height, color, y=0.0, collide=False, extend=0.0):
    """A box from a to b in the plane of a body."""
    length, angle = math.dist(a, b), math.atan2(b[1] - a[1], b[0] - a[0])
    shape = {"type": "box", "size": [length + extend, width, height], "at": [(a[0] + b[0]) / 2, y, (a[1] + b[1]) / 2],
             "rotation": {"axis": [0, -1, 0], "angle": angle}, "color": color}
    return shape if collide else {**shape, "collide": False}


def pin(at, radius, length, color=DARK):
    return {"type": "cylinder", "radius": radius, "length": length, "at": [at[0], 0.0, at[1]],
            "rotation": {"axis": [1, 0, 0], "angle": math.pi / 2}, "color": color, "collide": False}


def bucket_shapes():
    wide, thick = 0.72, 0.03
    shell = ((0.10, -0.12), (0.00, 0.06), (0.10, 0.30), (0.34, 0.38), (0.58, 0.22), (TIP, 0.0))
    shapes = [{**bar(a, b, wide, thick, YELLOW, collide=True, extend=thick), "material": "steel"} for a, b in zip(shell, shell[1:])]
    for y in (-wide / 2, wide / 2):
        points = [[u, y + s * thick / 2, w] for u, w in shell for s in (-1, 1)]
        shapes.append({"type": "hull", "points": points, "material": "steel", "color": YELLOW})
    lip = (math.cos(-1.075), math.sin(-1.075))  # along the last plate
    for k in range(5):
        y = (k - 2) * (wide - 0.08) / 4
        shapes.append({**bar((TIP - 0.04 * lip[0], -0.04 * lip[1]), (TIP + 0.09 * lip[0], 0.09 * lip[1]), 0.06, 0.025, DARK, y, True),
                       "material": "steel"})
    shapes += [bar((-0.02, -0.02), LUG, 0.16, 0.07, DARK), bar(LUG, (0.10, 0.28), 0.15, 0.05, DARK), pin((0, 0), 0.05, 0.3)]
    return shapes


def cylinder(name, p, a, b, radius, shortest, longest):
    """Barrel and rod between two points, with joints that take away no freedom but the motor's. The rod reaches to the bottom
    of the barrel when the cylinder is short, and stays in it by a guide when it is long."""
    foot, eye = p[f"{name} foot"], p[f"{name} eye"]
    angle = math.atan2(eye[1] - foot[1], eye[0] - foot[0])
    along = [math.cos(angle), 0.0, math.sin(angle)]
    bottom, guide = 0.08, 0.12
    rod = shortest - bottom
    barrel = max(longest - rod + guide, 0.6 * shortest)
    assert barrel < shortest - 2 * radius - 0.03, f"{name} cylinder: its stroke leaves no room for the eye"
    tube = {"type": "cylinder", "rotation": {"axis": [0, 1, 0], "angle": math.pi / 2}, "collide": False}
    bodies = [part(f"{name} barrel", foot, angle, 18.0,
                   [{**tube, "radius": radius, "length": barrel - 0.02, "at": [barrel / 2 + 0.01, 0, 0], "color": DARK},
                    {**tube, "radius": 1.15 * radius, "length": 0.05, "at": [barrel - 0.015, 0, 0], "color": "#4a5058"},
                    pin((0, 0), 1.2 * radius, 2.4 * radius)]),
              part(f"{name} rod", eye, angle, 12.0,
                   [{**tube, "radius": 0.55 * radius, "length": rod, "at": [-rod / 2, 0, 0], "color": "#d7dde3"},
                    pin((0, 0), 1.2 * radius, 2.4 * radius)])]
    at = lambda q: [q[0], 0.0, q[1]]
    joints = [{"name": f"{name} foot", "type": "revolute", "bodies": [a, f"{name} barrel"], "at": at(foot), "axis": [0, -1, 0]},
              {"name": f"{name} piston", "type": "prismatic", "bodies": [f"{name} barrel", f"{name} rod"], "at": at(foot),
               "axis": along},
              {"name": f"{name} eye", "type": "point-on-line", "bodies": [f"{name} rod", b], "at": at(eye), "axis": [0, -1, 0]}]
    return bodies, joints


def ground_shapes():
    x0, x1, half, depth = PIT
    left, right, front, back = -3.2, 6.0, -3.4, 4.6
    earth, sides = "#8c8062", "#75694f"
    over = 1e-3  # pieces overlap a little inside the earth: between edges that only meet light shines through
    pieces = ((left, x0, front, back, -1.4, 0.0, earth), (x1, right, front, back, -1.4, 0.0, earth),
              (x0 - over, x1 + over, front, -half, -1.4, 0.0, earth), (x0 - over, x1 + over, half, back, -1.4, 0.0, earth),
              (x0 - over, x1 + over, -half - over, half + over, -1.4, -depth, sides))
    return [{"type": "box", "size": [b - a, d - c, f - e], "at": [(a + b) / 2, (c + d) / 2, (e + f) / 2], "color": color,
             "material": "earth"} for a, b, c, d, e, f, color in pieces]


def truck_shapes():
    """A dumper that stands across, its bed under the end of the swing."""
    def block(size, at, color, collide=False):
        shape = {"type": "box", "size": size, "at": at, "color": color}
        return {**shape, "material": "steel"} if collide else {**shape, "collide": False}

    y, red, bed = 2.95, "#a33b2e", "#b5523f"
    shapes = [block([2.0, 1.5, 0.08], [0, y, 0.44], bed, True), block([0.06, 1.5, 0.62], [-0.97, y, 0.76], bed, True),
              block([0.06, 1.5, 0.5], [0.97, y, 0.7], bed, True), block([2.0, 0.06, 0.5], [0, y - 0.72, 0.7], bed, True),
              block([2.0, 0.06, 0.5], [0, y + 0.72, 0.7], bed, True),
              block([0.75, 1.3, 0.95], [-1.5, y, 0.82], red), block([0.5, 1.2, 0.35], [-1.62, y, 1.42], GLASS),
              block([3.0, 0.7, 0.14], [-0.4, y, 0.33], DARK)]
    for x in (-1.5, -0.15, 0.6):
        for side in (-0.68, 0.68):
            shapes.append({"type": "cylinder", "radius": 0.23, "length": 0.24, "at": [x, y + side, 0.23],
                           "rotation": {"axis": [1, 0, 0], "angle": math.pi / 2}, "color": "#26282b", "collide": False})
    return shapes


def undercarriage_shapes():
    shapes = [{"type": "box", "size": [1.1, 0.8, 0.2], "at": [0, 0, 0.36], "color": DARK, "collide": False},
              {"type": "cylinder", "radius": 0.42, "length": 0.12, "at": [0, 0, 0.5], "color": "#222428", "collide": False}]
    # A track is one body: two half discs and what is between them.
    turns = [math.pi * (k / 12 - 0.5) for k in range(13)]
    profile = [[s * (0.85 + 0.25 * math.cos(a)), 0.25 + 0.25 * math.sin(a)] for s in (-1, 1) for a in turns]
    for y in (-0.62, 0.62):
        points = [[x, y + side, z] for x, z in profile for side in (-0.16, 0.16)]
        shapes.append({"type": "hull", "points": points, "color": "#2b2d31", "collide": False})
    return shapes


def platform_shapes():
    def block(size, at, color):
        return {"type": "box", "size": size, "at": at, "color": color, "collide": False}

    return [block([1.75, 1.3, 0.22], [-0.25, 0, 0.0], YELLOW), block([0.95, 1.28, 0.55], [-0.64, 0, 0.36], YELLOW),
            block([0.2, 1.24, 0.5], [-1.2, 0, 0.32], DARK), block([0.85, 0.55, 0.18], [0.12, 0.37, 0.18], YELLOW),
            block([0.8, 0.5, 0.95], [0.12, 0.37, 0.7], GLASS), block([0.85, 0.55, 0.06], [0.12, 0.37, 1.2], YELLOW),
            block([0.5, 0.12, 0.4], [0.5, -0.13, 0.22], DARK), block([0.5, 0.12, 0.4], [0.5, 0.13, 0.22], DARK)]


def machine():
    """Bodies, joints and motors."""
    p, (boom, stick, beta), lengths = posture(0.0)
    at = lambda q: [q[0], 0.0, q[1]]
    ends = [posture(min(0.1 * k, END - 1e-9))[2] for k in range(round(10 * END) + 1)]
    bend = (1.05, 0.36)
    bodies = [{"name": "undercarriage", "fixed": True, "shapes": undercarriage_shapes()},
              {"name": "platform", "mass": 1900, "inertia": [700, 900, 1200], "position": [0, 0, 0.67], "shapes": platform_shapes()},
              part("boom", BOOM_PIN, boom, 210.0,
                   [bar((0, 0), bend, 0.2, 0.24, YELLOW, extend=0.16), bar(bend, (BOOM, 0), 0.18, 0.2, YELLOW, extend=0.16),
                    bar((0.92, 0.14), (1.02, 0.26), 0.14, 0.12, YELLOW), bar((1.0, 0.4), STICK_FOOT, 0.1, 0.12, YELLOW, extend=0.05),
                    pin((0, 0), 0.08, 0.36), pin((BOOM, 0), 0.06, 0.3)]),
              part("stick", p["elbow"], stick, 110.0,
                   [bar(STICK_EYE, (0, 0.02), 0.14, 0.16, YELLOW, extend=0.1), bar((0, 0.02), (STICK, 0), 0.15, 0.17, YELLOW, extend=0.08),
                    bar((-0.02, 0.1), BUCKET_FOOT, 0.1, 0.12, YELLOW, extend=0.05)]),
              part("bucket", p["pin"], beta, 85.0, bucket_shapes())]
    tilt = math.atan2(p["knee"][1] - p["rocker"][1], p["knee"][0] - p["rocker"][0])
    bodies.append(part("rocker", p["rocker"], tilt, 8.0, [bar((0, 0), (ROCKER, 0), 0.05, 0.07, DARK, y, extend=0.06) for y in (-0.12, 0.12)]))
    tilt = math.atan2(p["lug"][1] - p["knee"][1], p["lug"][0] - p["knee"][0])
    bodies.append(part("link", p["knee"], tilt, 8.0, [bar((0, 0), (LINK, 0), 0.08, 0.07, DARK, extend=0.06)]))
    joints = [{"name": "slew", "type": "revolute", "bodies": ["undercarriage", "platform"], "at": [0, 0, 0.56], "axis": [0, 0, 1]},
              {"name": "boom pin", "type": "revolute", "bodies": ["platform", "boom"], "at": at(BOOM_PIN), "axis": [0, -1, 0]},
              {"name": "stick pin", "type": "revolute", "bodies": ["boom", "stick"], "at": at(p["elbow"]), "axis": [0, -1, 0]},
              {"name": "bucket pin", "type": "revolute", "bodies": ["stick", "bucket"], "at": at(p["pin"]), "axis": [0, -1, 0]},
              {"name": "rocker pin", "type": "revolute", "bodies": ["stick", "rocker"], "at": at(p["rocker"]), "axis": [0, -1, 0]},
              {"name": "knee", "type": "revolute", "bodies": ["rocker", "link"], "at": at(p["knee"]), "axis": [0, -1, 0]},
              {"name": "lug", "type": "point-on-line", "bodies": ["link", "bucket"], "at": at(p["lug"]), "axis": [0, -1, 0]}]
    swing = [{"step": {"from": 0, "to": angle, "at": a, "duration": b - a}} for a, b, angle in SWING]
    motors = [{"name": "slew motor", "type": "rotation-angle", "joint": "slew", "value": {"sum": swing}}]
    for i, (name, a, b, radius) in enumerate((("boom", "platform", "boom", 0.06), ("stick", "boom", "stick", 0.05),
                                              ("bucket", "stick", "rocker", 0.045))):
        reach = [lengths_at[i] for lengths_at in ends]
        more_bodies, more_joints = cylinder(name, p, a, b, radius, min(reach), max(reach))
        bodies += more_bodies
        joints += more_joints
        table = [[round(0.1 * k, 10), ends[k][i] - lengths[i]] for k in range(len(ends))]
        motors.append({"name": f"{name} cylinder", "type": "linear-position", "joint": f"{name} piston",
                       "value": {"table": table, "interpolation": "cubic"}})
    return bodies, joints, motors


# Gravel ---------------------------------------------------------------------------------------------------------
def stone(rng, size):
    """Corners of an angular stone."""
    points = []
    for k in range(12):
        z = 1 - 2 * (k + 0.5) / 12
        a, r = k * 2.399963, math.sqrt(1 - z * z)
        s = size * rng.uniform(0.82, 1.1)
        points.append([s * r * math.cos(a) * 1.15, s * r * math.sin(a), 0.85 * s * z])
    return points


def groups(rng, names=("fine", "middle", "coarse", "stones")):
    shapes = [{"type": "sphere", "radius": r, "color": c} for r, c in zip(SIZES, GREYS)]
    shapes.append({"type": "hull", "points": stone(rng, 0.055), "color": "#6a6259"})
    return [{"name": name, "file": f"excavator-digging-{name}.csv.gz", "material": "gravel", "shape": shape}
            for name, shape in zip(names, shapes)]


MATERIALS = {"gravel": {"density": 1900, "friction": 0.6}, "steel": {"friction": 0.35}, "earth": {"friction": 0.8}}


def settle(write, kairos, more=()):
    """Fills the pit: grains fall from a lattice inside a shaft over it, and come to rest."""
    rng = random.Random(7)
    x0, x1, half, depth = PIT
    tables, parts = [[], [], [], []], groups(random.Random(11))
    pitch, z = 2.25 * SIZES[2], -depth + 0.08
    while z < 1.25:
        for i in range(int((x1 - x0 - 0.02) / pitch)):
            for j in range(int((2 * half - 0.02) / pitch)):
                kind = rng.choices(range(4), (0.38, 0.31, 0.21, 0.10))[0]
                q = [rng.gauss(0, 1) for _ in range(4)]
                n = math.sqrt(sum(v * v for v in q))
                at = (x0 + (i + 0.6) * pitch, -half + (j + 0.6) * pitch, z)
                tables[kind].append([v + rng.uniform(-4e-3, 4e-3) for v in at] + [v / n for v in q])
        z += pitch
    shaft = [{"type": "box", "size": [abs(x1 - x0) + 1, 0.4, 4], "at": [(x0 + x1) / 2, s * (half + 0.2), 1.0], "material": "steel"} for s in (-1, 1)]
    shaft += [{"type": "box", "size": [0.4, 2 * half + 1, 4], "at": [x, 0, 1.0], "material": "steel"} for x in (x0 - 0.2, x1 + 0.2)]
    with tempfile.TemporaryDirectory(prefix="kairos-settle-") as folder:
        for g, rows in zip(parts, tables):
            g["file"] = g["file"].replace(".gz", "")
            columns = 3 if g["shape"]["type"] == "sphere" else 7
            head = "x,y,z,qw,qx,qy,qz".split(",")[:columns]
            (Path(folder) / g["file"]).write_text("\n".join([",".join(head)] + [",".join(f"{v:.6f}" for v in r[:columns]) for r in rows]) + "\n")
        scene = {"kairos": 1, "name": "settle", "step": STEP, "end": 2.4, "contact": {"method": "nsc", "recovery_speed": 0.4},
                 "solver": {"type": "psor", "iterations": 60, "tolerance": 1e-5}, "materials": MATERIALS,
                 "bodies": [{"name": "ground", "fixed": True, "shapes": ground_shapes() + shaft}], "particles": parts,
                 "view": {"enabled": False}, "trajectory": {"enabled": False},
                 "outputs": [{"particles": g["name"], "every": 2.4, "file": f"{g['name']}.csv"} for g in parts]}
        (Path(folder) / "settle.json").write_text(json.dumps(scene))
        subprocess.run([kairos, "run", f"{folder}/settle.json", "-o", f"{folder}/out", "-q", *more], check=True)
        for g in parts:
            last = sorted(glob.glob(f"{folder}/out/{g['name']}*.csv"))[-1]
            lines = Path(last).read_text().split()
            columns = [lines[0].split(",").index(c) for c in ("x,y,z" if g["shape"]["type"] == "sphere" else "x,y,z,qw,qx,qy,qz").split(",")]
            rows = [[float(line.split(",")[c]) for c in columns] for line in lines[1:]]
            kept = [r for r in rows if r[2] < LEVEL]
            write.table(g["file"] + ".gz", [",".join("x,y,z,qw,qx,qy,qz".split(",")[:len(columns)])]
                        + [",".join(f"{v:.4f}" if k < 3 else f"{v:.5f}" for k, v in enumerate(r)) for r in kept])
            print(f"make-scenes: {g['name']}: {len(kept)} of {len(rows)}")


def excavator_digging(write):
    bodies, joints, motors = machine()
    fixed = [{"name": "ground", "fixed": True, "shapes": ground_shapes()}, {"name": "truck", "fixed": True, "shapes": truck_shapes()}]
    outputs = [{"body": "bucket", "every": 0.02, "quantities": ["position", "velocity", "contact_force"], "file": "bucket.csv"},
               {"body": "truck", "every": 0.02, "quantities": ["contact_force"], "file": "truck.csv"}]
    outputs += [{"motor": f"{name} cylinder", "every": 0.02, "quantities": ["effort", "position", "speed"],
                 "file": f"{name}-cylinder.csv"}
                for name in ("boom", "stick", "bucket")]
    outputs += [{"motor": "slew motor", "every": 0.02, "quantities": ["effort", "position"], "file": "slew.csv"},
                {"system": True, "every": 0.02, "quantities": ["energy", "contacts", "max_penetration", "max_violation", "residual", "iterations"],
                 "file": "system.csv"}]
    write("excavator-digging.json", {
        "kairos": 1, "name": "excavator digging in gravel",
        "description": "An excavator drives its bucket through a pit of gravel, curls it, lifts the load, swings round and dumps it into "
                       "a truck. Motors give the lengths of three hydraulic cylinders, whose forces are written; joints, motors and all "
                       "contacts of several thousand stones are solved together.",
        "step": STEP, "end": END, "contact": {"method": "nsc", "recovery_speed": 0.4},
        "solver": {"type": "psor", "iterations": 50, "tolerance": 1e-5},
        "materials": MATERIALS,
        "material_pairs": [{"materials": ["gravel", "earth"], "rolling_friction": 0.012}, {"materials": ["gravel", "steel"], "rolling_friction": 0.004}],
        "bodies": fixed + bodies, "particles": groups(random.Random(11)), "joints": joints, "motors": motors,
        "view": {"camera": [6.2, -5.4, 3.5], "target": [1.4, 0.6, 0.95]}, "outputs": outputs})
