# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
"""The page of a run in a real browser: what it shows is what was put into it. Pages are made by viewer/tools/sample.py,
so that every number is known without the engine."""
# ctest-labels: slow
# ctest-timeout: 900

import base64
import json
import re
import sys

import browser
import live_stand_in
import page_data
import process as p

sys.path.insert(0, str(p.SOURCE / "viewer" / "tools"))


def number(text):
    return float(text.replace("\u2212", "-"))


def no_faults(b, where):
    p.check(not b.faults(), where, "problems in the page:", b.faults())


def at_frame(b, k):
    b.evaluate(f"kairos.setFrame({k})")
    b.until(f"kairos.shownTime === kairos.times[{k}] && !kairos.state.waiting")


def close(got, wanted, bound, what):
    for x, y in zip(got, wanted):
        p.check(abs(x - y) <= bound, what, f"got {got}, wanted {list(wanted)}, bound {bound}")


def check_replay(b, truth, manifest, movers):
    """Recorded frames are shown within the bound; between them the page is linear."""
    step = manifest["frames"]["position_step"]
    times, position, rotation = truth["times"], truth["position"], truth["rotation"]
    frames = len(times)
    p.check(b.evaluate("kairos.frames") == frames, "number of frames")
    close(b.evaluate("kairos.times"), times, 0.0, "times")
    for k in (0, 1, 2, frames // 2, 15, 16, 17, frames - 2, frames - 1):
        at_frame(b, k)
        for i in movers:
            # Half a step of rounding, and the last bits of origin + p q in double precision.
            close(b.evaluate(f"kairos.bodyPosition({i})"), position[k, i], 0.5 * step + 1e-12, f"frame {k}, mover {i}:")
            if i < rotation.shape[1]:
                q = b.evaluate(f"kairos.bodyRotation({i})")
                sign = 1 if sum(x * y for x, y in zip(q, rotation[k, i])) >= 0 else -1
                close([sign * x for x in q], rotation[k, i], 0.5 * 2**-14 + 1e-12, f"frame {k}, rotation of {i}:")
    if manifest["joints"]:
        return  # check_between
    k = frames // 3
    b.evaluate(f"kairos.setTime({0.75 * times[k] + 0.25 * times[k + 1]!r})")
    b.until(f"Math.abs(kairos.shownTime - {0.75 * times[k] + 0.25 * times[k + 1]!r}) < 1e-12")
    for i in movers:
        # Single precision of what is drawn, relative to the size of the scene.
        close(b.evaluate(f"kairos.bodyPosition({i})"), 0.75 * position[k, i] + 0.25 * position[k + 1, i], 0.5 * step + 1e-5, f"between frames, mover {i}:")


def check_between(b, sample, truth):
    """Bodies that joints hold follow their curve between frames: much nearer to the true motion than a straight line."""
    times, position = truth["times"], truth["position"]
    for k in (40, 83, 150):
        t = 0.5 * (times[k] + times[k + 1])
        true = sample.pendulum_positions(*sample.pendulum_motion([t])[:, :2].T)[0]
        b.evaluate(f"kairos.setTime({t!r})")
        b.until(f"kairos.shownTime === {t!r}")
        for i in (1, 2):
            off = sum((x - y) ** 2 for x, y in zip(b.evaluate(f"kairos.bodyPosition({i})"), true[i])) ** 0.5
            straight = sum((0.5 * (x + y) - z) ** 2 for x, y, z in zip(position[k, i], position[k + 1, i], true[i])) ** 0.5
            p.check(off < 0.25 * straight, f"between frames {k} and {k + 1}, body {i}: {off} m off; a straight line is {straight} m off")


def check_controls(b):
    """Slider, keys, clicks."""
    b.evaluate("kairos.setTime(0)")
    box = b.evaluate("(r => [r.left, r.top, r.width, r.height])(document.querySelector('.scrub').getBoundingClientRect())")
    b.click(box[0] + 0.5 * box[2], box[1] + 0.5 * box[3])
    b.until("Math.abs(kairos.shownTime - 2.5) < 0.1")
    b.evaluate("document.activeElement.blur()")
    at_frame(b, 10)
    b.key("ArrowRight")
    b.until("kairos.frame === 11")
    b.key("ArrowLeft")
    b.until("kairos.frame === 10")
    b.key("End")
    b.until("kairos.frame === kairos.frames - 1")
    b.key("Home")
    b.until("kairos.frame === 0")
    b.key(" ", "Space")
    b.until("kairos.state.playing && kairos.shownTime > 0.1")
    b.key(" ", "Space")
    b.until("!kairos.state.playing")
    b.key("?")
    b.until("!document.querySelector('.sheet').hidden")
    b.key("Escape")
    b.until("document.querySelector('.sheet').hidden")


def check_pick(b):
    """A click on a body chooses it and shows where it is; a click beside it lets go."""
    at_frame(b, 35)
    b.pictures(3)
    x, y = b.evaluate("kairos.bodyPixel('lower')")
    b.click(x, y)
    b.until("kairos.state.selected === 2")
    card = b.evaluate("Object.fromEntries([...document.querySelectorAll('.picked tr')].map(x => [x.children[0].textContent, x.children[1].textContent]))")
    position = b.evaluate("kairos.bodyPosition('lower')")
    p.check(card["position"].endswith(" m"), card)
    for text, value in zip(card["position"].split(), position):
        p.check(abs(number(text) - value) < 1e-3, "the card says", card, "the body is at", position)
    p.check("lower" in b.evaluate("document.querySelector('.picked').textContent"), "name of the chosen body")
    b.key("Escape")
    b.until("kairos.state.selected === null")


def check_plots(b, truth_rows):
    """Charts are drawn, and the values under the pointer are those of the table."""
    b.until("document.querySelectorAll('.chart').length >= 5")
    b.until("kairos.app.plots.charts[0].q.table.data !== null")
    for file, column, row, wanted in truth_rows:
        got = b.evaluate(f"kairos.seriesValue({json.dumps(file)}, {json.dumps(column)}, {row})")
        p.check(got == wanted, f"{file} {column} row {row}: {got!r}, wanted {wanted!r}")
    b.pictures(3)
    drawn = b.evaluate("(c => new Set(new Uint32Array(c.getContext('2d').getImageData(0, 0, c.width, c.height).data.buffer)).size)"
                       "(document.querySelector('.plot-area canvas'))")
    p.check(drawn > 10, f"the first chart has {drawn} colours")
    box = b.evaluate("(r => [r.left, r.top, r.width, r.height])(document.querySelector('.plot-area').getBoundingClientRect())")
    x = box[0] + 50 + 0.4 * (box[2] - 58)  # margins of a chart are 50 and 8 pixels
    b.mouse("mouseMoved", x, box[1] + 40)
    shown = b.until("kairos.app.plots.charts[0].sync.hover !== null && kairos.app.plots.charts[0].sync.hover")
    p.check(abs(shown - 2.0) < 0.02, "time under the pointer", shown)
    legend = b.evaluate("[...document.querySelectorAll('.chart')[0].querySelectorAll('b')].map(x => x.textContent)")
    wanted = b.evaluate(f"[1, 2, 3].map(c => kairos.app.tables[0].value(c, {shown}))")
    for text, value in zip(legend, wanted):
        p.check(abs(number(text) - value) <= 1e-3 * abs(value), "legend", legend, "table", wanted)
    b.click(x, box[1] + 40)
    b.until(f"Math.abs(kairos.time - {shown}) < 0.02")
    b.drag(box[0] + 100, box[1] + 30, box[0] + 200, box[1] + 30)
    b.until("kairos.app.plots.charts[0].sync.high < 4")
    b.evaluate("kairos.app.plots.charts[0].sync.reset()")
    csv = b.evaluate("kairos.app.tables[0].csv()").splitlines()
    p.check(csv[0].startswith("time,lower.position.x") and len(csv) == 252, "CSV for saving:", csv[0], len(csv))


def check_theme(b):
    before = b.evaluate("[kairos.state.theme, getComputedStyle(document.querySelector('aside')).backgroundColor]")
    b.key("d")
    b.until(f"kairos.state.theme !== '{before[0]}'")
    after = b.evaluate("getComputedStyle(document.querySelector('aside')).backgroundColor")
    p.check(after != before[1], "colours of the panel before and after:", before, after)
    b.prefer(True)
    b.key("d")
    b.until(f"kairos.state.theme === '{before[0]}'")


def test_pendulum(sample, folder):
    truth, manifest = sample.make("pendulum", folder / "pendulum.html")
    with browser.Browser(dark=False) as b:
        b.open(folder / "pendulum.html")
        p.check(b.evaluate("document.title").startswith("double pendulum"), "title")
        pixels = b.evaluate("kairos.viewPixels()")
        p.check(pixels["drawn"] > 5000 and pixels["colours"] > 100, "the view is blank:", pixels)
        check_replay(b, truth, manifest, (0, 1, 2))
        check_between(b, sample, truth)
        check_controls(b)
        check_pick(b)
        position = truth["position"]
        check_plots(b, [("lower.csv", "lower.position.x", r, position[r, 2, 0]) for r in (0, 1, 100, 250)])
        check_theme(b)
        for mode in ("id", "group", "speed", "height", "field:velocity", "given"):
            b.evaluate(f"kairos.setColour('{mode}')")
            b.pictures(2)
        for toggle in "gsjavp":
            b.key(toggle)
            b.pictures(2)
        for tab in ("objects", "summary", "scene"):
            b.evaluate(f"kairos.app.showTab('{tab}')")
        text = b.evaluate("document.body.innerText + document.querySelector('.summary').textContent")
        p.check("a warning with <b>marks</b> & </script> in it" in text, "the warning is not shown as it is")
        p.check('"integrator": "hht"' in b.evaluate("document.querySelector('.scene-text').textContent"), "the scene's text")
        p.check("within 500 nm" in b.evaluate("document.querySelector('.summary').textContent"), "the error bound is not shown")
        no_faults(b, "pendulum")
        # On a telephone nothing lies beside the screen.
        b.resize(390, 844, True)
        b.pictures(4)
        p.check(b.evaluate("document.documentElement.scrollWidth") <= 390, "wider than the telephone")
        no_faults(b, "pendulum on a telephone")


def test_touch(folder):
    """A telephone: one finger turns the view, two move nearer, a tap chooses, and the slider follows a finger."""
    with browser.Browser(width=390, height=844) as b:
        b.resize(390, 844, True)
        b.touchable()
        b.open(folder / "pendulum.html")
        at_frame(b, 35)
        b.pictures(3)
        box = b.evaluate("(r => [r.left, r.top, r.width, r.height])(kairos.app.view.canvas.getBoundingClientRect())")
        x, y = box[0] + 0.5 * box[2], box[1] + 0.5 * box[3]
        away = "kairos.app.view.camera.position.distanceTo(kairos.app.view.controls.target)"
        eye = "kairos.app.view.camera.position.toArray()"
        before, far = b.evaluate(eye), b.evaluate(away)
        b.swipe(((x - 60, box[1] + 0.9 * box[3]), (x + 60, box[1] + 0.9 * box[3])))
        b.pictures(8)  # the view comes to rest
        p.check(sum((u - v) ** 2 for u, v in zip(before, b.evaluate(eye))) ** 0.5 > 0.1 * far, "one finger does not turn the view")
        p.check(abs(b.evaluate(away) - far) < 1e-3 * far, "one finger changes the distance")
        b.swipe(((x - 20, y), (x - 80, y)), ((x + 20, y), (x + 80, y)))
        b.until(f"{away} < 0.8 * {far}")
        b.pictures(8)
        near = b.evaluate(away)
        b.swipe(((x - 80, y), (x - 20, y)), ((x + 80, y), (x + 20, y)))
        b.until(f"{away} > 1.2 * {near}")
        b.pictures(8)
        b.evaluate("kairos.select(null)")
        b.tap(*b.evaluate("kairos.bodyPixel('lower')"))
        b.until("kairos.state.selected === 2")
        r = b.evaluate("(r => [r.left, r.top, r.width, r.height])(document.querySelector('.scrub').getBoundingClientRect())")
        b.swipe(((r[0] + 0.2 * r[2], r[1] + 0.5 * r[3]), (r[0] + 0.8 * r[2], r[1] + 0.5 * r[3])))
        b.until("Math.abs(kairos.shownTime - 4) < 0.3")
        no_faults(b, "touched")


def test_shapes(sample, folder):
    truth, manifest = sample.make("shapes", folder / "shapes.html")
    with browser.Browser(dark=True) as b:
        b.open(f"{(folder / 'shapes.html').as_uri()}#show=forces,frames&select=cone")
        pixels = b.evaluate("kairos.viewPixels()")
        p.check(pixels["colours"] > 1000, "shapes:", pixels)
        check_replay(b, truth, manifest, (2, 5, 10, 11, 50))
        p.check(b.evaluate("kairos.state.theme") == "dark", "a dark system gets a dark page")
        before = b.evaluate("kairos.viewPixels().drawn")
        b.evaluate("kairos.app.view.visibility.body.fill(0); kairos.app.view.visibility.group.fill(0); kairos.app.view.showChanged()")
        b.pictures(2)
        p.check(b.evaluate("kairos.viewPixels().drawn") != before, "hiding all changes nothing")
        no_faults(b, "shapes")


def test_spheres(sample, folder):
    truth, manifest = sample.make("spheres", folder / "spheres.html", count=3000, frames=40)
    with browser.Browser() as b:
        b.open(f"{(folder / 'spheres.html').as_uri()}#colour=speed")
        pixels = b.evaluate("kairos.viewPixels()")
        p.check(pixels["colours"] > 200, "spheres:", pixels)
        check_replay(b, truth, manifest, (0, 1, 1500, 3000))
        p.check(b.evaluate("document.querySelector('.legend').hidden") is False, "there is a legend")
        # The nearest sphere at the pixel of some sphere is a sphere.
        at_frame(b, 0)
        b.pictures(3)
        x, y = b.evaluate("kairos.bodyPixel(1500)")
        b.click(x, y)
        b.until("kairos.state.selected > 0")
        p.check(b.evaluate("document.querySelector('.picked strong').textContent").startswith("grains["), "name of a grain")
        no_faults(b, "spheres")


def test_contacts(folder):
    """Off at first; once asked for, what is drawn is what is in the page's data, frame by frame."""
    p.run("collisions", "-o", folder / "contacts", "-q")
    data = page_data.Page.of_file(folder / "contacts" / "index.html")
    frames = list(data.contacts())
    with browser.Browser() as b:
        b.open(folder / "contacts" / "index.html")
        busy = max(range(len(frames)), key=lambda k: len(frames[k]))
        at_frame(b, busy)
        b.pictures(2)
        p.check(b.evaluate("kairos.contacts()") is None, "contacts are off at first")
        before = b.evaluate("kairos.viewPixels().drawn")
        b.key("t")
        b.until("kairos.contacts() !== null")
        b.pictures(2)
        p.check(b.evaluate("kairos.viewPixels().drawn") != before, "contacts change nothing in the view")
        for k in (busy, 0, len(frames) - 1, len(frames) // 2):
            at_frame(b, k)
            b.until(f"kairos.contacts()?.length === {len(frames[k])}")
            for got, (point, normal, gap) in zip(b.evaluate("kairos.contacts()"), frames[k]):
                close(got["point"] + got["normal"] + [got["gap"]], point + normal + [gap], 1e-12, f"frame {k}:")
        # A box of 0.5 x 0.4 x 0.2 with a margin of 0.1, and one without.
        own = "(name => { const b = kairos.app.view.bodies.own.get(kairos.manifest.bodies.findIndex(x => x.name === name));" \
              " return [...b.min.toArray(), ...b.max.toArray()]; })"
        close(b.evaluate(f"{own}('soap')"), [-0.35, -0.3, -0.2, 0.35, 0.3, 0.2], 1e-6, "a rounded box")
        close(b.evaluate(f"{own}('brick')"), [-0.35, -0.3, -0.2, 0.35, 0.3, 0.2], 1e-6, "a box")
        no_faults(b, "contacts")


def test_without_webgl(folder):
    """No three-dimensional view, but all the rest, and a sentence that says so."""
    with browser.Browser(webgl=False) as b:
        b.open(folder / "pendulum.html")
        p.check(b.evaluate("kairos.state.webgl") is False, "this browser should have no WebGL")
        p.check("no WebGL 2" in b.evaluate("document.querySelector('.stage').textContent"), "the page does not say that WebGL is missing")
        b.until("kairos.app.plots.charts[0].q.table.data !== null")
        p.check(b.evaluate("document.querySelectorAll('.card').length") > 3, "figures")
        b.evaluate("kairos.setTime(1)")
        no_faults(b, "without WebGL")


def test_old_browser(folder, truth):
    """Without workers, DecompressionStream and fromBase64 the page decodes by itself."""
    with browser.Browser() as b:
        b.before("delete window.Worker; delete window.DecompressionStream; delete Uint8Array.fromBase64;")
        b.open(folder / "pendulum.html")
        at_frame(b, 100)
        close(b.evaluate("kairos.bodyPosition('lower')"), truth["position"][100, 2], 0.51e-6, "old browser")
        no_faults(b, "old browser")


def test_odd_pages(sample, folder):
    sample.make("empty", folder / "empty.html")
    with browser.Browser() as b:
        b.open(folder / "empty.html")
        p.check(b.evaluate("kairos.frames") == 0 and b.evaluate("document.body.dataset.state") == "ready", "a run without frames")
        no_faults(b, "empty")
        b.open(sample.TEMPLATE)
        p.check("holds no run" in b.evaluate("document.body.innerText"), "a page without a run says so")
        # A block with a broken stream: the page says it and goes on.
        page = (folder / "pendulum.html").read_text()
        chunk = json.loads(re.search(r'id="kairos-manifest">(.*?)</script>', page).group(1))["frames"]["blocks"][3]["chunk"]
        broken = re.sub(rf'(id="kairos-chunk-{chunk}">).*?<', r"\1AAAAAAAA<", page)
        (folder / "broken.html").write_text(broken)
        b.open(folder / "broken.html")
        b.until("kairos.problems.length > 0")
        p.check("cannot be read" in b.evaluate("document.querySelector('.note').textContent"), "a broken block is not mentioned")


def test_served(sample, folder, truth, manifest):
    """From a server: the manifest and raw chunks are asked for, with the token."""
    page = (folder / "pendulum.html").read_text()
    files = {"/manifest.json": json.dumps(manifest).encode()}
    for k, text in re.findall(r'id="kairos-chunk-(\d+)">([^<]*)<', page):
        files[f"/chunk/{k}"] = base64.b64decode(text)
    with live_stand_in.StandIn(sample.TEMPLATE.read_bytes(), files) as server, browser.Browser() as b:
        b.open(server.url)
        at_frame(b, 200)
        close(b.evaluate("kairos.bodyPosition('lower')"), truth["position"][200, 2], 0.51e-6, "served")
        no_faults(b, "served")


def test_live(sample):
    """Pause, step, continue, drag, keys, and a connection that comes back."""
    with live_stand_in.StandIn(sample.TEMPLATE.read_bytes(), {"/manifest.json": json.dumps(live_stand_in.MANIFEST).encode()}) as server, browser.Browser() as b:
        b.open(server.url)
        b.until("kairos.state.live.connection === 'connected' && kairos.frames > 5")
        b.until("kairos.seriesValue('ball.csv', 1, 0)")
        b.key(" ", "Space")
        server.wait("pause")
        b.until("kairos.state.live.paused")
        b.pictures(5)
        before = b.evaluate("kairos.time")
        b.key("n")
        p.check(server.wait("step")["count"] == 1, "one step")
        b.until(f"kairos.time > {before}")
        x, y = b.evaluate("kairos.bodyPixel('ball')")
        b.drag(x, y, x + 120, y - 60, release=False)
        b.until("kairos.state.dragging === 1")
        drag = server.wait("drag")
        p.check(drag["body"] == 1 and len(drag["point"]) == 3 and len(drag["target"]) == 3, "drag", drag)
        # The point is on the ball, and the target lies 134 pixels away from it in the picture.
        p.check(abs(sum(c * c for c in drag["point"]) ** 0.5 - 0.3) < 0.02, "a point of the ball", drag)
        b.mouse("mouseReleased", x + 120, y - 60)
        server.wait("release")
        b.key("ArrowUp")
        server.wait("key")
        keys = [m for m in server.received if m["type"] == "key"]
        p.check(keys[0] == {"type": "key", "name": "ArrowUp", "down": True}, "keys", keys)
        b.key(" ", "Space")
        server.wait("continue")
        b.until("!kairos.state.live.paused")
        server.drop()
        b.until("kairos.state.live.connection !== 'connected'")
        b.until("kairos.state.live.connection === 'connected'")
        count = b.evaluate("kairos.pictures")
        b.until(f"kairos.pictures > {count} + 3")
        no_faults(b, "live")


def main():
    if not browser.find():
        p.skip("there is no Chromium (Debian package chromium)")
    try:
        import sample
    except ImportError:
        p.skip("numpy is not there (Debian package python3-numpy)")
    if not sample.TEMPLATE.is_file():
        p.skip("viewer/dist/viewer.html is not there")
    with p.Folder() as folder:
        test_pendulum(sample, folder)
        truth, manifest = sample.make("pendulum", folder / "pendulum.html")
        test_touch(folder)
        test_shapes(sample, folder)
        test_spheres(sample, folder)
        test_contacts(folder)
        test_without_webgl(folder)
        test_old_browser(folder, truth)
        test_odd_pages(sample, folder)
        test_served(sample, folder, truth, manifest)
        test_live(sample)
    print("page: ok")


main()
