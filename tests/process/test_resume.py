# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
# ctest-timeout: 240
"""A run that is interrupted (Ctrl-C) and resumed ends bit for bit as one that is not: time series, snapshots, state."""

import json
import signal
import subprocess
import time

import process as p


def interrupt(scene, out, seconds, *options):
    """Starts a run, interrupts it after some seconds; returns its status."""
    child = subprocess.Popen([str(p.BIN), "run", str(scene), "-o", str(out), *options], stderr=subprocess.PIPE, text=True)
    time.sleep(seconds)
    child.send_signal(signal.SIGINT)
    _, err = child.communicate(timeout=p.LIMIT)
    return child.returncode, err


def last_samples(folder):
    """A run has a frame and rows at its end; resumed to a later end it has those of a run that went there at once."""
    scene = folder / "last.json"
    scene.write_text(json.dumps({
        "kairos": 1, "name": "last", "step": 1e-3, "end": 0.5, "contact": "nsc", "trajectory": {"every": 0.03},
        "bodies": [{"name": "floor", "fixed": True, "shapes": [{"type": "plane", "normal": [0, 0, 1]}]},
                   {"name": "box", "density": 1000, "position": [0, 0, 0.06], "angular_velocity": [1, 2, 0],
                    "shapes": [{"type": "box", "size": [0.1, 0.1, 0.1]}]}],
        "outputs": [{"body": "box", "every": 0.007, "file": "box.csv", "quantities": ["position", "acceleration", "force"]},
                    {"system": True, "every": 0.01, "file": "system.csv", "quantities": ["energy", "contacts"]}]}))
    p.run(scene, "-o", folder / "at-once", "-q")
    whole = p.results(folder / "at-once")
    times = {n: [float(row.split(b",")[0]) for row in t.splitlines()[1:]] for n, t in whole[0].items()}
    p.check(len(times["box.csv"]) == 73 and abs(times["box.csv"][-1] - 0.5) < 1e-12, times["box.csv"][-3:])
    p.check(len(times["system.csv"]) == 51 and abs(times["system.csv"][-1] - 0.5) < 1e-12, times["system.csv"][-3:])
    out = folder / "later"
    for end, last in ((0.1234, 0.123), (0.123, 0.123), (0.3, 0.3), (0.5, 0.5)):
        p.run(scene, "-o", out, "-q", "--resume", "--end", end, "--checkpoint-every", 0.1)
        row = (out / "box.csv").read_text().splitlines()[-1]
        p.check(abs(float(row.split(",")[0]) - last) < 1e-12, end, row)
    p.same(whole, p.results(out), "to a later end:")
    try:
        import h5py
    except ImportError:
        return
    frames = p.frames(folder / "at-once")
    p.check(len(frames) == 18 and abs(frames[-1] - 0.5) < 1e-12 and p.frames(out) == frames, frames, p.frames(out))
    # Done is done: nothing of the results changes.
    before = {f.name: f.read_bytes() for f in out.iterdir() if f.name not in ("run.json", "index.html")}
    p.run(scene, "-o", out, "-q", "--resume")
    p.check(before == {n: (out / n).read_bytes() for n in before}, "resuming what is done changed files")
    # By itself a run has at least 100 frames.
    content = json.loads(scene.read_text())
    del content["trajectory"]
    scene.write_text(json.dumps(content))
    p.run(scene, "-o", out, "-q")
    p.check(len(p.frames(out)) == 101, p.frames(out))
    # And at most 3,000, the last one at its end.
    content["end"] = 250.0
    content["outputs"] = []
    scene.write_text(json.dumps(content))
    p.run(scene, "-o", out, "-q")
    frames = p.frames(out)
    p.check(2900 < len(frames) <= 3002 and abs(frames[-1] - 250) < 1e-9, len(frames), frames[-1])


def test_surfaces(folder):
    """Structures that overlap with a ball and with each other, some of their parts fixed."""
    def net(name, z, radius, *fixed):
        return {"name": name, "type": "net", "size": [1.2, 1.2], "cells": [2, 2], "position": [0, 0, z],
                "element": {"type": "ancf-cable", "solid": "rope", "radius": 0.004},
                "fixed": [{"set": s, "coordinates": "position"} for s in fixed],
                "contacts": [{"set": "all", "surface": "capsules", "radius": radius}]}
    ball = {"name": "ball", "density": 300, "position": [0.06, 0.03, 0.9], "shapes": [{"type": "sphere", "radius": 0.16}]}
    for name, content in {
            "ball": {"bodies": [ball], "structures": [net("net", 0.5, 1.0, "x0", "x1")]},
            "nets": {"structures": [net("lower", 0.5, 0.05, "x0", "x1"), net("upper", 0.59, 0.05)]}}.items():
        scene = folder / f"{name}.json"
        scene.write_text(json.dumps({
            "kairos": 1, "end": 0.02, "step": 0.002, "contact": "nsc", **content,
            "solids": {"rope": {"type": "elastic", "density": 1100, "young": 5e6, "damping": 0.01}},
            "outputs": [{"system": True, "every": 0.002, "quantities": ["energy", "contacts"], "file": "system.csv"}]}))
        p.run(scene, "-o", folder / name, "-q")
        for end, threads in ((0.002, 2), (0.01, 1), (0.02, 2)):
            p.run(scene, "-o", folder / f"{name}-parts", "-q", "--resume", "--end", end, "--threads", threads)
        p.same(p.results(folder / name), p.results(folder / f"{name}-parts"), f"surfaces, {name}:")


def main():
    p.need_program()
    with p.Folder() as folder:
        last_samples(folder)


        test_surfaces(folder)
        scene = p.scene(folder)
        began = time.monotonic()
        p.run(scene, "-o", folder / "whole", "-q")
        whole_seconds = time.monotonic() - began
        whole = p.results(folder / "whole")

        # Stopped at several moments, more than once each.
        stopped = 0
        for share, options in ((0.3, []), (0.5, ["--checkpoint-every", "0.5"]), (0.8, ["--checkpoint-every", "3.3"])):
            out = folder / f"part-{share}"
            for _ in range(2):
                status, err = interrupt(scene, out, share * whole_seconds, "--resume", *options)
                p.check(status in (0, 3), f"status {status}: {err}")
                if status == 3:
                    stopped += 1
                    p.check("stopped at t = " in err, err)
                    p.check(json.loads((out / "run.json").read_text())["result"] == "stopped", "run.json says otherwise")
            p.run(scene, "-o", out, "-q", "--resume", *options)
            p.same(whole, p.results(out), f"interrupted after {share}:")
            p.check(json.loads((out / "run.json").read_text())["result"] == "done", "run.json says otherwise")
        p.check(stopped >= 2, f"only {stopped} runs were interrupted")

        # In parts of chosen length, on other numbers of threads.
        out = folder / "parts"
        for end, threads in ((0, 1), (0.007, 2), (1.234, 1), (20, 3), (40, 2)):
            p.run(scene, "-o", out, "-q", "--resume", "--end", end, "--threads", threads)
        p.same(whole, p.results(out), "in parts:")

        # Resuming what is done changes nothing; what is changed is refused, and nothing is written.
        p.run(scene, "-o", out, "-q", "--resume")
        p.same(whole, p.results(out), "after the end:")
        before = {f.name: f.stat().st_mtime_ns for f in out.iterdir()}
        err = p.run(scene, "-o", out, "-q", "--resume", "--set", "/gravity=[0,0,-1]", status=2)
        p.check("another scene" in err, err)
        err = p.run(scene, "-o", out, "-q", "--resume", "--step", "0.002", status=2)
        p.check("step" in err, err)
        p.check(before == {f.name: f.stat().st_mtime_ns for f in out.iterdir()}, "a refused resume wrote files")

        # Damage is told, not crashed on.
        checkpoint = out / "checkpoint.h5"
        good = checkpoint.read_bytes()
        for bad in (good[:1000], good[:-1], b"", good[:5000] + b"x" + good[5001:]):
            checkpoint.write_bytes(bad)
            err = p.run(scene, "-o", out, "-q", "--resume", status=2)
            p.check("checkpoint.h5" in err and err.count("\n") == 1, err)
        checkpoint.write_bytes(good)
        (out / "top.csv").write_text("time\n")
        err = p.run(scene, "-o", out, "-q", "--resume", status=1)
        p.check("top.csv" in err, err)

        # A new run replaces the old one.
        p.run(scene, "-o", out, "-q")
        p.same(whole, p.results(out), "anew:")
    print(f"resume: ok ({stopped} interruptions of a run of {whole_seconds:.2f} s)")


main()
