# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
"""The manual page, and command lines completed by bash, zsh and fish: both from the tables of options."""

import os
import pty
import re
import select
import shutil
import subprocess
import time

import process as p


def printed(*arguments):
    code, out, err = p.call(*arguments)
    p.check(code == 0 and err == "", arguments, code, err)
    return out


def commands():
    """Names of commands and the options of each, as the help lists them."""
    names = re.findall(r"^  (\w+) ", printed("help").split("exit status")[0], re.M)
    p.check({"run", "check", "export", "help"} <= set(names), names)
    return {name: re.findall(r"^  .{4}--([a-z-]+)", printed("help", name), re.M) for name in names}


def need(program):
    if shutil.which(program) is None:
        p.skip(f"{program} is not there (Debian package {program})")


def check_manual(folder, table):
    page = folder / "kairos.1"
    page.write_text(printed("help", "--man"))
    p.check(page.read_text().isascii(), "characters that troff may not know")
    for program in (["groff", "-man", "-Tutf8", "-ww", "-P-cbou"], ["mandoc", "-Tutf8", "-Wwarning"]):
        need(program[0])
        done = subprocess.run([*program, str(page)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        complaints = done.stderr.splitlines()
        p.check(complaints == [], program[0], complaints)
        text = re.sub(".\x08", "", done.stdout).replace("\u2010", "-")
        for title in "NAME SYNOPSIS DESCRIPTION COMMANDS FILES ENVIRONMENT EXAMPLES".split() + ["EXIT STATUS"]:
            p.check(f"\n{title}" in text, program[0], title)
        for name, options in table.items():
            p.check(f"kairos {name}" in text, program[0], name)
            for option in options:
                p.check(f"--{option}" in text, program[0], name, option)
        p.check("stopped from outside" in text and "run.json" in text and "'make install'" in " ".join(text.split()), text)


def check_bash(folder, table, env):
    script = folder / "kairos.bash"
    script.write_text(printed("completion", "bash"))

    def complete(*words):
        code = ('source "$1"; shift; compopt() { :; }; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _kairos; '
                'printf "%s\\n" "${COMPREPLY[@]}"')
        done = subprocess.run(["bash", "-c", code, "bash", str(script), *words], env=env, cwd=folder, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        p.check(done.returncode == 0 and done.stderr == "", words, done.stderr)
        return done.stdout.split()

    p.check(set(complete("kairos", "")) == {*table, "--help", "--version"}, complete("kairos", ""))
    for name, options in table.items():
        p.check(set(complete("kairos", name, "--")) == {"--help", *(f"--{o}" for o in options)}, name)
    p.check("double-pendulum" in complete("kairos", "run", "dou"), "scenes that ship")
    p.check(complete("kairos", "check", "my-") == ["my-scene.json"], complete("kairos", "check", "my-"))
    p.check(complete("kairos", "run", "x", "-o", "res") == ["results"], "a folder")
    p.check(complete("kairos", "export", "results", "--to", "=", "v") == ["vtk"], "a choice")
    p.check(complete("kairos", "help", "sc") == ["scenes"], "a command")


def check_fish(folder, table, env):
    need("fish")
    script = folder / "kairos.fish"
    script.write_text(printed("completion", "fish"))

    def complete(line):
        done = subprocess.run(["fish", "--no-config", "-c", f"source {script}; complete -C '{line}'"], env=env,
                              cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        p.check(done.returncode == 0 and done.stderr == "", line, done.stderr)
        return [row.split("\t")[0] for row in done.stdout.splitlines()]

    p.check(set(table) <= set(complete("kairos ")), complete("kairos "))
    for name, options in table.items():
        p.check({f"--{o}" for o in options} <= set(complete(f"kairos {name} --")), name, complete(f"kairos {name} --"))
    p.check("double-pendulum" in complete("kairos run dou"), complete("kairos run dou"))
    p.check("vtk" in complete("kairos export results --to "), complete("kairos export results --to "))


def check_zsh(folder, env):
    """A real zsh at a terminal, with the Tab key."""
    need("zsh")
    functions = folder / "functions"
    functions.mkdir()
    (functions / "_kairos").write_text(printed("completion", "zsh"))
    done = subprocess.run(["zsh", "-n", str(functions / "_kairos")], stderr=subprocess.PIPE, text=True)
    p.check(done.returncode == 0, done.stderr)

    def complete(line, wanted):
        child, terminal = pty.fork()
        if child == 0:
            os.chdir(folder)
            os.execvpe("zsh", ["zsh", "-f", "-i"], {**env, "TERM": "dumb", "PS1": "> "})
        seen = ""
        try:
            os.write(terminal, f"fpath=({functions} $fpath); autoload -U compinit; compinit -D -u\n{line}\t".encode())
            end = time.monotonic() + p.LIMIT / 4
            while wanted not in seen and time.monotonic() < end:
                if select.select([terminal], [], [], 0.2)[0]:
                    seen += os.read(terminal, 65536).decode(errors="replace")
        finally:
            os.kill(child, 9)
            os.waitpid(child, 0)
            os.close(terminal)
        p.check(wanted in seen, line, repr(seen))

    complete("kairos comple", "completion")
    complete("kairos check --allo", "--allow-outside")
    complete("kairos run double-pen", "double-pendulum")
    complete("kairos view resu", "results/")


def main():
    p.need_program()
    table = commands()
    with p.Folder() as folder:
        (folder / "my-scene.json").write_text("{}")
        (folder / "results").mkdir()
        env = {**os.environ, "PATH": f"{p.BIN.parent}:{os.environ['PATH']}", "HOME": str(folder)}
        code, _, err = p.call("completion", "csh")
        p.check(code == 2 and "bash, zsh and fish, not 'csh'" in err, err)
        code, _, err = p.call("help", "rnu")
        p.check(code == 2 and "did you mean 'run'?" in err, err)
        check_manual(folder, table)
        check_bash(folder, table, env)
        check_fish(folder, table, env)
        check_zsh(folder, env)


if __name__ == "__main__":
    main()
