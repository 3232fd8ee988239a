# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
# ctest-labels: slow
# ctest-timeout: 600
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


EARLY = """
    const get = window.fetch;
    window.fetch = async (...what) => {
        const answer = await get(...what);
        if (!String(what[0].url ?? what[0]).includes("manifest.json")) return answer;
        return new Response(JSON.stringify({...await answer.json(), series: []}), {status: 200});
    };
"""


def test_early(folder):
    """A page that is opened before the run has written its first rows shows the time series once they are there."""
    with Server("run", ball(folder), "-o", folder / "out", "--live", "-q") as server, browser.Browser() as b:
        b.before(EARLY)
        b.open(server.url)
        b.until("kairos.app.tables.find(t => t.file === 'ball.csv')?.rows > 5")
        b.until("[...document.querySelectorAll('.plots .file-name')].some(e => e.textContent === 'ball.csv')")
        p.check(b.evaluate("document.querySelector('.plots .empty').hidden"), "no time series are said to be there")
        p.check(b.faults() == [], b.faults())
        server.end(None)


PADS = """
    window.pads = [];
    navigator.getGamepads = () => window.pads;
    window.pad = (axes, buttons) => ({connected: true, index: 0, mapping: "standard", axes, buttons: buttons.map(v => ({value: v, pressed: v > 0.5}))});
"""


def test_gamepad(folder):
    """A game pad pushes the ball as far as its stick is moved, and lets it go when it is let go of or taken away."""
    scene = json.loads(ball(folder).read_text())
    scene["forces"][0]["value"][1] = {"control": {"button": 2, "low": 0, "high": 4}}
    path = folder / "pad.json"
    path.write_text(json.dumps(scene))
    speed = "(t => t.data[t.columns.indexOf('ball.velocity.{0}')].at(-1))(kairos.app.tables.find(t => t.file === 'ball.csv'))"
    with Server("run", path, "-o", folder / "out", "--live", "-q") as server, browser.Browser() as b:
        b.before(PADS)
        b.open(server.url)
        b.until("kairos.state.live.connection === 'connected' && kairos.frames > 5")
        b.until(f"{speed.format('x')} === 0")  # a pad that is not there does nothing
        # Stick 1 at a half: 2 N on 2 kg, so 1 m/s more each second, along x only.
        b.evaluate("window.pads = [null, pad([0, 0.5], [0, 0, 0])]")
        b.until(f"{speed.format('x')} > 0.3")
        p.check(b.evaluate(speed.format("y")) == 0, "the button is up")
        rows = "((t, c) => { const x = t.data[t.columns.indexOf(c)], s = t.data[0], n = x.length; return [x[n - 1] - x[n - 11], s[n - 1] - s[n - 11]]; })" \
               "(kairos.app.tables.find(t => t.file === 'ball.csv'), 'ball.velocity.x')"
        gain, time = b.evaluate(rows)
        p.check(abs(gain / time - 1.0) < 1e-6, "half of the stick: acceleration", gain / time)
        # A stick that is nearly at rest is at rest; a button pushes along y.
        b.evaluate("window.pads = [null, pad([0, 0.03], [0, 0, 1])]")
        b.until(f"{speed.format('y')} > 0.5")
        gain, time = b.evaluate(rows)
        p.check(gain == 0, "a stick near its middle pushes", gain)
        # Taken away: everything is let go of.
        b.evaluate("window.pads = [null, null]")
        b.until(f"(a => new Promise(done => setTimeout(() => done(({speed.format('y')}) === a), 1500)))({speed.format('y')})")
        p.check(b.faults() == [], b.faults())
        server.end(None)


def test_sliders(folder):
    """A slider pushes the ball as hard as it says, holds, and lets go."""
    scene = json.loads(ball(folder).read_text())
    scene["forces"][0]["value"][1] = {"control": {"low": -4, "high": 4}}
    scene["forces"][0]["name"] = "thrust"
    path = folder / "sliders.json"
    path.write_text(json.dumps(scene))
    rows = "(t => { const x = t.data[t.columns.indexOf('ball.velocity.y')], s = t.data[0], n = x.length; return [(x[n - 1] - x[n - 6]) / (s[n - 1] - s[n - 6]), x[n - 1]]; })" \
           "(kairos.app.tables.find(t => t.file === 'ball.csv'))"
    with Server("run", path, "-o", folder / "out", "--live", "-q") as server, browser.Browser() as b:
        b.open(server.url)
        b.until("kairos.state.live.connection === 'connected' && kairos.frames > 5")
        labels = b.evaluate("[...document.querySelectorAll('.live-controls .look-row > span')].map(x => x.textContent)")
        p.check(labels and all(x == "thrust" for x in labels), labels)
        last = len(labels) - 1
        p.check(b.evaluate(f"kairos.manifest.controls[{last}].high") == 4, b.evaluate("kairos.manifest.controls"))
        # The slider of the second control to 3 N on 2 kg: 1.5 m/s more each second along y.
        b.evaluate(f"(s => {{ s.value = 3; s.dispatchEvent(new Event('input')); }})(document.querySelectorAll('.live-controls input')[{last}])")
        b.until(f"Math.abs(({rows})[0] - 1.5) < 1e-6")
        b.evaluate(f"document.querySelectorAll('.live-controls button')[{last}].click()")
        b.until(f"Math.abs(({rows})[0]) < 1e-9 && ({rows})[1] > 0")
        units = b.evaluate("kairos.app.tables.find(t => t.file === 'ball.csv').quantities().map(q => q.unit)")
        p.check("m/s" in units, "units of a live run", units)
        p.check(b.faults() == [], b.faults())
        server.end(None)


def test_touch(folder):
    """A finger on the ball of a live run pulls it; a finger beside it turns the view."""
    with Server("run", ball(folder), "-o", folder / "out", "--live", "-q") as server, browser.Browser(width=390, height=844) as b:
        b.resize(390, 844, True)
        b.touchable()
        b.open(server.url)
        b.until("kairos.state.live.connection === 'connected' && kairos.frames > 5")
        b.pictures(5)
        eye = "kairos.app.view.camera.position.toArray()"
        x, y = b.evaluate("kairos.bodyPixel('ball')")
        start, before = b.evaluate("kairos.bodyPosition('ball')"), b.evaluate(eye)
        b.swipe(((x, y), (x + 90, y)), release=False)
        b.until("kairos.state.dragging === 1")
        b.until(f"kairos.bodyPixel('ball')[0] > {x} + 8")
        b.touch("touchEnd")
        b.until("kairos.state.dragging === null")
        p.check(math.dist(start, b.evaluate("kairos.bodyPosition('ball')")) > 0.01, "the ball was not pulled")
        p.check(b.evaluate("kairos.app.view.controls.enabled"), "the view can be turned again")
        box = b.evaluate("(r => [r.left, r.top, r.width, r.height])(kairos.app.view.canvas.getBoundingClientRect())")
        b.swipe(((box[0] + 30, box[1] + 0.8 * box[3]), (box[0] + 150, box[1] + 0.8 * box[3])))
        b.until(f"Math.hypot(...{eye}.map((v, i) => v - {before}[i])) > 0.05")
        p.check(b.faults() == [], b.faults())
        server.end(None)


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
