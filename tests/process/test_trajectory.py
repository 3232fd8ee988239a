# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
"""trajectory.h5 has the VTKHDF layout, and its values are those of the time series."""

import csv
import json
import math

import process as p


def rows(path):
    with open(path, newline="") as file:
        return [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]


def check_layout(file, velocity=True):
    root, steps = file["VTKHDF"], file["VTKHDF/Steps"]
    p.check(list(root.attrs["Version"]) == [2, 0] and root.attrs["Type"] == b"UnstructuredGrid", dict(root.attrs))
    count = int(steps.attrs["NSteps"])
    for name in ("Values", "PartOffsets", "NumberOfParts", "PointOffsets", "CellOffsets", "ConnectivityIdOffsets",
                 "PointDataOffsets/rotation", "PointDataOffsets/id", *["PointDataOffsets/velocity"] * velocity):
        p.check(steps[name].shape[0] == count, name, steps[name].shape, count)
    p.check(steps["CellOffsets"].shape == (count, 1), "CellOffsets has two dimensions")
    for k in range(count):
        part = steps["PartOffsets"][k]
        points, cells = root["NumberOfPoints"][part], root["NumberOfCells"][part]
        start, cell = steps["PointOffsets"][k], steps["CellOffsets"][k, 0]
        p.check(start + points <= root["Points"].shape[0], f"frame {k} ends after the points")
        # VTK finds the offsets of a part after one extra number for each part before it.
        offsets = root["Offsets"][cell + part:cell + part + cells + 1]
        p.check(list(offsets) == list(range(cells + 1)), f"frame {k}: offsets", list(offsets))
        first = steps["ConnectivityIdOffsets"][k, 0]
        p.check(list(root["Connectivity"][first:first + cells]) == list(range(points)), f"frame {k}: connectivity")
        p.check(set(root["Types"][cell:cell + cells]) == {1}, f"frame {k}: cells are no vertices")
    return count


def check_values(file, tables, exact):
    root, steps = file["VTKHDF"], file["VTKHDF/Steps"]
    names = dict(zip(file["Kairos/named"][:], file["Kairos/names"][:]))
    slots = {name.decode(): slot for slot, name in names.items()}
    ids = file["Kairos/bodies"][:]
    for body in ("top", "ball"):
        by_time = {row["time"]: row for row in tables[body]}
        matched = 0
        for k, time in enumerate(steps["Values"][:]):
            row = by_time.get(time)
            if row is None:
                continue
            matched += 1
            of_ids = steps["PointDataOffsets/id"][k]
            at = list(root["PointData/id"][of_ids:of_ids + len(ids)]).index(ids[slots[body]])
            for data, quantity, labels in (("Points", "position", "xyz"), ("PointData/velocity", "velocity", "xyz"),
                                           ("PointData/rotation", "rotation", "wxyz")):
                wanted = [row[f"{body}.{quantity}.{label}"] for label in labels]
                offsets = "PointOffsets" if data == "Points" else f"PointDataOffsets/{quantity}"
                got = list(root[data][steps[offsets][k] + at])
                for a, b in zip(got, wanted):
                    near = 2.0 ** -19 if quantity == "rotation" else 1e-7  # packed files round rotations
                    p.check(a == b if exact else abs(a - b) <= near * max(1.0, abs(b)), body, time, quantity, got, wanted)
        p.check(matched >= 20, f"only {matched} frames at the times of the table")


def check_export(out, velocity):
    """What is not in the file is left out, and missed only where it was asked for."""
    code, _, err = p.call("export", out, "--to", "csv", "--quantity", "speed", "-o", out / "speed")
    p.check(code == 0 if velocity else code != 0 and 'trajectory.velocity "always"' in err, code, err)
    code, _, err = p.call("export", out, "--to", "csv", "-o", out / "all")
    header = (out / "all" / "frames.csv").read_text().split("\n", 1)[0]
    p.check(code == 0 and ("velocity" in header) == velocity, header, err)


def check_shared(folder, h5py):
    """Ids are written once, rotations until one changes, velocities where they are wanted; many bodies as few."""
    for count, spin, velocity in ((3, 0, True), (3, 2, False), (5000, 0, False), (5000, 1, True)):
        rows = ["x,y,z,vx,vy,vz,wx,wy,wz"] + [f"{i},0,0,{i % 7},0,1,0,0,{spin}" for i in range(count)]
        (folder / "many.csv").write_text("\n".join(rows) + "\n")
        scene = p.scene(folder, 100, "many.json", bodies=[], forces=[], outputs=[], particles=[
            {"name": "many", "file": "many.csv", "shape": {"type": "sphere", "radius": 0.1}, "density": 1000}],
            trajectory={"every": 0.01, "velocity": "always" if velocity else "never", "double_precision": True})
        out = folder / f"many-{count}-{spin}"
        p.run(scene, "-o", out, "-q", "--end", 0.05, "--threads", 1)
        p.run(scene, "-o", out, "-q", "--resume", "--threads", 1)
        if count < 10:
            check_export(out, velocity)
        with h5py.File(str(out / "trajectory.h5"), "r") as file:
            root, frames = file["VTKHDF"], check_layout(file, velocity)
            p.check(root["PointData/id"].shape[0] == count, root["PointData/id"].shape)
            turned = root["PointData/rotation"].shape[0]
            p.check(turned == count * (frames if spin else 1), turned)
            p.check(("velocity" in root["PointData"]) == velocity, list(root["PointData"]))
            for k, time in enumerate(root["Steps/Values"][:]):
                start = root["Steps/PointOffsets"][k]
                x = root["Points"][start:start + count]
                p.check(abs(x[:, 0] - [i + i % 7 * time for i in range(count)]).max() < 1e-9, "positions", k)
                if velocity:
                    v = root["PointData/velocity"][start:start + count]
                    p.check((v[:, 0] == [i % 7 for i in range(count)]).all(), "velocities", k)
                first = root["Steps/PointDataOffsets/rotation"][k]
                q = root["PointData/rotation"][first:first + count]
                # A turn about z by ω t.
                p.check(abs(2 * math.atan2(q[-1, 3], q[-1, 0]) - spin * time) < 1e-6, "rotation", k, q[-1])


def check_default(folder, h5py):
    """Frames stand 1/30 s apart, less in a short run without many bodies, and 50 steps where these meet nothing."""
    for count, more, apart in ((10000, {}, 0.001), (10001, {}, 0.05), (10001, {"contact": {"method": "smc"}}, 0.033)):
        (folder / "many.csv").write_text("\n".join(["x,y,z"] + [f"{i},0,0" for i in range(count)]) + "\n")
        scene = p.scene(folder, 1000, "default.json", bodies=[], forces=[], outputs=[], particles=[
            {"name": "many", "file": "many.csv", "shape": {"type": "sphere", "radius": 0.1}, "density": 1000}],
            integrator="euler", end=0.07, trajectory={"enabled": True}, **more)
        out = folder / f"default-{count}-{len(more)}"
        p.run(scene, "-o", out, "-q", "--threads", 1)
        with h5py.File(str(out / "trajectory.h5"), "r") as file:
            times = file["VTKHDF/Steps/Values"][:]
            p.check(abs(times[1] - times[0] - apart) < 1e-12, count, more, times[:3])


def check_contacts(folder, h5py):
    """Contacts are kept of few bodies, of many on request; numbers lose digits that nobody looks at."""
    def heap(count, **more):
        (folder / "heap.csv").write_text("\n".join(["x,y,z"] + [f"{i % 20 * 0.21},{i // 20 * 0.21},0.099" for i in range(count)]) + "\n")
        (folder / "heap.json").write_text(json.dumps({
            "kairos": 1, "step": 0.001, "end": 0.2, "contact": "smc",
            "materials": {"clay": {"density": 1700}},
            "bodies": [{"name": "ground", "fixed": True, "shapes": [{"type": "plane", "normal": [0, 0, 1]}]}],
            "particles": [{"name": "many", "file": "heap.csv", "shape": {"type": "sphere", "radius": 0.1}, "material": "clay"}],
            "trajectory": more}))
        p.run(folder / "heap.json", "-o", folder / "heap", "-q")
        return h5py.File(str(folder / "heap" / "trajectory.h5"), "r"), (folder / "heap" / "trajectory.h5").stat().st_size
    for count, kept, wanted in ((499, "auto", True), (500, "auto", False), (500, "always", True), (10, "never", False)):
        file, size = heap(count, contacts=kept)
        with file:
            p.check(("Contacts" in file) == wanted, count, kept, list(file))
            page = (folder / "heap" / "index.html").read_text()
            p.check(('"contacts":{' in page) == wanted, count, kept, "the page")
            if wanted:
                c, frames = file["Contacts"], len(file["VTKHDF/Steps/Values"])
                p.check(frames == 101 and c["count"][-1] == count and c["found"][-1] == count, c["count"][:])
                force = c["forces"][-count:]
                weight = 1700 * 4 / 3 * math.pi * 0.1 ** 3 * 9.81
                p.check(abs(force[:, 2].sum() / (count * weight) - 1) < 0.02, force.sum(axis=0), count * weight)
                p.check(abs((c["normals"][-count:] ** 2).sum(axis=1) - 1).max() < 2e-3, "normals are of length 1")
    # Ten numbers of four bytes a contact, packed.
    file, packed = heap(200, contacts="always")
    file.close()
    file, raw = heap(200, contacts="always", compression=0)
    file.close()
    p.check(raw > 101 * 200 * 40 and packed < 0.5 * raw, raw, packed)


def main():
    p.need_program()
    h5py = p.need_h5py()
    with p.Folder() as folder:
        quantities = ["position", "velocity", "rotation"]
        for exact, compression in ((True, 0), (False, 6)):
            scene = p.scene(folder, 1000, bodies=[
                {"name": "top", "mass": 2, "inertia": [0.1, 0.2, 0.3], "com": [0.1, 0, 0.2], "angular_velocity": [0, 5, 1]},
                {"name": "ball", "velocity": [1, 2, 3], "shapes": [
                    {"type": "sphere", "radius": 0.25, "color": "#ff8000", "at": [0, 0.5, 0], "material": "clay"}]}],
                forces=[], trajectory={"every": 0.05, "double_precision": exact, "compression": compression},
                outputs=[{"body": b, "every": 0.01, "quantities": quantities, "file": f"{b}.csv"} for b in ("top", "ball")])
            out = folder / f"out-{compression}"
            p.run(scene, "-o", out, "-q", "--end", 0.3)
            p.run(scene, "-o", out, "-q", "--resume")
            with h5py.File(str(out / "trajectory.h5"), "r") as file:
                p.check(check_layout(file) == 21, "frames", file["VTKHDF/Steps"].attrs["NSteps"])
                wanted = "f8" if exact else "f4"
                p.check(file["VTKHDF/Points"].dtype == wanted, file["VTKHDF/Points"].dtype)
                check_values(file, {b: rows(out / f"{b}.csv") for b in ("top", "ball")}, exact)
                shapes, kinds = file["Kairos/shapes"][:], [k.decode() for k in file["Kairos/shape_kinds"][:]]
                ball = [s for s in shapes if kinds[s["kind"]].startswith("sphere") and s["position"][1] == 0.5]
                p.check(len(ball) == 1 and abs(ball[0]["color"][1] - 128 / 255) < 1e-6, shapes)
                p.check(file["Kairos/shape_parameters"][ball[0]["first_parameter"]] == 0.25, "radius")
                p.check(file["Kairos"].attrs["scene"] == b"process test", dict(file["Kairos"].attrs))
        check_shared(folder, h5py)
        check_default(folder, h5py)
        check_contacts(folder, h5py)
        err = p.run(scene, "-o", folder / "none", "-q", "--set", "/trajectory/enabled=false")
        p.check(not (folder / "none" / "trajectory.h5").exists(), "a trajectory that was not asked for", err)
    print("trajectory: ok")


main()
