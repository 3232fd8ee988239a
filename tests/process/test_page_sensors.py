# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
"""Images of a lidar and a depth camera on the page: its data against the HDF5 files, and what a real browser draws."""
# ctest-labels: slow
# ctest-timeout: 240

import itertools
import json
import math

import browser
import page_data
import process as p

RADIUS, CENTRE, HEIGHT = 0.8, (3.0, 0.5, 0.8), 1.0


def scene(folder):
    path = folder / "look.json"
    path.write_text(json.dumps({
        "kairos": 1, "name": "look", "step": 0.01, "end": 1,
        "bodies": [
            {"name": "ground", "fixed": True, "shapes": [{"type": "plane", "normal": [0, 0, 1]},
                                                        {"type": "sphere", "radius": RADIUS, "at": CENTRE}]},
            {"name": "sled", "mass": 1, "inertia": [1, 1, 1], "position": [0, 0, HEIGHT], "velocity": [0.5, 0, 0],
             "shapes": [{"type": "box", "size": [0.2, 0.2, 0.2]}]}],
        "gravity": [0, 0, 0],
        "sensors": [
            {"name": "scan", "type": "lidar", "body": "sled", "columns": 60, "rows": 9, "horizontal": [1.5, -1.5],
             "vertical": [0.3, -0.6], "range": [0.1, 6], "rate": 5, "file": "scan.h5"},
            {"name": "eye", "type": "depth-camera", "body": "sled", "width": 40, "height": 30, "range": [0.1, 6], "rate": 10, "file": "eye.h5"}]}))
    return path


def films(page):
    """Images of each sensor of the page: levels, as docs/page-format.md says."""
    for film in page.manifest["images"]:
        n, images = film["rows"] * film["columns"], []
        for block in film["blocks"]:
            data = page.chunk(block["chunk"], "B")
            p.check(len(data) == 2 * n * block["count"], "bytes of a block")
            low, high = data[:len(data) // 2], data[len(data) // 2:]
            for k in range(block["count"]):
                rows = range(k * n, (k + 1) * n, film["columns"])
                images.append([level & 0xffff for r in rows
                               for level in itertools.accumulate(low[i] + 256 * high[i] for i in range(r, r + film["columns"]))])
        yield film, images


def check_data(folder, h5py):
    page = page_data.Page.of_file(folder / "index.html")
    for film, images in films(page):
        with h5py.File(folder / {"scan": "scan.h5", "eye": "eye.h5"}[film["name"]]) as file:
            p.check(len(images) == len(file["images"]) == film["count"], film["name"], len(images))
            p.check(list(page.chunk(film["times"]["chunk"], "d")) == list(file["time"]), "times")
            p.check(list(page.chunk(film["places"]["chunk"], "d")) == file["frame"][:].ravel().tolist(), "places")
            low, high = film["range"]
            step = (high - low) / (film["levels"] - 1)
            met = 0
            for levels, pixels in zip(images, file["images"]):
                for level, x in zip(levels, pixels.ravel().tolist()):
                    p.check((level == 0) == math.isinf(x), film["name"], level, x)
                    met += level > 0
                    p.check(level == 0 or abs(low + (level - 1) * step - x) <= 0.501 * step, film["name"], level, x)
            p.check(met > 200, film["name"], met)


def check_drawn(folder):
    with browser.Browser() as b:
        b.open(f"{(folder / 'index.html').as_uri()}#tab=sensors&t=0.83")
        sensors = "kairos.app.sensors.sensors"
        b.until(f"{sensors}.length === 2 && {sensors}.every(s => s.shown >= 0) && {sensors}[0].layer.shown >= 0")
        # The last image before 0.83 s, at 0.8 s; of the camera too.
        p.check(b.evaluate(f"[{sensors}[0].layer.shown, {sensors}[0].shown, {sensors}[1].shown]") == [4, 4, 8], "which image")
        points = b.evaluate(f"(g => [...g.getAttribute('position').array.slice(0, 3 * g.drawRange.count)])({sensors}[0].layer.object.geometry)")
        origin = b.evaluate("kairos.app.m.frames.origin")
        on = {"plane": 0, "sphere": 0}
        for k in range(0, len(points), 3):
            x = [a + o for a, o in zip(points[k:k + 3], origin)]
            off = {"plane": abs(x[2]), "sphere": abs(math.dist(x, CENTRE) - RADIUS)}
            nearest = min(off, key=off.get)
            p.check(off[nearest] < 2e-3, "a point in the air", x)  # half a level is 0.7 mm along the ray
            on[nearest] += 1
        p.check(on["plane"] > 30 and on["sphere"] > 30, on)
        colours = b.evaluate("[...document.querySelectorAll('.panel:not([hidden]) canvas')].map(c => new Set(new Uint32Array("
                             "c.getContext('2d').getImageData(0, 0, c.width, c.height).data.buffer)).size)")
        p.check(len(colours) == 2 and min(colours) > 20, colours)
        b.evaluate("kairos.setTime(0)")
        b.until(f"{sensors}[0].shown === 0 && {sensors}[0].layer.shown === 0")
        p.check(b.faults() == [], b.faults())


if __name__ == "__main__":
    p.need_program()
    h5py = p.need_h5py()
    if not browser.find():
        p.skip("there is no Chromium (Debian package chromium)")
    with p.Folder() as place:
        p.run(scene(place), "-o", place / "out", "-q")
        check_data(place / "out", h5py)
        check_drawn(place / "out")
    print("page sensors: ok")
