# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
"""kairos diff: what is not the same in two runs, and by how much."""

import json
import re

import process as p


def diff(a, b, *options, status):
    code, out, err = p.call("diff", a, b, *options)
    p.check(code == status, f"status {code}, wanted {status}", out, err)
    return out


def ball(folder, name, **changes):
    """z(t) = 10 + v t - 4 t², exactly, with frames and rows every 0.1 s."""
    content = {"kairos": 1, "name": "ball", "step": 0.01, "end": 1.0, "integrator": "rk4", "gravity": [0, 0, -8],
               "bodies": [{"name": "ball", "mass": 1, "inertia": [1, 1, 1], "position": [0, 0, 10], "velocity": [0, 0, 3]},
                          {"name": "other", "mass": 1, "inertia": [1, 1, 1]}],
               "trajectory": {"every": 0.1, "double_precision": True},
               "outputs": [{"body": "ball", "every": 0.1, "quantities": ["position"], "file": "ball.csv"}]}
    content.update(changes)
    (folder / f"{name}.json").write_text(json.dumps(content))
    p.run(folder / f"{name}.json", "-o", folder / name, "-q")
    return content, folder / name


def main():
    p.need_program()
    with p.Folder() as folder:
        content, a = ball(folder, "a")
        p.run(folder / "a.json", "-o", folder / "again", "-q", "--threads", 2)
        p.check(diff(a, folder / "again", status=0) == "equal\n", "the same scene")
        p.check(diff(a, a, "-q", status=0) == "", "quiet")

        # A speed that is 0.25 m/s more: z is apart by t/4, at most 1/4, rms of 11 rows sqrt(Σ(k/40)²/11).
        faster = json.loads(json.dumps(content["bodies"]))
        faster[0]["velocity"] = [0, 0, 3.25]
        _, b = ball(folder, "b", bodies=faster)
        out = diff(a, b, status=1)
        p.check("/bodies/ball/velocity: [0,0,3], [0,0,3.25]" in re.sub(r"\.0\b", "", out), out)
        rms = (sum((k / 40) ** 2 for k in range(11)) / 11) ** 0.5
        p.check(f"ball.position.z: max 0.25 at t = 1 s, rms {rms:.3g}, from t = 0.1 s on" in out, out)
        p.check("ball.position.x" not in out and "seconds" not in out and "threads" not in out, out)
        # In the trajectory the other body is in the mean as well, and two of three coordinates are equal.
        p.check(f"positions: max 0.25 m, rms {rms / 6 ** 0.5:.3g} m; rotations: max 0, rms 0; from t = 0.1 s on" in out, out)
        p.check("state_hash" in out and "energy.kinetic" in out, out)
        p.check(diff(a, b, "-q", status=1) == "", "quiet")
        # z is at most 10.56 m, energies differ by 1.22 of 44.5 J and 2 of 42 J.
        out = diff(a, b, "--tolerance", 0.05, status=1)
        p.check(out.count("\n") == 1 and "/bodies/ball/velocity" in out, "only the scene differs", out)
        out = diff(a, b, "--tolerance", 0.02, status=1)
        p.check("from t = 0.9 s on" in out, out)

        # Other times, columns, files and frames.
        _, c = ball(folder, "c", end=0.5, outputs=[
            {"body": "ball", "every": 0.05, "quantities": ["position", "velocity"], "file": "ball.csv"},
            {"body": "other", "every": 0.1, "quantities": ["position"], "file": "other.csv"}])
        out = diff(a, c, status=1)
        for part in ("ball.csv       11 rows to t = 1 s, 11 to 0.5 s; not at the same times", "ball.velocity.x: is not in", "other.csv      is not in",
                     "11 frames, 6", "/end: 1", "/outputs: "):
            p.check(part in out, part, out)
        p.check("ball.position.z: max 0 " in out and "from t = 0.6 s on" in out, "what is not there differs", out)
        # Half the rows: those between are linear, z of a parabola at most g h² / 8 = 0.01 off.
        _, d = ball(folder, "d", outputs=[{"body": "ball", "every": 0.05, "quantities": ["position"], "file": "ball.csv"}])
        out = diff(d, a, status=1)
        p.check("ball.position.z: max 0.01 at t = " in out, out)

        # Files that a scene reads, and scenes that nobody knows.
        (folder / "grains.csv").write_text("x,y,z\n0,0,0\n")
        grains = {"particles": [{"name": "g", "file": "grains.csv", "shape": {"type": "sphere", "radius": 0.1}, "density": 1000}]}
        _, e = ball(folder, "e", **grains)
        (folder / "grains.csv").write_text("x,y,z\n0,0,1\n")
        _, f = ball(folder, "f", **grains)
        p.check("files that the scene reads differ" in diff(e, f, status=1), "files")
        (e / "index.html").unlink()
        p.check("differs; in what is not known" in diff(e, f, status=1), "without a page")

        for words in ((), (a,), (a, b, c), (a, folder / "none"), (folder, a), (a, b, "--tolerance", "x")):
            code, out, err = p.call("diff", *words)
            p.check(code == 2 and out == "" and err.startswith("kairos: "), words, code, out, err)
    print("diff: ok")


main()
