# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
# ctest-timeout: 300
"""Damaged and hostile result files: whatever is in checkpoint.h5, trajectory.h5 and meshes.h5, a program that reads
them ends soon, with status 0 or with one line that says what is wrong. KAIROS_MUTANTS sets how many files are tried,
KAIROS_SEED which ones, KAIROS_KEEP a folder for those that fail."""

import collections
import json
import os
import random
import resource
import shutil
import struct
import subprocess
import time

import process as p

COUNT = int(os.environ.get("KAIROS_MUTANTS", 150))
SEED = int(os.environ.get("KAIROS_SEED", 17))
KEEP = os.environ.get("KAIROS_KEEP")
SECONDS = 60 if p.SANITIZED else 15
MEMORY = 4 << 30
MASK = (1 << 64) - 1

SCENE = {
    "kairos": 1, "name": "damaged", "step": 0.001, "end": 0.06, "contact": "nsc",
    "solids": {"rope": {"type": "elastic", "density": 1100, "young": 5e6, "damping": 0.01}},
    "bodies": [
        {"name": "floor", "fixed": True, "shapes": [{"type": "plane", "normal": [0, 0, 1]}]},
        {"name": "ball", "density": 300, "position": [0, 0, 0.29], "velocity": [0, 0, -1],
         "shapes": [{"type": "sphere", "radius": 0.1}]},
        {"name": "box", "density": 300, "position": [2, 0, 0.1], "angular_velocity": [0, 0, 3],
         "shapes": [{"type": "box", "size": [0.2, 0.2, 0.2]}]}],
    "structures": [
        {"name": "net", "type": "net", "size": [0.4, 0.4], "cells": [2, 2], "position": [0, 0, 0.15],
         "element": {"type": "ancf-cable", "solid": "rope", "radius": 0.004},
         "fixed": [{"set": "x0", "coordinates": "position"}, {"set": "x1", "coordinates": "position"}],
         "contacts": [{"set": "all", "surface": "capsules", "radius": 0.008}]}],
    "forces": [{"name": "push", "type": "force", "body": "box", "value": [{"table": [[0, 0], [1, 2]]}, 0, 0]}],
    "trajectory": {"every": 0.002, "velocity": "always", "compression": 4, "fields": ["speed", "contact_load"]},
    "outputs": [{"body": "ball", "every": 0.01, "quantities": ["position", "contact_force"], "file": "ball.csv"},
                {"system": True, "every": 0.01, "quantities": ["energy"], "file": "system.csv"}]}


# Checksums --------------------------------------------------------------------------------------

def mix(h):
    h = (h + 0x9e3779b97f4a7c15) & MASK
    h = (h ^ h >> 30) * 0xbf58476d1ce4e5b9 & MASK
    h = (h ^ h >> 27) * 0x94d049bb133111eb & MASK
    return h ^ h >> 31


def hash_bytes(h, data):
    """base/hash.h"""
    whole = len(data) // 8 * 8
    for word in struct.unpack(f"<{whole // 8}Q", data[:whole]):
        h = mix(h ^ word)
    tail = data[whole:]
    if tail:
        word = len(tail) << 56 | int.from_bytes(tail, "little")
        h = mix(((h << 32 | h >> 32) & MASK) ^ word)
    return h


def seal(image):
    """A checkpoint of an HDF5 file: see record/checkpoint.h."""
    start, block = 0x9e3779b97f4a7c15, 1 << 20
    sums = b"".join(struct.pack("<Q", hash_bytes(hash_bytes(start, struct.pack("<Q", i)), image[at:at + block]))
                    for i, at in enumerate(range(0, len(image), block)))
    size = struct.pack("<Q", len(image))
    return image + sums + b"KAIROS\n2" + size + struct.pack("<Q", hash_bytes(hash_bytes(start, size), sums))


def unseal(data):
    return data[:struct.unpack("<Q", data[-16:-8])[0]]


def lookup3(data):
    """HDF5's checksum of its own structures (Jenkins, 2006)."""
    def rot(x, k):
        return (x << k | x >> 32 - k) & 0xffffffff
    m, n = 0xffffffff, len(data)
    a = b = c = 0xdeadbeef + n & m
    at = 0
    while n > 12:
        x, y, z = struct.unpack_from("<3I", data, at)
        a, b, c = a + x & m, b + y & m, c + z & m
        a = (a - c & m) ^ rot(c, 4); c = c + b & m
        b = (b - a & m) ^ rot(a, 6); a = a + c & m
        c = (c - b & m) ^ rot(b, 8); b = b + a & m
        a = (a - c & m) ^ rot(c, 16); c = c + b & m
        b = (b - a & m) ^ rot(a, 19); a = a + c & m
        c = (c - b & m) ^ rot(b, 4); b = b + a & m
        at, n = at + 12, n - 12
    if n == 0:
        return c
    x, y, z = struct.unpack("<3I", data[at:].ljust(12, b"\0"))
    a, b, c = a + x & m, b + y & m, c + z & m
    c = (c ^ b) - rot(b, 14) & m
    a = (a ^ c) - rot(c, 11) & m
    b = (b ^ a) - rot(a, 25) & m
    c = (c ^ b) - rot(b, 16) & m
    a = (a ^ c) - rot(c, 4) & m
    b = (b ^ a) - rot(a, 14) & m
    return (c ^ b) - rot(b, 24) & m


def structures(data):
    """(start, length) of HDF5's own structures that end in a checksum."""
    found = []
    for mark in (b"\x89HDF", b"OHDR", b"OCHK", b"EAHD", b"EAIB", b"EASB", b"EADB", b"FAHD", b"FADB", b"BTHD", b"BTLF",
                 b"BTIN", b"FRHP", b"FHDB", b"FHIB"):
        at = data.find(mark)
        while at >= 0:
            for length in range(12, 700):
                if at + length + 4 <= len(data) and \
                        struct.unpack_from("<I", data, at + length)[0] == lookup3(data[at:at + length]):
                    found.append((at, length))
                    break
            at = data.find(mark, at + 1)
    return found


# Mutants ----------------------------------------------------------------------------------------

def harm(random_, data, begin, end):
    """Changes a few bytes of data[begin:end]."""
    for _ in range(random_.choice((1, 1, 1, 2, 4))):
        size = random_.choice((1, 1, 1, 2, 4, 8))
        at = random_.randrange(begin, max(begin + 1, end - size))
        kind = random_.randrange(4)
        if kind == 0:
            data[at] ^= 1 << random_.randrange(8)
        elif kind == 1:
            data[at:at + size] = random_.randbytes(size)
        elif kind == 2:
            data[at:at + size] = random_.choice((b"\0", b"\xff", b"\x7f", b"\x80")) * size
        else:
            old = int.from_bytes(data[at:at + size], "little")
            new = old + random_.choice((-1, 1, 8, -8, 256, 1 << 20, 1 << 31)) & (1 << 8 * size) - 1
            data[at:at + size] = new.to_bytes(size, "little")


def mutate_checkpoint(random_, image):
    """An HDF5 file of the older format: most harm is done where its structures are."""
    data = bytearray(image)
    marks = [0] + [at for mark in (b"TREE", b"SNOD", b"HEAP") for at in positions(image, mark)]
    if random_.random() < 0.3:
        harm(random_, data, 0, len(data))
    elif random_.random() < 0.1:
        del data[random_.randrange(len(data)):]
    else:
        at = random_.choice(marks)
        harm(random_, data, max(0, at - 300), min(len(data), at + 300))
    return bytes(data)


def positions(data, mark):
    at = data.find(mark)
    while at >= 0:
        yield at
        at = data.find(mark, at + 1)


def mutate_growing(random_, original, places):
    """One of the newer format, whose structures have checksums of their own: half of them are put right again."""
    data = bytearray(original)
    kind = random_.random()
    if kind < 0.1:
        del data[random_.randrange(len(data)):]
    elif kind < 0.3:
        harm(random_, data, 0, len(data))
    else:
        start, length = random_.choice(places)
        harm(random_, data, start + (4 if random_.random() < 0.95 else 0), start + length)
        if random_.random() < 0.3:
            data[11] = random_.choice((0, 1, 4, 5))  # as if a writer were at work
            data[44:48] = struct.pack("<I", lookup3(bytes(data[:44])))
        if random_.random() < 0.8:
            data[start + length:start + length + 4] = struct.pack("<I", lookup3(bytes(data[start:start + length])))
    return bytes(data)


# Trials -----------------------------------------------------------------------------------------

def limits():
    if not p.SANITIZED:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class Trials:
    def __init__(self, folder):
        self.folder, self.counts, self.bad, self.contained = folder, collections.Counter(), [], 0

    def attempt(self, what, number, *arguments):
        start = time.monotonic()
        try:
            done = subprocess.run([str(p.BIN), *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  text=True, errors="replace", timeout=SECONDS, preexec_fn=limits)
        except subprocess.TimeoutExpired:
            outcome, told = "hang", ""
        else:
            told = done.stderr
            lines = [line for line in told.splitlines() if not line.startswith("kairos: warning: ")]
            if done.returncode == 0 and "AddressSanitizer" not in told and "runtime error" not in told:
                outcome = "ok"
            elif done.returncode in (1, 2) and len(lines) == 1 and lines[0].startswith("kairos: ") and \
                    (".h5" in told or what == "checkpoint, sealed anew"):
                outcome = "error"
                self.contained += "HDF5 crashes" in told or "does not come to an end" in told
            elif done.returncode < 0:
                outcome = "crash"
            else:
                outcome = "odd"
        self.counts[what, outcome] += 1
        if outcome not in ("ok", "error"):
            self.bad.append(f"{what} {number}: {outcome} after {time.monotonic() - start:.1f} s: {told[-400:]}")
            if KEEP:
                shutil.copytree(arguments[-1], f"{KEEP}/{what}-{number}".replace(" ", "-"), dirs_exist_ok=True)
        return outcome

    def fresh(self, whole):
        out = self.folder / "out"
        shutil.rmtree(out, ignore_errors=True)
        shutil.copytree(whole, out)
        return out


def try_checkpoints(trials, random_, scene, whole, count):
    image = unseal((whole / "checkpoint.h5").read_bytes())
    p.check(seal(image) == (whole / "checkpoint.h5").read_bytes(), "the trailer is not what this test believes")
    for i in range(count):
        out = trials.fresh(whole)
        if i % 2:
            data, what = seal(mutate_checkpoint(random_, image)), "checkpoint, sealed anew"
        else:
            data, what = bytearray((whole / "checkpoint.h5").read_bytes()), "checkpoint"
            if random_.random() < 0.2:
                del data[random_.randrange(len(data)):]
            else:
                harm(random_, data, 0, len(data))
        same = data == (whole / "checkpoint.h5").read_bytes()
        (out / "checkpoint.h5").write_bytes(data)
        outcome = trials.attempt(what, i, "run", scene, "-q", "--resume", "--end", 0.07, "-o", out)
        p.check(i % 2 or outcome != "ok" or same, f"mutant {i} of a checkpoint went unseen")


def try_files(trials, random_, scene, whole, count):
    names = ("trajectory.h5", "meshes.h5")
    originals = [(whole / name).read_bytes() for name in names]
    places = [structures(data) for data in originals]
    p.check(all(len(found) > 20 for found in places), "HDF5's structures are not where this test looks")
    for i in range(count):
        k = i % 2
        out = trials.fresh(whole)
        (out / names[k]).write_bytes(mutate_growing(random_, originals[k], places[k]))
        if i // 2 % 2 and k == 0:
            trials.attempt(f"{names[k]}, export csv", i, "export", out, "--to", "csv", "-o", out / "x")
        elif i // 2 % 2:
            trials.attempt(f"{names[k]}, export vtk", i, "export", out, "--to", "vtk", "-o", out / "x")
        else:
            trials.attempt(f"{names[k]}, resume", i, "run", scene, "-q", "--resume", "--end", 0.07, "-o", out)


# Files that lie ---------------------------------------------------------------------------------

def refuse(h5py, trials, whole, name, change, word, *arguments):
    """A change with h5py that must be refused at once."""
    out = trials.fresh(whole)
    with h5py.File(out / name, "r+", libver="latest") as file:
        change(h5py, file)
    start = time.monotonic()
    code, _, err = p.call(*(a if a is not None else out for a in arguments), preexec_fn=limits)
    p.check(code in (1, 2) and name in err and word in err, f"{name}, {word}: status {code}: {err}")
    p.check(time.monotonic() - start < SECONDS, "took too long", err)


def test_lies(trials, whole):
    try:
        import h5py
    except ImportError:
        print("skipped in part: h5py is not there (Debian package python3-h5py)")
        return
    export = ("export", None, "--to", "csv")

    def huge(_, file):
        file["VTKHDF/PointData/id"].resize((10 ** 12,))
        file["VTKHDF/NumberOfPoints"][:] = 10 ** 12

    def replace(path, **how):
        def change(_, file):
            del file[path]
            if "link" in how:
                file[path] = how["link"](h5py)
            else:
                file.create_dataset(path, **how)
        return change

    def virtual(_, file):
        layout = h5py.VirtualLayout((4, 3), "f4")
        layout[:] = h5py.VirtualSource("other.h5", "x", (4, 3))
        del file["VTKHDF/Points"]
        file.create_virtual_dataset("VTKHDF/Points", layout)

    def external(_, file):
        del file["Kairos/fixed"]
        file.create_dataset("Kairos/fixed", (3,), "u1", external=[("/etc/passwd", 0, 3)])

    refuse(h5py, trials, whole, "trajectory.h5", huge, "cannot be read", *export)
    refuse(h5py, trials, whole, "trajectory.h5", replace("VTKHDF/Points", link=lambda h: h.ExternalLink("o.h5", "/x")),
           "link", *export)
    refuse(h5py, trials, whole, "trajectory.h5", replace("VTKHDF/Points", link=lambda h: h.SoftLink("/x")), "link", *export)
    refuse(h5py, trials, whole, "trajectory.h5", virtual, "other datasets", *export)
    refuse(h5py, trials, whole, "trajectory.h5", external, "other files", *export)
    refuse(h5py, trials, whole, "trajectory.h5", replace("Kairos/fixed", shape=(3,), dtype="u1", chunks=(3,),
                                                   compression="lzf"), "filter", *export)
    refuse(h5py, trials, whole, "trajectory.h5", replace("VTKHDF/Steps/Values", shape=(3,), dtype=">f8"), "type", *export)


def test_hang(trials, scene, whole):
    """One bit of the header: HDF5 waited for ever for a writer that there was not."""
    for at in (30, 11):
        for name in ("trajectory.h5", "meshes.h5"):
            out = trials.fresh(whole)
            data = bytearray((out / name).read_bytes())
            data[at] ^= 4
            (out / name).write_bytes(data)
            outcomes = [trials.attempt("a bit of the header", at, "export", out, "--to", "vtk", "-o", out / "x"),
                        trials.attempt("a bit of the header", at, "run", scene, "-q", "--resume", "--end", 0.07,
                                       "-o", out)]
            p.check(outcomes == ["error", "error"], name, at, outcomes, trials.bad)


def main():
    p.need_program()
    random_ = random.Random(SEED)
    with p.Folder() as folder:
        scene = folder / "scene.json"
        scene.write_text(json.dumps(SCENE))
        whole = folder / "whole"
        p.run(scene, "-q", "-o", whole)
        p.run(scene, "-q", "--resume", "--end", 0.07, "-o", whole)
        p.run(scene, "-q", "-o", whole)
        trials = Trials(folder)
        test_hang(trials, scene, whole)
        test_lies(trials, whole)
        try_checkpoints(trials, random_, scene, whole, COUNT // 2)
        try_files(trials, random_, scene, whole, COUNT - COUNT // 2)
        for (what, outcome), n in sorted(trials.counts.items()):
            print(f"{what}: {outcome} {n}")
        print(f"of these, {trials.contained} ended the child that looks first")
        p.check(not trials.bad, "\n".join(trials.bad))


if __name__ == "__main__":
    main()
