#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
"""Mutants of everything that kairos reads, judged by how kairos ends.

    tests/mutate/mutate.py --count 10000 --kind scene      scenes: check, run some steps, resume, the same in one go
    tests/mutate/mutate.py --seconds 3600                  all kinds in turn for an hour
    tests/mutate/mutate.py --kind mesh --seed 7 --only 42  one mutant again, kept in a folder

A mutant fails where a call dies by a signal, prints a sanitizer's report, hangs (10 s), takes more memory than the limit,
ends with another status than 0 to 3, fails without a message, leaves nan, inf, bad JSON or *.tmp behind, writes outside its
folder, or resumes to another state than a run in one go. Mutants depend on seed and number only. Failing ones are kept in
--keep with what is needed to run them again. Only the standard library is needed; with h5py the insides of HDF5 files are
changed as well.
"""

import argparse
import collections
import itertools
import json
import multiprocessing
import os
import random
import re
import shutil
import sys
import tempfile
import time
from pathlib import Path

import files
import oracle
import scenes

SOURCE = Path(os.environ.get("KAIROS_SOURCE", Path(__file__).resolve().parents[2]))
sys.path.insert(1, str(SOURCE / "tests" / "process"))
from process import without_comments  # noqa: E402
KINDS = ("scene", "table", "mesh", "checkpoint", "trajectory")
HELD = ("pendulum-held", {"kairos": 1, "step": 1e-3, "end": 1, "bodies": [
    {"name": "ground", "fixed": True}, {"name": "arm", "mass": 1, "inertia": [1, 1, 1], "position": [1, 0, 0]}],
    "joints": [{"name": "hinge", "type": "revolute", "bodies": ["ground", "arm"], "at": [0, 0, 0], "axis": [0, 1, 0]}]})
# Scenes whose results are mutated: rigid contact, penalty contact with particles, elements, joints and shafts.
RECORDED = ("ball-in-net", "fountain", "driveline", "newtons-cradle", "double-pendulum", "cloth-on-ball")


def step_of(scene):
    """The step of a scene where it is a plain number; it may be left open, or be a formula."""
    step = scene.get("step")
    return float(step) if isinstance(step, (int, float)) and not isinstance(step, bool) and step > 0 else 1e-3


class Campaign:
    """What every worker needs; made once in each."""

    def __init__(self, options):
        self.options = options
        self.limits = oracle.Limits(options.limit, options.memory << 20, options.sanitized)
        self.schema = scenes.Schema(SOURCE / "docs" / "scene.schema.json")
        self.scenes = {}
        for path in sorted([*(SOURCE / "scenes").glob("*.json"), *(SOURCE / "tests/fuzz/corpus/scene").glob("*.json")]):
            try:
                self.scenes.setdefault(path.stem, json.loads(without_comments(path.read_text())))
            except ValueError:
                pass  # a seed that is no JSON on purpose
        self.scenes[HELD[0]] = HELD[1]
        self.files = files.bases(SOURCE)
        self.tables = {}
        for name, data, scene, beside in (base for of_kind in self.files.values() for base in of_kind):
            self.scenes[f"{name} {len(self.scenes)}"] = scene
            self.tables.update({name: data, **beside})
        small = [s for s in self.scenes.values() if isinstance(s, dict) and len(json.dumps(s)) < 60000]
        self.mutator = scenes.Mutator(self.schema, small)
        for p in (SOURCE / "scenes").glob("*.csv"):
            self.tables[p.name] = b"\n".join(p.read_bytes().split(b"\n")[:200])
        for p in (SOURCE / "scenes").glob("*.csv.gz"):
            import gzip
            self.tables[p.name] = gzip.compress(b"\n".join(gzip.decompress(p.read_bytes()).split(b"\n")[:200]), 1)
        for p in (SOURCE / "scenes" / "meshes").iterdir():
            self.tables[f"meshes/{p.name}"] = p.read_bytes()


class Mutant:
    """One mutant in a folder of its own: in/ the scene, out/ results, cwd/, home/, tmp/; nothing else may appear."""

    def __init__(self, campaign, kind, number, folder):
        self.c, self.kind, self.number, self.folder = campaign, kind, number, folder
        self.draw = random.Random(f"{campaign.options.seed}/{kind}/{number}")
        self.calls, self.problems = [], []
        self.input, self.out = folder / "in", folder / "out"
        for name in ("in", "cwd", "home", "tmp"):
            (folder / name).mkdir()
        self.env = {**os.environ, "HOME": str(folder / "home"), "TMPDIR": str(folder / "tmp"), "LC_ALL": "C",
                    # OpenCASCADE may think for ever about a damaged shape; the importer's own limit must end that.
                    "KAIROS_IMPORT_SECONDS": "15" if campaign.options.sanitized else "5",
                    "OMP_NUM_THREADS": "2"}

    def call(self, stage, *words):
        r = oracle.call(self.c.options.bin, stage, words, self.folder, self.c.limits, self.env)
        problems = oracle.judge(r, self.c.limits, self.out)
        if problems and problems[0][0] in ("slow", "hang"):
            # A busy machine is no defect: what is late twice is.
            again = oracle.call(self.c.options.bin, stage, words, self.folder, self.c.limits, self.env)
            if not again.late:
                r, problems = again, oracle.judge(again, self.c.limits, self.out)
        self.calls.append((stage, r.status if not r.late else "late", r.seconds, r.bytes, words))
        self.problems += [(stage, kind, text, r.err[-3000:]) for kind, text in problems]
        return r

    def write(self, text):
        path = self.input / "scene.json"
        path.write_text(text.replace("CANARY", str(self.folder / "canary")), encoding="utf-8", errors="surrogatepass")
        for name, data in self.c.tables.items():
            if name.split("/")[-1].replace(".kairos-decomposition", "") in text:
                (self.input / name).parent.mkdir(exist_ok=True)
                (self.input / name).write_bytes(data)
        return path

    def step_of(self, text):
        try:
            return step_of(json.loads(text))
        except (ValueError, AttributeError, RecursionError, OverflowError):
            return 1e-3

    def take_steps(self, path, step):
        """Run, resume; at times the same in one go, which must come to the same state."""
        first = self.draw.randrange(3, 13)
        last = first + self.draw.randrange(1, 8)
        whole = self.draw.random() < 0.15
        threads = str(self.draw.choice([1, 2, 2, 3]))
        common = ("run", path, "-q", "--threads", threads)
        if self.call("run", *common, "--end", repr(first * step), "-o", self.out).status != 0:
            return
        if self.call("resume", *common, "--resume", "--end", repr(last * step), "-o", self.out).status != 0 or not whole:
            return
        other = self.folder / "whole"
        r = oracle.call(self.c.options.bin, "whole", (*common, "--end", repr(last * step), "-o", other), self.folder,
                        self.c.limits, self.env)
        try:
            one, two = oracle.read_summary(self.out), oracle.read_summary(other)
            if r.status == 0 and one["state_hash"] != two["state_hash"]:
                self.problems.append(("resume", "differs", f"{one['state_hash']} {two['state_hash']}", ""))
        except (ValueError, TypeError, KeyError) as why:
            if r.status == 0:
                self.problems.append(("resume", "json", str(why), ""))

    def scene(self):
        name = self.draw.choice(sorted(self.c.scenes))
        base = self.c.scenes[name]
        text = self.c.mutator.mutate(base, self.draw) if isinstance(base, dict) else json.dumps(base)
        path = self.write(text)
        if self.call("check", "check", path).status == 0:
            self.take_steps(path, self.step_of(text))

    def file(self):
        name, data, scene, beside = self.draw.choice(self.c.files[self.kind])
        for other, content in beside.items():
            (self.input / other).write_bytes(content)
        (self.input / name).write_bytes(files.mutate(name, data, self.draw))
        path = self.input / "scene.json"
        path.write_text(json.dumps(scene))
        if self.call(f"check {name[name.rindex('.', 0, -1):]}"[:20], "check", path).status == 0:
            self.take_steps(path, scene.get("step", 1e-3))

    def recorded(self):
        """Results of a run, altered."""
        name = self.draw.choice(RECORDED)
        base = self.c.options.records / name
        if not base.is_dir():
            return
        shutil.copytree(base / "in", self.input, dirs_exist_ok=True)
        shutil.copytree(base / "out", self.out)
        victim = "checkpoint.h5" if self.kind == "checkpoint" else self.draw.choice(
            [n for n in ("trajectory.h5", "meshes.h5") if (self.out / n).exists()])
        how = files.mutate_h5(self.out / victim, self.draw)
        path, step = self.input / "scene.json", step_of(self.c.scenes[name])
        self.kept = self.folder / "altered"
        shutil.copytree(self.out, self.kept)
        if self.kind == "trajectory":
            for to in ("csv", "vtk"):
                if self.problems:
                    return
                self.call(f"export {how}", "export", self.out, "--to", to, "-o", self.folder / "export")
        self.call(f"resume {how}", "run", path, "-q", "--resume", "--end", repr(14 * step), "-o", self.out)

    def judge_folder(self):
        known = {"in", "out", "cwd", "home", "tmp", "stderr", "whole", "export", "altered"}
        for place in [self.folder] + [self.folder / n for n in ("cwd", "home", "tmp")]:
            found = {p.name for p in place.iterdir()} - (known if place == self.folder else set())
            if found:
                self.problems.append(("end", "escape", f"{place.name}: {sorted(found)[:4]}", ""))

    def run(self):
        {"scene": self.scene, "table": self.file, "mesh": self.file}.get(self.kind, self.recorded)()
        self.judge_folder()


# Workers -------------------------------------------------------------------------------------------

CAMPAIGN = None


def start_worker(options):
    global CAMPAIGN
    sys.setrecursionlimit(20000)
    CAMPAIGN = Campaign(options)


def keep(mutant, options):
    """Saves a failing mutant with how to see it again; returns where."""
    to = options.keep / f"{mutant.kind}-{options.seed}-{mutant.number}"
    shutil.rmtree(to, ignore_errors=True)
    shutil.copytree(mutant.folder, to, symlinks=True, ignore=shutil.ignore_patterns("whole"))
    lines = [f"again: tests/mutate/mutate.py --kind {mutant.kind} --seed {options.seed} --only {mutant.number}", ""]
    for stage, status, seconds, size, words in mutant.calls:
        shown = " ".join(str(w).replace(str(mutant.folder), ".") for w in words)
        lines.append(f"{stage}: status {status}, {seconds:.2f} s, {size >> 20} MB: kairos {shown}")
    for stage, kind, text, err in mutant.problems:
        lines += ["", f"PROBLEM {kind} ({stage}): {text}", err]
    (to / "README").write_text("\n".join(lines), errors="replace")
    return to


def work(task):
    kind, number = task
    options = CAMPAIGN.options
    folder = Path(tempfile.mkdtemp(prefix=f"m-{kind}-{number}-", dir=options.work))
    mutant = Mutant(CAMPAIGN, kind, number, folder)
    try:
        mutant.run()
        kept = keep(mutant, options) if mutant.problems or options.only is not None else None
        problems = [(s, k, t, e) for s, k, t, e in mutant.problems]
        return kind, number, mutant.calls, problems, str(kept) if kept else None
    except Exception as why:  # the harness itself: said, and counted, and the others go on
        return kind, number, mutant.calls, [("harness", "harness", repr(why), "")], None
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def try_bases(campaign):
    """What is mutated must be good itself, else its mutants show nothing."""
    for kind in sorted({"table", "mesh"} & set(campaign.options.kinds)):
        for name, data, scene, beside in campaign.files[kind]:
            mutant = Mutant(campaign, kind, 0, Path(tempfile.mkdtemp(dir=campaign.options.work)))
            for other, content in {**beside, name: data, "scene.json": json.dumps(scene).encode()}.items():
                (mutant.input / other).write_bytes(content)
            if mutant.call("check", "check", mutant.input / "scene.json").status != 0:
                print(f"mutate: {name} is refused as it is: {mutant.calls[-1][:3]} {mutant.problems}"[:400], flush=True)


def record(campaign):
    """Runs whose results are mutated later."""
    o = campaign.options
    for name in RECORDED:
        folder = o.records / name
        (folder / "in").mkdir(parents=True)
        mutant = Mutant(campaign, "record", 0, Path(tempfile.mkdtemp(dir=o.work)))
        step = step_of(campaign.scenes[name])
        mutant.write(json.dumps({**campaign.scenes[name], "trajectory": {"every": step}}))
        shutil.copytree(mutant.input, folder / "in", dirs_exist_ok=True)
        mutant.call("run", "run", folder / "in" / "scene.json", "-q", "--end", repr(8 * step), "-o", folder / "out")
        if mutant.problems or mutant.calls[-1][1] != 0:
            raise SystemExit(f"mutate: {name} does not run: {mutant.problems} {mutant.calls}")


# The table -----------------------------------------------------------------------------------------

def place_of(err):
    """Where a sanitizer saw it: enough to tell one defect from another."""
    m = re.search(r"#\d+ 0x[0-9a-f]+ in (\w+) [^\n]*?/src/(\S+)", err) or re.search(r"(\S+\.[ch]:\d+):\d+: runtime error", err)
    return " ".join(m.groups()) if m else ""


class Table:
    """Counts of outcomes by kind and stage, and defects told apart."""

    def __init__(self):
        self.mutants, self.outcomes, self.defects = collections.Counter(), {}, {}
        self.slowest, self.largest = (0.0, ""), (0, "")

    def add(self, kind, number, calls, problems, kept):
        self.mutants[kind] += 1
        bad = {}
        for stage, what, text, err in problems:
            bad.setdefault(stage, what)
            key = (kind, what, place_of(err) or re.sub(r"[-\d.]+|'[^']*'|0x[0-9a-f]+", "#", text)[:60])
            self.defects.setdefault(key, []).append((number, text, kept))
        for stage, status, seconds, size, _ in calls:
            outcome = bad.get(stage) or {0: "ok", 1: "failed", 2: "refused", 3: "stopped"}.get(status, str(status))
            row = self.outcomes.setdefault((kind, stage), collections.Counter())
            row[outcome] += 1
            self.slowest = max(self.slowest, (seconds, f"{kind} {number} {stage}"))
            self.largest = max(self.largest, (size, f"{kind} {number} {stage}"))

    def show(self, out=sys.stdout):
        columns = ["ok", "refused", "failed", "stopped"]
        columns += sorted({k for row in self.outcomes.values() for k in row} - set(columns))
        print("\n" + f"{'kind':11}{'stage':20}{'calls':>7}" + "".join(f"{c:>10}" for c in columns), file=out)
        for (kind, stage), row in sorted(self.outcomes.items()):
            print(f"{kind:11}{stage:20}{sum(row.values()):7}" + "".join(f"{row[c] or '':>10}" for c in columns), file=out)
        print("mutants: " + ", ".join(f"{n} {k}" for k, n in sorted(self.mutants.items())) +
              f"; slowest call {self.slowest[0]:.1f} s ({self.slowest[1]}), largest {self.largest[0] >> 20} MB "
              f"({self.largest[1]})", file=out)
        for (kind, what, place), found in sorted(self.defects.items(), key=lambda d: -len(d[1])):
            numbers = " ".join(str(n) for n, _, _ in found[:6])
            print(f"  {len(found):5} x {kind} {what}: {place}\n          mutants {numbers}; {found[0][1][:160]}; "
                  f"kept in {found[0][2]}", file=out)


# The command ---------------------------------------------------------------------------------------

def parse():
    a = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    a.add_argument("--kind", default="all", help=f"all, or some of {', '.join(KINDS)}, with commas between")
    a.add_argument("--seconds", type=float, help="ends after this time (default: none)")
    a.add_argument("--count", type=int, help="mutants of each kind (default: 100, or no limit with --seconds)")
    a.add_argument("--from", type=int, default=0, dest="first", help="number of the first mutant")
    a.add_argument("--only", type=int, help="number of the only mutant, which is kept")
    a.add_argument("--seed", default="1", help="another campaign (default: 1)")
    a.add_argument("--jobs", type=int, default=os.cpu_count(), help="mutants at once (default: all processors)")
    a.add_argument("--bin", type=Path, default=Path(os.environ.get("KAIROS_BIN", SOURCE / "build" / "bin" / "kairos")))
    a.add_argument("--keep", type=Path, default=Path("mutants"), help="folder for failing mutants (default: mutants)")
    a.add_argument("--limit", type=float, default=10.0, help="seconds of a call; five times as many under a sanitizer")
    a.add_argument("--memory", type=int, default=4096, help="MB of a call")
    a.add_argument("--sanitized", action="store_true", default=bool(os.environ.get("KAIROS_SANITIZE")),
                   help="the program has a sanitizer (default: where KAIROS_SANITIZE is set)")
    options = a.parse_args()
    options.kinds = KINDS if options.kind == "all" else options.kind.split(",")
    unknown = set(options.kinds) - set(KINDS)
    if unknown:
        a.error(f"--kind: {', '.join(sorted(unknown))}; must be some of {', '.join(KINDS)}")
    options.bin, options.keep = options.bin.resolve(), options.keep.resolve()
    return options


def tasks(options):
    """Kinds in turn, so that a campaign that is cut short has seen all."""
    if options.only is not None:
        yield from ((kind, options.only) for kind in options.kinds)
        return
    count = options.count or (None if options.seconds else 100)
    numbers = itertools.count(options.first) if count is None else range(options.first, options.first + count)
    for number in numbers:
        yield from ((kind, number) for kind in options.kinds)


def main():
    options = parse()
    sys.setrecursionlimit(20000)  # some mutants are nested deep
    if not options.bin.is_file():
        print(f"skipped: {options.bin} is not built")
        return 77
    print(f"mutate: seed {options.seed}, kinds {', '.join(options.kinds)}, {options.bin}", flush=True)
    if options.sanitized:
        os.environ.setdefault("ASAN_OPTIONS", "detect_leaks=1:allocator_may_return_null=1")
        os.environ.setdefault("UBSAN_OPTIONS", "print_stacktrace=1")
        os.environ.setdefault("LSAN_OPTIONS", f"suppressions={SOURCE / 'tests/mutate/leaks.supp'}:print_suppressions=0")
    table, began = Table(), time.monotonic()
    with tempfile.TemporaryDirectory(prefix="kairos-mutate-") as work_folder:
        options.work, options.records = Path(work_folder), Path(work_folder) / "records"
        options.keep.mkdir(parents=True, exist_ok=True)
        if options.only is None:
            try_bases(Campaign(options))
        if {"checkpoint", "trajectory"} & set(options.kinds):
            record(Campaign(options))
        with multiprocessing.Pool(options.jobs, start_worker, (options,)) as pool:
            def until_late():
                for task in tasks(options):
                    if options.seconds and time.monotonic() - began > options.seconds:
                        return
                    waiting.acquire()
                    yield task
            import threading
            waiting = threading.Semaphore(2 * options.jobs)  # the time is asked when a worker is free
            said = began
            for done in pool.imap_unordered(work, until_late()):
                waiting.release()
                table.add(*done)
                if time.monotonic() - said > 60.0:
                    said = time.monotonic()
                    print(f"mutate: {sum(table.mutants.values())} mutants after {said - began:.0f} s", flush=True)
                if done[3]:
                    _, what, text, _ = done[3][0]
                    print(f"mutate: {done[0]} {done[1]}: {what}: {text[:160]} ({done[4]})", flush=True)
                elif options.only is not None:
                    print(f"mutate: {done[0]} {done[1]}: no problem; kept in {done[4]}")
    table.show()
    total = sum(table.mutants.values())
    bad = len({(k[0], n) for k, found in table.defects.items() for n, _, _ in found})
    print(f"mutate: {bad} of {total} mutants failed in {time.monotonic() - began:.0f} s (seed {options.seed})")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
