# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
"""Small inputs that ask for much: refused with a reason, within seconds and within the limit of memory; and errors in
linear time."""

import gzip
import json
import resource
import struct
import subprocess
import zlib

import process as p

SECONDS = 100 if p.SANITIZED else 10  # for one call
SPACE = 4 << 30  # bytes of address space of a call

TOP = {"kairos": 1, "step": 1e-3, "end": 0.01}
SOLIDS = {"s": {"type": "elastic", "density": 1000, "young": 1e6}}
SHELL = {"type": "ancf-shell", "solid": "s", "thickness": 0.01}
CABLE = {"type": "ancf-cable", "solid": "s", "radius": 0.005}


def confine():
    resource.setrlimit(resource.RLIMIT_AS, (SPACE, SPACE))


def check(folder, content, *options, command="check"):
    """Status and messages of kairos on a scene, confined; and the seconds of processor time that it took."""
    path = folder / "scene.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    # Sanitizers need their own address space; there the limit of memory is given instead.
    options = (*options, "--memory", "3G") if p.SANITIZED and "--memory" not in options else options
    done = subprocess.run([str(p.BIN), command, str(path), *options], cwd=folder, capture_output=True, text=True,
                          timeout=SECONDS, preexec_fn=None if p.SANITIZED else confine)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done.returncode, done.stderr, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def refused(folder, what, content, *wanted, options=(), command="check"):
    status, err, _ = check(folder, content, *options, command=command)
    p.check(status == 2, f"{what}: status {status}: {err[:500]}")
    for text in wanted:
        p.check(text in err, f"{what}: no '{text}' in: {err[:500]}")
    p.check("out of memory" not in err, f"{what}: {err[:500]}")


# Sizes ----------------------------------------------------------------------------------------------------------------


def structure(**keys):
    return {**TOP, "solids": SOLIDS, "structures": [{"name": "big", **keys}]}


def structures(folder):
    limit = ("limit of memory is", "--memory", "/structures/0")
    refused(folder, "sheet", structure(type="sheet", size=[1, 1], cells=[100000, 100000], element=SHELL),
            "100000 × 100000 cells of ancf-shell need about", "'big'", *limit)
    refused(folder, "torus", structure(type="torus", radius=1, tube_radius=0.2, cells=[100000, 100000], element=SHELL),
            "100000 × 100000 cells", *limit)
    refused(folder, "cylinder", structure(type="cylinder", radius=1, length=1, cells=[100000, 100000], element=SHELL),
            *limit)
    refused(folder, "box", structure(type="box", size=[1, 1, 1], cells=[1000, 1000, 1000],
                                     element={"type": "hex8", "solid": "s"}), "1000 × 1000 × 1000 blocks", *limit)
    refused(folder, "net", structure(type="net", size=[1, 1], cells=[1000, 1000], segments=1000, element=CABLE),
            "1000 × 1000 meshes with 1000 segments a side", *limit)
    refused(folder, "cable", structure(type="cable", points=[[0, 0, 0], [1, 0, 0]], cells=10000000, element=CABLE),
            "10000000 cells", *limit)
    refused(folder, "limit given", structure(type="sheet", size=[1, 1], cells=[200, 200], element=SHELL),
            "the limit of memory is 64 MiB", options=("--memory", "64M"))
    # Long lines are walked along once.
    points = [[0.1 * i, 0.01 * (i % 2), 0] for i in range(20000)]
    status, err, _ = check(folder, structure(type="cable", points=points, cells=20000, element=CABLE))
    p.check(status == 0, err)


def equal_contacts(folder):
    one = {"set": "all", "surface": "triangles", "radius": 0.01, "self": True}
    refused(folder, "equal contacts",
            structure(type="sheet", size=[1, 1], cells=[16, 16], element=SHELL, contacts=[one] * 1001),
            "/structures/0/contacts/1", "touches things already", "… and 900 more")
    ball = {"set": "all", "radius": 0.01}
    beam = {"type": "euler-beam", "solid": "s", "radius": 0.01}
    refused(folder, "equal balls", structure(type="cable", points=[[0, 0, 0], [1, 0, 0]], cells=4, element=beam,
                                             contacts=[ball, ball]), "touches things already")


def files(folder):
    rows = b"0,0,0\n" * 500000
    with gzip.open(folder / "many.csv.gz", "wb", 1) as f:
        f.write(b"x,y,z\n")
        for _ in range(40):
            f.write(rows)
    shape = {"type": "sphere", "radius": 0.1}
    refused(folder, "table", {**TOP, "particles": [{"file": "many.csv.gz", "shape": shape, "density": 1}]},
            "many.csv.gz:", "table has more than", "limit of memory is")

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", 20000, 20000, 8, 0, 0, 0, 0)
    (folder / "high.png").write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IEND", b""))
    field = {"type": "heightfield", "file": "high.png", "spacing": 1}
    refused(folder, "heights", {**TOP, "bodies": [{"fixed": True, "shapes": [field]}]}, "400000000 heights need about",
            "limit of memory is")


def documents(folder):
    refused(folder, "values", '{"kairos":1,"bodies":[' + "1," * 2000000 + "1]}", "values need about",
            "the limit of memory is 64 MiB", options=("--memory", "64M"))
    status, err, _ = check(folder, '{"kairos":1,"name":' + "[" * 200000 + "]" * 200000 + "}")
    p.check(status == 2, err)
    # Each file includes the next one three times.
    for i in range(10):
        (folder / f"part{i}.json").write_text(json.dumps({"include": [f"part{i + 1}.json"] * 3}))
    (folder / "part10.json").write_text("{}")
    refused(folder, "includes", {**TOP, "include": "part0.json"}, "more than 1000 files are included")


def options(folder):
    scene = {**TOP, "bodies": []}
    for text in ("0", "-1", "4X", "1e99", "", "lots", "4GB"):
        status, err, _ = check(folder, scene, "--memory", text)
        p.check(status == 2 and "--memory is" in err, text, err)
    for text in ("100M", "1.5g", "200000000"):
        status, err, _ = check(folder, scene, "--memory", text)
        p.check(status == 0, text, err)
    # A scene that outgrows the limit names it.
    status, err, _ = check(folder, {**TOP, "bodies": bodies(20000)}, "--memory", "10M")
    p.check(status == 2 and "limit of memory is 10 MiB" in err, err)


def lone_node(folder):
    scene = {**structure(type="sheet", size=[1, 1], cells=[20, 20], element=SHELL), "nodes": [{"name": "lone"}]}
    for command in ("check", "run"):
        refused(folder, "lone node", scene, "/nodes/0: node 'lone' has no mass: no element holds it",
                command=command)
    for keys in ({"mass": 1}, {"fixed": 7}):
        status, err, _ = check(folder, {**scene, "nodes": [{"name": "lone", **keys}]})
        p.check(status == 0, err)


# Time -----------------------------------------------------------------------------------------------------------------


def bodies(n):
    return [{"name": f"body{i}", "mass": 1, "inertia": [1, 1, 1]} for i in range(n)]


def groups(n, **keys):
    return structure(type="file", points=[[i, 0, 0] for i in range(n + 1)], cells=[[i, i + 1] for i in range(n)],
                     groups=[{"name": f"g{i}", "nodes": [i]} for i in range(n)], element=CABLE, **keys)


def cable(i):
    return {"name": f"c{i}", "type": "cable", "points": [[0, i, 0], [1, i, 0]], "cells": 1, "element": CABLE}


def joint(i, one, other):
    return {"name": f"j{i}", "type": "spherical", "bodies": [one, other], "at": [0, 0, 0]}


CASES = {
    "bodies with errors": lambda n: {**TOP, "bodies": [{}] * n},
    "numbers for bodies": lambda n: {**TOP, "bodies": [1] * n},
    "equal names": lambda n: {**TOP, "bodies": [{**bodies(1)[0]}] * n},
    "unknown keys": lambda n: {**TOP, "bodies": [{f"key{i}": 1 for i in range(n)}]},
    "unknown sections": lambda n: {**TOP, **{f"key{i}": 1 for i in range(n)}},
    "unknown kinds": lambda n: {**TOP, "joints": [{"type": f"revolut{i}"} for i in range(n)]},
    "bad materials": lambda n: {**TOP, "materials": {f"m{i}": {"young": -1} for i in range(n)}},
    "material pairs": lambda n: {**TOP, "materials": {f"m{i}": {} for i in range(n)}, "material_pairs": [
        {"materials": ["m0", f"m{i}"], "friction": 0.5} for i in range(1, n)]},
    "functions": lambda n: {**TOP, "bodies": bodies(1), "forces": [
        {"type": "force", "body": "body0", "value": [{"sinee": {}}, 0, 0]}] * n},
    "joints": lambda n: {**TOP, "bodies": bodies(n), "joints": [
        joint(i, f"body{i}", f"body{i + 1}") for i in range(n - 1)]},
    "missing names": lambda n: {**TOP, "bodies": bodies(n), "joints": [
        joint(i, f"bodz{i}", f"bdoy{i}") for i in range(n)]},
    "outputs": lambda n: {**TOP, "bodies": bodies(n), "outputs": [
        {"body": f"bdoy{i}", "every": 0.1, "quantities": ["position"], "file": "a.csv"} for i in range(n)]},
    "sets": lambda n: groups(n, fixed=[{"set": f"g{i}"} for i in reversed(range(n))]),
    "missing sets": lambda n: groups(n, fixed=[{"set": f"gg{i}"} for i in range(n)]),
    "structures": lambda n: {**TOP, "solids": SOLIDS, "structures": [cable(i) for i in range(n)]},
}


def linear(folder):
    """Twice as much takes about twice as long; what is quadratic takes four times as long, and is past the time."""
    few = 2000 if p.SANITIZED else 6000
    for name, make in CASES.items():
        _, err, short = check(folder, make(few))
        p.check("needs more" not in err, name, err[:300])
        _, err, long = check(folder, make(2 * few))
        p.check(len(err.splitlines()) <= 101, f"{name}: {len(err.splitlines())} problems are told")
        p.check(long < 3.0 * short + 0.2, f"{name}: {short:.2f} s for {few}, {long:.2f} s for twice as many")
        p.check(long < SECONDS / 4, f"{name}: {long:.2f} s")


def main():
    p.need_program()
    with p.Folder() as folder:
        for test in (structures, equal_contacts, files, documents, options, lone_node, linear):
            test(folder)
    print("limits: ok")


main()
