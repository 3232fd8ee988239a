# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
# ctest-timeout: 240
"""Scenes with signals and events: what they are made to show, the same bits in parts and on any number of threads."""

import csv
import json
import math
import tempfile
from pathlib import Path

import process as p

SCENES = {"cart-pole": 6.0, "elevator": 14.0, "stepper": 5.0, "thermostat": 3600.0}


def rows(folder, name):
    with open(folder / name, newline="") as file:
        return list(csv.reader(file))[1:]


def column(folder, name, i=1):
    return [(float(r[0]), float(r[i])) for r in rows(folder, name)]


def at(series, t):
    return min(series, key=lambda x: abs(x[0] - t))[1]


def run(name, out, *options):
    p.run(p.SOURCE / "scenes" / f"{name}.json", "-o", out, "-q", "--set", "/view/enabled=false", *options)


def in_parts(folder, name, end):
    """A run in four parts, the last on other threads, leaves the files of one in one go."""
    run(name, folder / "whole", "--end", end)
    out = folder / "parts"
    for k in (0.1, 0.37, 0.6):
        run(name, out, "--end", k * end, "--resume", "--threads", 1)
    run(name, out, "--end", end, "--resume", "--threads", 4)
    p.same(p.results(folder / "whole"), p.results(out), f"{name}:")
    p.check((folder / "whole/events.csv").read_bytes() == (out / "events.csv").read_bytes(), name, "events.csv")


def balanced(out):
    place, tilt, force = (column(out, f"{n}.csv") for n in ("place", "tilt", "force"))
    p.check(abs(at(place, 3.9)) < 0.01 and abs(at(tilt, 3.9)) < 0.005, "not at rest before the call")
    p.check(at(place, 6.0) > 0.8, "the cart did not go", at(place, 6.0))
    p.check(all(abs(u) <= 15 for _, u in force) and max(abs(x) for _, x in tilt) < 0.24, "tilt or force")
    p.check([r[1] for r in rows(out, "events.csv")] == ["under way"], rows(out, "events.csv"))


def lifted(out):
    events = rows(out, "events.csv")
    p.check([r[1] for r in events if r[1] != ""] == ["called up"] + 2 * ["second floor"] + 2 * ["called down"] + 2 * ["first floor"]
            + 2 * ["rope breaks"] + 2 * ["overspeed"] + ["rest"], events)
    when = {r[1]: float(r[0]) for r in events}
    height, speed = column(out, "height.csv"), column(out, "speed.csv")
    p.check(abs(at(height, 7.5) - 5.99) < 2e-3, "second floor", at(height, 7.5))
    # It falls freely from the speed it had, and is stopped by (16,000 N - 800 kg g) / 800 kg.
    fall = (1.2 + at(speed, 12.98)) / 9.81
    p.check(abs(when["overspeed"] - when["rope breaks"] - fall) < 2e-3, when, fall)
    p.check(abs(when["rest"] - when["overspeed"] - 1.2 / (20 - 9.81)) < 5e-3, when)
    summary = json.loads((out / "run.json").read_text())
    p.check(summary["stopped_by"] == "event 'rest'" and summary["time"] < 13.3, summary)
    p.check((out / "first-floor.h5").is_file(), "no first-floor.h5")
    before = {f.name: f.read_bytes() for f in out.iterdir() if f.name not in ("run.json", "index.html")}
    run("elevator", out, "--resume", "--end", 14)
    p.check(before == {n: (out / n).read_bytes() for n in before}, "resuming what an event has ended changed files")


def walked(out):
    hull = column(out, "hull.csv")
    p.check(abs(at(hull, 5.0) - 0.8) < 0.05, "two strides of 0.4 m", at(hull, 5.0))
    heights = [z for _, z in column(out, "hull.csv", 3)]
    p.check(0.349 < min(heights) and max(heights) < 0.415, min(heights), max(heights))


def warmed(out):
    """C T' = P u - k (T - T₀): exponentials between the switches."""
    t = column(out, "temperature.csv")
    rise, k, c = 5 + 2000 / 80, 80.0, 60000.0
    # The heater comes up in 20 s: as if it did at once after 10 s, in which the room cools.
    late = 5 + 10 * math.exp(-k / c * 10)
    expected = rise - (rise - late) * math.exp(-k / c * 290)
    p.check(abs(at(t, 300) - expected) < 2e-3, at(t, 300), expected)
    p.check(20.99 < max(x for _, x in t) < 21.02 and 18.85 < min(x for s, x in t if s > 1600), "outside its range")
    heater, energy = column(out, "heater.csv"), column(out, "energy.csv")
    mean = sum(u for _, u in heater[:-1]) / (len(heater) - 1)
    p.check(abs(energy[-1][1] - mean * 2.0) < 0.01, energy[-1], mean)


SHOWN = {"cart-pole": balanced, "elevator": lifted, "stepper": walked, "thermostat": warmed}

TWO = {
    "kairos": 1, "step": 1e-3, "end": 0.4, "gravity": [0, 0, 0], "bodies": [{"name": "ground", "fixed": True}],
    "templates": {"servo": {
        "parameters": {"stiffness": 40, "target": 1},
        "bodies": [{"name": "cart", "mass": 1, "inertia": [1, 1, 1]}],
        "joints": [{"name": "slide", "type": "prismatic", "bodies": ["ground", "cart"], "at": [0, 0, 0], "axis": [1, 0, 0]}],
        "signals": [{"name": "x", "type": "measure", "joint": "slide", "quantity": "travel"},
                    {"name": "u", "type": "expression", "value": "stiffness*(target - x) - 5 m*0"}],
        "motors": [{"name": "push", "type": "linear-force", "joint": "slide", "value": {"signal": "u"}}],
        "events": [{"name": "half", "signal": "x", "crosses": 0.5, "actions": [{"type": "activate", "motor": "push"}]}]}},
    "instances": [{"template": "servo", "name": "a", "connect": {"ground": "ground"}},
                  {"template": "servo", "name": "b", "connect": {"ground": "ground"}, "parameters": {"target": 2, "stiffness": 90}}],
    "outputs": [{"signal": "a.x", "file": "a.csv", "quantities": ["value"]}, {"signal": "b.x", "file": "b.csv", "quantities": ["value"]}]}


def instances(folder):
    """Signals of templates are each instance's own, names and parameters in formulas too; events switch its own motor."""
    folder.mkdir()
    (folder / "two.json").write_text(json.dumps(TWO))
    p.run(folder / "two.json", "-o", folder / "out", "-q")
    for name, target, stiffness in (("a", 1, 40), ("b", 2, 90)):
        w = math.sqrt(stiffness)
        half = math.acos(1 - 0.5 / target) / w  # then on without a force
        speed = target * w * math.sin(w * half)
        for t, x in column(folder / "out", f"{name}.csv"):
            exact = target * (1 - math.cos(w * t)) if t < half else 0.5 + speed * (t - half)
            p.check(abs(x - exact) < 0.05, name, t, x, exact)
    p.check([r[1] for r in rows(folder / "out", "events.csv")] in (["a.half", "b.half"], ["b.half", "a.half"]), rows(folder / "out", "events.csv"))


def steered_by_sensor(folder):
    """A controller that sees a wheel through an encoder of 50 Hz: it reads what the sensor held when the step began."""
    scene = {"kairos": 1, "step": 0.001, "end": 0.5, "integrator": "rk4", "contact": "none", "gravity": [0, 0, 0],
             "bodies": [{"name": "wall", "fixed": True}, {"name": "wheel", "mass": 1, "inertia": [1, 1, 1]}],
             "joints": [{"name": "axle", "type": "revolute", "bodies": ["wall", "wheel"], "at": [0, 0, 0]}],
             "sensors": [{"name": "encoder", "type": "encoder", "joint": "axle", "rate": 50}],
             "signals": [{"name": "seen", "type": "measure", "sensor": "encoder", "quantity": "position"},
                         {"name": "torque", "type": "expression", "value": "40*(1 - seen)"}],
             "motors": [{"name": "drive", "type": "rotation-torque", "joint": "axle", "value": {"signal": "torque"}}],
             "outputs": [{"signal": "seen", "every": 0, "quantities": ["value"], "file": "seen.csv"},
                         {"sensor": "encoder", "every": 0, "quantities": ["position"], "file": "held.csv"}]}
    folder.mkdir()
    path = folder / "scene.json"
    path.write_text(json.dumps(scene))
    p.run(path, "-o", folder / "whole", "-q")
    p.run(path, "-o", folder / "parts", "-q", "--end", 0.23, "--threads", 1)
    p.run(path, "-o", folder / "parts", "-q", "--resume", "--threads", 2)
    p.same(p.results(folder / "whole"), p.results(folder / "parts"), "sensor in the loop:")
    seen, held = (column(folder / "whole", f"{n}.csv") for n in ("seen", "held"))
    p.check(len(seen) == 501 and max(x for _, x in seen) > 0.5, "the wheel did not turn", max(seen))
    p.check(all(seen[k][1] == held[k - 1][1] for k in range(2, 501)), "what the encoder held before")
    code, _, err = p.call("check", path, "--set", "/signals/seen/quantity=angle")
    p.check(code == 2 and "there is no quantity 'angle'" in err, err)


def main():
    p.need_program()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for name, end in SCENES.items():
            (folder / name).mkdir()
            in_parts(folder / name, name, end)
            SHOWN[name](folder / name / "whole")
        instances(folder / "instances")
        steered_by_sensor(folder / "sensor")
    print("control: ok")


main()
