# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
"""A full disk ends a run with status 1 and one line that names the file; what was written before can be read."""

import os
import resource
import subprocess

import process as p


def limited(limit):
    """Called in the child: no file may grow beyond `limit` bytes."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))


def check_line(err, what):
    lines = [line for line in err.splitlines() if not line.startswith("kairos: warning: no index.html: ")]
    p.check(len(lines) == 1 and lines[0].startswith("kairos: "), what, err)
    return lines[0]


def check_rows(path):
    """Whole rows only."""
    text = path.read_text()
    lines = text.splitlines()
    p.check(text == "" or text.endswith("\n"), f"{path.name} ends in the middle of a row")
    p.check(len({line.count(",") for line in lines}) <= 1, f"{path.name} has rows of different length")
    return len(lines)


def file_limit(folder, h5py):
    """Each file in turn is the one that hits the limit."""
    for limit, trajectory, culprit in ((200_000, False, "top.csv"), (2_000_000, True, "trajectory.h5")):
        out = folder / f"limit-{limit}"
        changes = {"trajectory": {"enabled": trajectory, "every": 0.001}}
        if trajectory:
            changes["outputs"] = [{"system": True, "every": 0.5, "quantities": ["energy"], "file": "system.csv"}]
        scene = p.scene(folder, 20000, f"{culprit}.json", **changes)
        # A first part without limit leaves a checkpoint; the rest hits the limit.
        p.run(scene, "-o", out, "-q", "--end", 0.5)
        before = (out / "checkpoint.h5").read_bytes()
        err = p.run(scene, "-o", out, "-q", "--resume", status=1, preexec_fn=limited(limit))
        line = check_line(err, culprit)
        p.check(culprit in line and "File too large" in line, line)
        p.check((out / "checkpoint.h5").read_bytes() == before, "the checkpoint of before is gone")
        for table in out.glob("*.csv"):
            p.check(check_rows(table) > 0, table)
        if trajectory and h5py:
            p.check(len(p.frames(out)) > 500, "frames", len(p.frames(out)))
        # With room the run goes on to the end.
        p.run(scene, "-o", out, "-q", "--resume")
        p.run(scene, "-o", folder / f"whole-{limit}", "-q")
        p.same(p.results(folder / f"whole-{limit}"), p.results(out), culprit)


def tiny(folder):
    """Not even room for a checkpoint, or for anything."""
    scene = p.scene(folder, 1000, "tiny.json", trajectory={"enabled": False}, outputs=[])
    for limit in (0, 1000):
        err = p.run(scene, "-o", folder / f"tiny-{limit}", "-q", status=1, preexec_fn=limited(limit))
        p.check("checkpoint.h5" in check_line(err, limit), err)
    scene = p.scene(folder, 1000, "tiny2.json")
    err = p.run(scene, "-o", folder / "tiny-all", "-q", status=1, preexec_fn=limited(0))
    check_line(err, "no room at all")


def small_disk(folder, h5py):
    """A real full disk, where the test may mount one."""
    disk = folder / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", str(disk)]
    if os.geteuid() != 0 or subprocess.run(mount, stderr=subprocess.DEVNULL).returncode != 0:
        return "no tmpfs could be mounted"
    try:
        scene = p.scene(folder, 60000, "disk.json", trajectory={"every": 0.001})
        err = p.run(scene, "-o", disk / "out", "-q", "--checkpoint-every", 0.5, status=1)
        line = check_line(err, "full disk")
        p.check("No space left on device" in line and "/disk/out/" in line, line)
        for table in (disk / "out").glob("*.csv"):
            check_rows(table)
        if h5py:
            p.check(len(p.frames(disk / "out")) > 100, "frames")
        p.check(not list((disk / "out").glob("*.tmp")), "left aside")
        (disk / "filler").unlink(missing_ok=True)
        subprocess.run(["mount", "-o", "remount,size=100m", str(disk)], check=True)
        p.run(scene, "-o", disk / "out", "-q", "--resume", "--end", 20)
        p.run(scene, "-o", folder / "whole-disk", "-q", "--end", 20)
        p.same(p.results(folder / "whole-disk"), p.results(disk / "out"), "after a full disk")
    finally:
        subprocess.run(["umount", "-l", str(disk)])
    return "with a full tmpfs"


def main():
    p.need_program()
    try:
        import h5py
    except ImportError:
        h5py = None
    with p.Folder() as folder:
        file_limit(folder, h5py)
        tiny(folder)
        how = small_disk(folder, h5py)
    print(f"diskfull: ok ({how}{'' if h5py else '; no h5py, trajectories not read'})")


main()
