# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
"""Whether contacts were solved to the tolerance is told: in run.json, in the summary of the command line and on the page."""
# ctest-labels: slow

import json
import re

import browser
import process as p


def scene(folder, name, solver, masses=(8, 8000), **more):
    """Boxes on each other."""
    ground = {"name": "ground", "fixed": True, "shapes": [{"type": "plane"}]}
    boxes = [{"name": f"box{i}", "mass": m, "position": [0, 0, 0.1 + 0.2 * i],
              "shapes": [{"type": "box", "size": [0.2, 0.2, 0.2]}]} for i, m in enumerate(masses)]
    path = folder / f"{name}.json"
    path.write_text(json.dumps({"kairos": 1, "step": 1e-3, "end": 0.2, "contact": "nsc", "solver": solver,
                                "bodies": [ground, *boxes], **more}))
    return path


def told(path, out, *arguments, status=0):
    """run.json, and what the command line prints."""
    code, _, err = p.call("run", path, "-o", out, *arguments)
    p.check(code == status, path.name, code, err)
    return json.loads((out / "run.json").read_text()), err


def check_reached(folder):
    run, err = told(scene(folder, "reached", {"type": "auto", "tolerance": 1e-5}), folder / "reached")
    s = run["solver"]
    p.check(s["solutions"] == 200 and s["missed_tolerance"] == 0 and s["unsolved"] == 0, s)
    p.check(s["tolerance"] == 1e-5 and s["residual_max"] <= 1e-5, s)
    p.check(s["verdict"] == "contacts reached the tolerance of 1e-05 m/s in each of 200 solutions", s["verdict"])
    p.check(s["verdict"] in err, err)
    p.check("worst_time" not in s and run["warnings"] == [], s, run["warnings"])


def check_missed(folder):
    path = scene(folder, "missed", {"type": "apgd", "tolerance": 1e-5, "unsolved": "report"})
    run, err = told(path, folder / "missed")
    s = run["solver"]
    p.check(0 < s["unsolved"] <= s["missed_tolerance"] <= s["solutions"] == 200 and s["retried"] == 0, s)
    p.check(s["residual_max"] > 1e-3 and 0 < s["worst_time"] <= 0.2, s)
    words = re.fullmatch(r"contacts missed the tolerance of 1e-05 m/s in (\d+) of 200 solutions; the worst is off by (\S+) m/s "
                         r"at t = (\S+) s, between body '(\w+)' and body '(\w+)'; 0 took a second method, (\d+) stayed unsolved",
                         s["verdict"])
    p.check(words, s["verdict"])
    p.check(int(words[1]) == s["missed_tolerance"] and int(words[6]) == s["unsolved"], words.groups(), s)
    p.check(abs(float(words[2]) / s["residual_max"] - 1) < 0.01 and abs(float(words[3]) - s["worst_time"]) < 1e-9, words.groups())
    p.check(words[5] in ("box0", "box1") and words[4] in ("ground", "box0"), words.groups())
    p.check(s["verdict"] in err, err)
    p.check(len(run["warnings"]) == 1 and "the contact solver leaves an error of" in run["warnings"][0] and "box" in run["warnings"][0],
            run["warnings"])
    # In two parts, the same.
    told(path, folder / "parts", "--end", 0.07)
    parts = told(path, folder / "parts", "--resume")[0]
    p.check(parts["solver"] == s and parts["breaches"] == run["breaches"], parts["solver"], s)
    p.check(parts["state_hash"] == run["state_hash"], "other bits after a resume")
    for threads in (1, 2, 5):
        again = told(path, folder / "threads", "--threads", threads)[0]
        p.check(again["state_hash"] == run["state_hash"] and again["solver"] == s, threads, again["solver"])


def check_refused(folder):
    path = scene(folder, "refused", {"unsolved": "stop", "limit": 1e-15, "tolerance": 1e-4})
    run, err = told(path, folder / "refused", status=1)
    p.check(run["result"] == "failed" and run["steps"] < 3, run["result"], run["steps"])
    for text in (run["error"], err):
        p.check(re.search(r"t = 0\.00\d s: contacts are not solved after \d+ iterations: contact of body '\w+' with body '\w+' is off by "
                          r"\S+ m/s, the limit is 1e-15 m/s", text), text)


def check_page(folder):
    with browser.Browser() as b:
        for name in ("reached", "missed"):
            said = json.loads((folder / name / "run.json").read_text())["solver"]["verdict"]
            b.open(folder / name / "index.html")
            b.evaluate("document.querySelector('[data-tab=summary]')?.click()")
            text = b.evaluate("document.querySelector('.summary .verdict p').textContent")
            p.check(text == said[0].upper() + said[1:] + ".", text, said)
            p.check(not b.faults(), b.faults())
    # Nothing to tell without contacts.
    told(scene(folder, "alone", {}, contact="none"), folder / "alone")
    with browser.Browser() as b:
        b.open(folder / "alone" / "index.html")
        p.check(b.evaluate("document.querySelector('.summary .verdict')") is None, "a verdict on nothing")


if __name__ == "__main__":
    p.need_program()
    with p.Folder() as place:
        check_reached(place)
        check_missed(place)
        check_refused(place)
        if not browser.find():
            p.skip("there is no Chromium (Debian package chromium)")
        check_page(place)
    print("verdict: ok")
