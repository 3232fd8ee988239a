# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
"""Progress: one line redrawn on a terminal that fits its width; plain lines elsewhere; none when quiet."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import termios

import process as p


def on_terminal(columns, *arguments):
    """What a run writes to a terminal of that width, and its status."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    child = subprocess.Popen([str(p.BIN), "run", *map(str, arguments)], stdout=subprocess.DEVNULL, stderr=slave,
                             stdin=subprocess.DEVNULL)
    os.close(slave)
    text = b""
    while True:
        try:
            block = os.read(master, 65536)
        except OSError:  # the child closed the terminal
            break
        if not block:
            break
        text += block
    os.close(master)
    return text.decode(), child.wait()


def main():
    p.need_program()
    with p.Folder() as folder:
        scene = p.scene(folder, 40000)
        for columns in (80, 40, 20, 200):
            text, status = on_terminal(columns, scene, "-o", folder / "out")
            p.check(status == 0, text)
            # Terminals turn "\n" into "\r\n"; the bar is what stands before the first of these.
            bar, _, rest = text.partition("\r\n")
            drawn = [re.sub(r"\x1b\[K", "", part) for part in bar.split("\r") if part]
            p.check(len(drawn) >= 3, f"{columns}: drawn {len(drawn)} times", repr(bar))
            p.check(max(map(len, drawn)) < columns, f"{columns}: too wide", max(drawn, key=len))
            p.check("100%" in drawn[-1], f"{columns}: ends with", drawn[-1])
            if columns >= 40:
                p.check(re.match(r"\[#*\.*\] +\d+%", drawn[0]), f"{columns}: no bar in", drawn[0])
                p.check("left" in drawn[0] and " s" in drawn[0], drawn[0])
            if columns >= 80:
                p.check("RTF" in drawn[0] and "3 bodies 20 particles" in drawn[0], drawn[0])
            lines = rest.split("\r\n")
            p.check(len(lines) == 4 and lines[3] == "", "summary of three lines:", repr(rest))
            p.check(lines[2].endswith(str(folder / "out/index.html")), lines[2])
            p.check("40000 steps" in lines[0] and "real-time factor" in lines[0], lines[0])
            p.check(lines[1].endswith(str(folder / "out")), lines[1])
        text, status = on_terminal(80, scene, "-o", folder / "out", "--quiet")
        p.check(text == "" and status == 0, repr(text))

        # Elsewhere: no control characters, and nothing but the summary in a short run.
        err = p.run(scene, "-o", folder / "out", "--end", 4)
        p.check("\r" not in err and "\x1b" not in err and len(err.splitlines()) == 3, repr(err))
        err = p.run(scene, "-o", folder / "out", "--quiet")
        p.check(err == "", repr(err))
    print("progress: ok")


main()
