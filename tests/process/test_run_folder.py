# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
"""The folder of a run: one run at a time, nothing of an earlier scene, no messages in results, and its errors."""

import json
import os
import subprocess
import time

import process as p


def start(scene, out, *options):
    """A run that goes on until it is told to end; returns once it has its folder."""
    child = subprocess.Popen([str(p.BIN), "run", str(scene), "-o", str(out), "-q", "--end", "1e6", *options],
                             stderr=subprocess.PIPE, text=True)
    for _ in range(3000):
        lock = (out / ".lock").read_text() if (out / ".lock").exists() else ""
        ours = lock.startswith(f"process {child.pid} ") and "file hammer.csv\n" in lock
        if ours and (out / "grains-out-000000.csv").exists() or child.poll() is not None:
            break
        time.sleep(0.01)
    p.check(child.poll() is None, "the run ended:", child.stderr.read() if child.poll() is not None else "")
    return child


def two_runs(folder, scene):
    out = folder / "two"
    first = start(scene, out)
    before = {f.name: f.stat().st_ino for f in out.iterdir()}
    for options in ([], ["--resume"]):
        code, _, err = p.call("run", scene, "-o", out, "-q", *options)
        p.check(code == 2 and err.count("\n") == 1, code, err)
        p.check(f"another run (process {first.pid}) writes here" in err and "-o" in err, err)
    p.check(all((out / n).stat().st_ino == i for n, i in before.items()), "the second run changed the folder")
    p.check(not (out / "run.json").exists(), "the second run changed the folder")
    p.run(scene, "-o", folder / "beside", "-q", "--end", 0.1)  # other folders are free
    first.terminate()
    _, err = first.communicate(timeout=p.LIMIT)
    p.check(first.returncode == 3 and "stopped at t = " in err, first.returncode, err)
    p.check(not (out / ".lock").exists(), "the lock stays")
    p.run(scene, "-o", out, "-q", "--end", 0.1)
    # What a killed process leaves is no obstacle.
    killed = start(scene, out)
    killed.kill()
    killed.communicate()
    p.check((out / ".lock").exists(), "no list of files is left")
    p.run(scene, "-o", out, "-q", "--end", 0.1)
    p.check(not (out / ".lock").exists(), "the lock stays")
    # A link in its place is not followed.
    (out / ".lock").symlink_to(folder / "elsewhere")
    err = p.run(scene, "-o", out, "-q", "--end", 0.1, status=1)
    p.check(".lock" in err and not (folder / "elsewhere").exists(), err)


def earlier_scenes(folder, scene):
    """Files of an earlier run go, whether it ended or was killed; all others stay."""
    other = folder / "other.json"
    other.write_text(json.dumps({
        "kairos": 1, "name": "other", "step": 1e-3, "end": 0.01, "trajectory": {"enabled": False},
        "bodies": [{"name": "a", "mass": 1, "inertia": [1, 1, 1]}],
        "outputs": [{"body": "a", "every": 0.001, "quantities": ["position"], "file": "a.csv"}]}))
    for how in ("ended", "killed"):
        out = folder / f"earlier-{how}"
        out.mkdir()
        mine = {"mine.csv": "x\n", "notes.txt": "y\n", "top-000000.csv": "z\n"}
        for name, text in mine.items():
            (out / name).write_text(text)
        if how == "ended":
            p.run(scene, "-o", out, "-q", "--end", 0.1)
        else:
            child = start(scene, out)
            child.kill()
            child.communicate()
        p.check((out / "grains-out-000000.csv").exists() and (out / "top.csv").exists(), sorted(out.iterdir()))
        p.run(other, "-o", out, "-q")
        left = {f.name for f in out.iterdir()}
        p.check(left == {"a.csv", "run.json", "checkpoint.h5", *mine} | ({"index.html"} & left), how, sorted(left))
        p.check(all((out / n).read_text() == t for n, t in mine.items()), "a file of somebody else was changed")

    # What run.json says is not believed beyond what a run can have written.
    out = folder / "hostile"
    (out / "folder.csv").mkdir(parents=True)
    outside = folder / "outside.csv"
    outside.write_text("keep\n")
    (out / "link.csv").symlink_to(outside)
    (out / "notes.txt").write_text("keep\n")
    (out / ".hidden.csv").write_text("keep\n")
    names = ["../outside.csv", str(outside), "link.csv", "folder.csv", "notes.txt", ".hidden.csv", ".", "", 7, None,
             "x" * 5000 + ".csv"]
    (out / "run.json").write_text(json.dumps({"outputs": names, "numbered": names}))
    p.run(other, "-o", out, "-q")
    p.check(outside.read_text() == "keep\n" and (out / "link.csv").is_symlink() and (out / "folder.csv").is_dir()
            and (out / "notes.txt").exists() and (out / ".hidden.csv").exists(), sorted(out.iterdir()))
    for text in ("[", "7", '{"outputs": 3}', ""):
        (out / "run.json").write_text(text)
        p.run(other, "-o", out, "-q")


def closed_descriptors(folder):
    """With stdin, stdout and stderr closed nothing but results is in the results."""
    # A linkage with a redundant row: a warning goes to stderr in the first step, when files are open.
    scene = p.SOURCE / "scenes" / "bricard.json"
    err = p.run(scene, "-o", folder / "open", "-q", "--end", 0.1)
    p.check("warning" in err, err)
    for closed in ("2>&-", "0<&- 1>&- 2>&-", "1>&- 2>&-"):
        out = folder / "closed"
        done = subprocess.run(["sh", "-c", f'"$@" {closed}', "sh", str(p.BIN), "run", str(scene), "-o", str(out),
                               "--end", "0.1"], timeout=p.LIMIT)
        p.check(done.returncode == 0, closed, done.returncode)
        p.same(p.results(folder / "open"), p.results(out), closed)


def reasons(folder, scene):
    """A folder that cannot be made says why."""
    if os.geteuid() != 0:
        shut = folder / "shut"
        shut.mkdir(mode=0o555)
        err = p.run(scene, "-o", shut / "a" / "b", "-q", status=1)
        p.check(f"{shut}/a: Permission denied" in err, err)
        err = p.run(scene, "-o", shut, "-q", status=1)
        p.check("Permission denied" in err and str(shut) in err, err)
    else:
        err = p.run(scene, "-o", "/proc/kairos/a", "-q", status=1)  # nobody can make a folder there
        p.check("/proc/kairos: No such file" in err, err)
        err = p.run(scene, "-o", "/sys/kairos/a", "-q", status=1)
        p.check("/sys/kairos: " in err and ("not permitted" in err or "denied" in err or "Read-only" in err), err)
    # A run that cannot begin leaves no folder.
    p.run(scene, "-o", folder / "never", "-q", "--end", "1e300", status=2)
    p.check(not (folder / "never").exists(), "a folder was made")


def main():
    p.need_program()
    with p.Folder() as folder:
        scene = p.scene(folder)
        two_runs(folder, scene)
        earlier_scenes(folder, scene)
        closed_descriptors(folder)
        reasons(folder, scene)
    print("run_folder: ok")


main()
