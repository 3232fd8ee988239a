# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
"""Rays, nearest surfaces and overlaps as outputs, against what can be told by hand.

A ball of radius 0.5 m falls past a light barrier (a ray), over a sensor on the floor (a nearest surface) and through a
zone (a body whose two boxes do not collide) onto the floor. Heights are those of free fall."""

import csv
import json

import process as p

G = 10.0
BOX = {"type": "box", "size": [2, 2, 1], "collide": False}
SCENE = {"kairos": 1, "name": "questions", "gravity": [0, 0, -G], "step": 1e-3, "end": 0.92, "trajectory": {"enabled": False},
         "view": {"enabled": False},
         "bodies": [{"name": "ground", "fixed": True, "shapes": [{"type": "plane", "normal": [0, 0, 1]}]},
                    {"name": "zone", "fixed": True, "shapes": [dict(BOX, at=[0, 0, 3]), dict(BOX, at=[5, 0, 3])]},
                    {"name": "ball", "density": 1000, "position": [0, 0, 5], "shapes": [{"type": "sphere", "radius": 0.5}]},
                    {"name": "stone", "density": 1000, "position": [5, 0, 5], "shapes": [{"type": "sphere", "radius": 0.5}]}],
         "outputs": [{"ray": {"from": [-3, 0, 4], "direction": [1, 0, 0], "length": 4}, "every": 0, "quantities": ["distance", "body"],
                      "file": "ray.csv"},
                     {"nearest": {"at": [0, 0, 0.25], "limit": 3}, "every": 0, "quantities": ["distance", "body", "point", "normal"],
                      "file": "nearest.csv"},
                     {"nearest": {"at": [0, 0, -0.5], "body": "ball"}, "every": 0, "quantities": ["distance", "body"],
                      "file": "under.csv"},
                     {"overlap": "zone", "every": 0, "quantities": ["count", "body"], "file": "zone.csv"}]}


def rows(path):
    with open(path) as file:
        return [{k: float(v) for k, v in row.items()} for row in csv.DictReader(file)]


def main():
    p.need_program()
    with p.Folder() as folder:
        (folder / "scene.json").write_text(json.dumps(SCENE))
        p.run(folder / "scene.json", "-o", folder / "out", "-q")
        rays, near, under, zone = (rows(folder / "out" / name) for name in ("ray.csv", "nearest.csv", "under.csv", "zone.csv"))
        p.check(len(rays) == 921, len(rays))
        seen = set()
        for ray, n, u, o in zip(rays, near, under, zone):
            z = 5 - G * ray["time"] ** 2 / 2
            off = abs(z - 4)
            # The ball is centred on x = 0: the ray meets it at 3 - sqrt(0.25 - off^2).
            if abs(off - 0.5) > 1e-9:
                hit = off < 0.5
                p.check(abs(ray["ray.distance"] - (3 - (0.25 - off * off) ** 0.5 if hit else -1)) < 1e-9, ray)
                p.check(ray["ray.body"] == (3 if hit else 0), ray)
            # The floor is 0.25 below the sensor, until the ball is nearer.
            gap = z - 0.75
            if abs(gap - 0.25) > 1e-9:
                ball = gap < 0.25
                p.check(abs(n["nearest.distance"] - (gap if ball else 0.25)) < 1e-9, n)
                p.check(n["nearest.body"] == (3 if ball else 1), n)
                p.check(abs(n["nearest.normal.z"] - (-1 if ball else 1)) < 1e-12, n)
                seen.add(ball)
            # The point under the ball sees the floor, not the ball that carries it.
            p.check(abs(u["ball.distance"] - (z - 0.5)) < 1e-9 and u["ball.body"] == 1, u)
            # The zone is from 2.5 to 3.5: both bodies are in it at the same time.
            if min(abs(z - 4), abs(z - 2)) > 1e-9:
                inside = 2 < z < 4
                p.check(o["zone.count"] == (2 if inside else 0), o)
                p.check(o["zone.body"] == (3 if inside else 0), o)
        p.check(seen == {True, False}, seen)


if __name__ == "__main__":
    main()
