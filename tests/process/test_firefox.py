# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
"""The page of a run in Firefox, from its file: drawn, and with the numbers that were recorded."""
# ctest-labels: slow
# ctest-timeout: 300

import sys

import firefox
import process as p


def test_page(folder):
    out = folder / "run"
    p.run("double-pendulum", "-o", out, "-q", "--end", "2")
    rows = [r.split(",") for r in (out / "lower.csv").read_text().splitlines()]
    with firefox.Firefox() as f:
        f.open((out / "index.html").as_uri())
        p.check(f.evaluate("document.body.dataset.state") == "ready", f.evaluate("document.body.innerText"))
        p.check(f.evaluate("kairos.problems.length") == 0, f.evaluate("kairos.problems"))
        column = rows[0].index("lower.position.z")
        f.evaluate("kairos.seriesValue('lower.csv', 'lower.position.z', 7).then(x => (window.read = x)) && 1")
        p.check(f.until("window.read !== undefined && window.read") == float(rows[8][column]), "a number of a time series")
        # Frames are decoded as in any other browser: positions between the CSV's nearest rows.
        for k in (0, 30, 59):
            f.evaluate(f"kairos.setFrame({k})")
            f.until(f"kairos.shownTime === kairos.times[{k}]")
            time, (x, y, z) = f.evaluate("kairos.shownTime"), f.evaluate("kairos.bodyPosition('lower')")
            near = min(rows[1:], key=lambda r: abs(float(r[0]) - time))
            if abs(float(near[0]) - time) < 1e-9:
                p.check(abs(z - float(near[column])) < 1e-4, k, z, near)
        if len(sys.argv) > 1:
            f.screenshot(sys.argv[1])
        if not f.evaluate("kairos.state.webgl"):
            print("skipped in part: this Firefox has no WebGL 2; plots and numbers were checked")
            p.check("no WebGL 2" in f.evaluate("document.querySelector('.stage').textContent"), "the page does not say that WebGL is missing")
            return
        pixels = f.evaluate("kairos.viewPixels()")
        p.check(pixels["drawn"] > 2000 and pixels["colours"] > 50, "the view is blank:", pixels)


if __name__ == "__main__":
    p.need_program()
    if not firefox.find():
        p.skip("there is no Firefox (Debian package firefox-esr)")
    with p.Folder() as place:
        test_page(place)
    print("firefox: ok")
