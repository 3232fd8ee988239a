# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
"""kairos sweep: one process and folder per run, a table and a page; runs that are done are kept."""

import csv
import json
import os
import signal
import subprocess
import time

import process as p


def ball(folder, **changes):
    """A ball in free flight from 10 m at 3 m/s: z(t) = 10 + 3 t + g t²/2, which rk4 gives exactly."""
    content = {"kairos": 1, "name": "thrown ball", "step": 0.01, "end": 1.0, "integrator": "rk4", "gravity": [0, 0, -9.81],
               "bodies": [{"name": "ball", "mass": 1, "inertia": [1, 1, 1], "position": [0, 0, 10], "velocity": [0, 0, 3]}],
               "outputs": [{"body": "ball", "every": 0.1, "quantities": ["position"], "file": "ball.csv"}], "view": {"enabled": False}}
    content.update(changes)
    path = folder / "ball.json"
    path.write_text(json.dumps(content))
    return path


def table(folder):
    with open(folder / "sweep.csv", newline="") as file:
        return list(csv.DictReader(file))


def sweep(*arguments, status=0):
    code, out, err = p.call("sweep", *arguments)
    p.check(code == status and out == "", f"status {code}, wanted {status}", out, err)
    return err


def test_grid(folder):
    """Two things varied: all combinations, the last one fastest, with the results of closed form."""
    scene, out = ball(folder), folder / "grid"
    vary = ("--vary", "/gravity/2=-9:-3:4", "--vary", "/bodies/ball/velocity=[0,0,3],[1,0,-2]")
    err = sweep(scene, *vary, "-o", out, "--jobs", 2)
    p.check(err.count(": done, ") == 8 and "[8/8]" in err, err)
    rows = table(out)
    p.check([(float(r["/gravity/2"]), json.loads(r["/bodies/ball/velocity"])[2]) for r in rows] ==
            [(g, v) for g in (-9, -7, -5, -3) for v in (3, -2)], rows)
    for k, row in enumerate(rows):
        g, v = float(row["/gravity/2"]), json.loads(row["/bodies/ball/velocity"])[2]
        p.check(abs(float(row["last ball.position.z"]) - (10 + v + g / 2)) < 1e-12, row)
        p.check(row["run"] == f"run-{k + 1:04}" and row["result"] == "done" and float(row["steps"]) == 100, row)
        run = json.loads((out / row["run"] / "run.json").read_text())
        p.check(row["state_hash"] == run["state_hash"] and float(row["energy.kinetic"]) == run["energy"]["kinetic"], row, run)
        # It is what `kairos run` gives.
    p.run(scene, "-o", folder / "one", "-q", "--set", "/gravity/2=-7", "--set", "/bodies/ball/velocity=[1,0,-2]")
    p.check(p.results(folder / "one")[1] == rows[3]["state_hash"], rows[3])
    # Once more: all is kept, and the table is the same to the byte.
    before = {f: f.stat().st_mtime_ns for f in out.glob("run-*/*")}, (out / "sweep.csv").read_bytes()
    err = sweep(scene, *vary, "-o", out)
    p.check(err.count(": done before") == 8, err)
    p.check(before == ({f: f.stat().st_mtime_ns for f in out.glob("run-*/*")}, (out / "sweep.csv").read_bytes()), "runs were done again")
    # Another scene, another end: nothing of before is taken for it.
    ball(folder, step=0.02)
    err = sweep(scene, *vary, "-o", out)
    p.check(err.count(": done, ") == 8 and all(float(r["steps"]) == 50 for r in table(out)), err)
    err = sweep(scene, *vary, "-o", out, "--end", 0.5, "-q")
    p.check(err == "" and all(float(r["steps"]) == 25 for r in table(out)), err)


def test_words(folder):
    scene, out = ball(folder), folder / "words"
    sweep(scene, "--vary", "/integrator=rk4,leapfrog", "-o", out, "-q", "--set", "/end=0.2", "--threads", 2)
    rows = table(out)
    p.check([r["/integrator"] for r in rows] == ["rk4", "leapfrog"] == [r["integrator"] for r in rows], rows)
    p.check(all(float(r["threads"]) == 2 and float(r["time"]) == 0.2 for r in rows), rows)


def test_failures(folder):
    """A run that fails, and one whose scene is refused, are told and stop no other."""
    scene, out = ball(folder, forces=[{"name": "push", "type": "force", "body": "ball", "value": [0, 0, 0]}]), folder / "fail"
    err = sweep(scene, "--vary", "/forces/push/value=[0,0,1],[0,0,1e308],[1,1],[0,0,2]", "-o", out, status=1)
    p.check([r["result"] for r in table(out)] == ["done", "failed", "refused", "done"], table(out), err)
    p.check("run-0002: " in err and "run-0003: " in err and "not finite" in err, err)
    p.check("not finite" in table(out)[1]["error"], table(out)[1])


def test_usage(folder):
    scene, out = ball(folder), folder / "never"
    for arguments, part in (
            (("-o", out), "needs a scene"), ((scene, "-o", out), "needs something to vary"), ((scene, "--vary", "/end=1,2"), "needs a folder"),
            ((scene, "--vary", "/end", "-o", out), "must be NAME="), ((scene, "--vary", "/end=1,,2", "-o", out), "empty value"),
            ((scene, "--vary", "/end=1:2:1", "-o", out), "must be from 2"), ((scene, "--vary", "/ned=1,2", "-o", out), "ned"),
            ((scene, "--vary", "/end=1,2", "--vary", "/end=1,2", "-o", out), "twice"),
            ((scene, "--vary", "/step=0.01,-1", "-o", out), "step"), ((scene, "--vary", "/end=0:1:99999", "--vary", "/step=1:2:3", "-o", out), "more than"),
            ((folder / "none.json", "--vary", "/end=1,2", "-o", out), "none.json"), ((scene, "--vary", "/end=1,2", "-o", out, "--jobs", 0), "jobs")):
        code, _, err = p.call("sweep", *arguments)
        p.check(code == 2 and part in err and not out.exists(), arguments, code, err)


def start(scene, out, *more):
    return subprocess.Popen([str(p.BIN), "sweep", str(scene), "--vary", "/gravity/2=-9,-8,-7", "-o", str(out), "--jobs", "2", *more],
                            stderr=subprocess.PIPE, text=True, start_new_session=True)


def wait_for(what, process):
    end = time.monotonic() + p.LIMIT
    while not what():
        p.check(time.monotonic() < end and process.poll() is None, "nothing was written")
        time.sleep(0.01)


def processes(out):
    """Runs that write to folders of the sweep."""
    found = []
    for entry in os.listdir("/proc"):
        try:
            if entry.isdigit() and f"--output={out}" in open(f"/proc/{entry}/cmdline").read():
                found.append(int(entry))
        except OSError:
            pass
    return found


def test_stop(folder):
    """Ctrl-C stops all runs, and the same command goes on; a killed sweep takes its runs with it."""
    scene, whole, out = ball(folder, end=800.0, step=0.001, trajectory={"every": 50}), folder / "whole", folder / "parts"
    scene.write_text(scene.read_text().replace('"every": 0.1', '"every": 5'))
    sweep(scene, "--vary", "/gravity/2=-9,-8,-7", "-o", whole, "-q")
    for number, status in ((signal.SIGINT, 3), (signal.SIGKILL, -9)):
        process = start(scene, out)
        wait_for(lambda: len(list(out.glob("run-*/ball.csv"))) >= 2, process)
        os.kill(process.pid, number)
        err = process.communicate(timeout=p.LIMIT)[1]
        p.check(process.returncode == status, process.returncode, err)
        end = time.monotonic() + p.LIMIT
        while processes(out) and time.monotonic() < end:
            time.sleep(0.02)
        p.check(processes(out) == [], number.name, "runs go on without the sweep")
        if number == signal.SIGINT:
            p.check("stopped; the same command goes on" in err and "stopped" in {r["result"] for r in table(out)}, err, table(out))
            p.check(all((folder / "parts" / r["run"] / "checkpoint.h5").exists() for r in table(out) if r["result"] == "stopped"), table(out))
    sweep(scene, "--vary", "/gravity/2=-9,-8,-7", "-o", out, "-q")
    p.check([r["state_hash"] for r in table(out)] == [r["state_hash"] for r in table(whole)], table(out), table(whole))
    for row in table(out):
        p.same(p.results(whole / row["run"]), p.results(out / row["run"]), row["run"])


def test_page(folder):
    import browser
    if browser.find() is None:
        return
    scene, out = ball(folder, name="a </script> & <b>"), folder / "page"
    sweep(scene, "--vary", "/gravity/2=-9:-3:4", "--vary", "/bodies/ball/velocity/2=3,-2", "-o", out, "-q")
    with browser.Browser(webgl=False) as b:
        b.open(out / "index.html", wait=False)
        b.until("document.querySelectorAll('figure').length > 3")
        p.check(b.evaluate("document.querySelector('h1').textContent") == "a </script> & <b>", "title")
        p.check(b.evaluate("[...document.querySelectorAll('figcaption')].map(f => f.textContent)")[0] == "last ball.position.z", "first plot")
        p.check(b.evaluate("document.querySelectorAll('figure:first-child polyline').length") == 2, "a line for each speed")
        p.check(b.evaluate("document.querySelectorAll('figure:first-child circle').length") == 8, "a dot for each run")
        p.check(b.evaluate("document.querySelectorAll('#legend span').length") == 2, "legend")
        p.check(b.evaluate("document.querySelector('figure a').getAttribute('href')").startswith("run-000"), "links to runs")
        p.check(b.evaluate("document.querySelectorAll('tr').length") == 9, "table")
        b.evaluate("(() => { const x = document.getElementById('x'); x.value = 1; x.dispatchEvent(new Event('input')); })()")
        p.check(b.evaluate("document.querySelectorAll('figure:first-child polyline').length") == 4, "a line for each gravity")
        b.evaluate("(() => { const x = document.getElementById('filter'); x.value = 'kinetic'; x.dispatchEvent(new Event('input')); })()")
        p.check(b.evaluate("document.querySelectorAll('figure').length") == 1, "filtered")
        p.check(b.problems == [], b.problems)


def main():
    p.need_program()
    for test in (test_grid, test_words, test_failures, test_usage, test_stop, test_page):
        with p.Folder() as folder:
            test(folder)
        print("ok", test.__name__)


if __name__ == "__main__":
    main()
