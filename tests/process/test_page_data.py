# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
"""index.html: what is on the page is what the run recorded, to the error that the page states."""

import csv
import json
import math
import random

import page_data as page
import process as p


def recorded(folder):
    """Times, and for each frame a dict id → (position, rotation), from trajectory.h5."""
    h5py = p.need_h5py()
    with h5py.File(str(folder / "trajectory.h5"), "r") as file:
        steps, root = file["VTKHDF/Steps"], file["VTKHDF"]
        times = list(steps["Values"][:])
        frames = []
        for k in range(len(times)):
            at, n = steps["PointOffsets"][k], root["NumberOfPoints"][steps["PartOffsets"][k]]
            ids, turns = steps["PointDataOffsets/id"][k], steps["PointDataOffsets/rotation"][k]
            frames.append({int(i): (list(x), list(q)) for i, x, q in zip(
                root["PointData/id"][ids:ids + n], root["Points"][at:at + n].tolist(),
                root["PointData/rotation"][turns:turns + n].tolist())})
    return times, frames


def compare_frames(folder, data, what):
    """Positions to the stated error, rotations to theirs. Movers 0… are bodies in order, then particles: here ids 1…"""
    f = data.manifest["frames"]
    times, frames = recorded(folder)
    shown = data.times()
    p.check(len(shown) == f["count"], what, len(shown), f["count"])
    p.check(shown[0] == times[0] and shown[-1] == times[-1], what, "the first and the last frame are there")
    of = {t: k for k, t in enumerate(times)}
    # Half a step, and the last digits of numbers that were rounded to 32 bits and printed.
    error = 0.5 * f["position_step"] * (1 + 1e-6)
    turn = 0.5 * f["rotation_step"] * 1.01 + 1e-6
    p.check(f["position_error"] == 0.5 * f["position_step"], what, f["position_error"])
    for t, (positions, rotations) in zip(shown, data.frames()):
        truth = frames[of[t]]
        for i, x in enumerate(positions):
            off = max(abs(a - b) for a, b in zip(x, truth[i + 1][0]))
            p.check(off <= error, what, f"t = {t}, mover {i} is off by {off}, allowed {error}")
        for i, q in enumerate(rotations):
            true = truth[i + 1][1]
            sign = 1 if sum(a * b for a, b in zip(q, true)) > 0 else -1
            off = max(abs(a - sign * b) for a, b in zip(q, true))
            p.check(off <= turn, what, f"t = {t}, rotation {i} is off by {off}, allowed {turn}")
    return len(shown)


def compare_series(folder, data, what):
    for path in sorted(folder.glob("*.csv")):
        if path.name.startswith("grains-out"):
            continue
        with open(path, newline="") as file:
            rows = list(csv.reader(file))
        shown = data.series(path.name)
        p.check(list(shown) == rows[0], what, path.name, "columns", list(shown))
        for i, name in enumerate(rows[0]):
            column = [float(row[i]) for row in rows[1:]]
            same = all(a == b or (math.isnan(a) and math.isnan(b)) for a, b in zip(shown[name], column))
            p.check(same and len(column) == len(shown[name]), what, path.name, name, "differs")


def test_content():
    with p.Folder() as folder:
        path = p.scene(folder, steps=1500)
        out = folder / "out"
        p.run(path, "-o", out, "-q")
        data = page.Page.of_file(out / "index.html")
        m = data.manifest
        p.check(compare_frames(out, data, "scene") > 40)
        compare_series(out, data, "scene")
        p.check([b["name"] for b in m["bodies"]] == ["ground", "top", "hammer"], m["bodies"])
        hammer = m["bodies"][2]
        p.check([s["type"] for s in hammer["shapes"]] == ["box", "sphere"], hammer)
        p.check(hammer["shapes"][0]["size"] == [0.1, 0.1, 0.5] and hammer["shapes"][1]["radius"] == 0.1, hammer)
        p.check(m["bodies"][0]["fixed"] and m["bodies"][0]["shapes"][0]["normal"] == [0, 0, 1], m["bodies"][0])
        p.check(m["particles"][0]["count"] == 20 and m["particles"][0]["shape"]["radius"] == 0.01, m["particles"])
        p.check(m["frames"]["movers"] == 23 and m["frames"]["rotated"] == 3, m["frames"])
        summary = json.loads((out / "run.json").read_text())
        p.check({k: v for k, v in m["summary"].items()} == summary, "the summary is run.json")
        # Laid out, the text is still the scene.
        p.check(json.loads(m["scene_text"])["name"] == "process test" and "\n" in m["scene_text"], m["scene_text"][:99])
        left = sorted(f.name for f in out.iterdir())
        p.check(not [f for f in left if "tmp" in f or f == "view.bin"], left)


def test_joints():
    """Frames of joints on the two bodies are at one point of the world at the start, and stay together."""
    with p.Folder() as folder:
        out = folder / "out"
        p.run("double-pendulum", "-o", out, "-q", "--end", "1")
        data = page.Page.of_file(out / "index.html")

        def rotate(q, v):
            w, x, y, z = q
            t = [2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])]
            return [v[0] + w * t[0] + y * t[2] - z * t[1], v[1] + w * t[1] + z * t[0] - x * t[2],
                    v[2] + w * t[2] + x * t[1] - y * t[0]]

        p.check(len(data.manifest["joints"]) == 2, data.manifest["joints"])
        for positions, rotations in data.frames():
            for joint in data.manifest["joints"]:
                ends = []
                for side in "ab":
                    i, at = joint[side], joint[f"frame_{side}"]["position"]
                    ends.append([a + b for a, b in zip(positions[i], rotate(rotations[i], at))])
                # Two positions and two rotations of arms of 1 m, each rounded.
                p.check(math.dist(*ends) < 5e-4, joint["name"], ends)


def test_hostile_text():
    """Nothing in a scene can end its script element."""
    name = "</script><script>alert(1)</script><!-- \u2028 \\ \" é"
    with p.Folder() as folder:
        path = p.scene(folder, steps=20, name="hostile.json", description=name)
        content = json.loads(path.read_text())
        content["name"] = name
        content["bodies"][1]["name"] = content["outputs"][0]["body"] = content["forces"][1]["body"] = "</script>,\"x"
        path.write_text(json.dumps(content))
        out = folder / "out"
        p.run(path, "-o", out, "-q")
        data = page.Page.of_file(out / "index.html")
        p.check(data.manifest["name"] == name, data.manifest["name"])
        p.check(data.manifest["bodies"][1]["name"] == "</script>,\"x", data.manifest["bodies"][1]["name"])
        p.check(json.loads(data.manifest["scene_text"])["description"] == name, "scene text")
        p.check("</script>,\"x.position.x" in data.series("top.csv"), list(data.series("top.csv")))


def test_stopped_and_failed():
    with p.Folder() as folder:
        out = folder / "out"
        # A force that grows until the state is not finite.
        path = p.scene(folder, steps=3000)
        content = json.loads(path.read_text())
        content["forces"].append({"name": "bang", "type": "force", "body": "hammer",
                                  "value": [{"polynomial": [0] * 40 + [1e300]}, 0, 0]})
        path.write_text(json.dumps(content))
        p.run(path, "-o", out, "-q", status=1)
        data = page.Page.of_file(out / "index.html")
        p.check(data.manifest["summary"]["result"] == "failed", data.manifest["summary"]["result"])
        p.check(data.manifest["frames"]["count"] >= 1, data.manifest["frames"])
        # Without a trajectory there is the last state.
        content["forces"].pop()
        content["trajectory"] = {"enabled": False}
        path.write_text(json.dumps(content))
        p.run(path, "-o", out, "-q", "--end", "0.1")
        data = page.Page.of_file(out / "index.html")
        p.check(data.manifest["frames"]["count"] == 1 and abs(data.times()[0] - 0.1) < 1e-12, data.times())
        content["view"] = {"enabled": False}
        path.write_text(json.dumps(content))
        p.run(path, "-o", out, "-q", "--end", "0.1")
        p.check(not (out / "index.html").exists(), "an old page is gone")


def test_no_room():
    """Without its page a run is still a run: a warning says why, and everything else is there."""
    with p.Folder() as folder:
        path = p.scene(folder, steps=200)
        out = folder / "out"
        (out / "index.html.tmp").mkdir(parents=True)
        err = p.run(path, "-o", out, "-q")
        p.check("kairos: warning: no index.html: " in err and err.count("\n") == 1, err)
        # The file beside a page that is too large.
        (out / "view.bin.tmp").mkdir()
        path = p.scene(folder, steps=200, view={"budget": 10000})
        err = p.run(path, "-o", out, "-q")
        p.check("kairos: warning: no index.html: " in err, err)
        summary = json.loads((out / "run.json").read_text())
        p.check(summary["result"] == "done" and any("index.html" in w for w in summary["warnings"]), summary["warnings"])
        p.check((out / "trajectory.h5").exists() and (out / "checkpoint.h5").exists() and (out / "top.csv").exists(), "results")


def test_resumed():
    """The page of a run that was stopped and went on is the page of the whole run."""
    with p.Folder() as folder:
        path = p.scene(folder, steps=1000)
        p.run(path, "-o", folder / "whole", "-q")
        p.run(path, "-o", folder / "parts", "-q", "--end", "0.43")
        p.run(path, "-o", folder / "parts", "-q", "--resume")
        one, two = (page.Page.of_file(folder / x / "index.html") for x in ("whole", "parts"))
        p.check(one.times() == two.times() and list(one.frames()) == list(two.frames()), "frames differ")


def test_budget():
    """A page that must be small is coarser, says so, and leaves the rest to view.bin."""
    with p.Folder() as folder:
        random.seed(1)
        rows = "\n".join(",".join(f"{random.uniform(-5, 5):.6f}" for _ in range(6)) for _ in range(300))
        (folder / "dust.csv").write_text("x,y,z,vx,vy,vz\n" + rows + "\n")
        jolts = [[0.05 * i, random.uniform(-80, 80)] for i in range(80)]
        content = {"kairos": 1, "name": "dust", "step": 1e-2, "end": 4,
                   "bodies": [{"name": "box", "density": 900, "shapes": [{"type": "box", "size": [1, 1, 1]}]}],
                   "forces": [{"name": "jolt", "type": "force", "body": "box",
                               "value": [{"table": jolts}, {"table": jolts}, 0]}],
                   "particles": [{"name": "dust", "file": "dust.csv", "density": 1000,
                                  "shape": {"type": "sphere", "radius": 0.05}}],
                   "outputs": [{"system": True, "every": 0.01, "quantities": ["energy"], "file": "system.csv"}],
                   "view": {"frame_rate": 100}}
        path = folder / "dust.json"
        path.write_text(json.dumps(content))
        out = folder / "out"
        p.run(path, "-o", out, "-q")
        whole = (out / "index.html").stat().st_size
        fine = page.Page.of_file(out / "index.html")
        p.check(fine.manifest["frames"]["count"] == 401, fine.manifest["frames"]["count"])
        compare_frames(out, fine, "fine")
        p.check(not (out / "view.bin").exists(), "no side file")
        # What the viewer itself takes stays.
        chunks = sum(len(fine.packed(b["chunk"])) for b in fine.manifest["frames"]["blocks"]) * 4 // 3
        budget = whole - chunks * 3 // 4 + 80000
        content["view"]["budget"] = budget
        path.write_text(json.dumps(content))
        err = p.run(path, "-o", out)
        size = (out / "index.html").stat().st_size
        p.check(size <= budget, size, budget)
        data = page.Page.of_file(out / "index.html")
        compare_frames(out, data, "coarse")
        told = [w for w in data.manifest["warnings"] if "view.bin" in w]
        p.check(len(told) == 1, data.manifest["warnings"])
        p.check(told == [w for w in json.loads((out / "run.json").read_text())["warnings"] if "view.bin" in w], "run.json")
        side = page.Page.of_side(out / "view.bin")
        p.check(compare_frames(out, side, "view.bin") == 401)
        p.check(list(side.frames()) == list(fine.frames()), "view.bin has what a page without limits has")


def recorded_contacts(folder):
    """For each time the (point, normal, gap) of all contacts, from trajectory.h5."""
    h5py = p.need_h5py()
    with h5py.File(str(folder / "trajectory.h5"), "r") as file:
        c = {k: file["Contacts"][k][:] for k in ("first", "count", "found", "points", "normals", "gaps", "bodies")}
        times = file["VTKHDF/Steps/Values"][:].tolist()
    p.check(all((c["found"] >= c["count"])), "more kept than found")
    spans = [(int(a), int(a + n)) for a, n in zip(c["first"], c["count"])]
    rows = list(zip(c["points"].tolist(), c["normals"].tolist(), c["gaps"].tolist()))
    pairs = c["bodies"].tolist()
    return {t: rows[a:b] for t, (a, b) in zip(times, spans)}, {t: pairs[a:b] for t, (a, b) in zip(times, spans)}


def compare_contacts(folder, data, stride=1):
    (truth, ids), least, largest, total = recorded_contacts(folder), math.inf, -math.inf, 0
    # What touches: a mover for each id, always the same one.
    mover = {}
    for t, shown in zip(data.times(), data.pairs()):
        p.check(all(mover.setdefault(i, m) == m for i, m in
                    zip((i for pair in ids[t][::stride] for i in pair), (m for pair in shown for m in pair))), t)
    p.check(len(set(mover.values())) == len(mover), mover)
    p.check(data.manifest["contacts"]["stride"] == stride, data.manifest["contacts"]["stride"])
    for t, shown in zip(data.times(), data.contacts()):
        wanted = truth[t][::stride]
        p.check(len(shown) == len(wanted), t, len(shown), len(wanted))
        for (x, n, gap), (x0, n0, gap0) in zip(shown, wanted):
            # Single precision of points within 10 m of the origin; 16 bits of a normal.
            p.check(max(abs(a - b) for a, b in zip(x, x0)) < 2e-6 and gap == gap0, t, x, x0, gap, gap0)
            p.check(max(abs(a - b) for a, b in zip(n, n0)) < 0.6 / 32767, t, n, n0)
            least, largest, total = min(least, gap), max(largest, gap), total + 1
    p.check(data.manifest["contacts"]["gap"] == [least, largest], data.manifest["contacts"]["gap"], least, largest)
    return total


def test_contacts():
    """Contacts of every frame are on the page, their number is what the output counts, and a run in parts has the same."""
    with p.Folder() as folder:
        out = folder / "out"
        p.run("collisions", "-o", out, "-q")
        data = page.Page.of_file(out / "index.html")
        p.check(compare_contacts(out, data) > 500)
        names = [b["name"] for b in data.manifest["bodies"]]
        touching = {tuple(sorted((names[a], names[b]))) for frame in data.pairs() for a, b in frame}
        p.check(("ball", "top") in touching and all("floor" not in pair or "hills" not in pair for pair in touching), touching)
        counted = dict(zip(*(data.series("contacts.csv")[k] for k in ("time", "system.contacts"))))
        both = [(t, len(c)) for t, c in zip(data.times(), data.contacts()) if t in counted]
        p.check(len(both) > 10 and all(counted[t] == n for t, n in both), both)
        p.run("collisions", "-o", folder / "parts", "-q", "--end", "1.23")
        p.run("collisions", "-o", folder / "parts", "-q", "--resume")
        parts = page.Page.of_file(folder / "parts" / "index.html")
        p.check(list(parts.contacts()) == list(data.contacts()), "the run in parts has other contacts")
        shapes = {b["name"]: b["shapes"][0] for b in data.manifest["bodies"]}
        p.check(shapes["soap"]["radius_margin"] == 0.1 and "radius_margin" not in shapes["brick"], shapes["soap"])
        # A scene that does not look for contacts has none.
        p.run("shapes", "-o", folder / "without", "-q", "--end", "0.1")
        p.check("contacts" not in page.Page.of_file(folder / "without" / "index.html").manifest, "contacts")


def test_contacts_budget():
    """Contacts take a quarter of a page at most."""
    rows = "\n".join(f"{0.3 * (i % 40)},{0.3 * (i // 40)},0.09" for i in range(1600))
    with p.Folder() as folder:
        (folder / "dust.csv").write_text("x,y,z\n" + rows + "\n")
        content = {"kairos": 1, "name": "layer", "step": 1e-2, "end": 1, "gravity": [0, 0, 0],
                   "collision": {"detect": True},
                   "bodies": [{"name": "floor", "fixed": True, "shapes": [{"type": "plane"}]}],
                   "particles": [{"name": "dust", "file": "dust.csv", "density": 1000,
                                  "shape": {"type": "sphere", "radius": 0.1}}],
                   "view": {"frame_rate": 100, "budget": 2e6}}
        path = folder / "layer.json"
        path.write_text(json.dumps(content))
        p.run(path, "-o", folder / "out", "-q")
        data = page.Page.of_file(folder / "out" / "index.html")
        # 101 frames of 1600 contacts at 31 bytes in 0.5 MB: every 11th.
        p.check(compare_contacts(folder / "out", data, stride=11) == 101 * 146)
        p.check(any("11-th contact" in w for w in data.manifest["warnings"]), data.manifest["warnings"])


def test_position_error():
    with p.Folder() as folder:
        path = p.scene(folder, steps=300, view={"position_error": 1e-7, "frame_rate": 50, "camera": [1, 2, 3],
                                                "follow": "top"})
        out = folder / "out"
        p.run(path, "-o", out, "-q")
        data = page.Page.of_file(out / "index.html")
        f, view = data.manifest["frames"], data.manifest["view"]
        p.check(5e-8 < f["position_error"] <= 1e-7, f["position_error"])
        p.check(f["count"] == 16, f["count"])
        compare_frames(out, data, "exact")
        p.check(view["camera"] == [1, 2, 3] and view["target"] is None and view["follow"] == "top", view)


if __name__ == "__main__":
    p.need_program()
    p.need_h5py()
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            test()
            print("ok", name)
