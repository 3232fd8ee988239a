#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
"""Writes sample pages in the format of docs/page-format.md, without the engine: the browser tests read back
what is put in here.

    viewer/tools/sample.py pendulum|shapes|spheres|membrane|empty OUT.html [--count N] [--frames F]
"""

import argparse
import base64
import json
import math
import zlib
from pathlib import Path

import numpy as np

TEMPLATE = Path(__file__).resolve().parents[1] / "dist" / "viewer.html"
MARK = "<!--KAIROS-DATA-->"
ROTATION_STEP = 2.0**-14
FRAMES_A_BLOCK = 16


class Page:
    """Collects chunks, and writes the template with all of them in it."""

    def __init__(self):
        self.chunks = []
        self.manifest = {}

    def chunk(self, data):
        self.chunks.append(zlib.compress(data, 6))
        return len(self.chunks) - 1

    def array(self, values, kind):
        return self.chunk(np.ascontiguousarray(values, dtype=kind).tobytes())

    def frames(self, times, position, rotation, step):
        """position: frame, mover, 3. rotation: frame, rotated, 4 (w, x, y, z)."""
        n, movers = position.shape[:2]
        rotated = rotation.shape[1]
        origin = position.reshape(-1, 3).min(axis=0) if movers else np.zeros(3)
        whole = np.rint((position - origin) / step).astype(np.int32)
        turned = np.rint(continuous(rotation) / ROTATION_STEP).astype(np.int16)
        blocks = []
        for first in range(0, n, FRAMES_A_BLOCK):
            part = slice(first, min(first + FRAMES_A_BLOCK, n))
            data = encode_block(whole[part], turned[part])
            blocks.append({"first": first, "count": part.stop - first, "chunk": self.chunk(data)})
        self.manifest["frames"] = {
            "count": n, "times": {"chunk": self.array(times, "<f8")}, "position_step": step,
            "rotation_step": ROTATION_STEP, "origin": origin.tolist(), "rotated": rotated, "movers": movers, "blocks": blocks}

    def series(self, file, columns):
        """columns: name -> values, time first."""
        table = np.array(list(columns.values()), dtype="<f8")
        self.manifest.setdefault("series", []).append(
            {"file": file, "columns": list(columns), "rows": table.shape[1], "chunk": self.array(table, "<f8")})

    def mesh(self, vertices, triangles):
        meshes = self.manifest.setdefault("meshes", [])
        meshes.append({"vertices": {"chunk": self.array(vertices, "<f4"), "count": len(vertices)},
                       "triangles": {"chunk": self.array(triangles, "<u4"), "count": len(triangles)}})
        return len(meshes) - 1

    def field(self, name, unit, values, mesh=None):
        """values: frame, mover or vertex; NaN where not known."""
        known = values[np.isfinite(values)]
        blocks = []
        for first in range(0, len(values), FRAMES_A_BLOCK):
            part = values[first:first + FRAMES_A_BLOCK]
            here = part[np.isfinite(part)]
            low, high = (float(here.min()), float(here.max())) if here.size else (0.0, 0.0)
            level = np.full(part.shape, 65535, dtype=np.uint16)
            scale = 65534 / (high - low) if high > low else 0.0
            level[np.isfinite(part)] = np.rint((here - low) * scale)
            d = level.copy()
            d[1:] -= level[:-1]
            blocks.append({"first": first, "count": len(part), "low": low, "high": high,
                           "chunk": self.chunk(planes(zigzag(d.view(np.int16), 16)))})
        self.manifest["fields"].append({"name": name, "unit": unit, "range": [float(known.min()), float(known.max())], "blocks": blocks,
                                        **({} if mesh is None else {"mesh": mesh})})

    def skins(self, meshes, position):
        """meshes: {"name", "vertices", "triangles" or "lines"}; position: frame, vertex of all meshes, 3."""
        f = self.manifest["frames"]
        whole = np.rint((position - np.array(f["origin"])) / f["position_step"]).astype(np.int32)
        none = np.zeros((len(whole), 0, 4), dtype=np.int16)
        blocks = []
        for first in range(0, len(whole), FRAMES_A_BLOCK):
            part = slice(first, min(first + FRAMES_A_BLOCK, len(whole)))
            blocks.append({"first": first, "count": part.stop - first, "chunk": self.chunk(encode_block(whole[part], none[part]))})
        out = []
        for mesh in meshes:
            corners = {key: {"chunk": self.array(mesh[key], "<u4"), "count": len(mesh[key])} for key in ("triangles", "lines") if key in mesh}
            out.append({"name": mesh["name"], "vertices": mesh["vertices"], **corners})
        self.manifest["skins"] = {"vertices": int(whole.shape[1]), "meshes": out, "blocks": blocks}

    def text(self):
        manifest = json.dumps(self.manifest).replace("</", "<\\/")
        parts = [f'<script type="application/json" id="kairos-manifest">{manifest}</script>']
        parts += [f'<script type="text/plain" id="kairos-chunk-{i}">{base64.b64encode(c).decode()}</script>'
                  for i, c in enumerate(self.chunks)]
        return TEMPLATE.read_text(encoding="utf-8").replace(MARK, "\n".join(parts))


def continuous(rotation):
    """The same rotations, with signs that do not jump from frame to frame."""
    rotation = rotation.copy()
    for k in range(1, len(rotation)):
        flip = (rotation[k] * rotation[k - 1]).sum(axis=-1) < 0
        rotation[k][flip] *= -1
    return rotation


def zigzag(values, bits):
    unsigned = np.uint32 if bits == 32 else np.uint16
    return ((values << 1) ^ (values >> (bits - 1))).view(unsigned)


def planes(values):
    """All lowest bytes, then all next ones."""
    size = values.dtype.itemsize
    return np.ascontiguousarray(values.reshape(-1).view(np.uint8).reshape(-1, size).T).tobytes()


def encode_block(whole, turned):
    """whole: frame, mover, 3 (int32); turned: frame, rotated, 4 (int16). Differences wrap around."""
    out = []
    with np.errstate(over="ignore"):
        for c in range(3):
            p = whole[:, :, c]
            d = p.copy()
            d[1:2] = p[1:2] - p[0:1]
            d[2:] = p[2:] - 2 * p[1:-1] + p[:-2]
            out.append(planes(zigzag(d, 32)))
        for c in range(4):
            q = turned[:, :, c]
            d = q.copy()
            d[1:] = q[1:] - q[:-1]
            out.append(planes(zigzag(d, 16)))
    return b"".join(out)


def about(axis, angle):
    """Quaternions of turns about an axis, one an angle."""
    axis = np.asarray(axis, dtype=float) / np.linalg.norm(axis)
    half = 0.5 * np.asarray(angle)
    return np.concatenate([np.cos(half)[..., None], np.sin(half)[..., None] * axis], axis=-1)


def base(name, **more):
    return {"kairos": 1, "version": "0.1.0", "name": name, "live": False, "scene_text": "", "summary": {}, "warnings": [],
            "gravity": [0, 0, -9.81], "up": [0, 0, 1], "view": {}, "bodies": [], "particles": [], "meshes": [],
            "joints": [], "springs": [], "fields": [], "series": [], **more}


def pendulum_motion(times):
    """Angles of a planar double pendulum of two unit rods from the horizontal, by many small Runge-Kutta steps."""
    g = 9.81

    def rate(y):
        a, b, u, v = y  # angles from the x axis, turning down, and their rates
        c, s = math.cos(a - b), math.sin(a - b)
        m = np.array([[4 / 3, c / 2], [c / 2, 1 / 3]])
        f = np.array([1.5 * g * math.cos(a) - 0.5 * s * v * v, 0.5 * g * math.cos(b) + 0.5 * s * u * u])
        du, dv = np.linalg.solve(m, f)
        return np.array([u, v, du, dv])

    y, t, out = np.zeros(4), 0.0, []
    for target in times:
        n = max(1, int(math.ceil((target - t) / 1e-3)))
        h = (target - t) / n
        for _ in range(n if h > 0 else 0):
            k1 = rate(y)
            k2 = rate(y + h / 2 * k1)
            k3 = rate(y + h / 2 * k2)
            k4 = rate(y + h * k3)
            y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        t = target
        out.append(y.copy())
    return np.array(out)


def pendulum_positions(a, b):
    """Centres of the ground and the two arms."""
    one = np.stack([np.cos(a), 0 * a, -np.sin(a)], axis=-1)
    two = np.stack([np.cos(b), 0 * b, -np.sin(b)], axis=-1)
    return np.stack([0 * one, 0.5 * one, one + 0.5 * two], axis=1)


def pendulum(page, frames=251, **_):
    times = np.linspace(0, 5, frames)
    a, b, u, v = pendulum_motion(times).T
    position = pendulum_positions(a, b)
    y = [0, 1, 0]
    rotation = np.stack([about(y, 0 * a), about(y, a), about(y, b)], axis=1)
    tangent1, tangent2 = (np.stack([-np.sin(x), 0 * x, -np.cos(x)], axis=-1) for x in (a, b))
    velocity = u[:, None] * tangent1 + 0.5 * v[:, None] * tangent2
    acceleration = np.gradient(velocity, times, axis=0)
    pull = acceleration + [0, 0, 9.81]  # force of the elbow on the lower arm, 1 kg, world frame
    to_joint = np.stack([pull[:, 0] * np.cos(a) - pull[:, 2] * np.sin(a), pull[:, 1], pull[:, 0] * np.sin(a) + pull[:, 2] * np.cos(a)], axis=-1)
    axis = about([1, 0, 0], np.array(-math.pi / 2)).tolist()  # takes z to y
    in_frame = np.stack([to_joint[:, 0], -to_joint[:, 2], to_joint[:, 1]], axis=-1)
    scene = {"kairos": 1, "name": "double pendulum", "gravity": [0, 0, -9.81], "step": 1e-3, "end": 5.0, "integrator": "hht",
             "bodies": [{"name": "ground", "fixed": True}, {"name": "upper", "mass": 1.0}, {"name": "lower", "mass": 1.0}]}
    page.manifest = base("double pendulum", scene_text=json.dumps(scene, indent=2), summary={
        "scene": "double pendulum", "result": "done", "error": None, "version": "0.1.0", "machine": "sample", "threads": 2, "step": 1e-3,
        "steps": 5000, "time": 5.0, "run_seconds": 0.102, "real_time_factor": 0.0204, "bodies": 3,
        "phase_seconds": {"proximity": 0.0, "formulation": 0.0008, "solve": 0.031, "step": 0.049, "record": 0.021},
        "energy": {"kinetic": 10.22, "potential": -10.22, "drift": -7.95e-5}, "max_violation": 1.1e-15, "peak_bytes": 39424,
        "solver": {"name": "direct"}}, warnings=["a warning with <b>marks</b> & </script> in it"])
    page.manifest["bodies"] = [
        {"name": "ground", "group": "frame", "fixed": True, "shapes": [{"type": "sphere", "radius": 0.06, "color": [0.27, 0.27, 0.27]}]},
        {"name": "upper", "group": "arms", "fixed": False, "shapes": [{"type": "box", "size": [1, 0.08, 0.08], "color": [0.75, 0.22, 0.17]}]},
        {"name": "lower", "group": "arms", "fixed": False, "shapes": [{"type": "box", "size": [1, 0.06, 0.06], "color": [0.17, 0.44, 0.73]}]}]
    page.manifest["joints"] = [
        {"name": "shoulder", "type": "revolute", "a": 0, "b": 1, "frame_a": {"position": [0, 0, 0], "rotation": axis},
         "frame_b": {"position": [-0.5, 0, 0], "rotation": axis}},
        {"name": "elbow", "type": "revolute", "a": 1, "b": 2, "frame_a": {"position": [0.5, 0, 0], "rotation": axis},
         "frame_b": {"position": [-0.5, 0, 0], "rotation": axis}}]
    page.frames(times, position, rotation, 1e-6)
    vector = lambda name, x: {f"{name}.{c}": x[:, i] for i, c in enumerate("xyz")}
    page.series("lower.csv", {"time": times, **vector("lower.position", position[:, 2]), **vector("lower.velocity", velocity),
                              **vector("lower.acceleration", acceleration)})
    page.series("elbow.csv", {"time": times, **vector("elbow.force", in_frame), "elbow.angle": b - a, "elbow.violation": 1e-15 * np.abs(np.sin(40 * times))})
    kinetic = 0.5 * (4 / 3 * u * u + v * v / 3 + np.cos(a - b) * u * v)
    potential = -9.81 * (1.5 * np.sin(a) + 0.5 * np.sin(b))
    page.series("system.csv", {"time": times, "system.energy.kinetic": kinetic, "system.energy.potential": potential,
                               "system.energy.drift": kinetic + potential})
    return {"times": times, "position": position, "rotation": rotation}


def shapes(page, frames=121, **_):
    """One body of each shape on a ring above a ground plane, joints of many sorts, springs, a mesh, grains of boxes."""
    times = np.linspace(0, 4, frames)
    octahedron = np.array([[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]], dtype=float) * 0.22
    faces = [[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]]
    grid = np.linspace(-0.5, 0.5, 15)
    x, y = np.meshgrid(grid, grid, indexing="ij")
    hill = np.stack([x, y, 0.12 * np.cos(6 * x) * np.cos(5 * y)], axis=-1).reshape(-1, 3)
    cell = lambda i, j: i * 15 + j
    cells = [t for i in range(14) for j in range(14) for t in
             ([cell(i, j), cell(i + 1, j), cell(i + 1, j + 1)], [cell(i, j), cell(i + 1, j + 1), cell(i, j + 1)])]
    page.manifest = base("every shape", warnings=[], summary={"scene": "every shape", "result": "done", "time": 4.0})
    kinds = [{"type": "sphere", "radius": 0.2}, {"type": "ellipsoid", "semi_axes": [0.3, 0.18, 0.12]}, {"type": "box", "size": [0.4, 0.3, 0.2]},
             {"type": "cylinder", "radius": 0.16, "length": 0.4}, {"type": "capsule", "radius": 0.12, "length": 0.3},
             {"type": "cone", "radius": 0.2, "length": 0.45}, {"type": "hull", "mesh": page.mesh(octahedron, faces)},
             {"type": "heightfield", "mesh": page.mesh(hill, cells)}]
    bodies = [{"name": "ground", "group": "frame", "fixed": True, "shapes": [{"type": "plane", "normal": [0, 0, 1]}]},
              {"name": "wall", "group": "frame", "fixed": True, "shapes": [{"type": "plane", "normal": [0, -1, 0]}]}]
    bodies += [{"name": k["type"], "group": "shapes", "fixed": False, "shapes": [k]} for k in kinds]
    bodies.append({"name": "compound", "group": "machine", "fixed": False, "shapes": [
        {"type": "box", "size": [0.5, 0.1, 0.1]}, {"type": "cylinder", "radius": 0.1, "length": 0.3, "at": [0.25, 0, 0], "color": [0.3, 0.3, 0.35]}]})
    position = np.zeros((frames, len(bodies) + 40, 3))
    rotation = np.tile(np.array([1.0, 0, 0, 0]), (frames, len(bodies) + 40, 1))
    position[:, 1, 1] = 1.8
    for i in range(len(kinds)):
        angle = 2 * math.pi * i / len(kinds) + 0.3 * times
        position[:, 2 + i] = np.stack([1.1 * np.cos(angle), 1.1 * np.sin(angle), 0.6 + 0.2 * np.sin(2 * times + i)], axis=-1)
        rotation[:, 2 + i] = about([1, 0.5, 0.2 * i], times * (0.5 + 0.1 * i))
    position[:, 10] = [0, 0, 0.6]
    rotation[:, 10] = about([0, 0, 1], times)
    n = 40
    start = np.random.default_rng(1).uniform([-0.3, -0.3, 0.1], [0.3, 0.3, 1.4], (n, 3))
    position[:, 11:] = start[None] + 0.1 * np.sin(times[:, None, None] * 2 + np.arange(n)[None, :, None])
    rotation[:, 11:] = about([1, 1, 0], times[:, None] * 1.5 + np.arange(n)[None])
    page.manifest["bodies"] = bodies
    page.manifest["particles"] = [{"name": "bricks", "count": n, "shape": {"type": "box", "size": [0.06, 0.04, 0.03]}, "color": None}]
    types = ["revolute", "prismatic", "spherical", "universal", "cylindrical", "fixed", "planar", "screw", "distance"]
    page.manifest["joints"] = [{"name": f"{t} joint", "type": t, "a": 2 + i % 8, "b": 10, "frame_a": {"position": [0, 0, 0.25], "rotation": [1, 0, 0, 0]},
                                "frame_b": {"position": [0, 0, 0.0], "rotation": [1, 0, 0, 0]} if t == "distance" else {"position": [0, 0, 0], "rotation": [1, 0, 0, 0]}}
                               for i, t in enumerate(types)]
    page.manifest["springs"] = [{"name": "coil", "type": "spring", "a": 10, "b": 4, "point_a": [0.25, 0, 0], "point_b": [0, 0, 0]},
                                {"name": "coil to the ground", "type": "spring", "a": -1, "b": 2, "point_a": [0, 0, 0], "point_b": [0, 0, -0.2]},
                                {"name": "bush", "type": "bushing", "a": 5, "b": 10, "point_a": [0, 0, 0.3], "point_b": [0, 0, 0]}]
    page.frames(times, position, rotation, 1e-6)
    page.series("coil.csv", {"time": times, "coil.force": 20 * np.sin(3 * times), "coil.length": 1 + 0.1 * np.sin(3 * times)})
    return {"times": times, "position": position, "rotation": rotation}


def spheres(page, frames=200, count=100000, **_):
    """Balls that fall from a column, bounce on the ground and spread."""
    random = np.random.default_rng(7)
    times = np.linspace(0, 4, frames)
    r = 0.012
    angle, radius = random.uniform(0, 2 * math.pi, count), 0.6 * np.sqrt(random.uniform(0, 1, count))
    start = np.stack([radius * np.cos(angle), radius * np.sin(angle), random.uniform(0.1, 2.4, count)], axis=-1)
    out = random.normal(0, 0.16, (count, 2)) + 0.35 * start[:, :2]
    fall = np.sqrt(2 * (start[:, 2] - r) / 9.81)
    position = np.empty((frames, count + 1, 3))
    position[:, 0] = 0
    for k, t in enumerate(times):
        since, height = np.full(count, t) - fall, start[:, 2] - r
        z = start[:, 2] - 0.5 * 9.81 * t * t
        speed, remaining, moved = 9.81 * fall, since.copy(), np.zeros(count)
        for _ in range(6):  # bounces, each with 0.55 of the speed
            speed = 0.55 * speed
            duration = 2 * speed / 9.81
            inside = (remaining >= 0) & (remaining <= duration)
            z = np.where(inside, r + speed * remaining - 0.5 * 9.81 * remaining**2, z)
            remaining = remaining - duration
        z = np.where((since > 0) & (remaining > 0), r, np.maximum(z, r))
        moved = np.clip(since, 0, 1.8)
        position[k, 1:, 0] = start[:, 0] + out[:, 0] * moved
        position[k, 1:, 1] = start[:, 1] + out[:, 1] * moved
        position[k, 1:, 2] = z
    page.manifest = base(f"{count} spheres", summary={"scene": "spheres", "result": "done", "time": 4.0, "contacts_max": 12345, "contacts_mean": 5000.5})
    page.manifest["bodies"] = [{"name": "ground", "group": "frame", "fixed": True, "shapes": [{"type": "plane", "normal": [0, 0, 1]}]}]
    radii = random.uniform(0.8 * r, 1.2 * r, count)
    page.manifest["particles"] = [{"name": "grains", "count": count, "shape": {"type": "sphere", "radius": r},
                                   "radii": {"chunk": page.array(radii, "<f4")}, "color": None}]
    rotation = np.tile(np.array([1.0, 0, 0, 0]), (frames, 1, 1))
    page.frames(times, position, rotation, 1e-4)
    kinetic = np.array([0.5 * np.sum(np.gradient(position[:, 1:200, 2], times, axis=0)[k] ** 2) for k in range(frames)])
    page.series("system.csv", {"time": times, "system.kinetic_energy": kinetic})
    return {"times": times, "position": position, "rotation": rotation}


def empty(page, **_):
    """A run that recorded nothing."""
    page.manifest = base("empty")
    return {}


def membrane(page, frames=41, count=24, **_):
    """A square membrane that swings in its first mode, a cable that waves beside it, and balls with a field."""
    times = np.linspace(0, 1, frames)
    swing = np.sin(2 * math.pi * times)
    x, y = (c.ravel() for c in np.meshgrid(np.linspace(0, 1, count), np.linspace(0, 1, count)))
    bend = np.sin(math.pi * x) * np.sin(math.pi * y)
    flat = np.stack([x, y, np.zeros_like(x)], axis=-1)
    sheet = np.tile(flat, (frames, 1, 1))
    sheet[:, :, 2] = 0.25 * swing[:, None] * bend + 0.5
    corner = (np.arange(count - 1)[:, None] * count + np.arange(count - 1)).ravel()
    triangles = np.concatenate([np.stack([corner, corner + 1, corner + count + 1], -1), np.stack([corner, corner + count + 1, corner + count], -1)])
    s = np.linspace(0, 1, 40)
    cable = np.zeros((frames, 40, 3))
    cable[:, :, 0], cable[:, :, 1] = s, 1.3
    cable[:, :, 2] = 0.5 + 0.1 * np.sin(2 * math.pi * (s[None] - times[:, None]))
    lines = np.stack([np.arange(39), np.arange(1, 40)], -1)
    balls = np.zeros((frames, 5, 3))
    balls[:, :, 0], balls[:, :, 1], balls[:, :, 2] = np.linspace(0, 1, 5), -0.4, 0.3
    page.manifest = base("membrane")
    page.manifest["particles"] = [{"name": "balls", "count": 5, "shape": {"type": "sphere", "radius": 0.08}, "color": None}]
    page.frames(times, balls, np.zeros((frames, 0, 4)), 1e-5)
    page.skins([{"name": "sheet", "vertices": count * count, "triangles": triangles},
                {"name": "cable", "vertices": 40, "lines": lines}], np.concatenate([sheet, cable], axis=1))
    strain = np.abs(swing)[:, None] * bend * 1e-3
    tension = 5.0 + np.cos(2 * math.pi * (s[None] - times[:, None]))
    load = 10.0 * np.arange(5)[None] + times[:, None]
    load[:, 4] = np.nan
    page.field("strain", "", strain, mesh=0)
    page.field("tension", "N", tension, mesh=1)
    page.field("contact_force", "N", load)
    return {"times": times, "position": balls, "sheet": sheet, "cable": cable, "strain": strain, "tension": tension, "contact_force": load}


KINDS = {"pendulum": pendulum, "shapes": shapes, "spheres": spheres, "membrane": membrane, "empty": empty}


def make(kind, path, **options):
    """Writes a page and returns the numbers that went in."""
    page = Page()
    truth = KINDS[kind](page, **options)
    Path(path).write_text(page.text(), encoding="utf-8")
    return truth, page.manifest


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("out")
    parser.add_argument("--count", type=int)
    parser.add_argument("--frames", type=int)
    given = parser.parse_args()
    make(given.kind, given.out, **{k: v for k, v in (("count", given.count), ("frames", given.frames)) if v})
    print(f"{given.out}: {Path(given.out).stat().st_size / 1e6:.1f} MB")
