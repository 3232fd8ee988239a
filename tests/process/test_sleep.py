# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
"""Bodies asleep in runs: counted in run.json and outputs, woken by a ball, the same bits after a resume and on any number of
threads, and refused where contacts or the integrator do not allow it."""

import csv
import json

import process as p

SIZE = 0.2


def scene(folder, name="wall", sleep={"time": 0.2}, **more):
    """A wall of boxes at rest, another one far away, and a ball that hits the first after 0.75 s."""
    ground = {"name": "ground", "fixed": True, "shapes": [{"type": "plane"}]}
    boxes = [{"name": f"box{w}.{i}.{k}", "density": 1000, "position": [50 * w, 1.05 * SIZE * i, SIZE * (k + 0.5)],
              "shapes": [{"type": "box", "size": [SIZE] * 3}]} for w in range(2) for i in range(4) for k in range(3)]
    ball = {"name": "ball", "density": 5000, "position": [-6, 0.3, 3], "velocity": [8.3, 0, 0],
            "shapes": [{"type": "sphere", "radius": 0.15}]}
    path = folder / f"{name}.json"
    path.write_text(json.dumps({"kairos": 1, "step": 1e-3, "end": 1.1, "contact": "nsc", "sleep": sleep,
                                "bodies": [ground, *boxes, ball],
                                "outputs": [{"file": "s.csv", "system": True, "every": 0.01, "quantities": ["asleep", "contacts"]}],
                                **more}))
    return path


def result(path, out, *arguments):
    p.run(path, "-o", out, "-q", *arguments)
    return json.loads((out / "run.json").read_text())


def check_counts(folder):
    path = scene(folder)
    run = result(path, folder / "whole")
    with open(folder / "whole" / "s.csv") as file:
        rows = [{k: float(v) for k, v in row.items()} for row in csv.DictReader(file)]
    at = {round(row["time"], 3): row for row in rows}
    awake, asleep = at[0.1], at[0.6]
    p.check(awake["system.asleep"] == 0 and awake["system.contacts"] >= 4 * 24, awake)
    p.check(asleep["system.asleep"] == 24 and asleep["system.contacts"] == 0, asleep)
    last = rows[-1]
    p.check(12 <= last["system.asleep"] < 24 and last["system.contacts"] > 0, "the wall that was hit did not wake", last)
    p.check(run["asleep"] == last["system.asleep"], run["asleep"], last)
    return path, run


def check_bits(folder, path, run):
    for threads in (1, 5):
        p.check(result(path, folder / "threads", "--threads", threads)["state_hash"] == run["state_hash"], threads)
    for cut in (0.15, 0.5, 0.95):  # before they sleep, while all do, and while half of them do
        out = folder / f"cut{cut}"
        result(path, out, "--end", cut)
        p.check(result(path, out, "--resume")["state_hash"] == run["state_hash"], "other bits after a resume at", cut)
        p.check((out / "s.csv").read_bytes() == (folder / "whole" / "s.csv").read_bytes(), cut)


def check_refused(folder):
    for more in ({"contact": "smc"}, {"integrator": "euler-implicit"}, {"contact": "none"}):
        code, _, err = p.call("check", scene(folder, "refused", **more))
        p.check(code == 2 and "sleep needs contact nsc and integrator euler" in err, code, err)
    code, _, err = p.call("check", scene(folder, "refused", sleep={"time": -1}))
    p.check(code == 2 and "time" in err, err)
    run = result(scene(folder, "never", sleep={}), folder / "never")
    p.check(run["asleep"] == 0, run["asleep"])


if __name__ == "__main__":
    p.need_program()
    with p.Folder() as place:
        check_bits(place, *check_counts(place))
        check_refused(place)
    print("sleep: ok")
