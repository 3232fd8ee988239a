# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
# ctest-timeout: 300
"""Memory that runs out anywhere in a whole run ends it with a status and a message, never with a crash.

tests/mutate/failing_malloc.c lets one call fail, or all from one on. For calls of kairos itself nothing may crash. Calls of
libraries (HDF5, Jansson, the C++ of importers) are sampled too; where those crash by themselves it is counted and printed.
KAIROS_MALLOC_POINTS=1000 takes so many points of each scene, 0 all; the default is a sample.
"""

import os
import random
import signal
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import process as p

LIBRARY = p.BUILD / "bin" / "tests" / "mutate" / "failing_malloc.so"
SCENES = ("ball-in-net", "fountain", "driveline")
STEPS = 5


def run(words, folder, **more):
    env = {**os.environ, "LD_PRELOAD": str(LIBRARY), **{k: str(v) for k, v in more.items()}}
    done = subprocess.run([str(p.BIN), *map(str, words)], env=env, cwd=folder, stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace", timeout=p.LIMIT)
    return done.returncode, done.stderr


def words_of(name, out):
    import json
    path = p.SOURCE / "scenes" / f"{name}.json"
    step = json.loads(path.read_text()).get("step", 1e-3)
    return ["run", path, "-q", "--threads", "2", "--end", repr(STEPS * step), "-o", out]


def outcome(status, err):
    """What is wrong with an end, or None."""
    if status < 0:
        return signal.Signals(-status).name
    if status not in (0, 1, 2, 3):
        return f"status {status}"
    if status != 0 and "kairos: " not in err:
        return "silent"
    return None


def points(total, count, draw):
    """Numbers of calls that fail: one of each stretch, so that all parts of a run are met."""
    if count == 0 or count >= total:
        return list(range(1, total + 1))
    return [1 + int((i + draw.random()) * total / count) for i in range(count)]


def try_point(task):
    folder, name, whose, how, n = task
    out = folder / f"{name}-{whose}-{how}-{n}"
    status, err = run(words_of(name, out), folder, **{f"KAIROS_FAIL_{how}": n}, KAIROS_FAIL_WHOSE=whose)
    subprocess.run(["rm", "-rf", "--", str(out)], check=True)
    return (*task[1:], status, err)


def main():
    p.need_program()
    if not LIBRARY.is_file():
        p.skip(f"{LIBRARY.name} is not built (only on Linux, without sanitizers)")
    sample = int(os.environ.get("KAIROS_MALLOC_POINTS", "-1"))
    draw = random.Random(1)
    bad, foreign, counted = [], Counter(), Counter()
    with p.Folder() as folder:
        tasks = []
        for name in SCENES:
            for whose, shares in (("own", {"AT": 24, "FROM": 8}), ("any", {"AT": 12, "FROM": 6})):
                file = folder / "count"
                status, err = run(words_of(name, folder / f"{name}-{whose}"), folder, KAIROS_FAIL_COUNT=file,
                                  KAIROS_FAIL_WHOSE=whose)
                p.check(status == 0, name, err)
                total = int(file.read_text())
                p.check(total > 100, f"{name}: only {total} calls were seen")
                for how, count in shares.items():
                    tasks += [(folder, name, whose, how, n) for n in points(total, count if sample < 0 else sample, draw)]
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for name, whose, how, n, status, err in pool.map(try_point, tasks):
                counted[whose] += 1
                what = outcome(status, err)
                again = f"KAIROS_FAIL_{how}={n} KAIROS_FAIL_WHOSE={whose} {name}"
                if what and whose == "own":
                    bad.append(f"{what}: {again}: {err[-300:]!r}")
                elif what:
                    foreign[what] += 1
                    print(f"of a library: {what}: {again}", file=sys.stderr)
    shown = ", ".join(f"{n} {what}" for what, n in sorted(foreign.items())) or "none"
    p.check(not bad, f"{len(bad)} of {counted['own']} calls of our own that failed:\n" + "\n".join(bad))
    print(f"malloc: ok ({counted['own']} calls of our own failed, {counted['any']} of any; crashes of libraries: {shown})")


main()
