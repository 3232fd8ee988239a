# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
# ctest-timeout: 300
"""Signals: a run saves and can be resumed to the same end; long steps heed them; readers that go away harm nothing."""

import json
import os
import resource
import signal
import subprocess
import time

import process as p


def start(*arguments, **options):
    return subprocess.Popen([str(p.BIN), *map(str, arguments)], stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                            **options)


def wait_for(path, child):
    for _ in range(3000):
        if path.exists():
            return
        p.check(child.poll() is None, f"the run ended with {child.returncode} before {path} was there")
        time.sleep(0.01)
    p.check(False, f"{path} never came")


def stops(folder, scene, whole):
    """Each signal saves; the run resumed from there ends as one that was not stopped."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGXCPU):
        out = folder / number.name
        child = start("run", scene, "-o", out, "-q", preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL))
        wait_for(out / "hammer.csv", child)
        time.sleep(0.05)
        child.send_signal(number)
        if number in (signal.SIGHUP, signal.SIGXCPU):
            child.send_signal(number)  # these come more than once
        _, err = child.communicate(timeout=p.LIMIT)
        p.check(child.returncode == 3, number.name, child.returncode, err)
        p.check("stopped at t = " in err and "--resume" in err, err)
        p.check(json.loads((out / "run.json").read_text())["result"] == "stopped", "run.json says otherwise")
        p.run(scene, "-o", out, "-q", "--resume")
        p.same(whole, p.results(out), number.name)


def nohup(folder, scene, whole):
    """Ignored from the start, SIGHUP stays ignored."""
    out = folder / "nohup"
    child = start("run", scene, "-o", out, "-q", preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    wait_for(out / "hammer.csv", child)
    child.send_signal(signal.SIGHUP)
    _, err = child.communicate(timeout=p.LIMIT)
    p.check(child.returncode == 0, child.returncode, err)
    p.same(whole, p.results(out), "under nohup")


def pipes(folder, scene, whole):
    """Nobody reads stdout or stderr any more: the run goes on."""
    out = folder / "pipes"
    done = subprocess.run(["sh", "-c", '{ "$@" 2>&1; echo $? >"$0"; } | true', str(folder / "status"), str(p.BIN), "run",
                           str(scene), "-o", str(out), "--json"], timeout=p.LIMIT)
    p.check(done.returncode == 0 and (folder / "status").read_text().strip() == "0", (folder / "status").read_text())
    p.same(whole, p.results(out), "without a reader")


def loading(folder):
    """While a scene is read, Ctrl-C ends the process and nothing is written."""
    os.mkfifo(folder / "slow.json")  # a scene that does not come
    for command in (("check", folder / "slow.json"), ("run", folder / "slow.json", "-o", folder / "slow")):
        child = start(*command)
        keep = os.open(folder / "slow.json", os.O_WRONLY)  # opens once the program reads
        time.sleep(0.1)
        child.send_signal(signal.SIGINT)
        child.communicate(timeout=p.LIMIT)
        os.close(keep)
        p.check(child.returncode == 3, command[0], child.returncode)
    p.check(not (folder / "slow").exists(), "a folder was made")


def long_steps(folder):
    """A step that would take hours ends soon, and the run goes on from before it."""
    bodies = [{"name": "floor", "fixed": True, "shapes": [{"type": "plane", "normal": [0, 0, 1]}]}]
    for i in range(30):
        bodies.append({"name": f"b{i}", "density": 1000, "position": [0.01 * (i % 3), 0, 0.05 + 0.1 * i],
                       "shapes": [{"type": "box", "size": [0.1, 0.1, 0.1]}]})
    scene = folder / "long.json"
    scene.write_text(json.dumps({
        "kairos": 1, "name": "long", "step": 1e-3, "end": 0.003, "contact": "nsc",
        "solver": {"type": "psor", "iterations": 1000000, "tolerance": 1e-300}, "bodies": bodies}))
    out = folder / "long"
    child = start("run", scene, "-o", out, "-q")
    wait_for(out / "trajectory.h5", child)
    time.sleep(0.3)
    began = time.monotonic()
    child.send_signal(signal.SIGINT)
    _, err = child.communicate(timeout=p.LIMIT)
    seconds = time.monotonic() - began
    p.check(child.returncode == 3, child.returncode, err)
    p.check(seconds < 30, f"it took {seconds} s to stop")  # about 0.1; the machine may be busy
    summary = json.loads((out / "run.json").read_text())
    p.check(summary["result"] == "stopped" and summary["steps"] == 0 and (out / "checkpoint.h5").exists(), summary)


def random_stops(folder):
    """Steps of a stack take some milliseconds: stops fall inside them, at no given place."""
    out, name = folder / "stack", "box-stack"
    p.run(name, "-o", folder / "stack-whole", "-q", "--end", 0.3)
    whole = p.results(folder / "stack-whole")
    count = 0
    for _ in range(200):
        child = start("run", name, "-o", out, "-q", "--end", 0.3, "--resume")
        time.sleep(0.03 + 0.007 * (count % 7))
        child.send_signal(signal.SIGTERM)
        _, err = child.communicate(timeout=p.LIMIT)
        # Before the program has set itself up, the signal ends it.
        p.check(child.returncode in (0, 3, -signal.SIGTERM), child.returncode, err)
        count += 1
        if child.returncode == 0:
            break
    p.run(name, "-o", out, "-q", "--end", 0.3, "--resume")
    p.same(whole, p.results(out), f"stopped {count} times")


def main():
    p.need_program()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with p.Folder() as folder:
        scene = p.scene(folder)
        p.run(scene, "-o", folder / "whole", "-q")
        whole = p.results(folder / "whole")
        stops(folder, scene, whole)
        nohup(folder, scene, whole)
        pipes(folder, scene, whole)
        loading(folder)
        long_steps(folder)
        random_stops(folder)
    print("signals: ok")


main()
