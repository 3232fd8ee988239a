# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
"""The scenes and the first C program of the README run as they are written."""

import os
import re
import shutil
import subprocess

import process as p


def blocks(text, language):
    found = re.findall(rf"^```{language}\n(.*?)^```", text, re.M | re.S)
    p.check(found, f"README.md has no {language} block")
    return found


def main():
    p.need_program()
    readme = p.SOURCE / "README.md"
    if not readme.is_file():
        p.skip("there is no README.md")
    text = readme.read_text(encoding="utf-8")
    with p.Folder() as folder:
        for number, content in enumerate(blocks(text, "json")):
            scene = folder / f"scene-{number}.json"
            scene.write_text(content)
            code, out, err = p.call("check", scene)
            p.check(code == 0 and "warning" not in err, f"README scene {number}: {err}")
            p.run(scene, "-o", folder / f"out-{number}", "-q")
            p.check((folder / f"out-{number}" / "run.json").is_file(), f"README scene {number} left no run.json")

        compiler = os.environ.get("CC") or shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
        if not compiler:
            p.skip("no C compiler")
        program = folder / "program.c"
        program.write_text(blocks(text, "c")[0])
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
