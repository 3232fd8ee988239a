# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
# ctest-timeout: 300
"""Inputs that once ran programs, crashed, hung, took all memory or gave wrong results without a word.

Each case makes its files, calls kairos within limits of time and memory, and says what must come of it: refused with
a message, right, or warned about. `test_attacks.py D3 D7` runs only the cases of these defects (docs/threats.md).
"""

import csv
import gzip
import http.server
import json
import math
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time
import traceback

import process as p

SECONDS = 50 if p.SANITIZED else 10  # one call
MEMORY = 4 << 30  # bytes of address space; a sanitizer reserves more than any machine has
CASES = []


def case(defect):
    """Lists a function as a case of a defect."""
    def add(function):
        CASES.append((defect, function))
        return function
    return add


# Calls ---------------------------------------------------------------------------------------------

def limits(memory=MEMORY):
    """Called in the child."""
    if not p.SANITIZED:
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class Outcome:
    """What one call came to."""

    def __init__(self, arguments, status, out, err, seconds):
        self.arguments, self.status, self.out, self.err, self.seconds = arguments, status, out, err, seconds

    def __str__(self):
        words = " ".join(map(str, self.arguments))
        return f"kairos {words}: status {self.status} after {self.seconds:.1f} s; stderr:\n{self.err[-2000:]}"


def start(*arguments, **options):
    options.setdefault("stderr", subprocess.PIPE)
    options.setdefault("preexec_fn", limits)
    return subprocess.Popen([str(p.BIN), *map(str, arguments)], stdout=subprocess.PIPE, **options)


def finish(child, arguments, began, seconds=SECONDS):
    try:
        out, err = child.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        child.kill()
        out, err = child.communicate()
        o = Outcome(arguments, "none", "", (err or b"").decode(errors="replace"), time.monotonic() - began)
        raise SystemExit(f"hangs: {o}") from None
    o = Outcome(arguments, child.returncode, out.decode(errors="replace"), (err or b"").decode(errors="replace"),
                time.monotonic() - began)
    p.check(o.status >= 0, "killed by a signal:", o)
    p.check(not re.search(r"ERROR: \w+Sanitizer|runtime error:|^free\(\)|corrupted", o.err, re.M), "crashed:", o)
    return o


def kairos(*arguments, seconds=SECONDS, **options):
    """One call within the limits; it must end by itself."""
    began = time.monotonic()
    return finish(start(*arguments, **options), arguments, began, seconds)


def refused(o, pattern, status=2):
    """The call ended with a status and a line `kairos: …` (or `FILE:LINE:COLUMN: …`) that says why."""
    p.check(o.status == status, f"wanted status {status}:", o)
    p.check(re.search(pattern, o.err, re.S), f"wanted {pattern!r} in the message:", o)


def right(o):
    p.check(o.status == 0, "wanted status 0:", o)


def write(folder, content, name="scene.json"):
    path = folder / name
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


def rows(path):
    """Numbers of a table; each must be finite."""
    with open(path, newline="", encoding="utf-8") as file:
        lines = list(csv.reader(file))
    head, body = lines[0], lines[1:]
    for number, line in enumerate(body, 2):
        p.check(len(line) == len(head), f"{path.name}:{number} has {len(line)} columns, not {len(head)}: {line}")
        for word in line:
            try:
                value = float(word)
            except ValueError:
                raise SystemExit(f"{path.name}:{number}: {word!r} is no number") from None
            p.check(math.isfinite(value), f"{path.name}:{number}: {word}")
    return head, [[float(w) for w in line] for line in body]


def no_constant(word):
    raise ValueError(f"{word} is no JSON")


def summary(folder):
    return json.loads((folder / "run.json").read_text(), parse_constant=no_constant)


def breaches(folder, kinds, names):
    """run.json counts a breach of one of the kinds, with where it was, and a warning names what is to blame."""
    found = summary(folder)
    counted = {k: b for k, b in found.get("breaches", {}).items() if k in kinds}
    p.check(counted, f"no breach of {kinds} in run.json; warnings: {found.get('warnings')}")
    for kind, b in counted.items():
        p.check(b["count"] >= 1 and b["worst"] > b["limit"], kind, b)
        p.check(0.0 <= b["first_time"] <= found["time"], kind, b)
    text = "\n".join(found["warnings"]) + "\n" + "\n".join(b["where"] for b in counted.values())
    for name in names:
        p.check(f"'{name}'" in text, f"'{name}' is not named in:\n{text}")


def body(name, **more):
    return {"name": name, "mass": 1, "inertia": [1, 1, 1], **more}


def ground(**more):
    return {"name": "g", "fixed": True, **more}


def scene(**more):
    return {"kairos": 1, "step": 1e-3, "end": 0.1, **more}


SYSTEM = [{"system": True, "quantities": ["energy", "max_violation"], "file": "system.csv"}]
SOLIDS = {"s": {"type": "elastic", "density": 1000, "young": 1e6}}


def long_run(folder, **more):
    """A run that has hours to go and takes many steps a second; returns when it has written its first files."""
    path = write(folder, scene(name="long", end=1e6, bodies=[body("a")], outputs=SYSTEM, **more), "long.json")
    child = start("run", path, "-q", "-o", folder / "out")
    until = time.monotonic() + SECONDS
    while not ((folder / "out" / "system.csv").exists() and (folder / "out" / "trajectory.h5").exists()):
        p.check(time.monotonic() < until and child.poll() is None, "the long run did not start")
        time.sleep(0.02)
    time.sleep(0.3)
    return path, child


# D1: a scene runs programs -------------------------------------------------------------------------

def shape_scene(folder, name):
    return write(folder, scene(end=0.001, solids=SOLIDS, structures=[
        {"type": "file", "file": name, "element": {"type": "tet4", "solid": "s"}, "size": 0.5}]))


def nothing_ran(folder):
    p.check(not list(folder.rglob("PWNED*")), "a program was run:", list(folder.rglob("PWNED*")))


@case("D1")
def script_with_the_name_of_a_shape(folder):
    """Gmsh takes what it does not know for a script, and a script can run programs."""
    script = f'SystemCall "touch {folder}/PWNED";\nSetFactory("OpenCASCADE");\nBox(1) = {{0,0,0,1,1,1}};\n'
    for name in ("a.Step", "a.step", "a.STEP", "a.stP", "a.stp", "a.BREP", "a.Brep", "a.brep", "a.Iges", "a.iges",
                 "a.iGs", "a.msh", "a.MSH", "a.inp", "a.geo", "a.step.geo", "a.geo.step"):
        for text in (script, "ISO-10303-21;\n" + script, "DBRep_DrawableShape\n" + script,
                     "$MeshFormat\n3 0 8\n$EndMeshFormat\n" + script):
            (folder / name).write_text(text)
            o = kairos("check", shape_scene(folder, name), cwd=folder)
            nothing_ran(folder)
            refused(o, re.escape(name))
        (folder / name).unlink()


@case("D1")
def options_beside_a_shape(folder):
    """Gmsh reads FILE.opt beside every file that it opens, and .gmshrc from the home folder."""
    evil = f'SystemCall "touch {folder}/PWNED";\n'
    shutil.copy(p.SOURCE / "tests" / "scene" / "meshes" / "block.step", folder / "box.step")
    (folder / "cube.msh").write_text("$MeshFormat\n3 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n"
                                     "4 0 0 1\n$EndNodes\n$Elements\n1\n1 4 2 0 1 1 2 3 4\n$EndElements\n")
    for name in ("box.step", "cube.msh"):
        (folder / f"{name}.opt").write_text(evil)
        for hidden in (".gmshrc", ".gmsh-options"):
            (folder / hidden).write_text(evil)
        path = shape_scene(folder, name)
        o = kairos("check", path, cwd=folder)
        nothing_ran(folder)
        p.check(o.status in (0, 2), o)
        kairos("run", path, "-q", "-o", folder / f"out-{name}", cwd=folder)
        nothing_ran(folder)


# D2, D13: memory -----------------------------------------------------------------------------------

@case("D2")
def structure_with_file_and_points(folder):
    for points, cells, scale in (([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 1, 2, 3]], -1),
                                 ([], [], 1), ([[0, 0, 0]], [[0, 0, 0, 0]], 0)):
        path = write(folder, scene(solids=SOLIDS, structures=[
            {"type": "file", "file": "x.msh", "points": points, "cells": cells, "scale": scale,
             "element": {"type": "tet4", "solid": "s"}}]))
        refused(kairos("check", path), r"scene\.json:\d+:\d+: \S")


@case("D13")
def field_of_contacts_without_contacts(folder):
    path = write(folder, scene(contact="none", trajectory={"fields": ["contact_load"]},
                               bodies=[{"name": "b", "mass": 1, "shapes": [{"type": "sphere", "radius": 0.1}]}]))
    right(kairos("run", path, "-q", "-o", folder / "out"))


# D3, D4, D10: processes ----------------------------------------------------------------------------

@case("D3")
def two_runs_in_one_folder(folder):
    _, child = long_run(folder)
    try:
        other = write(folder, scene(name="other", bodies=[body("b")]), "other.json")
        refused(kairos("run", other, "-q", "-o", folder / "out"), rf"\b{child.pid}\b")
        refused(kairos("run", other, "-q", "--resume", "-o", folder / "out"), rf"\b{child.pid}\b")
        p.check(child.poll() is None, "the first run ended")
        child.terminate()
        child.communicate(timeout=SECONDS)
    finally:
        child.kill()
        child.wait()
    p.check(summary(folder / "out")["scene"] == "long", "run.json is of the other scene")
    rows(folder / "out" / "system.csv")
    # Where the first has gone, killed even, nothing stands in the way.
    right(kairos("run", other, "-q", "-o", folder / "out"))
    p.check(summary(folder / "out")["scene"] == "other", "the later run left the earlier run.json")


@case("D4")
def closed_descriptors(folder):
    """What is meant for the terminal never gets into a file of results."""
    path = write(folder, scene(
        bodies=[ground(), body("a", position=[1, 0, 0])], outputs=SYSTEM,
        joints=[{"type": "revolute", "name": f"j{i}", "bodies": ["g", "a"], "at": [0, 0, 0], "axis": [0, 1, 0]}
                for i in range(2)]))  # the second one is redundant, which is warned about
    for closed in ((2,), (1,), (0,), (0, 1, 2), (1, 2), (0, 2)):
        out = folder / f"out-{''.join(map(str, closed))}"

        def close():
            limits()
            for descriptor in closed:
                os.close(descriptor)
        json_too = [] if 1 in closed else ["--json"]  # asked for where it cannot be printed, it is an error
        right(kairos("run", path, *json_too, "-o", out, stdin=subprocess.DEVNULL, preexec_fn=close))
        rows(out / "system.csv")
        p.check(summary(out)["steps"] == 100, "steps")
        right(kairos("export", out, "--to", "csv"))  # the trajectory is whole
        for file in out.glob("*.csv"):
            rows(file)


@case("D10")
def signals_save(folder):
    """No signal that may reach a run by accident loses it. SIGPIPE does not even stop it: only a reader has gone."""
    for number in (signal.SIGHUP, signal.SIGPIPE, signal.SIGXCPU, signal.SIGTERM, signal.SIGINT):
        with p.Folder() as own:
            path, child = long_run(own)
            began = time.monotonic()
            child.send_signal(number)
            if number == signal.SIGPIPE:
                time.sleep(0.5)
                p.check(child.poll() in (None, 3), "SIGPIPE ended the run:", child.poll())
                if child.poll() is None:
                    child.terminate()
            o = finish(child, ["run", f"({number.name})"], began)
            p.check(o.status == 3, f"{number.name}: wanted status 3:", o)
            p.check((own / "out" / "checkpoint.h5").exists(), f"{number.name}: no checkpoint")
            stopped = summary(own / "out")
            p.check(stopped["result"] == "stopped", number.name, stopped["result"])
            right(kairos("run", path, "-q", "--resume", "--end", stopped["time"] + 0.1, "-o", own / "out"))
            p.check(summary(own / "out")["steps"] >= stopped["steps"] + 99, number.name, "did not go on")


@case("D10")
def nohup(folder):
    """A signal that was ignored at the start stays so."""
    def ignore():
        limits()
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
    path = write(folder, scene(end=1e6, bodies=[body("a")], outputs=SYSTEM))
    child = start("run", path, "-q", "-o", folder / "out", preexec_fn=ignore)
    try:
        until = time.monotonic() + SECONDS
        while not (folder / "out" / "system.csv").exists():
            p.check(time.monotonic() < until and child.poll() is None, "the run did not start")
            time.sleep(0.02)
        child.send_signal(signal.SIGHUP)
        time.sleep(0.5)
        p.check(child.poll() is None, "a run under nohup ended by SIGHUP")
    finally:
        child.kill()
        child.communicate()


# D6: damaged files ---------------------------------------------------------------------------------

@case("D6")
def flipped_bits_of_a_trajectory(folder):
    """Readers of HDF5 files that are being written retry; for a damaged file that must end."""
    path = write(folder, scene(end=0.02, solids=SOLIDS, bodies=[body("a")], outputs=SYSTEM, structures=[
        {"type": "sheet", "name": "s", "size": [1, 1], "cells": [2, 2], "position": [0, 0, 1],
         "element": {"type": "ancf-shell", "solid": "s", "thickness": 0.01}}]))
    right(kairos("run", path, "-q", "-o", folder / "whole"))
    for name in ("trajectory.h5", "meshes.h5"):
        original = (folder / "whole" / name).read_bytes()
        damaged = 0
        for at, bit in [(30, k) for k in range(8)] + [(k, k % 8) for k in range(0, 48, 3)] + [(-1, 0)]:
            out = folder / "out"
            shutil.rmtree(out, ignore_errors=True)
            shutil.copytree(folder / "whole", out)
            data = bytearray(original)
            data[at] ^= 1 << bit
            (out / name).write_bytes(data)
            for arguments in (("export", out, "--to", "csv", "-o", folder / "csv"),
                              ("export", out, "--to", "vtk", "-o", folder / "vtk"),
                              ("run", path, "-q", "--resume", "--end", "0.03", "-o", out)):
                o = kairos(*arguments)
                p.check(o.status in (0, 1, 2), f"bit {bit} of byte {at} of {name}:", o)
                if o.status:
                    damaged += 1
                    p.check(name in o.err, f"bit {bit} of byte {at} of {name}: not named:", o)
        p.check(damaged > 0, f"no flipped bit of {name} was noticed")


# D7: wrong physics is said -------------------------------------------------------------------------

BOX = [{"type": "box", "size": [1, 1, 1]}]
HEAVY = scene(end=1, contact="nsc", bodies=[
    {"name": "floor", "fixed": True, "shapes": [{"type": "plane"}]},
    {"name": "light", "mass": 1, "position": [0, 0, 0.5], "shapes": BOX},
    {"name": "heavy", "mass": 1e6, "position": [0, 0, 1.5], "shapes": BOX}],
    outputs=[{"body": "heavy", "quantities": ["position"], "file": "heavy.csv"}])
PENDULUM = scene(step=10, end=100, bodies=[ground(), body("a", position=[1, 0, 0])], outputs=SYSTEM, joints=[
    {"type": "revolute", "name": "hinge", "bodies": ["g", "a"], "at": [0, 0, 0], "axis": [0, 1, 0]}])
LOOP = scene(bodies=[ground(), body("a", position=[1, 0, 0]), body("b", position=[2, 0, 0])], outputs=SYSTEM, joints=[
    {"type": "distance", "name": "rod1", "bodies": ["g", "a"], "points": [[0, 0, 0], [1, 0, 0]], "length": 1},
    {"type": "distance", "name": "rod2", "bodies": ["a", "b"], "points": [[1, 0, 0], [2, 0, 0]], "length": 1},
    {"type": "distance", "name": "rod3", "bodies": ["b", "g"], "points": [[2, 0, 0], [0, 0, 0]], "length": 5}])


def warned(folder, content, kinds, names):
    """Warned about; and failed where the scene is strict."""
    path = write(folder, content)
    o = kairos("run", path, "-q", "-o", folder / "out")
    p.check(o.status in (0, 1), o)
    p.check("kairos: warning: " in o.err or o.status == 1, "no word on stderr:", o)
    breaches(folder / "out", kinds, names)
    strict = write(folder, {**content, "checks": {"strict": True}}, "strict.json")
    o = kairos("run", strict, "-q", "-o", folder / "strict")
    refused(o, "kairos: .*(" + "|".join(f"'{n}'" for n in names) + ")", status=1)
    p.check(summary(folder / "strict")["time"] < content["end"], "a strict run went on to its end")


@case("D7")
def heavy_box_on_a_light_one(folder):
    path = write(folder, HEAVY)
    right(kairos("run", path, "-q", "-o", folder / "out"))
    if abs(rows(folder / "out" / "heavy.csv")[1][-1][3] - 1.5) > 0.01:  # time, x, y, z: it sank
        warned(folder, HEAVY, ("residual", "overlap"), ("light", "heavy"))
    right(kairos("run", write(folder, {**HEAVY, "solver": "admm"}), "-q", "-o", folder / "admm"))
    z = rows(folder / "admm" / "heavy.csv")[1][-1][3]
    p.check(abs(z - 1.5) < 0.01, f"admm: the heavy box is at {z} m")


@case("D7")
def pendulum_with_a_step_of_ten_seconds(folder):
    warned(folder, PENDULUM, ("violation",), ("hinge",))


@case("D7")
def loop_that_cannot_close(folder):
    path = write(folder, LOOP)
    o = kairos("run", path, "-q", "-o", folder / "out")
    p.check(o.status in (0, 1), o)
    breaches(folder / "out", ("violation", "energy", "residual"), ())
    text = json.dumps(summary(folder / "out")["breaches"])
    p.check(re.search(r"'rod[123]'", text), "no joint is named:", text)


@case("D7")
def infinite_energy(folder):
    path = write(folder, scene(bodies=[body("a", position=[1, 0, 0])], outputs=SYSTEM, forces=[
        {"type": "force", "name": "push", "body": "a", "value": [1e300, 0, 0]}]))
    refused(kairos("run", path, "-q", "-o", folder / "out"), r"kairos: .*(energy|'push'|'a')", status=1)
    rows(folder / "out" / "system.csv")
    summary(folder / "out")


# D8: what is to blame ------------------------------------------------------------------------------

@case("D8")
def not_finite_and_why(folder):
    ball = [{"name": "floor", "fixed": True, "shapes": [{"type": "plane"}]},
            {"name": "ball", "mass": 1, "position": [0, 0, 1], "shapes": [{"type": "sphere", "radius": 0.1}]}]
    spring = {"type": "spring", "name": "coil", "bodies": ["g", "a"], "points": [[0, 0, 0], [1, 0, 0]],
              "rest_length": 0.5, "stiffness": 1e30}
    scenes = {
        "nsc": (scene(contact="nsc", gravity=[0, 0, -1e300], bodies=ball), ("'ball'", "'floor'|gravity")),
        "smc": (scene(contact="smc", gravity=[0, 0, -1e300], bodies=ball), ("'ball'", "'floor'|gravity")),
        "spring": (scene(bodies=[ground(), body("a", position=[1, 0, 0])], forces=[spring]), ("'coil'",)),
        "spin": (scene(integrator="hht", bodies=[{**body("a"), "inertia": [1, 2, 2.9],
                                                  "angular_velocity": [1e8, 2e8, 3e8]}]),
                 ("'a'", "angular|rotation|spin"))}
    for name, (content, words) in scenes.items():
        o = kairos("run", write(folder, content), "-q", "-o", folder / name)
        p.check(o.status == 1, name, o)
        last = o.err.strip().splitlines()[-1]
        for word in words:
            p.check(re.search(word, last), f"{name}: {word} is not named:", last)
        finite = r"\[[-+.\de, ]+\]"
        p.check(not re.search(rf"position {finite} m, velocity {finite} m/s at t = \S+ s is not finite", last),
                f"{name}: finite numbers are called not finite:", last)
        p.check(re.search(r"t = \S+ s|time \S+ s", last), f"{name}: no time:", last)


# D9, D11, D12: tiny inputs, huge cost --------------------------------------------------------------

DAE = """<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset>
<up_axis>Z_UP</up_axis></asset><library_geometries><geometry id="g"><mesh><source id="p">
<float_array id="pa" count="12">0 0 0 1 0 0 0 1 0 0 0 1</float_array><technique_common>
<accessor source="#pa" count="4" stride="3"><param name="X" type="float"/><param name="Y" type="float"/>
<param name="Z" type="float"/></accessor></technique_common></source><vertices id="vv">
<input semantic="POSITION" source="#p"/></vertices><triangles count="4"><input semantic="VERTEX" source="#vv" offset="0"/>
<p>0 2 1 0 1 3 0 3 2 1 2 nan</p></triangles></mesh></geometry></library_geometries><library_visual_scenes>
<visual_scene id="s"><node id="n"><instance_geometry url="#g"/></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>"""


@case("D9")
def mesh_with_a_bad_index(folder):
    (folder / "m.dae").write_text(DAE)
    path = write(folder, scene(contact="nsc", bodies=[ground(shapes=[{"type": "mesh", "file": "m.dae"}])]))
    refused(kairos("check", path), r"m\.dae")


@case("D9")
def structures_of_many_cells(folder):
    shell = {"type": "ancf-shell", "solid": "s", "thickness": 0.01}
    cable = {"type": "ancf-cable", "solid": "s", "radius": 0.01}
    solid = {"type": "tet4", "solid": "s"}
    n = 100_000
    for s in ({"type": "sheet", "size": [1, 1], "cells": [n, n], "element": shell},
              {"type": "torus", "radius": 1, "tube_radius": 0.1, "cells": [n, n], "element": shell},
              {"type": "net", "size": [1, 1], "cells": [n, n], "element": cable},
              {"type": "box", "size": [1, 1, 1], "cells": [n, n, n], "element": solid},
              {"type": "cylinder", "radius": 1, "length": 1, "cells": [n, n, n], "element": solid},
              {"type": "cable", "from": [0, 0, 0], "to": [1, 0, 0], "cells": 2**31 - 1, "element": cable}):
        o = kairos("check", write(folder, scene(solids=SOLIDS, structures=[s])))
        refused(o, r"scene\.json|kairos: ")
        p.check(o.seconds < SECONDS / 2, s["type"], o)


@case("D9")
def contact_sets_over_and_over(folder):
    """A thousand times the same skin: each pair of them is a pair of surfaces."""
    skin = {"set": "all", "surface": "triangles", "radius": 0.012, "self": True}
    path = write(folder, scene(contact="smc", solids=SOLIDS, structures=[
        {"type": "sheet", "name": "cloth", "size": [1, 1], "cells": [16, 16], "contacts": [skin] * 1001,
         "element": {"type": "ancf-shell", "solid": "s", "thickness": 0.004}}]))
    o = kairos("check", path)
    if o.status == 0:
        o = kairos("run", path, "-q", "--end", "0.003", "-o", folder / "out")
    p.check(o.status in (1, 2), "wanted it refused:", o)
    p.check(re.search(r"memory|pairs|contacts|sets", o.err), "wanted a word about what is too many:", o)
    p.check(o.seconds < SECONDS / 2, "takes", o.seconds, "s")


@case("D9")
def table_that_unpacks_without_end(folder):
    if p.SANITIZED:
        return "no limit of memory under a sanitizer"
    member = gzip.compress(b"0,0,0\n" * 1_000_000, mtime=0)  # 9 kB for a million rows
    with open(folder / "t.csv.gz", "wb") as file:
        file.write(gzip.compress(b"x,y,z\n", mtime=0))
        for _ in range(600):
            file.write(member)
    path = write(folder, scene(particles=[
        {"name": "t", "file": "t.csv.gz", "density": 1000, "shape": {"type": "sphere", "radius": 0.01}}]))
    refused(kairos("check", path, preexec_fn=lambda: limits(1 << 30)), r"t\.csv\.gz|kairos: ")
    return None


@case("D11")
def errors_without_end(folder):
    many = {"empty": "{}", "same": '{"name":"a","mass":1,"inertia":[1,1,1]}', "unknown": '{"masss":1}',
            "wrong": '{"name":1,"mass":"x"}'}
    for what, item in many.items():
        count = 250_000 if what == "empty" else 60_000
        path = write(folder, '{"kairos":1,"step":1,"end":1,"bodies":[' + ",".join([item] * count) + "]}")
        o = kairos("check", path)
        refused(o, r"scene\.json:1:")
        p.check(o.seconds < SECONDS / 2, what, "takes", o.seconds, "s")
        p.check(len(o.err) < 100_000, what, "prints", len(o.err), "bytes")


@case("D12")
def node_without_mass(folder):
    sheet = {"type": "sheet", "name": "cloth", "size": [1, 1], "cells": [4, 4],
             "element": {"type": "ancf-shell", "solid": "s", "thickness": 0.004}}
    path = write(folder, scene(solids=SOLIDS, structures=[sheet], nodes=[{"name": "lone"}]))
    refused(kairos("check", path), r"'lone'")
    refused(kairos("run", path, "-q", "-o", folder / "out"), r"'lone'")


# D15: what lies in a folder ------------------------------------------------------------------------

L_SHAPE = """v 0 0 0\nv 2 0 0\nv 2 1 0\nv 1 1 0\nv 1 2 0\nv 0 2 0\nv 0 0 1\nv 2 0 1\nv 2 1 1\nv 1 1 1\nv 1 2 1\nv 0 2 1
f 4 3 2\nf 4 2 1\nf 4 1 6\nf 4 6 5\nf 10 8 9\nf 10 7 8\nf 10 12 7\nf 10 11 12
f 1 2 8\nf 1 8 7\nf 2 3 9\nf 2 9 8\nf 3 4 10\nf 3 10 9\nf 4 5 11\nf 4 11 10\nf 5 6 12\nf 5 12 11\nf 6 1 7\nf 6 7 12\n"""


@case("D15")
def decomposition_is_not_believed(folder):
    (folder / "l.obj").write_text(L_SHAPE)
    path = write(folder, scene(end=0.8, contact="nsc", bodies=[
        ground(shapes=[{"type": "mesh", "file": "l.obj", "decompose": True}]),
        {"name": "b", "mass": 1, "position": [0.5, 0.5, 1.5], "shapes": [{"type": "sphere", "radius": 0.1}]}],
        outputs=[{"body": "b", "quantities": ["position"], "file": "b.csv"}]))
    right(kairos("run", path, "-q", "-o", folder / "out"))
    wanted = (folder / "out" / "b.csv").read_bytes()
    z = rows(folder / "out" / "b.csv")[1][-1][3]
    p.check(abs(z - 1.1) < 0.02, f"the ball rests at {z} m, not 1.1")
    kept = list(folder.rglob("*.kairos-decomposition*"))
    for file in kept:
        lines = file.read_text().splitlines()
        moved = []
        for line in lines:
            words = line.split()
            corner = len(words) == 4 and all(re.fullmatch(r"-?[\d.]+(e[-+]?\d+)?", w) for w in words)
            moved.append(f"{words[0]} {words[1]} {words[2]} {float(words[3]) - 1.0:.17g}" if corner else line)
        for text in ("\n".join(moved) + "\n", "\n".join(lines[:-3]) + "\n", "", file.read_text() + "0 9 9 9\n"):
            file.write_text(text)
            right(kairos("run", path, "-q", "-o", folder / "out"))
            p.check((folder / "out" / "b.csv").read_bytes() == wanted, f"an altered {file.name} was believed")


@case("D15")
def tables_of_an_earlier_scene(folder):
    first = write(folder, scene(bodies=[body("a")], outputs=[
        {"body": "a", "quantities": ["position"], "file": "first.csv"}]), "first.json")
    second = write(folder, scene(bodies=[body("a")], outputs=SYSTEM), "second.json")
    right(kairos("run", first, "-q", "-o", folder / "out"))
    (folder / "out" / "notes.csv").write_text("mine\n")
    right(kairos("run", second, "-q", "-o", folder / "out"))
    p.check(not (folder / "out" / "first.csv").exists(), "first.csv of an earlier scene is still there")
    p.check((folder / "out" / "notes.csv").exists(), "a file that no run wrote is gone")


@case("D15")
def own_checkpoint_can_be_read(folder):
    path = write(folder, scene(step=0.002, end=0.02, contact="nsc", solids=SOLIDS, bodies=[
        {"name": "ball", "density": 300, "position": [0, 0, 0.9], "shapes": [{"type": "sphere", "radius": 0.16}]}],
        structures=[{"name": "net", "type": "net", "size": [1.2, 1.2], "cells": [4, 4], "position": [0, 0, 0.5],
                     "element": {"type": "ancf-cable", "solid": "s", "radius": 0.004},
                     "contacts": [{"set": "all", "surface": "capsules", "radius": 1e150}]}]))
    o = kairos("run", path, "-q", "-o", folder / "out")
    if o.status == 0:
        right(kairos("run", path, "-q", "--resume", "--end", "0.03", "-o", folder / "out"))
    else:
        refused(o, r"kairos: |scene\.json", status=o.status)


@case("D15")
def pictures_of_a_foreign_page(folder):
    """The browser that takes pictures shows a page that kairos makes, never the one that lies in the folder."""
    if not (shutil.which("chromium") or os.environ.get("KAIROS_CHROMIUM")):
        return "no chromium"
    asked = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            self.send_error(404)

        def log_message(self, *_):
            pass
    server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        ball = {"name": "b", "mass": 1, "shapes": [{"type": "sphere", "radius": 1}]}
        path = write(folder, scene(end=0.01, bodies=[ball]))
        right(kairos("run", path, "-q", "-o", folder / "out"))
        page = folder / "out" / "index.html"
        page.write_text(f"<script>fetch('http://127.0.0.1:{server.server_port}/script')</script>"
                        f"<img src='http://127.0.0.1:{server.server_port}/image'>" + page.read_text())
        o = kairos("export", folder / "out", "--to", "png", "--frame", "0", "--size", "320x200", seconds=60,
                   preexec_fn=None)
        p.check(o.status in (0, 1, 2), o)
        p.check(not asked, "the folder's own page was shown; it asked for", asked)
    finally:
        server.shutdown()
    return None


# D16: links in a folder of results -----------------------------------------------------------------

@case("D16")
def links_out_of_a_folder(folder):
    """A folder from elsewhere may hold links where kairos is going to write; what they lead to stays as it is."""
    path = write(folder, scene(end=0.01, outputs=SYSTEM,
                               bodies=[{"name": "b", "mass": 1, "shapes": [{"type": "sphere", "radius": 1}]}]))
    right(kairos("run", path, "-q", "-o", folder / "whole"))
    names = sorted(f.name for f in (folder / "whole").iterdir())
    victim = folder / "precious"
    for name in names + [f"{n}.tmp" for n in names] + ["frames.csv", "points.pvd", "shapes.pvd"]:
        for arguments in (("run", path, "-q", "-o", "OUT"), ("run", path, "-q", "--resume", "--end", "0.02", "-o", "OUT"),
                          ("export", "OUT", "--to", "csv", "-o", "OUT"), ("export", "OUT", "--to", "vtk", "-o", "OUT")):
            out = folder / "out"
            shutil.rmtree(out, ignore_errors=True)
            shutil.copytree(folder / "whole", out)
            needed = arguments[0] == "export" or "--resume" in arguments
            content = (out / name).read_bytes() if needed and (out / name).exists() else b"precious\n"
            victim.write_bytes(content)
            (out / name).unlink(missing_ok=True)
            (out / name).symlink_to("../precious")
            o = kairos(*[out if a == "OUT" else a for a in arguments])
            p.check(o.status in (0, 1, 2), o)
            p.check(victim.read_bytes() == content, f"written through the link {name}:", o)


@case("D17")
def pipes_in_a_folder(folder):
    """A pipe with the name of a result never holds a command up."""
    path = write(folder, scene(end=0.01, outputs=SYSTEM, bodies=[body("b")]))
    right(kairos("run", path, "-q", "-o", folder / "whole"))
    names = sorted(f.name for f in (folder / "whole").iterdir())
    for name in names + [f"{n}.tmp" for n in names]:
        for arguments in (("run", path, "-q", "-o", "OUT"), ("run", path, "-q", "--resume", "--end", "0.02", "-o", "OUT"),
                          ("export", "OUT", "--to", "csv")):
            out = folder / "out"
            shutil.rmtree(out, ignore_errors=True)
            shutil.copytree(folder / "whole", out)
            (out / name).unlink(missing_ok=True)
            os.mkfifo(out / name)
            o = kairos(*[out if a == "OUT" else a for a in arguments])
            p.check(o.status in (0, 1, 2), o)


# All -----------------------------------------------------------------------------------------------

def main():
    p.need_program()
    wanted = sys.argv[1:]
    failed = []
    for defect, function in CASES:
        if wanted and defect not in wanted and function.__name__ not in wanted:
            continue
        began = time.monotonic()
        note = why = None
        with p.Folder() as folder:
            try:
                note = function(folder)
            except SystemExit as stop:
                why = stop.code
            except Exception:  # a file that is not there, a key that is missing: the case fails, the others go on
                why = traceback.format_exc()
        seconds = time.monotonic() - began
        print(f"{'FAILED' if why else 'ok':7} {defect:4} {function.__name__} ({seconds:.1f} s){f': {note}' if note else ''}"
              , flush=True)
        if why:
            print("        " + str(why).strip().replace("\n", "\n        "), flush=True)
            failed.append(function.__name__)
    if failed:
        raise SystemExit(f"attacks: {len(failed)} of {len(CASES)} failed: {', '.join(failed)}")
    print(f"attacks: ok ({len(CASES)} cases)")


main()
