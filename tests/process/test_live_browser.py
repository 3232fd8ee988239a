# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
# ctest-labels: slow
# ctest-timeout: 300
"""A live run in a real browser: the page shows it, pauses, steps, drags and steers it; then the served and the written page."""

import json
import math
import sys

import process as p
from test_live import Server, ball

try:
    import browser
except ImportError:
    p.skip("the viewer's tests are not there")


def test_live(folder):
    with Server("run", ball(folder), "-o", folder / "out", "--live", "-q") as server, browser.Browser() as b:
        b.open(server.url)
        b.until("kairos.state.live.connection === 'connected' && kairos.frames > 5")
        b.evaluate("document.activeElement && document.activeElement.blur()")
        # Pause: the shown time stands.
        b.key(" ", "Space")
        b.until("kairos.state.live.paused")
        b.pictures(30)  # the step that was under way, and the word about it
        time = b.evaluate("kairos.state.live.time")
        b.pictures(10)
        p.check(b.evaluate("kairos.state.live.time") == time, "time stands still")
        b.evaluate("kairos.app.live.send({type: 'step', count: 5})")
        b.until(f"Math.abs(kairos.state.live.time - {time} - 0.005) < 1e-9")
        b.key(" ", "Space")
        b.until("!kairos.state.live.paused")
        # Dragged to the right, the ball goes to the right of the screen, and where it is drawn is where the engine has it.
        x, y = b.evaluate("kairos.bodyPixel('ball')")[:2]
        start = b.evaluate("kairos.bodyPosition('ball')")
        b.drag(x, y, x + 380, y, release=False)  # far: a ball that is pulled fast turns at first
        b.until("kairos.state.dragging === 1")
        b.until(f"kairos.bodyPixel('ball')[0] > {x} + 40")  # its surface was grabbed: it also turns
        if len(sys.argv) > 1:
            b.pictures(10)
            b.screenshot(sys.argv[1])
        b.mouse("mouseReleased", x + 380, y)
        b.until("kairos.state.dragging === null")
        moved = b.evaluate("kairos.bodyPosition('ball')")
        p.check(math.dist(start, moved) > 0.02, "dragged", start, moved)
        # The key pushes with 4 N along x.
        b.key("ArrowUp", up=False)
        here = b.evaluate("kairos.bodyPosition('ball')")
        b.until(f"kairos.bodyPosition('ball')[0] > {here[0]} + 3")
        b.key("ArrowUp", down=False)
        p.check(b.faults() == [], b.faults())
        server.end(None)
    warnings = json.loads((folder / "out/run.json").read_text())["warnings"]
    p.check(len(warnings) == 1 and "live" in warnings[0], warnings)


def test_pages(folder):
    """The page of a run from its file, and as kairos view serves it: the same numbers."""
    out = folder / "run"
    p.run("double-pendulum", "-o", out, "-q", "--end", "2")
    shown = []
    with browser.Browser() as b, Server("view", out) as server:
        for address in (str(out / "index.html"), server.url):
            b.open(address)
            places = []
            for k in (0, 30, 59):
                b.evaluate(f"kairos.setFrame({k})")
                b.until(f"kairos.shownTime === kairos.times[{k}]")
                places.append(b.evaluate("kairos.bodyPosition('lower')"))
            shown.append(places)
            p.check(b.evaluate("kairos.viewPixels().colours") > 20, "the picture is not blank")
            value = b.evaluate("kairos.seriesValue('lower.csv', 'lower.position.z', 7)")
            row = (out / "lower.csv").read_text().splitlines()
            column = row[0].split(",").index("lower.position.z")
            p.check(value == float(row[8].split(",")[column]), value, row[8])
        p.check(b.faults() == [], b.faults())
    p.check(shown[0] == shown[1], shown)


if __name__ == "__main__":
    p.need_program()
    if not browser.find():
        p.skip("no browser (Debian package chromium)")
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            with p.Folder() as place:
                test(place)
            print("ok", name, flush=True)
