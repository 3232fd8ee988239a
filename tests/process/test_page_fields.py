# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
"""Colours by recorded fields and their export, forces of contacts and deforming meshes, in a real browser: what is read back from the page is
what was recorded."""
# ctest-labels: slow
# ctest-timeout: 600

import json
import math
import sys

import browser
import page_data
import process as p
from test_live import Server

sys.path.insert(0, str(p.SOURCE / "viewer" / "tools"))

FIELDS = ["speed", "angular_speed", "kinetic_energy", "contact_force", "contact_load", "contact_count"]


def at_frame(b, k):
    b.evaluate(f"kairos.setFrame({k})")
    b.until(f"kairos.shownTime === kairos.times[{k}] && kairos.complete")


def viridis(s):
    """The colour map of palette.ts at s from 0 to 1: eleven stops, linear between them, 256 entries."""
    stops = [0x440154, 0x482475, 0x414487, 0x355F8D, 0x2A788E, 0x21918C, 0x22A884, 0x44BF70, 0x7AD151, 0xBDDF26, 0xFDE725]
    x = round(255 * s) / 255 * 10
    k = min(int(x), 9)
    parts = [[stops[i] >> shift & 255 for shift in (16, 8, 0)] for i in (k, k + 1)]
    return [round(a + (x - k) * (b - a)) for a, b in zip(*parts)]


def check_colour(text, value, low, high, what):
    wanted = viridis(min(max((value - low) / (high - low), 0), 1))
    got = [int(text[i:i + 2], 16) for i in (0, 2, 4)]
    # A number that lies between two entries of the map may fall on either of them.
    p.check(max(abs(x - y) for x, y in zip(got, wanted)) <= 5, what, "colour", got, "wanted", wanted)


def pile(folder):
    """Six balls that fall into a heap on a floor."""
    balls = [{"name": f"ball{i}", "mass": 1, "position": [0.02 * i, 0.01 * (i % 2), 0.3 + 0.55 * i], "shapes": [{"type": "sphere", "radius": 0.25}]}
             for i in range(6)]
    scene = {"kairos": 1, "name": "heap", "gravity": [0, 0, -9.81], "step": 0.002, "end": 0.6,
             "contact": {"method": "nsc"},
             "bodies": [{"name": "floor", "fixed": True, "shapes": [{"type": "plane", "normal": [0, 0, 1]}]}, *balls],
             "trajectory": {"fields": FIELDS}}
    path = folder / "heap.json"
    path.write_text(json.dumps(scene))
    return path


def recorded(folder):
    """For each frame: time, {field: numbers by id}, and the contacts as (point, force)."""
    import h5py
    with h5py.File(folder / "trajectory.h5") as file:
        data, steps, contacts = file["VTKHDF/PointData"], file["VTKHDF/Steps"], file["Contacts"]
        for k, time in enumerate(steps["Values"]):
            first, n = steps["PointOffsets"][k], file["VTKHDF/NumberOfPoints"][0]
            fields = {name: [float(x) for x in data[name][steps[f"PointDataOffsets/{name}"][k]:][:n]] for name in FIELDS}
            at, count = contacts["first"][k], contacts["count"][k]
            yield float(time), fields, list(zip(contacts["points"][at:at + count].tolist(), contacts["forces"][at:at + count].tolist()))
            assert first == k * n


def test_fields(folder):
    """Numbers of trajectory.h5, of the page's data and of the page as it is drawn agree; colours are those of the map."""
    out = folder / "out"
    p.run(pile(folder), "-o", out, "-q")
    truth = list(recorded(out))
    data = page_data.Page.of_file(out / "index.html")
    p.check([f["name"] for f in data.manifest["fields"]] == FIELDS, data.manifest["fields"])
    p.check([f["unit"] for f in data.manifest["fields"]] == ["m/s", "rad/s", "J", "N", "N", ""], "units")
    for name in FIELDS:
        numbers = list(data.field(name))
        p.check(len(numbers) == len(truth), name, len(numbers))
        for (time, fields, _), (shown, bound) in zip(truth, numbers):
            for i, (x, y) in enumerate(zip(shown, fields[name])):
                p.check(abs(x - y) <= 1.01 * bound + 1e-6 * abs(y), f"{name} of body {i} at {time}: {x}, recorded {y}, bound {bound}")
    # The heap at rest: the floor carries all six, and forces are those of the contacts.
    time, fields, contacts = truth[-1]
    for (t, _, _), shown, forces in zip(truth, data.contacts(), data.forces()):
        p.check(len(shown) == len(forces), t)
    for (point, _, _), force, (at, wanted) in zip(list(data.contacts())[-1], list(data.forces())[-1], contacts):
        p.check(math.dist(point, at) < 1e-6 and math.dist(force, wanted) <= 1e-6 * max(1.0, math.hypot(*wanted)), point, at, force, wanted)
    with browser.Browser() as b:
        b.open(f"{(out / 'index.html').as_uri()}#colour=field:contact_load")
        for name in FIELDS:
            b.evaluate(f"kairos.setColour('field:{name}')")
            low, high = next(f["usual"] for f in data.manifest["fields"] if f["name"] == name)
            least, most = next(f["range"] for f in data.manifest["fields"] if f["name"] == name)
            legend = b.evaluate("document.querySelector('.legend').textContent")
            unit = next(f["unit"] for f in data.manifest["fields"] if f["name"] == name)
            p.check(name.replace("_", " ") in legend and (not unit or f", {unit}" in legend), "legend", legend)
            for k in (0, len(truth) // 2, len(truth) - 1):
                at_frame(b, k)
                for i in (1, 3, 6):
                    wanted = truth[k][1][name][i]
                    b.until(f"Number.isFinite(kairos.colourValue({i}))")
                    got = b.evaluate(f"kairos.colourValue({i})")
                    p.check(abs(got - wanted) <= (most - least) / 65534 + 1e-6 * abs(wanted), name, k, i, got, wanted)
                    check_colour(b.evaluate(f"kairos.colourOf({i})"), wanted, low, high, f"{name} of ball {i}, frame {k}")
        # Arrows of forces.
        p.check(b.evaluate("kairos.contacts()") is None, "contacts are off at first")
        before = b.evaluate("kairos.viewPixels()")
        b.key("t")
        b.until(f"kairos.contacts()?.length === {len(contacts)}")
        b.pictures(2)
        for got, (_, wanted) in zip(b.evaluate("kairos.contacts()"), contacts):
            p.check(math.dist(got["force"], wanted) <= 1e-5 * max(1.0, math.hypot(*wanted)), got, wanted)
        p.check(b.evaluate("kairos.viewPixels()") != before, "arrows change nothing in the view")
        p.check("contact force " in b.evaluate("document.querySelector('.scale-text').textContent"), "the scale of arrows")
        p.check(b.faults() == [], b.faults())


def test_export(folder):
    """Fields go into files for ParaView and tables as they are."""
    out = folder / "out"
    p.run(pile(folder), "-o", out, "-q")
    time, fields, _ = list(recorded(out))[-1]
    code, text, err = p.call("export", out, "--to", "csv", "-o", folder / "csv")
    p.check(code == 0, text, err)
    rows = [r.split(",") for r in (folder / "csv/frames.csv").read_text().splitlines()]
    for name in FIELDS:
        column = [float(r[rows[0].index(name)]) for r in rows[-7:]]
        # Tables have 9 digits or more; the file has single precision.
        p.check(all(abs(x - y) <= 1e-6 * abs(y) for x, y in zip(column, fields[name])), name, column, fields[name])
    code, text, err = p.call("export", out, "--to", "vtk", "-o", folder / "vtk")
    p.check(code == 0, text, err)
    try:
        from vtkmodules.vtkIOXML import vtkXMLPolyDataReader
    except ImportError:
        print("skipped in part: VTK is not there (Debian package python3-vtk9)")
        return
    reader = vtkXMLPolyDataReader()
    reader.SetFileName(str(sorted((folder / "vtk").glob("points-*.vtp"))[-1]))
    reader.Update()
    data = reader.GetOutput().GetPointData()
    for name in FIELDS:
        numbers = data.GetArray(name)
        p.check(numbers is not None and [numbers.GetValue(i) for i in range(7)] == fields[name], name, "in VTK")


def test_meshes(folder):
    """A membrane, a cable and balls of a page that was made without the engine."""
    try:
        import sample
    except ImportError:
        print("skipped: numpy is not there")
        return
    truth, manifest = sample.make("membrane", folder / "membrane.html")
    step = manifest["frames"]["position_step"]
    with browser.Browser() as b:
        b.open(f"{(folder / 'membrane.html').as_uri()}#colour=field:strain&frame=10")
        p.check(b.evaluate("kairos.viewPixels().colours") > 500, "the view is blank")
        for mode, mesh, key in (("strain", "sheet", "strain"), ("tension", "cable", "tension")):
            b.evaluate(f"kairos.setColour('field:{mode}')")
            low, high = next(f["range"] for f in manifest["fields"] if f["name"] == mode)
            for k in (0, 10, 17, 40):
                at_frame(b, k)
                for i in (0, 7, 20, truth[mesh].shape[1] - 1):
                    b.until(f"Number.isFinite(kairos.vertex('{mesh}', {i}).value)")
                    got = b.evaluate(f"kairos.vertex('{mesh}', {i})")
                    p.check(math.dist(got["position"], truth[mesh][k, i]) <= step, mesh, k, i, got, truth[mesh][k, i])
                    p.check(abs(got["value"] - truth[key][k, i]) <= (high - low) / 65534, mode, k, i, got, truth[key][k, i])
                    check_colour(got["colour"], truth[key][k, i], low, high, f"{mode} of vertex {i}, frame {k}")
        # Between frames both are linear.
        t = 0.5 * (truth["times"][10] + truth["times"][11])
        b.evaluate(f"kairos.setTime({t!r})")
        b.until(f"kairos.shownTime === {t!r} && kairos.complete")
        got = b.evaluate("kairos.vertex('cable', 9)")
        p.check(math.dist(got["position"], 0.5 * (truth["cable"][10, 9] + truth["cable"][11, 9])) <= 2 * step, "between frames", got)
        # Balls: values in a texture, and grey where nothing is known.
        at_frame(b, 10)
        b.evaluate("kairos.setColour('field:contact_force')")
        b.until("Math.abs(kairos.colourValue(2) - 20.25) < 0.01")
        p.check(b.evaluate("kairos.colourOf(4)") == "8b939c" and b.evaluate("kairos.colourValue(4)") is None, "a number that is not known")
        x, y = b.evaluate("kairos.bodyPixel(2)")
        pixel = b.evaluate(f"(c => [...c.getContext('2d').getImageData({x} - kairos.app.view.canvas.getBoundingClientRect().left,"
                           f" {y} - kairos.app.view.canvas.getBoundingClientRect().top, 1, 1).data])(kairos.app.view.picture())")
        r, g, c = viridis((20.25 - 0) / 31)
        # Light changes the brightness, hardly the order of the parts: green before blue before red.
        p.check(pixel[1] > pixel[2] > pixel[0] and g > c > r, "the ball is drawn as", pixel, "its colour is", (r, g, c))
        # Hidden meshes are gone.
        before = b.evaluate("kairos.viewPixels().drawn")
        b.evaluate("kairos.app.view.visibility.skin.fill(0); kairos.app.view.showChanged()")
        b.pictures(2)
        p.check(b.evaluate("kairos.viewPixels().drawn") < before, "hiding meshes changes nothing")
        p.check("sheet" in b.evaluate("(kairos.app.showTab('objects'), document.querySelector('.objects').textContent)"), "meshes by name")
        p.check(b.faults() == [], b.faults())


def test_live(folder):
    """A live run sends contacts and a field once the page shows them, also while it is paused; the numbers are sound."""
    scene = json.loads(pile(folder).read_text())
    scene["end"] = 1000
    (folder / "live.json").write_text(json.dumps(scene))
    with Server("run", folder / "live.json", "-o", folder / "out", "--live", "-q") as server, browser.Browser() as b:
        b.open(server.url)
        b.until("kairos.state.live.connection === 'connected' && kairos.time > 3")
        b.until("kairos.frames > 5")
        p.check(b.evaluate("kairos.app.pose.a.contacts === undefined && kairos.app.pose.a.fields === undefined"), "nothing was asked for")
        b.evaluate("document.activeElement && document.activeElement.blur()")
        b.key(" ", "Space")
        b.until("kairos.state.live.paused")
        b.key("t")
        b.until("kairos.contacts()?.length > 5")
        b.evaluate("kairos.setColour('field:contact_count')")
        b.until("kairos.colourValue(1) > 0")
        # At rest the floor carries six balls of 1 kg: forces on it, or from it, add up to 6 g upwards.
        contacts = b.evaluate("kairos.contacts()")
        floor = [c for c in contacts if c["point"][2] < 0.01]
        p.check(len(floor) > 0 and all(c["force"] is not None for c in contacts), contacts)
        # 1 %: friction holds the heap, which still creeps a little.
        p.check(abs(abs(sum(c["force"][2] for c in floor)) - 6 * 9.81) < 0.6, "weight of the heap", floor)
        touched = sum(b.evaluate("[0, 1, 2, 3, 4, 5, 6].map(i => kairos.colourValue(i))"))
        p.check(touched == 2 * sum(1 for c in contacts if math.hypot(*c["force"]) > 0), "counts of contacts", touched, len(contacts))
        # The key lets go of them again.
        b.key("t")
        b.key(" ", "Space")
        b.until("!kairos.state.live.paused")
        b.until("kairos.app.pose.b.contacts === undefined && kairos.app.pose.b.fields !== undefined")
        p.check(b.faults() == [], b.faults())
        server.end(None)


if __name__ == "__main__":
    p.need_program()
    if not browser.find():
        p.skip("there is no Chromium (Debian package chromium)")
    try:
        import h5py  # noqa: F401
    except ImportError:
        p.skip("h5py is not there (Debian package python3-h5py)")
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            with p.Folder() as place:
                test(place)
            print("ok", name, flush=True)
