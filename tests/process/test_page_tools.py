# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
"""What one does with the page of a run: choosing joints, motors, elements and contacts, histories from the frames, x-y
plots, units, cutting the scene open, seeing through, in a real browser."""
# ctest-labels: slow
# ctest-timeout: 900

import json
import math
import sys

import browser
import page_data
import process as p

sys.path.insert(0, str(p.SOURCE / "viewer" / "tools"))

HISTORY = "(async () => {{ kairos.choose({thing}); const t = kairos.app.plots.more.at(-1); await t.load();" \
          " return Object.fromEntries(t.columns.map((c, i) => [c, [...t.data[i]]])); }})()"


def close(got, wanted, bound, *what):
    got, wanted = list(got), list(wanted)
    p.check(len(got) == len(wanted), *what, f"{len(got)} numbers, wanted {len(wanted)}")
    for k, (x, y) in enumerate(zip(got, wanted)):
        p.check(abs(x - y) <= bound, *what, f"number {k}: {x}, wanted {y}, bound {bound}")


def no_faults(b, where):
    p.check(not b.faults(), where, "problems in the page:", b.faults())


def history(b, thing):
    return b.evaluate(HISTORY.format(thing=json.dumps(thing)))


def at_frame(b, k):
    b.evaluate(f"kairos.setFrame({k})")
    b.until(f"kairos.shownTime === kairos.times[{k}] && !kairos.state.waiting")
    b.pictures(2)


def drawn(b):
    b.pictures(2)
    return b.evaluate("kairos.viewPixels().drawn")


def picture(b):
    b.pictures(2)
    return b.evaluate("kairos.viewPixels().hash")


def test_joints(b):
    """Glyphs are off at first, small, and chosen by a click."""
    p.check(b.evaluate("kairos.app.view.joints.object.visible") is False, "glyphs are shown without being asked for")
    at_frame(b, 30)
    before = picture(b)
    b.key("j")
    b.until("kairos.app.view.joints.object.visible")
    p.check(picture(b) != before, "glyphs change nothing")
    sizes = b.evaluate("[...kairos.app.view.joints.scale.values()].map(s => s / kairos.app.view.size)")
    p.check(len(sizes) == 2 and all(0.005 <= s <= 0.02 for s in sizes), "sizes of glyphs", sizes)
    point = "kairos.app.view.project(kairos.app.view.joints.where(kairos.manifest.joints[1], kairos.app.pose, kairos.app.view.camera.position.clone()))"
    b.click(*b.evaluate(point))
    b.until("kairos.state.chosen?.kind === 'joint' && kairos.state.chosen.index === 1")
    text = b.evaluate("document.querySelector('.picked').innerText")
    p.check("elbow" in text and "revolute joint" in text and "upper" in text and "lower" in text, text)
    p.check(b.evaluate("kairos.app.view.ring.visible"), "no ring around the chosen joint")
    b.key("j")


def test_histories(sample, folder):
    truth, manifest = sample.make("pendulum", folder / "pendulum.html")
    times, position, rotation = truth["times"], truth["position"], truth["rotation"]
    a, c, u, v = sample.pendulum_motion(times).T
    step, turn = manifest["frames"]["position_step"], 2.0**-14
    h = times[1] - times[0]
    with browser.Browser() as b:
        b.open(folder / "pendulum.html")
        test_joints(b)
        # The angle of the joint, without an output: two roundings of quaternions.
        got = history(b, "elbow")
        close(got["elbow.angle"], (c - a) - (c - a)[0], 4 * turn, "angle")
        close(got["elbow.angle_rate"][1:-1], [(x - y) / (2 * h) for x, y in zip((c - a)[2:], (c - a)[:-2])], 4 * turn / h, "rate")
        # The card says the same now, and what outputs recorded of the joint: force and violation.
        at_frame(b, 100)
        text = b.evaluate("document.querySelector('.picked').innerText").replace("\u2212", "-")
        p.check(f"{(c - a)[100]:.3f}"[:5] in text and "force" in text and "violation" in text, text)
        got = history(b, "lower")
        for k, name in enumerate("xyz"):
            close(got[f"lower.position.{name}"], position[:, 2, k], 0.5 * step + 1e-12, name)
            wanted = (position[2:, 2, k] - position[:-2, 2, k]) / (2 * h)
            close(got[f"lower.velocity.{name}"][1:-1], wanted, step / h, "velocity", name)
        close(got["lower.angular_velocity.y"][1:-1], (c[2:] - c[:-2]) / (2 * h), 4 * turn / h, "spin about y")
        close(got["lower.spin"][1:-1], abs(c[2:] - c[:-2]) / (2 * h), 4 * turn / h, "spin")
        # From the list, with charts in the panel.
        b.evaluate("kairos.app.showTab('objects')")
        b.evaluate("[...document.querySelectorAll('.tree .row')].find(r => r.textContent.includes('shoulder')).click()")
        b.until("kairos.state.chosen?.kind === 'joint' && kairos.state.chosen.index === 0")
        b.evaluate("[...document.querySelectorAll('.picked button')].find(x => x.textContent === 'Plot').click()")
        b.until("document.querySelector('.of-frames .chart canvas')?.width > 100")
        # Kept charts stay when something else is chosen.
        b.evaluate("[...document.querySelectorAll('.of-frames button')].find(x => x.textContent === 'Keep').click()")
        b.evaluate("kairos.choose('upper')")
        p.check(b.evaluate("document.querySelectorAll('.of-frames').length") == 2, "charts were not kept")
        b.evaluate("kairos.choose(null)")
        p.check(b.evaluate("document.querySelectorAll('.of-frames').length") == 1, "charts of what is no longer chosen")
        no_faults(b, "histories")


def test_xy(folder, sample):
    """Any number against any other; values that are nothing but rounding are 0."""
    with browser.Browser() as b:
        b.open(folder / "pendulum.html")
        b.evaluate("document.querySelector('.xy-button').click()")
        b.until("document.querySelectorAll('.xy-bar select option').length > 10")
        choose = "(s, text) => { const o = [...s.options].find(o => o.textContent === text); s.value = o.value; }"
        b.evaluate(f"(([x, y], f) => {{ f(x, 'lower · position x'); f(y, 'lower · position z'); }})(document.querySelectorAll('.xy-bar select'), {choose})")
        b.evaluate("[...document.querySelectorAll('.xy-bar button')].at(-1).click()")
        b.until("kairos.app.plots.pairs[0]?.points !== null")
        at_frame(b, 50)
        b.pictures(3)
        x, y = b.evaluate("(t => [1, 3].map(c => t.value(c, kairos.time)))(kairos.app.tables[0])")
        place = b.evaluate(f"kairos.app.plots.pairs[0].place2({x}, {y})")
        shown = b.evaluate("document.querySelector('.plot-mark').style.transform.match(/[-\\d.]+/g).map(Number)")
        close(shown, place, 0.1, "the mark at this time")
        ink = b.evaluate("(c => new Set(new Uint32Array(c.getContext('2d').getImageData(0, 0, c.width, c.height).data.buffer)).size)(document.querySelector('.xy canvas'))")
        p.check(ink > 20, "the curve has", ink, "colours")
        # A click on the curve goes to its time.
        u, v = b.evaluate("(k => { const q = kairos.app.plots.pairs[0], r = q.area.getBoundingClientRect(), d = q.place2(q.points.x[k], q.points.y[k]); return [r.left + d[0], r.top + d[1]]; })(20)")
        b.click(u, v)
        b.until("Math.abs(kairos.time - kairos.times[20]) < 0.05")
        # lower.position.y is exactly 0 up to rounding of the sample; beside x and z it is shown as 0.
        noise = b.evaluate("(() => { const q = kairos.app.plots.charts[0].q; q.table.data[2].fill(9.14e-30); kairos.app.plots.charts[0].place(); return kairos.app.plots.charts[0].values.map(v => v.textContent); })()")
        p.check(noise[1] == "0" and noise[0] != "0", "9.14e-30 beside metres is shown as", noise)
        small = b.evaluate("kairos.app.plots.charts.find(c => c.q.name === 'violation').values[0].textContent")
        p.check(small != "0", "errors are shown as they are", small)
        no_faults(b, "x-y")


def test_units(folder):
    """Units come from the descriptions of quantities: of motors and shafts as well."""
    scene = {"kairos": 1, "name": "units", "step": 1e-3, "end": 0.2, "bodies": [
        {"name": "ground", "fixed": True}, {"name": "arm", "mass": 1, "inertia": [0.1, 0.1, 0.1], "position": [0.5, 0, 0]},
        {"name": "cart", "mass": 1, "inertia": [0.1, 0.1, 0.1], "position": [0, 2, 0]}],
        "joints": [{"name": "pin", "type": "revolute", "bodies": ["ground", "arm"], "at": [0, 0, 0], "axis": [0, 1, 0]},
                   {"name": "rail", "type": "prismatic", "bodies": ["ground", "cart"], "at": [0, 2, 0], "axis": [1, 0, 0]}],
        "motors": [{"name": "turner", "type": "rotation-torque", "joint": "pin", "value": 2},
                   {"name": "pusher", "type": "linear-position", "joint": "rail", "value": {"ramp": {"slope": 1}}}],
        "shafts": [{"name": "shaft", "inertia": 0.1, "speed": 3}],
        "outputs": [{"motor": "turner", "quantities": ["effort", "position", "speed"], "file": "turner.csv"},
                    {"motor": "pusher", "quantities": ["effort", "position", "speed", "force"], "file": "pusher.csv"},
                    {"shaft": "shaft", "quantities": ["angle", "speed"], "file": "shaft.csv"},
                    {"joint": "pin", "quantities": ["force", "torque", "angle_rate"], "file": "pin.csv"},
                    {"system": True, "quantities": ["momentum", "energy"], "file": "system.csv"}]}
    (folder / "units.json").write_text(json.dumps(scene))
    p.run(folder / "units.json", "-o", folder / "units", "-q")
    data = page_data.Page.of_file(folder / "units" / "index.html")
    units = {c: u for s in data.manifest["series"] for c, u in zip(s["columns"], s["units"])}
    wanted = {"time": "s", "turner.effort": "N m", "turner.position": "rad", "turner.speed": "rad/s", "pusher.effort": "N", "pusher.position": "m",
              "pusher.speed": "m/s", "pusher.force.x": "N", "shaft.speed": "rad/s", "shaft.angle": "rad", "pin.torque.z": "N m",
              "pin.angle_rate": "rad/s", "system.momentum.px": "kg m/s", "system.momentum.lz": "kg m²/s", "system.energy.drift": "J"}
    for column, unit in wanted.items():
        p.check(units.get(column) == unit, column, "has unit", units.get(column), "wanted", unit)
    motors = {m["name"]: m for m in data.manifest["motors"]}
    p.check(motors["turner"]["joint"] == "pin" and motors["pusher"]["type"] == "linear-position", motors)
    with browser.Browser() as b:
        b.open(folder / "units" / "index.html")
        shown = b.evaluate("Object.fromEntries(kairos.app.plots.charts.map(c => [c.q.object + ' ' + c.q.name, c.element.querySelector('.unit')?.textContent]))")
        for name, unit in {"turner effort": "N·m", "pusher effort": "N", "shaft speed": "rad/s", "system momentum": "kg·m/s", "system angular_momentum": "kg·m²/s"}.items():
            p.check(shown.get(name) == unit, name, "is shown in", shown.get(name))
        # A motor is chosen by its name: what frames say and what its output recorded.
        b.evaluate("kairos.choose('pusher')")
        got = history(b, "pusher")
        times = b.evaluate("kairos.times")
        close(got["pusher.travel"], times, 1e-5, "travel of the motor")
        b.evaluate("kairos.setTime(0.1)")
        b.until("document.querySelector('.picked').innerText.includes('effort')")
        no_faults(b, "units")


def test_elements(sample, folder):
    """A click on a mesh chooses an element; its place and fields over time are the means of its corners."""
    truth, _ = sample.make("membrane", folder / "membrane.html")
    p.run("cloth-on-ball", "-o", folder / "cloth", "-q", "--end", "0.1")
    data = page_data.Page.of_file(folder / "cloth" / "index.html")
    mesh = data.manifest["skins"]["meshes"][0]
    numbers = list(data.chunk(mesh["elements"]["chunk"], "I"))
    p.check(len(numbers) == mesh["triangles"]["count"] and sorted(set(numbers)) == list(range(len(numbers) // 2)), "two triangles of each element")
    with browser.Browser() as b:
        b.open(folder / "membrane.html")
        triangle = b.evaluate("kairos.app.recorded.corners[0].triangles[3 * 300]")
        corners = b.evaluate("[0, 1, 2].map(c => kairos.app.recorded.corners[0].triangles[900 + c])")
        p.check(triangle == corners[0], corners)
        got = history(b, {"kind": "element", "index": 300, "mesh": 0})
        for k, name in enumerate("xyz"):
            close(got[f"sheet[300].position.{name}"], truth["sheet"][:, corners, k].mean(axis=1), 1e-5, name)
        close(got["sheet[300].strain"], truth["strain"][:, corners].mean(axis=1), 1e-8 + 2e-8, "strain")
        b.evaluate("kairos.choose(null)")
        at_frame(b, 3)
        x, y = b.evaluate("kairos.app.view.project(new kairos.app.view.camera.position.constructor(...kairos.vertex('sheet', 300).position.map((v, i) => v - kairos.manifest.frames.origin[i])))")
        b.click(x, y)
        b.until("kairos.state.chosen?.kind === 'element' && kairos.state.chosen.mesh === 0")
        p.check("strain" in b.evaluate("document.querySelector('.picked').innerText"), "the card has no field")
        b.open(folder / "cloth" / "index.html")
        got = history(b, {"kind": "element", "index": 5, "mesh": 0})
        p.check("cloth[5].position.z" in got and all(math.isfinite(x) for x in got["cloth[5].position.z"]), got.keys())
        no_faults(b, "elements")


def test_contacts(folder):
    """A contact is chosen by a click and followed through the frames; arrows have a scale and a threshold."""
    p.run("box-stack", "-o", folder / "stack", "-q", "--end", "1")
    data = page_data.Page.of_file(folder / "stack" / "index.html")
    places, forces = list(data.contacts()), list(data.forces())
    last = len(places) - 1
    with browser.Browser() as b:
        b.open(f"{(folder / 'stack' / 'index.html').as_uri()}#show=contacts")
        at_frame(b, last)
        b.until(f"kairos.contacts()?.length === {len(places[last])}")
        b.pictures(3)
        # The one that is drawn nearest to the eye.
        pixel = "(i => { const c = kairos.app.view.contacts.shown, V = kairos.app.view.camera.position.constructor;" \
                " return kairos.app.view.project(new V(c.point[3 * i], c.point[3 * i + 1], c.point[3 * i + 2])); })"
        chosen = None
        for i in range(len(places[last])):
            b.click(*b.evaluate(f"{pixel}({i})"))
            b.pictures(2)
            chosen = b.evaluate("kairos.state.chosen")
            if chosen and chosen["kind"] == "contact" and chosen["index"] == i:
                break
        p.check(chosen and chosen["kind"] == "contact", "no contact was chosen:", chosen)
        i = chosen["index"]
        # The card names what touches, and leads there.
        pair = [data.manifest["bodies"][m]["name"] for m in list(data.pairs())[last][i]]
        ends = b.evaluate("document.querySelector('.picked-ends').textContent")
        p.check(ends == f"between {pair[0]} and {pair[1]}", ends, pair)
        got = history(b, chosen)
        name = "contact"
        force = forces[last][i]
        close([got[f"{name}.force.{c}"][-1] for c in "xyz"], force, 1e-4 * max(map(abs, force)) + 1e-9, "force")
        normal, gap = places[last][i][1], places[last][i][2]
        close([got[f"{name}.gap"][-1]], [gap], 1e-12, "gap")
        push = sum(f * n for f, n in zip(force, normal))
        close([got[f"{name}.normal_force"][-1]], [push], 1e-3 * abs(push) + 1e-9, "normal force")
        known = [x for x in got[f"{name}.normal_force"] if x is not None and math.isfinite(x)]
        p.check(len(known) > last / 2, "a contact of a stack at rest is followed through", len(known), "of", last + 1, "frames")
        # A threshold leaves weak ones out, a scale makes arrows longer.
        sizes = sorted(math.hypot(*f) for f in forces[last])
        strongest = b.evaluate("kairos.app.view.contacts.strongest")
        b.evaluate("kairos.app.look.setArrows(1, 0.5)")
        b.pictures(2)
        wanted = sum(s < 0.5 * strongest for s in sizes)
        p.check(b.evaluate("kairos.app.view.contacts.leftOut") == wanted, "left out", b.evaluate("kairos.app.view.contacts.leftOut"), "wanted", wanted)
        length = "(m => { const e = kairos.app.view.contacts.object.instanceMatrix.array; return Math.hypot(e[16 * %d + 8], e[16 * %d + 9], e[16 * %d + 10]); })()" % (i, i, i)
        b.evaluate("kairos.app.look.setArrows(1, 0)")
        short = b.evaluate(length)
        b.evaluate("kairos.app.look.setArrows(3, 0)")
        close([b.evaluate(length)], [3 * short], 1e-6 * short, "length of an arrow")
        no_faults(b, "contacts")


def test_events(folder):
    """Plots have a mark for each event, which says what happened."""
    scene = {"kairos": 1, "name": "thrown", "step": 0.01, "end": 2, "view": {"frame_rate": 20}, "contact": "none", "bodies": [
        {"name": "ball", "mass": 1, "inertia": [1, 1, 1], "velocity": [0, 0, 9.81], "shapes": [{"type": "sphere", "radius": 0.1}]}],
        "signals": [{"name": "speed", "type": "measure", "body": "ball", "quantity": "velocity", "component": "z"}],
        "events": [{"name": "at the \"top\", it turns", "signal": "speed", "crosses": 0, "actions": [
            {"type": "message", "text": "now <it> falls"}, {"type": "message", "text": "and falls"}]},
            {"name": "fast", "signal": "speed", "crosses": -5, "actions": []}],
        "outputs": [{"body": "ball", "every": 0.01, "quantities": ["position"], "file": "ball.csv"}]}
    (folder / "thrown.json").write_text(json.dumps(scene))
    p.run(folder / "thrown.json", "-o", folder / "thrown", "-q")
    data = page_data.Page.of_file(folder / "thrown" / "index.html")
    top, fast = data.manifest["events"]
    p.check(abs(top["time"] - 1) < 0.011 and abs(fast["time"] - 1 - 5 / 9.81) < 0.011, top, fast)
    p.check(top["name"] == scene["events"][0]["name"] and top["actions"] == ["message: now <it> falls", "message: and falls"], top)
    p.check(fast == {"time": fast["time"], "name": "fast", "actions": []}, fast)
    with browser.Browser() as b:
        b.open(folder / "thrown" / "index.html")
        b.until("document.querySelectorAll('.plot-event').length === 2")
        title = b.evaluate("document.querySelector('.plot-event i').title")
        p.check(title.startswith('at the "top", it turns, 1') and title.endswith("\nmessage: now <it> falls\nmessage: and falls"), title)
        place = "Number(document.querySelector('.plot-event').style.transform.match(/[-\\d.]+/)[0])"
        middle = b.evaluate(f"(c => {place} - c.toX({top['time']}))(kairos.app.plots.charts[0])")
        p.check(abs(middle) < 0.01, middle)
        # The line under the pointer names it; outside of the shown interval there is no mark.
        b.evaluate(f"kairos.app.plots.sync.setHover({top['time']})")
        p.check(b.evaluate("document.querySelector('.plot-hover').dataset.time").endswith(' · at the "top", it turns'), "hover")
        b.evaluate("kairos.app.plots.sync.zoom(1.2, 2)")
        b.until("document.querySelectorAll('.plot-event').length === 1")
        no_faults(b, "events")


def test_cut(sample, folder):
    """A plane cuts meshes and balls, and what it takes away is not chosen; bodies and all things can be seen through."""
    sample.make("spheres", folder / "spheres.html", count=3000, frames=20)
    sample.make("shapes", folder / "shapes.html")
    with browser.Browser() as b:
        for name in ("spheres", "shapes"):
            b.open(folder / f"{name}.html")
            at_frame(b, 0)
            whole = drawn(b)
            b.evaluate("kairos.app.look.clip(0, 0.5, false)")
            half = drawn(b)
            b.evaluate("kairos.app.look.clip(0, 0)")
            nothing = drawn(b)
            p.check(nothing < half < whole, name, "whole, half, nothing:", whole, half, nothing)
            b.evaluate("kairos.app.look.clip(0, 0.5, true)")
            p.check(nothing < drawn(b) < whole, name, "the other half")
            b.evaluate("kairos.app.look.clip(null)")
            p.check(abs(drawn(b) - whole) < 0.02 * whole, name, "closed again")
            no_faults(b, name)
        # What is cut away is not under the pointer.
        at_frame(b, 0)
        x, y = b.evaluate("kairos.bodyPixel('box')")
        p.check(b.evaluate(f"kairos.app.view.pick({x}, {y})?.mover") == 4, "the box is under the pointer")
        b.evaluate("kairos.app.look.clip(0, 0, false)")
        b.pictures(2)
        p.check(b.evaluate(f"kairos.app.view.pick({x}, {y})?.mover ?? -1") != 4, "the box was cut away")
        b.evaluate("kairos.app.look.clip(null)")
        # One body that is seen through goes to the second mesh; so do all.
        ghosts = "kairos.app.view.bodies.buckets.filter(x => x.ghost).length"
        p.check(b.evaluate(ghosts) == 0, "nothing is seen through at first")
        b.evaluate("kairos.app.view.seeThrough(4, 0.3)")
        drawn(b)
        p.check(b.evaluate(ghosts) == 1 and abs(b.evaluate("kairos.app.view.opacityOf(4)") - 0.3) < 1e-9, "the box alone")
        p.check(b.evaluate(f"kairos.app.view.pick({x}, {y})?.mover") == 4, "it can still be chosen")
        b.evaluate("kairos.app.look.setSolid(0.4)")
        p.check(b.evaluate(ghosts) > 5, "all of them")
        no_faults(b, "seen through")
        # The address says it, too.
        b.open(f"{(folder / 'shapes.html').as_uri()}#clip=-z:0.25&solid=0.6")
        p.check(b.evaluate("[kairos.app.view.cut.axis, kairos.app.view.cut.share, kairos.app.view.cut.flip]") == [2, 0.25, True], "clip in the address")
        p.check(b.evaluate("kairos.app.look.address()") == {"clip": "-z:0.25", "solid": "0.6"}, b.evaluate("kairos.app.look.address()"))


def test_views(sample, folder):
    """Views by number: standard ones, saved ones, kept by the address."""
    sample.make("shapes", folder / "shapes.html")
    eye = "kairos.app.views.now()"
    with browser.Browser() as b:
        url = (folder / "shapes.html").as_uri()
        b.open(url)
        b.key("3", "Digit3")
        b.pictures(3)
        top = b.evaluate(eye)
        p.check(abs(top[0] - top[3]) < 0.01 * top[2] and top[2] > top[5], "from the top", top)
        b.key("1", "Digit1")
        b.pictures(3)
        front = b.evaluate(eye)
        p.check(front[1] < front[4] and abs(front[0] - front[3]) < 1e-6, "from the front", front)
        b.evaluate("kairos.app.view.lookFrom(kairos.app.view.camera.position.clone().set(3, 2, 1), kairos.app.view.controls.target.clone().set(0.1, 0.2, 0.3))")
        b.pictures(3)
        mine = b.evaluate(eye)
        b.evaluate("dispatchEvent(new KeyboardEvent('keydown', {key: '$', code: 'Digit4', shiftKey: true, bubbles: true}))")
        b.evaluate("document.body.dispatchEvent(new KeyboardEvent('keydown', {key: '$', code: 'Digit4', shiftKey: true, bubbles: true}))")
        b.key("1", "Digit1")
        b.pictures(3)
        b.key("4", "Digit4")
        b.pictures(3)
        close(b.evaluate(eye), mine, 1e-4, "the saved view")
        b.evaluate("kairos.setTime(1); kairos.app.look.clip(1, 0.25, false)")
        b.pictures(3)
        b.evaluate("kairos.app.writeAddress()")
        link = b.evaluate("location.hash")
        p.check("cam=" in link and "views=4:" in link and "clip=y:0.25" in link and "t=1" in link, link)
        b.evaluate("localStorage.clear()")
        b.open(url + link)
        close(b.evaluate(eye), mine, 1e-3, "the view in the address")
        p.check(b.evaluate("kairos.time") == 1 and b.evaluate("kairos.app.views.has(4)"), "the rest of the address")
        b.evaluate("localStorage.clear()")
        no_faults(b, "views")


def test_shade(folder):
    """Corners are darker with ambient occlusion, open places are not; in software it comes when all is at rest."""
    scene = {"kairos": 1, "name": "corner", "step": 0.1, "end": 0.2, "gravity": [0, 0, 0], "contact": "none", "bodies": [
        {"name": "floor", "fixed": True, "shapes": [{"type": "box", "size": [4, 4, 0.2], "at": [0, 0, -0.1]}]},
        {"name": "wall", "fixed": True, "shapes": [{"type": "box", "size": [4, 0.2, 2], "at": [0, 0.1, 1]}]},
        {"name": "ball", "mass": 1, "inertia": [1, 1, 1], "position": [-1.5, -1.5, 0.3], "velocity": [15, 0, 0], "shapes": [{"type": "sphere", "radius": 0.1}]}]}
    (folder / "corner.json").write_text(json.dumps(scene))
    p.run(folder / "corner.json", "-o", folder / "corner", "-q")
    light = """(() => { const v = kairos.app.view, V = v.camera.position.constructor, o = kairos.manifest.frames.origin;
        v.draw(false); const c = document.createElement('canvas'); c.width = v.canvas.width; c.height = v.canvas.height;
        const x = c.getContext('2d', {willReadFrequently: true}); x.drawImage(v.canvas, 0, 0); const r = v.canvas.getBoundingClientRect();
        return [[1, -0.03, 0], [1, -1, 0]].map(p => { const [a, b] = v.project(new V(...p.map((q, i) => q - o[i])));
            const d = x.getImageData(a - r.left - 3, b - r.top - 3, 6, 6).data; let s = 0; for (let i = 0; i < d.length; i++) s += i % 4 < 3 ? d[i] : 0; return s / 108; }); })()"""
    with browser.Browser() as b:
        b.open(f"{(folder / 'corner' / 'index.html').as_uri()}#ao=0&cam=1,-4,2,1,-0.3,0&hide=shadows")
        b.evaluate("kairos.app.view.setGrain(false)")
        corner, field = b.evaluate(light)
        b.evaluate("kairos.app.view.ambience = 'on'")
        shaded, open_field = b.evaluate(light)
        p.check(shaded < 0.9 * corner, "the corner has", shaded, "levels with, ", corner, "without shade")
        p.check(abs(open_field - field) < 0.02 * field + 1, "the open floor has", open_field, "and", field)
        b.evaluate("kairos.app.view.ambience = 'auto'; kairos.app.view.dirty = true")
        b.until("kairos.app.view.rested && kairos.app.view.ambient !== null")
        no_faults(b, "shade")


def test_compare(sample, folder):
    """Another run is a ghost where its own frames say, at the same time, and dashed lines in the plots."""
    sample.make("pendulum", folder / "pendulum.html")
    truth, _ = sample.make("pendulum", folder / "other.html", frames=126)  # the same motion, half as many frames
    text = (folder / "other.html").read_text(encoding="utf-8")
    text = text.replace("<head>", "<head><script>window.parent.evil = window.evil = 1</script>", 1)
    with browser.Browser() as b:
        b.open(folder / "pendulum.html")
        at_frame(b, 40)
        equal = picture(b)
        hide = "kairos.app.view.visibility.body[2] = %d; kairos.app.view.showChanged()"
        b.evaluate(hide % 0)
        before = picture(b)
        b.evaluate(f"kairos.compare({json.dumps(text)})")
        b.until("kairos.app.other !== null")
        p.check(b.evaluate("window.evil") is None, "a script of the other page ran")
        b.pictures(3)
        p.check(picture(b) != before, "no ghost is drawn")
        b.evaluate(hide % 1)
        p.check(picture(b) == equal, "a ghost covers what it is equal to")
        b.evaluate(hide % 0)
        # Frame 40 of 251 is frame 20 of 126.
        place = "(i => { const o = kairos.app.other, q = o.pose.position(i, kairos.app.view.camera.position.clone()).add(o.group.position); return q.toArray().map((x, c) => x + kairos.manifest.frames.origin[c]); })"
        close(b.evaluate(f"{place}(2)"), truth["position"][20, 2], 2e-5, "the ghost")
        p.check(b.evaluate("kairos.app.other.layers[0].hidden({mover: 0, group: -1})"), "fixed bodies are drawn once")
        b.until("kairos.app.plots.charts[0].other?.data")
        lines = b.evaluate("kairos.app.plots.charts[0].lines().map(x => [x.dashed, x.table.rows])")
        p.check(lines == [[True, 126]] * 3 + [[False, 251]] * 3, lines)
        # Histories of what is chosen are compared by name.
        b.evaluate("kairos.choose('lower')")
        b.until("kairos.app.plots.charts.some(c => c.q.table === kairos.app.plots.more.at(-1) && c.other?.data)")
        b.evaluate("document.querySelector('.other-bar button').click()")
        b.until("kairos.app.other === null")
        b.evaluate("kairos.choose(null)")
        at_frame(b, 40)
        p.check(picture(b) == before, "the ghost stays")
        problem = b.evaluate("kairos.compare('<html>nothing</html>').then(() => '', e => e.message)")
        p.check("not the page of a run" in problem, problem)
        no_faults(b, "compare")


def test_film(sample, folder):
    """A film is made picture by picture; played again it shows what the page shows at that time."""
    sample.make("pendulum", folder / "pendulum.html")
    with browser.Browser() as b:
        b.open(f"{(folder / 'pendulum.html').as_uri()}#colour=speed")
        for form in ("mp4", "webm"):
            options = {"width": 320, "height": 180, "fps": 10, "from": 1, "to": 3, "speed": 2, "format": form, "quality": 20}
            if not b.evaluate(f"kairos.filmCodec({json.dumps(options)})"):
                print(f"skipped in part: this browser has no encoder for {form}")
                continue
            before = b.evaluate("kairos.time")
            b.evaluate(f"kairos.filmStart({json.dumps(options)})")
            b.until("kairos.filmState().bytes > 0")
            p.check(b.evaluate("[kairos.filmState().done, kairos.time]") == [1, before], "the page is not as it was before", b.evaluate("[kairos.filmState(), kairos.time]"))
            length, off = b.evaluate(f"""(async () => {{
                const text = atob(kairos.filmPiece(0)), video = document.createElement('video');
                video.src = URL.createObjectURL(new Blob([Uint8Array.from(text, c => c.charCodeAt(0))], {{type: 'video/{form}'}}));
                const when = name => new Promise((done, fail) => {{ video.addEventListener(name, done, {{once: true}}); video.onerror = () => fail(video.error.message); }});
                video.muted = true; video.preload = 'auto';
                await when('loadeddata');
                const seen = when('seeked'); video.currentTime = 0.55; await seen;
                const c = new OffscreenCanvas(320, 180).getContext('2d', {{willReadFrequently: true}});
                c.drawImage(video, 0, 0);
                const film = c.getImageData(0, 0, 320, 180).data;
                await kairos.app.showMoment(1 + 5 * 0.2);
                kairos.app.view.fix([320, 180]);
                c.drawImage(kairos.app.view.drawNow(), 0, 0);
                kairos.app.view.fix(null);
                kairos.app.caption(c, 0.25);
                const page = c.getImageData(0, 0, 320, 180).data;
                let sum = 0;
                for (let i = 0; i < film.length; i++) sum += Math.abs(film[i] - page[i]);
                return [video.duration, sum / film.length]; }})()""")
            p.check(abs(length - 1.1) < 0.02, form, "is", length, "s long")
            p.check(off < 4, form, "differs from the page by", off, "levels on average")
        # The sheet says how long it will be.
        b.evaluate("document.querySelector('[aria-label=\"Make a film\"]').click()")
        b.until("!document.querySelector('.film-sheet').hidden && document.querySelector('.film-sheet p').textContent.includes('151 pictures')")
        no_faults(b, "film")


def main():
    if not browser.find():
        p.skip("there is no Chromium (Debian package chromium)")
    try:
        import sample
    except ImportError:
        p.skip("numpy is not there (Debian package python3-numpy)")
    with p.Folder() as folder:
        test_histories(sample, folder)
        print("ok histories", flush=True)
        test_xy(folder, sample)
        test_units(folder)
        print("ok x-y, units", flush=True)
        test_elements(sample, folder)
        test_contacts(folder)
        test_events(folder)
        print("ok elements, contacts, events", flush=True)
        test_cut(sample, folder)
        test_views(sample, folder)
        test_shade(folder)
        test_compare(sample, folder)
        test_film(sample, folder)
    print("page tools: ok")


main()
