# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
"""Calls kairos within limits and says what is wrong with how a call ended."""

import csv
import json
import math
import os
import re
import resource
import signal
import subprocess
import time

SANITIZER = re.compile(r"ERROR: \w+Sanitizer|runtime error:|WARNING: ThreadSanitizer|LeakSanitizer")
LARGE = 5000  # bodies, nodes and elements: a run that is slow because it is large is no defect
KEPT = 20000  # characters of stderr


class Limits:
    """Seconds of a call and bytes of memory; a sanitizer takes longer and reserves more addresses than there are."""

    def __init__(self, seconds=10.0, memory=4 << 30, sanitized=False):
        self.seconds = 5 * seconds if sanitized else seconds
        self.memory, self.sanitized = memory, sanitized

    def apply(self):
        """In the child."""
        if not self.sanitized:
            resource.setrlimit(resource.RLIMIT_AS, (self.memory, self.memory))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class Result:
    """One call: exit status (negative: a signal), stderr, seconds, bytes, and whether it had to be stopped."""

    def __init__(self, stage, words):
        self.stage, self.words = stage, words
        self.status, self.err, self.seconds, self.bytes = None, "", 0.0, 0
        self.late = self.deaf = False


def wait(child, seconds):
    """(ended, status, usage) of a child within some seconds."""
    until, pause = time.monotonic() + seconds, 0.002
    while True:
        pid, status, usage = os.wait4(child.pid, os.WNOHANG)
        if pid:
            child.returncode = os.waitstatus_to_exitcode(status)
            return True, child.returncode, usage
        if time.monotonic() > until:
            return False, None, None
        time.sleep(pause)
        pause = min(2 * pause, 0.02)


def call(program, stage, words, folder, limits, env):
    """Runs kairos in `folder`. One that is late is asked to stop, then ended with all that it started."""
    r = Result(stage, [str(w) for w in words])
    began = time.monotonic()
    with open(folder / "stderr", "w+b") as err:
        child = subprocess.Popen([str(program), *r.words], cwd=folder / "cwd", stdin=subprocess.DEVNULL,
                                 stdout=subprocess.DEVNULL, stderr=err, env=env, preexec_fn=limits.apply,
                                 start_new_session=True)
        ended, r.status, usage = wait(child, limits.seconds)
        if not ended:
            r.late = True
            child.send_signal(signal.SIGTERM)
            ended, r.status, usage = wait(child, 10.0 if limits.sanitized else 2.0)
        if not ended:
            r.deaf = True
            os.killpg(child.pid, signal.SIGKILL)
            _, r.status, usage = wait(child, 60.0)
        r.seconds = time.monotonic() - began
        r.bytes = usage.ru_maxrss * 1024 if usage else 0
        err.seek(0)
        r.err = err.read(KEPT).decode(errors="replace")
    return r


# What is wrong -------------------------------------------------------------------------------------

def no_constant(word):
    raise ValueError(f"{word} is no JSON")


def read_summary(out):
    """run.json read strictly; None when there is none."""
    path = out / "run.json"
    return json.loads(path.read_text(), parse_constant=no_constant) if path.exists() else None


def table_problem(path):
    """A number that is none, or not finite, in a table of results."""
    with open(path, newline="", encoding="utf-8", errors="replace") as file:
        for number, line in enumerate(csv.reader(file), 1):
            for word in line if number > 1 else []:
                try:
                    if not math.isfinite(float(word)):
                        return f"{path.name}:{number}: {word}"
                except ValueError:
                    if word and re.fullmatch(r"[-+]?[\d.].*", word):
                        return f"{path.name}:{number}: {word!r} is no number"
    return None


def is_large(out):
    try:
        found = read_summary(out) or {}
    except ValueError:
        return False
    return sum(found.get(k) or 0 for k in ("bodies", "nodes", "elements")) > LARGE


def judge_end(r, limits, out):
    """Problems of the end itself: (kind, text)."""
    if SANITIZER.search(r.err):
        yield "sanitizer", SANITIZER.search(r.err).group(0)
    elif r.deaf:
        yield "hang", f"no end after {r.seconds:.0f} s, deaf to SIGTERM"
    elif r.late and not is_large(out):
        yield "slow", f"no end after {limits.seconds:.0f} s"
    elif r.status < 0:
        yield "signal", signal.Signals(-r.status).name
    elif r.status not in (0, 1, 2, 3):
        yield "status", f"exit status {r.status}"
    elif r.status and not r.err.strip():
        yield "silent", f"exit status {r.status} without a word"
    elif r.status and not any(line.startswith("kairos: ") for line in r.err.splitlines()):
        yield "form", f"no line 'kairos: …': {r.err[:200]!r}"
    if limits.sanitized and r.bytes > limits.memory:
        yield "memory", f"{r.bytes >> 20} MB"


def judge_results(r, out):
    """Problems of what lies in the folder of results."""
    try:
        found = read_summary(out)
        if r.status == 0 and r.stage in ("run", "resume") and found is None:
            yield "json", "no run.json"
    except (ValueError, UnicodeDecodeError) as why:
        yield "json", f"run.json: {why}"
    if r.status == 0:
        for path in sorted(out.rglob("*.csv")):
            problem = table_problem(path)
            if problem:
                yield "nan", problem
                break
    if r.status is not None and r.status >= 0:
        left = [p.name for p in out.rglob("*.tmp")]
        if left:
            yield "tmp", f"left aside: {left}"


def judge(r, limits, out):
    problems = list(judge_end(r, limits, out))
    if out.is_dir() and not any(kind in ("signal", "hang", "sanitizer") for kind, _ in problems):
        problems += judge_results(r, out)
    return problems
