# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
"""The excavator that digs is whole: each rod stays in its barrel at every length that its motor asks for."""

import json
import math

import process as p


def along(shapes):
    """From where to where the tubes of a body reach along its axis; the pin is another shape, across it."""
    tubes = [s for s in shapes if s["rotation"]["axis"] == [0, 1, 0]]
    return (min(s["at"][0] - s["length"] / 2 for s in tubes), max(s["at"][0] + s["length"] / 2 for s in tubes))


def main():
    scene = json.loads((p.SOURCE / "scenes" / "excavator-digging.json").read_text())
    bodies = {b["name"]: b for b in scene["bodies"]}
    motors = {m["name"]: m for m in scene["motors"]}
    for name in ("boom", "stick", "bucket"):
        barrel, rod = bodies[f"{name} barrel"], bodies[f"{name} rod"]
        start = math.dist(barrel["position"], rod["position"])
        lengths = [start + row[1] for row in motors[f"{name} cylinder"]["value"]["table"]]
        bottom, mouth = along(barrel["shapes"])
        tail, eye = along(rod["shapes"])
        eye_radius = max(s["radius"] for s in rod["shapes"])
        p.check(max(lengths) + tail < mouth - 0.1, name, "leaves its barrel", max(lengths), tail, mouth)
        p.check(min(lengths) + tail > bottom, name, "comes out of the bottom", min(lengths), tail, bottom)
        p.check(min(lengths) - eye_radius > mouth, name, "drives its eye into the barrel", min(lengths), mouth)
        p.check(eye <= 1e-9 and bottom >= 0, name, eye, bottom)
    print("excavator: ok")


main()
