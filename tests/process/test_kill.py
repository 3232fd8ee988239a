# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
# ctest-timeout: 300
"""kill -9 at random moments leaves a folder that can be read and resumed to the same end."""

import random
import subprocess
import time

import process as p


def main():
    p.need_program()
    p.need_h5py()
    rounds = 10
    with p.Folder() as folder:
        scene = p.scene(folder)
        # Kills fall into the time that a run takes when nothing else holds it up: the least of two.
        seconds = float("inf")
        for name in ("first", "whole"):
            began = time.monotonic()
            p.run(scene, "-o", folder / name, "-q", "--checkpoint-every", "0.5")
            seconds = min(seconds, time.monotonic() - began)
        whole, times = p.results(folder / "whole"), p.frames(folder / "whole")

        kills = from_checkpoint = 0
        for seed in range(rounds):
            draw = random.Random(seed)
            out = folder / f"killed-{seed}"
            # The first kill may fall anywhere from the first moment on, a second one into the resumed run.
            for _ in range(1 + seed % 2):
                child = subprocess.Popen([str(p.BIN), "run", str(scene), "-o", str(out), "-q", "--resume",
                                          "--checkpoint-every", "0.5"])
                time.sleep(draw.uniform(0.0, 0.9 * seconds))
                child.kill()
                kills += child.wait() == -9
                if (out / "checkpoint.h5").exists():
                    from_checkpoint += 1
                    read = p.frames(out)  # what a kill left can be read
                    p.check(read == times[:len(read)], f"seed {seed}: frames differ")
                for table in out.glob("top.csv"):
                    p.check(whole[0]["top.csv"].startswith(table.read_bytes()), f"seed {seed}: top.csv is no beginning")
            p.run(scene, "-o", out, "-q", "--resume", "--checkpoint-every", "0.5")
            p.same(whole, p.results(out), f"seed {seed}:")
            p.check(p.frames(out) == times, f"seed {seed}: the trajectory differs")
            p.check(not list(out.glob("*.tmp")), f"seed {seed}: left aside: {list(out.glob('*.tmp'))}")
        p.check(kills >= 8, f"only {kills} of the runs were killed")
        p.check(from_checkpoint >= 3, f"only {from_checkpoint} runs had a checkpoint")
    print(f"kill: ok ({kills} kills, {from_checkpoint} with a checkpoint; the whole run takes {seconds:.2f} s)")


main()
