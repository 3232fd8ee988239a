# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
"""The first scene and the first C program of the README run as they are written."""

import os
import re
import shutil
import subprocess

import process as p


def block(text, language):
    found = re.search(rf"^```{language}\n(.*?)^```", text, re.M | re.S)
    p.check(found, f"README.md has no {language} block")
    return found.group(1)


def main():
    p.need_program()
    readme = p.SOURCE / "README.md"
    if not readme.is_file():
        p.skip("there is no README.md")
    text = readme.read_text(encoding="utf-8")
    with p.Folder() as folder:
        scene = folder / "scene.json"
        scene.write_text(block(text, "json"))
        code, out, err = p.call("check", scene)
        p.check(code == 0, f"README scene: {err}")
        p.run(scene, "-o", folder / "out", "-q")
        p.check((folder / "out" / "run.json").is_file(), "README scene left no run.json")

        compiler = os.environ.get("CC") or shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
        if not compiler:
            p.skip("no C compiler")
        program = folder / "program.c"
        program.write_text(block(text, "c"))
        sanitize = os.environ.get("KAIROS_SANITIZE")
        if sanitize:
            p.skip("the scene runs; the C program is not built against a library with sanitizers")
        subprocess.run([compiler, "-std=gnu17", "-Wall", "-Wextra", "-Werror", f"-I{p.SOURCE / 'include'}",
                        f"-I{p.BUILD / 'include'}", str(program), "-o", str(folder / "program"), f"-L{p.BUILD / 'lib'}",
                        f"-Wl,-rpath,{p.BUILD / 'lib'}", "-lkairos", "-lm"], check=True)
        done = subprocess.run([str(folder / "program")], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, timeout=p.LIMIT)
        p.check(done.returncode == 0 and done.stdout.strip(), f"README program: {done.returncode}\n{done.stdout}")
    print("readme: ok")


main()
