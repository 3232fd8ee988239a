# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
"""Every command, its exit status and its messages; bad usage and bad input write nothing."""

import json
import re

import process as p

KEYS = """scene version machine ranks threads steps time load_seconds run_seconds real_time_factor phase_seconds bodies
contacts_mean contacts_max rows solver energy max_penetration max_violation peak_bytes warnings state_hash result error
step end outputs shapes integrator""".split()


def check_usage(folder):
    """(arguments, part of the message): status 2, one line, nothing written."""
    scene = p.scene(folder, 10)
    cases = [
        ((), None), (("rnu",), "did you mean 'run'?"), (("view",), "needs the folder of a run"), (("export", "--to", "csv"), "needs the folder of a run"),
        (("run", scene, "--live=abc"), "must be a port"), (("run", scene, "--live=65536"), "must be a port"),
        (("frobnicate",), "unknown command 'frobnicate'"), (("--verison",), "unknown command"),
        (("run",), "needs a scene"), (("run", scene, "extra"), "one argument too many"),
        (("run", scene, "--ned", "1"), "did you mean '--end'?"), (("run", scene, "--xyzzy"), "unknown option '--xyzzy'"),
        (("run", scene, "--end"), "needs a value"), (("run", scene, "--end", "soon"), "must be a number"),
        (("run", scene, "--end", "nan"), "must be a number"), (("run", scene, "--step", "0"), "must be a number > 0"),
        (("run", scene, "--step=-1"), "must be a number > 0"), (("run", scene, "--threads", "0"), "whole number"),
        (("run", scene, "--threads", "9999"), "1 to 1024"), (("run", scene, "--quiet=1"), "takes no value"),
        (("run", scene, "--device", "cuda"), "not built with CUDA"), (("run", scene, "--device", "abacus"), "cpu or cuda"),
        (("run", "tenis-racket"), "was not found"), (("run", folder / "none.json"), "none.json"),
        (("run", scene, "--set", "nonsense"), ""), (("run", scene, "--set", "/nowhere/at/all=1"), ""),
        (("run", scene, "-o", ""), "empty name"),
        (("check",), "needs a scene"), (("scenes", "x"), "too many"), (("info", "--x"), "unknown option"),
        (("bench", "fre-bodies"), "did you mean 'free-bodies'?"), (("bench", "--json", "--csv"), "exclude"),
    ]
    before = sorted(str(f) for f in folder.rglob("*"))
    for arguments, part in cases:
        code, out, err = p.call(*arguments, cwd=folder)
        p.check(code == 2, arguments, f"status {code}", out, err)
        p.check(out == "", arguments, "printed", out)
        if part is not None:
            p.check(part in err and err.startswith("kairos: ") and err.count("\n") == 1, arguments, repr(err))
        p.check(sorted(str(f) for f in folder.rglob("*")) == before, arguments, "wrote files")


def check_bad_scene(folder):
    """Every problem at once, each with its place; the folder is not even made."""
    bad = folder / "bad.json"
    bad.write_text('{\n  "kairos": 1, "step": 1e-3, "end": 1, "gravty": [0, 0, 0],\n'
                   '  "bodies": [{"name": "a", "mass": -1}, {"name": "a", "fixed": true}]\n}\n')
    for command in (("run", bad, "-o", folder / "never"), ("check", bad)):
        code, out, err = p.call(*command)
        p.check(code == 2 and out == "", code, out, err)
        lines = err.splitlines()
        p.check(len(lines) >= 3, "problems", err)
        for line in lines:
            p.check(re.match(rf"kairos: {re.escape(str(bad))}:\d+:\d+: ", line), line)
        p.check("did you mean" in err, err)
    p.check(not (folder / "never").exists(), "bad input made a folder")


def check_commands(folder):
    code, out, _ = p.call("--version")
    p.check(code == 0 and re.fullmatch(r"kairos \d+\.\d+\.\d+\n", out), out)
    code, out, _ = p.call("--help")
    p.check(code == 0 and all(word in out for word in ("run", "check", "view", "export", "scenes", "info", "bench", "completion", "help")), out)
    for command in ("run", "check", "view", "export", "scenes", "info", "bench", "completion", "help"):
        code, out, err = p.call(command, "--help")
        p.check(code == 0 and out.startswith(f"usage: kairos {command}") and "3  stopped" in out and err == "", command, out, err)
    for option in "output end step threads device set checkpoint-every resume allow-outside quiet json".split():
        p.check(f"--{option}" in p.call("run", "--help")[1], option)
    code, out, _ = p.call("info")
    facts = dict(line.split(None, 1) for line in out.splitlines())
    wanted = "version compiler build cpu simd threads hdf5 jansson zlib websocket mpi cuda".split()
    p.check(code == 0 and set(wanted) <= set(facts) and facts["cuda"] == "not built", out)
    code, out, _ = p.call("check", folder / "scene.json")
    p.check(code == 0 and re.search(r"scene\.json: ok \(3 bodies, 20 particles, ", out), out)


def check_scenes(folder):
    own = folder / "own"
    own.mkdir()
    p.scene(own, 10, "my-scene.json", description="What a scene. It has more to say.")
    env = {"KAIROS_SCENES": str(own)}
    code, out, _ = p.call("scenes", env=env)
    p.check(code == 0 and re.search(r"^my-scene +What a scene\.$", out, re.M), out)
    code, out, err = p.call("run", "my-scene", "-q", cwd=folder, env=env)
    p.check(code == 0 and (folder / "out" / "my-scene" / "run.json").is_file(), err)
    code, out, err = p.call("run", "my-sceen", cwd=folder, env=env)
    p.check(code == 2 and "did you mean 'my-scene'?" in err, err)
    shipped = sorted(f.stem for f in (p.SOURCE / "scenes").glob("*.json"))
    code, out, _ = p.call("scenes")
    p.check(code == 0 and [line.split()[0] for line in out.splitlines()] == shipped, out, shipped)
    for name in shipped:
        p.check(p.call("check", name)[0] == 0, name)


def check_run(folder):
    scene, out_folder = folder / "scene.json", folder / "results" / "deep"
    code, out, err = p.call("run", scene, "-o", out_folder, "--json", "--threads", 2, "--end=0.05", "--set",
                            "/gravity=[0,0,-1]")
    p.check(code == 0, err)
    summary = json.loads(out)
    p.check(summary == json.loads((out_folder / "run.json").read_text()), "--json differs from run.json")
    p.check(not set(KEYS) - set(summary), "missing keys", set(KEYS) - set(summary))
    p.check(summary["steps"] == 50 and abs(summary["time"] - 0.05) < 1e-15 and summary["threads"] == 2, out)
    p.check(summary["result"] == "done" and summary["error"] is None and (summary["bodies"], summary["particles"]) == (23, 20), out)
    p.check(re.fullmatch("[0-9a-f]{16}", summary["state_hash"]), summary["state_hash"])
    p.check(set(summary["phase_seconds"]) == {"proximity", "formulation", "solve", "step", "record"}, out)
    p.check(set(summary["solver"]) == {"name", "iterations_mean", "residual_mean", "residual_max"}, out)
    p.check({"kinetic", "potential", "elastic", "dissipated", "drift"} <= set(summary["energy"]), out)

    # Time series: header, exact times, 17 digits.
    lines = (out_folder / "top.csv").read_text().splitlines()
    p.check(lines[0].startswith("time,top.position.x,top.position.y,top.position.z,top.velocity.x,"), lines[0])
    p.check([float(line.split(",")[0]) for line in lines[1:]] == [10 * k * 1e-3 for k in range(6)], lines)
    p.check(float(lines[1].split(",")[9]) != 0.0, "no acceleration at the start:", lines[1])
    lines = (out_folder / "hammer.csv").read_text().splitlines()
    p.check([round(float(line.split(",")[0]) / 1e-3) for line in lines[1:]] == [0, 13, 26, 39, 50], lines)  # and at the end
    lines = (out_folder / "system.csv").read_text().splitlines()
    p.check("system.energy.kinetic" in lines[0] and ",system.kinetic_energy," in lines[0], lines[0])

    # A snapshot is a particle table: a scene can start from it.
    table = out_folder / "grains-out-000000.csv"
    p.check(table.read_text().startswith("x,y,z,vx,vy,vz,qw,qx,qy,qz,wx,wy,wz\n"), table.read_text()[:80])
    (folder / "grains.csv").write_text(table.read_text())
    p.run(scene, "-o", folder / "again", "-q", "--end", 0.05, "--set", "/gravity=[0,0,-1]")
    p.same(p.results(out_folder), p.results(folder / "again"), "from a snapshot:")

    # An end that is no multiple of the step is told.
    p.run(scene, "-o", folder / "odd", "-q", "--end", 0.0104)
    summary = json.loads((folder / "odd" / "run.json").read_text())
    p.check(summary["steps"] == 10 and any("no multiple" in w for w in summary["warnings"]), summary["warnings"])


def check_divergence(folder):
    """A force that is not finite: status 1, results so far kept, the last good state on disk."""
    scene = p.scene(folder, 2000, "diverge.json", forces=[
        {"type": "force", "body": "hammer", "value": [
            {"product": [{"polynomial": [0, 0, 0, 0, 1e300]}, {"polynomial": [0, 0, 1e10]}]}, 0, 0]}])
    out = folder / "diverged"
    code, _, err = p.call("run", scene, "-o", out, "-q")
    p.check(code == 1 and err.startswith("kairos: ") and "hammer" in err and err.count("\n") == 1, code, err)
    summary = json.loads((out / "run.json").read_text())
    p.check(summary["result"] == "failed" and "hammer" in summary["error"] and 0 < summary["time"] < 2, summary)
    p.check(len((out / "top.csv").read_text().splitlines()) > 1, "no rows were kept")
    code, _, err = p.call("run", scene, "-o", out, "-q", "--resume")
    p.check(code == 1 and "hammer" in err, code, err)
    # A message says what is wrong, not which C function found it.
    scene = folder / "stiff.json"
    scene.write_text(json.dumps({
        "kairos": 1, "step": 0.01, "end": 10, "checks": {"enabled": False},
        "bodies": [{"name": n, "mass": 1, "inertia": [1, 1, 1], "position": [x, 0, 0]} for n, x in (("a", 0), ("b", 2))],
        "forces": [{"type": "spring", "name": "leaf", "bodies": ["a", "b"], "points": [[0, 0, 0], [2, 0, 0]],
                    "rest_length": 1.5, "stiffness": 1e9}]}))
    err = p.run(scene, "-o", folder / "stiff", "-q", status=1)
    p.check(err.splitlines()[-1].startswith("kairos: spring 'leaf' between body 'a' and") and "kai_" not in err, err)


def check_bench():
    code, out, err = p.call("bench", "free-bodies", "--bodies", 1000, "--steps", 5, "--threads", 2, "--json")
    p.check(code == 0, err)
    rows = json.loads(out)
    p.check(len(rows) == 4 and {r["threads"] for r in rows} == {1, 2}, out)
    p.check(rows[0]["state_hash"] == rows[1]["state_hash"] and rows[2]["state_hash"] == rows[3]["state_hash"], out)
    p.check([r["bytes_per_body_step"] for r in rows] == [256, 256, 260, 260], out)
    code, out, _ = p.call("bench", "--bodies", 1000, "--steps", 5, "--threads", 1, "--csv")
    p.check(code == 0 and out.startswith("benchmark,") and len(out.splitlines()) == 3, out)


def main():
    p.need_program()
    with p.Folder() as folder:
        check_usage(folder)
        check_bad_scene(folder)
        check_commands(folder)
        check_scenes(folder)
        check_run(folder)
        check_divergence(folder)
        check_bench()
    print("cli: ok")


main()
