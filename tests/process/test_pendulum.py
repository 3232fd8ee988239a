# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
"""Pendulums in closed form: the period from the horizontal, and the reaction at the lowest point.

A mass of tiny inertia 1 m from its hinge has the period 4 sqrt(L/g) K(sin 45 deg) = 2.36784195 s; a bar has that of its
reduced length. K by the arithmetic-geometric mean. This is the twin of test_adams.py that needs no file."""

import csv
import json
import math

import process as p

G = 9.81


def period(length):
    """From the horizontal, so that the modulus is sin 45 deg."""
    a, b = 1.0, math.cos(math.pi / 4)
    while abs(a - b) > 1e-15:
        a, b = (a + b) / 2, math.sqrt(a * b)
    return 4 * math.sqrt(length / G) * math.pi / (2 * a)


def scene(kind, inertia, step, integrator):
    joint = {"name": "pin", "type": kind, "bodies": ["ground", "bob"]}
    if kind == "distance":
        joint["points"] = [[0, 0, 0], [1, 0, 0]]
    else:
        joint.update(at=[0, 0, 0], axis=[0, 1, 0])
    return {"kairos": 1, "name": "pendulum", "gravity": [0, 0, -G], "step": step, "end": 5, "integrator": integrator,
            "trajectory": {"enabled": False},
            "bodies": [{"name": "ground", "fixed": True},
                       {"name": "bob", "mass": 1, "inertia": [inertia] * 3, "position": [1, 0, 0]}],
            "joints": [joint],
            "outputs": [{"body": "bob", "every": 0, "quantities": ["position", "velocity"], "file": "bob.csv"},
                        {"joint": "pin", "every": 0, "quantities": ["force", "violation"], "file": "pin.csv"}]}


def rows(path):
    with open(path, newline="") as file:
        return [[float(x) for x in row] for row in list(csv.reader(file))[1:]]


def lowest_points(bob):
    """Times at which x goes through zero, by Hermite's cubic between two rows."""
    times = []
    for a, b in zip(bob, bob[1:]):
        if a[1] * b[1] >= 0:
            continue
        h, low, high = b[0] - a[0], 0.0, 1.0

        def x(s):
            return ((1 + 2 * s) * (1 - s) ** 2 * a[1] + s * (1 - s) ** 2 * h * a[4] + s * s * (3 - 2 * s) * b[1] +
                    s * s * (s - 1) * h * b[4])

        for _ in range(60):
            middle = (low + high) / 2
            if (x(middle) > 0) == (x(low) > 0):
                low = middle
            else:
                high = middle
        times.append(a[0] + low * h)
    return times


def main():
    p.need_program()
    p.check(abs(period(1.0) - 2.36784195) < 5e-9, "the period of the reference:", period(1.0))
    print(f"{'joint':10} {'integrator':12} {'step':>6} {'period':>12} {'error':>9} {'force':>9} {'gap':>9}")
    with p.Folder() as folder:
        for kind, inertia, integrator, step, bar in (
                ("revolute", 1e-9, "hht", 1e-4, 1e-6), ("distance", 1e-9, "hht", 1e-4, 1e-6),
                ("revolute", 0.1, "hht", 1e-4, 1e-6), ("revolute", 0.1, "euler", 1e-4, 1e-6)):
            path = folder / "scene.json"
            path.write_text(json.dumps(scene(kind, inertia, step, integrator)))
            p.run(path, "-o", folder / "out", "-q")
            bob, pin = rows(folder / "out" / "bob.csv"), rows(folder / "out" / "pin.csv")
            times = lowest_points(bob)
            # A quarter, three quarters … of a period; the difference of two is free of where the clock starts.
            length = 1.0 if kind == "distance" else 1.0 + inertia
            found = times[2] - times[0]
            # At the lowest point: m g + m v^2 / L with v^2 = 2 g L / (1 + I / m L^2).
            most = max(math.sqrt(sum(x * x for x in row[1:4])) for row in pin)
            force = G * (1 + 2 / length)
            gap = max(row[4] for row in pin)
            print(f"{kind:10} {integrator:12} {step:6.0e} {found:12.8f} {found - period(length):9.1e} "
                  f"{most - force:9.1e} {gap:9.1e}")
            p.check(abs(found - period(length)) < bar, f"{kind} {integrator}: period", found, "not", period(length))
            p.check(abs(most - force) < 1e-4, f"{kind} {integrator}: force", most, "not", force)
            p.check(gap < (1e-6 if integrator == "euler" else 1e-10), f"{kind} {integrator}: gap", gap)
    print("pendulum: ok")


main()
