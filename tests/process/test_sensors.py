# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
"""Files of sensors: rates, columns, images that h5py reads; the same for any number of threads, and after a resume."""

import json
import math

import process as p


def scene(folder):
    lidar = {"type": "lidar", "body": "cart", "at": [0, 0, 0.3], "columns": 32, "rows": 4, "horizontal": [-3, 3],
             "vertical": [-0.5, 0.1], "range": [0.2, 9], "noise": 0.01}
    error = {"noise": 0.1, "bias_walk": 0.05}
    path = folder / "sensors.json"
    path.write_text(json.dumps({
        "kairos": 1, "name": "sensors", "step": 1e-3, "end": 0.6, "contact": "nsc", "trajectory": {"enabled": False},
        "bodies": [
            {"name": "floor", "fixed": True, "shapes": [{"type": "plane", "normal": [0, 0, 1]},
                                                       {"type": "sphere", "radius": 0.5, "at": [3, 1, 0.5]}]},
            {"name": "cart", "density": 500, "position": [0, 0, 0.1], "velocity": [2, 0, 0],
             "shapes": [{"type": "box", "size": [0.4, 0.3, 0.2]}]},
            {"name": "rotor", "mass": 1, "inertia": [1, 1, 1], "position": [0, 5, 5], "angular_velocity": [0, 0, 30]}],
        "joints": [{"name": "axle", "type": "revolute", "bodies": ["floor", "rotor"], "at": [0, 5, 5], "axis": [0, 0, 1]}],
        "sensors": [
            {"name": "imu", "type": "imu", "body": "cart", "rate": 400, "file": "imu.csv", "accelerometer": error, "gyroscope": [error]},
            {"name": "gps", "type": "gps", "body": "cart", "rate": 30, "delay": 0.1, "noise": [1, 1, 2], "file": "gps.csv"},
            {"name": "count", "type": "encoder", "joint": "axle", "rate": 5, "resolution": 100, "file": "count.csv"},
            {"name": "plate", "type": "force-plate", "body": "floor", "rate": 0, "file": "plate.csv"},
            {"name": "touch", "type": "contact", "body": "cart", "with": "floor", "file": "touch.csv"},
            {"name": "silent", "type": "gps", "body": "cart", "rate": 7},
            {**lidar, "name": "scan", "rate": 7, "file": "scan.h5"},
            {"name": "eye", "type": "depth-camera", "width": 20, "height": 10, "at": [-2, 0, 1], "range": [0.1, 9],
             "rate": 0, "file": "eye.h5"}],
        "outputs": [{"sensor": "silent", "every": 0.05, "quantities": ["position"], "file": "held.csv"},
                    {"body": "cart", "every": 0.05, "quantities": ["position"], "file": "cart.csv"}]}))
    return path


def rows(path):
    head, *lines = path.read_text().splitlines()
    return head.split(","), [[float(x) for x in line.split(",")] for line in lines]


def check_tables(out):
    head, imu = rows(out / "imu.csv")
    p.check(head == ["time"] + [f"imu.{q}.{c}" for q in ("acceleration", "angular_velocity") for c in "xyz"], head)
    p.check(len(imu) == 241 and abs(imu[1][0] - 0.003) < 1e-12, len(imu), imu[1])  # 2.5 ms: the first step not before
    p.check(len(rows(out / "gps.csv")[1]) == 19 and len(rows(out / "plate.csv")[1]) == 601, "samples")
    _, count = rows(out / "count.csv")
    # 30 rad/s, a sample each 0.2 s: 0.95 turns between two, counted all the same.
    for k, row in enumerate(count):
        p.check(row[1] == math.floor(30 * 0.2 * k * 100 / (2 * math.pi) + 1e-6), k, row)
    # Held until the next sample: seven a second, rows at every 0.05 s.
    _, held = rows(out / "held.csv")
    values = [row[1] for row in held]
    p.check(len(held) == 13 and values[1] == values[0] and values[3] != values[0], values)
    _, touch = rows(out / "touch.csv")
    p.check(touch[-1][1] == 1, touch[-1])


def check_images(out, h5py):
    with h5py.File(out / "scan.h5") as f:
        images, times, frames = f["images"], f["time"], f["frame"]
        p.check(images.shape == (5, 4, 32) and images.dtype == "<f4" and images.compression == "gzip", images)
        p.check(f.attrs["kind"] == b"lidar" and f.attrs["unit"] == b"m" and list(f.attrs["range"]) == [0.2, 9], dict(f.attrs))
        p.check(abs(times[1] - 0.143) < 1e-12 and abs(frames[0][2] - 0.4) < 1e-12, times[:], frames[0])
        finite = images[0][images[0] < 1e9]
        p.check(len(finite) > 20 and finite.min() >= 0.2 and finite.max() <= 9, finite)
    with h5py.File(out / "eye.h5") as f:
        p.check(f["images"].shape == (601, 10, 20), f["images"])
        return f["images"][:].tobytes(), f["time"][:].tobytes()


def files(out):
    return {f.name: f.read_bytes() for f in out.iterdir() if f.suffix == ".csv"}


def main():
    p.need_program()
    h5py = p.need_h5py()
    with p.Folder() as folder:
        path = scene(folder)
        p.run(path, "-o", folder / "one", "-q", "--threads", 1)
        check_tables(folder / "one")
        images = check_images(folder / "one", h5py)
        p.run(path, "-o", folder / "three", "-q", "--threads", 3)
        for end in (0.2345, 0.6):
            p.run(path, "-o", folder / "later", "-q", "--resume", "--end", end)
        for other in ("three", "later"):
            p.check(files(folder / "one") == files(folder / other), f"{other}: tables differ")
            p.check(images == check_images(folder / other, h5py), f"{other}: images differ")
            hashes = [json.loads((folder / o / "run.json").read_text())["state_hash"] for o in ("one", other)]
            p.check(hashes[0] == hashes[1], hashes)
        # A new run in the folder leaves nothing of the old one.
        content = json.loads(path.read_text())
        content["sensors"] = content["sensors"][:1]
        content["outputs"] = []
        path.write_text(json.dumps(content))
        p.run(path, "-o", folder / "one", "-q")
        p.check(not (folder / "one" / "eye.h5").exists() and (folder / "one" / "imu.csv").exists(), "files of before")


if __name__ == "__main__":
    main()
