# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
"""trajectory.h5 has the VTKHDF layout, and its values are those of the time series."""

import csv

import process as p


def rows(path):
    with open(path, newline="") as file:
        return [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]


def check_layout(file):
    root, steps = file["VTKHDF"], file["VTKHDF/Steps"]
    p.check(list(root.attrs["Version"]) == [2, 0] and root.attrs["Type"] == b"UnstructuredGrid", dict(root.attrs))
    count = int(steps.attrs["NSteps"])
    for name in ("Values", "PartOffsets", "NumberOfParts", "PointOffsets", "CellOffsets", "ConnectivityIdOffsets",
                 "PointDataOffsets/rotation", "PointDataOffsets/velocity", "PointDataOffsets/id"):
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
            start = steps["PointOffsets"][k]
            at = start + list(root["PointData/id"][start:start + len(ids)]).index(ids[slots[body]])
            for data, quantity, labels in (("Points", "position", "xyz"), ("PointData/velocity", "velocity", "xyz"),
                                           ("PointData/rotation", "rotation", "wxyz")):
                wanted = [row[f"{body}.{quantity}.{label}"] for label in labels]
                got = list(root[data][at])
                for a, b in zip(got, wanted):
                    p.check(a == b if exact else abs(a - b) <= 1e-7 * max(1.0, abs(b)), body, time, quantity, got, wanted)
        p.check(matched >= 20, f"only {matched} frames at the times of the table")


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
        err = p.run(scene, "-o", folder / "none", "-q", "--set", "/trajectory/enabled=false")
        p.check(not (folder / "none" / "trajectory.h5").exists(), "a trajectory that was not asked for", err)
    print("trajectory: ok")


main()
