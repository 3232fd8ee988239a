# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
"""What docs/tutorial.md, recipes.md and c-guide.md show is real. A comment before a block says how it is tested:

    <!-- file: PATH -->      the block is the whole of that file
    <!-- part of: PATH -->   its lines stand in that file, one after the other
    <!-- scene: NAME.json --> the block is written under that name
    <!-- run -->             it is run: commands one by one, Python as a program; in the order of the page, in one folder
                             that begins with the files of scenes/ of the page's name

Long runs are shortened. Every block of JSON, Python and C has such a comment."""

import csv
import json
import math
import os
import re
import shutil
import subprocess
import sys

import process as p

SHORT = {"rover.json": 0.02}  # scenes that take long: the end of their runs here
BLOCK = re.compile(r"(?:^<!-- (file|part of|scene|run)(?:: (\S+))? -->\n)?^```(\w+)\n(.*?)^```$", re.M | re.S)


def squeezed(text):
    return re.sub(r"\s+", " ", text).strip()


def words(command):
    """The words of a command, comments left out; long runs get an end."""
    line = re.sub(r"\s+#.*$", "", command)
    for scene, end in SHORT.items():
        if re.match(rf"kairos run {re.escape(scene)}\b", line) and "--end" not in line:
            line += f" --end {end}"
    return line


def run_commands(text, folder, place):
    environment = dict(os.environ, PATH=f"{p.BIN.parent}{os.pathsep}{os.environ['PATH']}")
    for command in filter(None, map(words, text.replace("\\\n", " ").splitlines())):
        done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=p.LIMIT)
        p.check(done.returncode == 0, f"{place}: {command}\n{done.stdout}")


def run_python(text, folder, place):
    for module in re.findall(r"^(?:import|from) (\w+)", text, re.M):
        if subprocess.run([sys.executable, "-c", f"import {module}"], stderr=subprocess.DEVNULL).returncode != 0:
            print(f"{place}: not run, Python has no {module}")
            return
    done = subprocess.run([sys.executable, "-c", text], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, timeout=p.LIMIT)
    p.check(done.returncode == 0, f"{place}:\n{done.stdout}")


def look_at(page, folder):
    text = (p.SOURCE / "docs" / page).read_text(encoding="utf-8")
    count = 0
    for found in BLOCK.finditer(text):
        what, path, language, body = found.groups()
        place = f"docs/{page}:{text.count(chr(10), 0, found.start()) + 1}"
        p.check(what or language not in ("json", "python", "c"), f"{place}: no comment says how this block is tested")
        count += what is not None
        if what == "file":
            p.check((p.SOURCE / path).read_text(encoding="utf-8") == body, f"{place}: {path} is another text")
        elif what == "part of":
            p.check(squeezed(body) in squeezed((p.SOURCE / path).read_text(encoding="utf-8")), f"{place}: {path} has no such lines")
        elif what == "scene":
            (folder / path).write_text(body)
        elif what == "run":
            (run_python if language == "python" else run_commands)(body, folder, place)
    return count


def column(folder, file, name):
    with open(folder / "out" / file, newline="") as table:
        return [float(row[name]) for row in csv.DictReader(table)]


def check_tutorial(folder):
    """The numbers that the tutorial names, from closed forms."""
    fastest = max(map(abs, column(folder, "pendulum/hinge.csv", "hinge.angle_rate")))
    p.check(abs(fastest - math.sqrt(3 * 9.81)) < 2e-3, "pendulum", fastest)
    weight = -column(folder, "boxes/floor.csv", "floor.contact_force.z")[-1]
    p.check(abs(weight - 3 * 600 * 0.2**3 * 9.81) < 5e-3, "boxes", weight)
    spin = column(folder, "wheel/wheel.csv", "wheel.angular_velocity.y")[-1]
    p.check(abs(spin - 2 / 3 * 9.81 * math.sin(math.radians(10)) * 1.4 / 0.1) < 1e-3, "wheel", spin)
    effort = column(folder, "four-bar/drive.csv", "drive.effort")[200:]
    p.check(abs(max(effort) - 18.9) < 0.05 and abs(sum(effort) / len(effort)) < 0.2, "four-bar", max(effort))


def check_warnings(folder):
    """Nothing that is shown gives a warning."""
    for run in (folder / "out").glob("*/run.json"):
        warnings = json.loads(run.read_text())["warnings"]
        p.check(not warnings, run.parent.name, warnings)


def main():
    p.need_program()
    for page in sys.argv[1:] or ("tutorial.md", "recipes.md", "c-guide.md"):
        with p.Folder() as folder:
            scenes = p.SOURCE / "scenes" / page.removesuffix(".md")
            if scenes.is_dir():
                shutil.copytree(scenes, folder, dirs_exist_ok=True)
            print(f"{page}: {look_at(page, folder)} blocks")
            if page == "tutorial.md":
                check_tutorial(folder)
            check_warnings(folder)


main()
