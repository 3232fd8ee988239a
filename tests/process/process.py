# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
"""What the process tests share: the program, scenes, folders, and how a test fails or is skipped."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SKIPPED = 77  # CTest's SKIP_RETURN_CODE
SANITIZED = bool(os.environ.get("KAIROS_SANITIZE"))
LIMIT = 600 if SANITIZED else 120  # seconds for one call

SOURCE = Path(os.environ.get("KAIROS_SOURCE", Path(__file__).resolve().parents[2]))
BUILD = Path(os.environ.get("KAIROS_BUILD", SOURCE / "build"))
BIN = Path(os.environ.get("KAIROS_BIN", BUILD / "bin" / "kairos"))


def skip(why):
    print(f"skipped: {why}")
    sys.exit(SKIPPED)


def need_program():
    if not BIN.is_file():
        skip(f"{BIN} is not built")


def need_h5py():
    try:
        import h5py
    except ImportError:
        skip("h5py is not there (Debian package python3-h5py)")
    return h5py


def check(condition, *what):
    """Fails with what was compared."""
    if not condition:
        import inspect
        frame = inspect.stack()[1]
        raise SystemExit(f"{Path(frame.filename).name}:{frame.lineno}: {' '.join(str(w) for w in what)}")


def without_comments(text):
    """A scene without its `//` comments; what looks like one inside a text stays."""
    return re.sub(r'("(?:[^"\\]|\\.)*")|//[^\n]*', lambda found: found.group(1) or "", text)


def call(*arguments, cwd=None, env=None, **options):
    """Runs kairos and returns (status, stdout, stderr)."""
    done = subprocess.run([str(BIN), *map(str, arguments)], cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, timeout=LIMIT, env={**os.environ, **(env or {})}, **options)
    return done.returncode, done.stdout, done.stderr


def run(*arguments, status=0, **options):
    """`kairos run …` that must end with a status; returns stderr."""
    code, out, err = call("run", *arguments, **options)
    check(code == status, f"status {code}, wanted {status}; stdout:\n{out}\nstderr:\n{err}")
    return err


class Folder:
    """A folder of its own that goes away; also under a failing test."""

    def __enter__(self):
        self.path = Path(tempfile.mkdtemp(prefix="kairos-test-"))
        return self.path

    def __exit__(self, *_):
        shutil.rmtree(self.path, ignore_errors=True)


def scene(folder, steps=40000, name="scene.json", **changes):
    """Writes a scene that uses what a checkpoint must hold: functions, loads, offsets, particles, all outputs."""
    rows = "\n".join(f"{0.1 * i},{0.2 * (i % 7)},1,{0.01 * i},0,{1 + 0.02 * i}" for i in range(20))
    (folder / "grains.csv").write_text("x,y,z,vx,vy,vz\n" + rows + "\n")
    h = 1e-3
    content = {
        "kairos": 1, "name": "process test", "step": h, "end": steps * h, "integrator": "rk4", "contact": "none",
        "materials": {"clay": {"density": 1700}},
        "bodies": [
            {"name": "ground", "fixed": True, "shapes": [{"type": "plane", "normal": [0, 0, 1]}]},
            {"name": "top", "mass": 2, "inertia": [0.15, 0.2, 0.3, 0.01, 0.02, 0.0], "com": [0.1, 0, 0.05],
             "angular_velocity": [0.1, 5, 0.2]},
            {"name": "hammer", "shapes": [
                {"type": "box", "size": [0.1, 0.1, 0.5], "material": "clay"},
                {"type": "sphere", "radius": 0.1, "at": [0, 0, 0.3], "material": "clay"}]}],
        "particles": [{"name": "grains", "file": "grains.csv", "material": "clay",
                       "shape": {"type": "sphere", "radius": 0.01}}],
        "forces": [
            {"name": "wind", "type": "force", "body": "hammer", "value": [
                {"table": [[0, 0], [2, 3], [5, -2], [9, 1]], "interpolation": "cubic"},
                {"product": [{"sine": {"amplitude": 2, "frequency": 0.7}}, {"ramp": {"slope": 0.1}}]}, 1]},
            {"name": "twist", "type": "torque", "body": "top", "frame": "body",
             "value": [0, {"repeat": {"function": {"sequence": [{"duration": 0.3, "value": 1},
                                                                {"duration": 0.4, "value": -1}]}, "period": 0.7}}, 0]}],
        "outputs": [
            {"body": "top", "every": 0.01, "file": "top.csv", "quantities": [
                "position", "velocity", "acceleration", "rotation", "angular_velocity", "angular_acceleration"]},
            {"body": "hammer", "every": 0.013, "file": "hammer.csv",
             "quantities": ["com_position", "com_velocity", "force", "torque", "energy"]},
            {"system": True, "every": 0.1, "file": "system.csv",
             "quantities": ["energy", "momentum", "kinetic_energy", "bodies"]},
            {"particles": "grains", "every": steps * h / 8, "file": "grains-out.csv"}],
    }
    content.update(changes)
    path = folder / name
    path.write_text(json.dumps(content, indent=1))
    return path


def results(folder):
    """Everything that must be equal bit for bit: time series and snapshots, and the hash of the state."""
    files = {p.name: p.read_bytes() for p in sorted(folder.glob("*.csv*"))}
    summary = json.loads((folder / "run.json").read_text())
    return files, summary["state_hash"], summary["steps"]


def same(one, other, what):
    check(sorted(one[0]) == sorted(other[0]), what, "files differ:", sorted(one[0]), sorted(other[0]))
    for name in one[0]:
        check(one[0][name] == other[0][name], what, f"{name} differs ({len(one[0][name])}, {len(other[0][name])} bytes)")
    check(one[1:] == other[1:], what, "state differs:", one[1:], other[1:])


def frames(folder):
    """Times of the frames of a trajectory, also of one that was killed."""
    import h5py
    path = str(folder / "trajectory.h5")
    try:
        file = h5py.File(path, "r")
    except OSError:
        file = h5py.File(path, "r", libver="latest", swmr=True)
    with file:
        return list(file["VTKHDF/Steps/Values"][:])
