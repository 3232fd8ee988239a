# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
# ctest-timeout: 400
"""A minute of mutants of scenes, tables, meshes, checkpoints and trajectories (tests/mutate/mutate.py).

Always the same ones, so that a failure can be seen again; `make fuzz` takes others. KAIROS_MUTANTS_SECONDS is the time.
"""

import os
import subprocess
import sys

import process as p


def main():
    p.need_program()
    seconds = os.environ.get("KAIROS_MUTANTS_SECONDS", "60")
    keep = p.BUILD / "tests" / "mutants"
    done = subprocess.run([sys.executable, str(p.SOURCE / "tests" / "mutate" / "mutate.py"), "--seed", "ci", "--seconds",
                           seconds, "--bin", str(p.BIN), "--keep", str(keep)], check=False)
    if done.returncode == p.SKIPPED:
        sys.exit(p.SKIPPED)
    p.check(done.returncode == 0, f"mutants failed; they are kept in {keep}")
    print("mutants: ok")


main()
