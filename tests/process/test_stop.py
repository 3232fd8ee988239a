# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
"""Conditions that end a run: at the step of closed form, with status 0, and at the same one after a resumption."""

import json
import os
import signal
import subprocess
import time

import process as p

# z(t) = 10 + 3 t - 4 t², which rk4 gives exactly.
BALL = {"name": "ball", "mass": 2, "inertia": [1, 1, 1], "position": [0, 0, 10], "velocity": [1, 0, 3]}


def write(folder, *stop, **changes):
    content = {"kairos": 1, "step": 0.001, "end": 5.0, "integrator": "rk4", "gravity": [0, 0, -8], "bodies": [BALL], "stop": list(stop),
               "outputs": [{"body": "ball", "every": 0.1, "quantities": ["position", "velocity", "force"], "file": "ball.csv"}]}
    content.update(changes)
    (folder / "scene.json").write_text(json.dumps(content))
    return folder / "scene.json"


def run(folder, *stop, **changes):
    err = p.run(write(folder, *stop, **changes), "-o", folder / "out", "-q")
    summary = json.loads((folder / "out" / "run.json").read_text())
    p.check(summary["result"] == "done" and summary["error"] is None, summary)
    return summary, err


def fall(limit):
    return dict({"body": "ball", "quantity": "position", "component": "z"}, **limit)


def test_closed_form(folder):
    """Each is met at the first step after the moment at which it must be."""
    def first(time):
        return round(int(time / 0.001) + 1) * 0.001
    for stop, moment, text in (
            (fall({"below": 0}), (3 + (9 + 160) ** 0.5) / 8, "ball.position.z below 0 m"),                 # 10 + 3 t = 4 t²
            (fall({"above": 10.5}), (3 - (9 - 8) ** 0.5) / 8, "ball.position.z above 10.5 m"),             # 4 t² - 3 t + 0.5 = 0
            (fall({"below": 0, "for": 0.25}), (3 + 13) / 8 + 0.25, "ball.position.z below 0 m for 0.25 s"),
            ({"system": True, "quantity": "kinetic_energy", "above": 26}, (3 + 5) / 8, "system.kinetic_energy above 26 J"),  # m v²/2, v = 3 - 8 t
            ({"body": "ball", "quantity": "velocity", "component": "z", "below": -5}, 1.0, "ball.velocity.z below -5 m/s"),
            ({"when": "settled", "kinetic_energy": 2}, 0.375 - 0.125, "kinetic energy below 2 J")):  # (1 + v²) < 2: |v| < 1
        summary, _ = run(folder, stop)
        p.check(abs(summary["time"] - moment) < 1.0011e-3 and summary["time"] >= moment - 1e-9, stop, summary["time"], moment)
        p.check(summary["stopped_by"] == text, summary["stopped_by"], text)
        rows = (folder / "out" / "ball.csv").read_text().splitlines()
        p.check(abs(float(rows[-1].split(",")[0]) - summary["time"]) < 1e-12, "the last row is that of the end", rows[-1])
        try:
            import h5py  # noqa: F401
        except ImportError:
            continue
        p.check(abs(p.frames(folder / "out")[-1] - summary["time"]) < 1e-12, "the last frame is that of the end")
    # The first one that is met; none; one at the start.
    summary, _ = run(folder, fall({"below": 0}), fall({"above": 10.5}))
    p.check(summary["stopped_by"] == "ball.position.z above 10.5 m", summary["stopped_by"])
    summary, _ = run(folder, fall({"below": -1e9}))
    p.check(summary["stopped_by"] is None and summary["time"] == 5.0, summary)
    summary, _ = run(folder, fall({"above": 9}))
    p.check(summary["stopped_by"] is not None and summary["time"] == 0.0, summary)


def test_rest(folder):
    """A ball that falls on a floor comes to rest, and the run ends; so does one by a force that must be evaluated."""
    floor = {"name": "floor", "fixed": True, "shapes": [{"type": "plane", "normal": [0, 0, 1]}]}
    ball = {"name": "ball", "density": 1000, "position": [0, 0, 0.3], "shapes": [{"type": "sphere", "radius": 0.1}]}
    world = dict(bodies=[floor, ball], contact="nsc", integrator="euler", step=0.002, trajectory={"enabled": False})
    settled = {"when": "settled", "kinetic_energy": 1e-6, "for": 0.1}
    summary, _ = run(folder, fall({"below": -1}), settled, **world)
    # 0.2 m at 8 m/s²: sqrt(0.05) s, then 0.1 s of rest.
    p.check(abs(summary["time"] - (0.05 ** 0.5 + 0.1)) < 0.01 and summary["stopped_by"] == "kinetic energy below 1e-06 J for 0.1 s", summary)
    summary, _ = run(folder, {"body": "ball", "quantity": "contact_force", "component": "z", "above": 1}, **world)
    p.check(abs(summary["time"] - 0.05 ** 0.5) < 0.01, summary)


def test_resume(folder):
    """Interrupted again and again, the run ends at the same step with the same bits."""
    stops = fall({"below": -2.5e5, "for": 0.2}), {"when": "settled", "kinetic_energy": 1e-9}
    scene = write(folder, *stops, end=1000.0, trajectory={"every": 1.0})
    p.run(scene, "-o", folder / "whole", "-q")
    whole = json.loads((folder / "whole" / "run.json").read_text())
    p.check(whole["stopped_by"] == "ball.position.z below -250000 m for 0.2 s", whole)
    # From a checkpoint in the middle of the 0.2 s.
    at = round(whole["time"] - 0.1, 3)
    p.run(scene, "-o", folder / "parts", "-q", "--end", at)
    p.run(scene, "-o", folder / "parts", "-q", "--resume")
    p.same(p.results(folder / "whole"), p.results(folder / "parts"), "in parts:")
    # Done is done.
    p.run(scene, "-o", folder / "parts", "-q", "--resume")
    p.same(p.results(folder / "whole"), p.results(folder / "parts"), "once more:")
    child = subprocess.Popen([str(p.BIN), "run", str(scene), "-o", str(folder / "killed"), "-q"], stderr=subprocess.PIPE)
    end = time.monotonic() + p.LIMIT
    while not (folder / "killed" / "ball.csv").exists() and time.monotonic() < end:
        time.sleep(0.005)
    os.kill(child.pid, signal.SIGTERM)
    child.communicate(timeout=p.LIMIT)
    p.check(child.returncode in (0, 3), child.returncode)
    p.run(scene, "-o", folder / "killed", "-q", "--resume")
    p.same(p.results(folder / "whole"), p.results(folder / "killed"), "after a stop:")


def test_wall(folder):
    """Wall-clock time ends a run well, and it can go on."""
    scene = write(folder, {"wall_time": 0.2}, end=1e6, outputs=[], trajectory={"enabled": False}, view={"enabled": False})
    times = []
    for resume in ((), ("--resume",)):
        p.run(scene, "-o", folder / "out", "-q", *resume)
        summary = json.loads((folder / "out" / "run.json").read_text())
        p.check(summary["stopped_by"] == "0.2 s of wall-clock time" and summary["run_seconds"] < p.LIMIT, summary)
        times.append(summary["time"])
    p.check(0 < times[0] < times[1] < 1e6, times)


def test_problems(folder):
    cases = (
        ({"stop": 3}, "list of at most 16"), ({"stop": [{"below": 3}]}, "quantity is missing"), ({"stop": [fall({})]}, "neither below nor above"),
        ({"stop": [fall({"below": 1, "kinetic_energy": 1})]}, 'when "value"'), ({"stop": [fall({"belwo": 1})]}, "did you mean"),
        ({"stop": [{"body": "bal", "quantity": "position", "component": "z", "below": 1}]}, "did you mean"),
        ({"stop": [{"body": "ball", "quantity": "positoin", "component": "z", "below": 1}]}, "did you mean"),
        ({"stop": [{"body": "ball", "quantity": "position", "component": "w", "below": 1}]}, "must be one of x, y, z"),
        ({"stop": [{"body": "ball", "quantity": "position", "below": 1}]}, "component is missing"),
        ({"stop": [{"body": "ball", "system": True, "quantity": "energy", "component": "drift", "below": 1}]}, "exactly one"),
        ({"stop": [{"system": True, "quantity": "kinetic_energy", "component": "x", "below": 1}]}, "has no components"),
        ({"stop": [{"when": "settled"}]}, "kinetic_energy is missing"), ({"stop": [{"kinetic_energy": 0}]}, "kinetic_energy"),
        ({"stop": [{"when": "wall"}]}, "wall_time is missing"), ({"stop": [{"wall_time": 3, "for": 1}]}, "for goes with"),
        ({"stop": [{"wall_time": 3, "body": "ball"}]}, 'body goes with when "value" only'), ({"stop": [{"wall_time": 1}] * 17}, "at most 16"))
    for changes, part in cases:
        code, _, err = p.call("check", write(folder, **changes))
        p.check(code == 2 and part in err and err.count("\n") == 1, changes, code, err)


def main():
    p.need_program()
    for test in (test_closed_form, test_rest, test_resume, test_wall, test_problems):
        with p.Folder() as folder:
            test(folder)
        print("ok", test.__name__)


if __name__ == "__main__":
    main()
