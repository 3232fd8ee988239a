# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
# ctest-timeout: 300
"""kill -9 at random moments leaves a folder that can be read and resumed to the same end.

KAIROS_KILLS=200 makes a campaign of it: that many kills, over scenes that ship beside the one of the tests.
"""

import os
import random
import subprocess
import time

import process as p

ROUNDS = 10
# Scenes of a campaign and their ends: contact of both kinds, particles, elements, joints and shafts.
SCENES = {"ball-pool": 1.5, "ball-in-net": 0.6, "driveline": 1.0, "fountain": 1.5, "cloth-on-ball": 0.12,
          "planetary-gearbox": 0.5, "wall-ball": 0.4}


class Case:
    """A scene, run without a kill; what came of it is what every killed and resumed run must come to."""

    def __init__(self, scene, folder, end=None):
        self.scene, self.folder = scene, folder
        self.more = [] if end is None else ["--end", repr(end)]
        self.more += ["--checkpoint-every", repr(0.5 if end is None else end / 40)]
        # Kills fall into the time that a run takes when nothing else holds it up: the least of two.
        self.seconds = float("inf")
        for name in ("first", "whole"):
            began = time.monotonic()
            p.run(scene, "-o", folder / name, "-q", *self.more)
            self.seconds = min(self.seconds, time.monotonic() - began)
        self.whole, self.times = p.results(folder / "whole"), p.frames(folder / "whole")
        p.same(p.results(folder / "first"), self.whole, f"{scene}:")
        self.kills = self.from_checkpoint = 0

    def look(self, out, what):
        """What a kill left can be read, and is a beginning."""
        if not (out / "checkpoint.h5").exists():
            return
        self.from_checkpoint += 1
        read = p.frames(out)
        p.check(read == self.times[:len(read)], f"{what}: frames differ")
        for table in out.glob("*.csv"):
            if table.name in self.whole[0]:
                p.check(self.whole[0][table.name].startswith(table.read_bytes()), f"{what}: {table.name} is no beginning")

    def round(self, seed):
        draw = random.Random(seed)
        out, what = self.folder / f"killed-{seed}", f"{self.scene}, seed {seed}"
        # The first kill may fall anywhere from the first moment on, a second one into the resumed run.
        for _ in range(1 + seed % 2):
            child = subprocess.Popen([str(p.BIN), "run", str(self.scene), "-o", str(out), "-q", "--resume", *self.more],
                                     stderr=subprocess.DEVNULL)
            time.sleep(draw.uniform(0.0, 0.9 * self.seconds))
            child.kill()
            self.kills += child.wait() == -9
            self.look(out, what)
        p.run(self.scene, "-o", out, "-q", "--resume", *self.more)
        p.same(self.whole, p.results(out), f"{what}:")
        p.check(p.frames(out) == self.times, f"{what}: the trajectory differs")
        p.check(not list(out.glob("*.tmp")), f"{what}: left aside: {list(out.glob('*.tmp'))}")
        subprocess.run(["rm", "-rf", "--", str(out)], check=True)


def campaign(folder, wanted):
    """Until so many runs were killed, one round of each scene in turn."""
    cases = [Case(p.scene(folder), folder)]
    for name, end in SCENES.items():
        (folder / name).mkdir()
        cases.append(Case(p.SOURCE / "scenes" / f"{name}.json", folder / name, end))
    seed = 0
    while sum(c.kills for c in cases) < wanted:
        for c in cases:
            c.round(seed)
        seed += 1
    for c in cases:
        print(f"kill: {c.scene.stem}: {c.kills} kills, {c.from_checkpoint} with a checkpoint; a run takes {c.seconds:.2f} s")
    print(f"kill: ok ({sum(c.kills for c in cases)} kills, {seed * len(cases)} runs resumed to the same end)")


def main():
    p.need_program()
    p.need_h5py()
    wanted = int(os.environ.get("KAIROS_KILLS", "0"))
    with p.Folder() as folder:
        if wanted > 0:
            campaign(folder, wanted)
            return
        one = Case(p.scene(folder), folder)
        for seed in range(ROUNDS):
            one.round(seed)
        p.check(one.kills >= 8, f"only {one.kills} of the runs were killed")
        p.check(one.from_checkpoint >= 3, f"only {one.from_checkpoint} runs had a checkpoint")
    print(f"kill: ok ({one.kills} kills, {one.from_checkpoint} with a checkpoint; the whole run takes {one.seconds:.2f} s)")


main()
