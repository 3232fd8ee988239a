# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
# ctest-timeout: 240
"""kairos export: CSV against the trajectory, ParaView's files through VTK's own reader, pictures through Chromium."""

import csv
import json
import math
import shutil
import struct
import zlib

import process as p


def trajectory(folder):
    h5py = p.need_h5py()
    with h5py.File(str(folder / "trajectory.h5"), "r") as file:
        root, steps = file["VTKHDF"], file["VTKHDF/Steps"]
        n = int(root["NumberOfPoints"][0])
        times = list(steps["Values"][:])
        shape = (len(times), n, -1)
        return (times, root["Points"][:].reshape(shape), root["PointData/velocity"][:].reshape(shape),
                root["PointData/rotation"][:].reshape(shape))


def export(*arguments, status=0):
    code, out, err = p.call("export", *arguments)
    p.check(code == status, arguments, f"status {code}, wanted {status}: {out} {err}")
    return err


def test_csv(folder, out):
    export(out, "--to", "csv")
    times, position, velocity, rotation = trajectory(out)
    with open(out / "export/frames.csv", newline="") as file:
        rows = list(csv.reader(file))
    header = "time,body,position.x,position.y,position.z,rotation.w,rotation.x,rotation.y,rotation.z,velocity.x,velocity.y,velocity.z"
    p.check(",".join(rows[0]) == header, rows[0])
    p.check(len(rows) == 1 + 23 * len(times), len(rows))
    p.check([row[1] for row in rows[1:5]] == ["ground", "top", "hammer", "#4"], [row[1] for row in rows[1:5]])
    for i, row in enumerate(rows[1:]):
        k, b = divmod(i, 23)
        wanted = [times[k], *position[k, b], *rotation[k, b], *velocity[k, b]]
        p.check([float(row[0])] + [float(x) for x in row[2:]] == [float(x) for x in wanted], row, wanted)
    export(out, "--to", "csv", "--body", "top", "--body", "hammer", "--quantity", "speed", "--every", 10, "-o", folder / "few")
    with open(folder / "few/frames.csv", newline="") as file:
        few = list(csv.reader(file))
    p.check(few[0] == ["time", "body", "speed"] and len(few) == 1 + 2 * math.ceil(len(times) / 10), few[0], len(few))
    p.check(math.isclose(float(few[1][2]), math.hypot(*(float(v) for v in velocity[0, 1])), rel_tol=1e-12), few[1])


def test_vtk(folder, out):
    try:
        from vtkmodules.vtkIOXML import vtkXMLPolyDataReader
    except ImportError:
        print("skipped in part: VTK is not there (Debian package python3-vtk9)")
        return False
    import xml.etree.ElementTree as xml
    export(out, "--to", "vtk", "--every", 5, "-o", folder / "vtk")
    times, position, velocity, rotation = trajectory(out)
    for which in ("points", "shapes"):
        sets = xml.parse(folder / f"vtk/{which}.pvd").getroot().findall("Collection/DataSet")
        p.check([float(s.get("timestep")) for s in sets] == times[::5], which, len(sets))
        for k, s in enumerate(sets):
            reader = vtkXMLPolyDataReader()
            reader.SetFileName(str(folder / "vtk" / s.get("file")))
            reader.Update()
            p.check(reader.GetErrorCode() == 0, s.get("file"), reader.GetErrorCode())
            data = reader.GetOutput()
            if which == "points":
                check_points(data, position[5 * k], velocity[5 * k], rotation[5 * k])
            else:
                check_shapes(data, position[5 * k], rotation[5 * k])
    return True


def check_points(data, position, velocity, rotation):
    p.check(data.GetNumberOfPoints() == 23 and data.GetNumberOfVerts() == 23, data.GetNumberOfPoints())
    arrays = data.GetPointData()
    for i in range(23):
        p.check(data.GetPoint(i) == tuple(float(x) for x in position[i]), i, data.GetPoint(i), position[i])
        p.check(arrays.GetArray("velocity").GetTuple(i) == tuple(float(x) for x in velocity[i]), i)
        p.check(arrays.GetArray("rotation").GetTuple(i) == tuple(float(x) for x in rotation[i]), i)
        p.check(arrays.GetArray("id").GetValue(i) == i + 1, i)
    radius = [arrays.GetArray("radius").GetValue(i) for i in range(23)]
    p.check(radius[0] == 0 and abs(radius[2] - 0.1) < 1e-7 and all(abs(r - 0.01) < 1e-8 for r in radius[3:]), radius)


def check_shapes(data, position, rotation):
    """Surfaces are closed, and their volumes are those of the shapes to what triangles allow."""
    edges, volume, reach = {}, {}, {}
    ids = data.GetCellData().GetArray("id")
    for c in range(data.GetNumberOfCells()):
        cell = data.GetCell(c).GetPointIds()
        corners = [cell.GetId(k) for k in range(3)]
        body = ids.GetValue(c)
        for k in range(3):
            edge = (corners[k], corners[(k + 1) % 3])
            edges[edge] = edges.get(edge, 0) + 1
        x, y, z = ([a - b for a, b in zip(data.GetPoint(q), position[body - 1])] for q in corners)
        volume[body] = volume.get(body, 0) + (x[0] * (y[1] * z[2] - y[2] * z[1]) + x[1] * (y[2] * z[0] - y[0] * z[2])
                                              + x[2] * (y[0] * z[1] - y[1] * z[0])) / 6
        reach[body] = max(reach.get(body, 0), *(math.hypot(*v) for v in (x, y, z)))
    p.check(all(n == 1 and edges.get((b, a)) == 1 for (a, b), n in edges.items() if a != b), "closed, normals outwards")
    # A polyhedron of 24 by 16 inside a ball of radius r: its volume is about 3 % less.
    ball = 4 / 3 * math.pi
    p.check(0.95 * ball * 1e-6 < volume[4] < ball * 1e-6, volume[4])
    box = 0.1 * 0.1 * 0.5
    p.check(box + 0.95 * ball * 1e-3 < volume[3] < box + ball * 1e-3, volume[3])
    p.check(1 not in volume and 2 not in volume, "a plane and a body without shapes have no surface")


def test_vtk_surfaces(folder):
    """Hulls, meshes and height fields: volumes of an octahedron and a wedge, heights of a field; all turned and moved."""
    try:
        from vtkmodules.vtkIOXML import vtkXMLPolyDataReader
    except ImportError:
        return
    wedge = {"type": "mesh", "at": [0.1, 0.2, 0.3],
             "vertices": [[0, 0, 0], [1, 0, 0], [0, 0.5, 0], [0, 0, 0.5], [1, 0, 0.5], [0, 0.5, 0.5]],
             "triangles": [[0, 2, 1], [3, 4, 5], [0, 1, 4], [0, 4, 3], [1, 2, 5], [1, 5, 4], [2, 0, 3], [2, 3, 5]]}
    gem = {"type": "hull",
           "points": [[0.3, 0, 0], [-0.3, 0, 0], [0, 0.3, 0], [0, -0.3, 0], [0, 0, 0.3], [0, 0, -0.3]]}
    grid = [[0, 1, 2], [3, 4, 5]]
    content = {"kairos": 1, "name": "surfaces", "step": 1e-2, "end": 0.1, "gravity": [0, 0, 0], "bodies": [
        {"name": "hills", "fixed": True, "position": [7, 8, 9],
         "shapes": [{"type": "heightfield", "grid": grid, "spacing": 0.5}]},
        {"name": "wedge", "position": [1, 2, 3], "angular_velocity": [1, 2, 3], "density": 100, "shapes": [wedge]},
        {"name": "gem", "position": [-1, 2, 3], "angular_velocity": [3, 2, 1], "density": 100, "shapes": [gem]}]}
    path = folder / "surfaces.json"
    path.write_text(json.dumps(content))
    p.run(path, "-o", folder / "surfaces", "-q")
    export(folder / "surfaces", "--to", "vtk", "-o", folder / "surfaces/vtk")
    for file in sorted((folder / "surfaces/vtk").glob("shapes-*.vtp")):
        reader = vtkXMLPolyDataReader()
        reader.SetFileName(str(file))
        reader.Update()
        data = reader.GetOutput()
        ids, volume, heights = data.GetCellData().GetArray("id"), {}, set()
        for c in range(data.GetNumberOfCells()):
            x, y, z = (data.GetPoint(data.GetCell(c).GetPointIds().GetId(k)) for k in range(3))
            body = ids.GetValue(c)
            volume[body] = volume.get(body, 0) + (x[0] * (y[1] * z[2] - y[2] * z[1]) + x[1] * (y[2] * z[0] - y[0] * z[2])
                                                  + x[2] * (y[0] * z[1] - y[1] * z[0])) / 6
            if body == 1:
                heights.update(round(v[2] - 9, 5) for v in (x, y, z))
        # Single precision of points some metres from the origin.
        p.check(abs(volume[2] - 0.125) < 1e-5 and abs(volume[3] - 4 / 3 * 0.3**3) < 1e-5, file.name, volume)
        p.check(heights == {0, 1, 2, 3, 4, 5}, file.name, heights)


def test_hostile_lists(folder):
    """Contacts and triangles that point outside of their lists are an error, not a crash."""
    h5py = p.need_h5py()
    good, bad = folder / "good", folder / "bad-lists"
    p.run("collisions", "-o", good, "-q", "--end", "0.7")
    changes = [("Contacts/count", -1), ("Contacts/count", 20001), ("Contacts/count", 1 << 62), ("Contacts/first", -1),
               ("Contacts/first", 1 << 62), ("Contacts/found", -5), ("Kairos/surface_triangles", 4000000000)]
    for path, value in changes:
        shutil.copytree(good, bad)
        with h5py.File(str(bad / "trajectory.h5"), "r+", libver="latest") as file:
            file[path][0] = value
        err = export(bad, "--to", "vtk", status=2)
        p.check("trajectory" in err, path, value, err)
        shutil.rmtree(bad)


def png_size_and_colours(path):
    data = path.read_bytes()
    p.check(data[:8] == b"\x89PNG\r\n\x1a\n", path)
    width, height, depth, kind = struct.unpack(">IIBB", data[16:26])
    packed, at = b"", 8
    while at < len(data):
        size, = struct.unpack(">I", data[at:at + 4])
        if data[at + 4:at + 8] == b"IDAT":
            packed += data[at + 8:at + 8 + size]
        at += 12 + size
    return width, height, len(set(zlib.decompress(packed)))


def test_png(folder, out):
    if not any(map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"))):
        print("skipped in part: no browser (Debian package chromium)")
        return False
    export(out, "--to", "png", "--frame", 3, "--size", "320x200", "-o", folder / "png")
    files = sorted(f.name for f in (folder / "png").iterdir())
    p.check(files == ["frame-000003.png"], files)
    width, height, colours = png_size_and_colours(folder / "png/frame-000003.png")
    p.check((width, height) == (320, 200) and colours > 1, width, height, colours)
    test_hostile_png(folder, out)
    return True


def boxes(data, at=0, end=None):
    """Name, first and last byte of the boxes of an MP4 file, one after the other."""
    end = len(data) if end is None else end
    while at < end:
        size, = struct.unpack_from(">I", data, at)
        yield data[at + 4:at + 8].decode(), at + 8, at + size
        at += size
    p.check(at == end, "boxes end at", at, "of", end)


def find_box(data, *path):
    low, high = 0, len(data)
    for name in path:
        low, high = next((a, b) for n, a, b in boxes(data, low, high) if n == name)
    return low, high


def check_mp4(path, pictures, width, height):
    data = path.read_bytes()
    p.check([n for n, _, _ in boxes(data)] == ["ftyp", "moov", "mdat"], "boxes of", path)
    table = ("moov", "trak", "mdia", "minf", "stbl")
    at, _ = find_box(data, *table, "stsz")
    count, = struct.unpack_from(">I", data, at + 8)
    sizes = struct.unpack_from(f">{count}I", data, at + 12)
    first, = struct.unpack_from(">I", data, find_box(data, *table, "stco")[0] + 8)
    low, high = find_box(data, "mdat")
    p.check(count == pictures and first == low and sum(sizes) == high - low, "pictures", count, "wanted", pictures)
    at, _ = find_box(data, *table, "stsd")
    p.check(data[at + 12:at + 16] == b"avc1" and struct.unpack_from(">2H", data, at + 40) == (width, height), "the kind of pictures")
    scale, ticks = struct.unpack_from(">2I", data, find_box(data, "moov", "mvhd")[0] + 12)
    return ticks / scale


def check_webm(path, pictures):
    data = path.read_bytes()
    p.check(data[:4] == b"\x1a\x45\xdf\xa3" and b"webm" in data[:128] and (b"V_VP9" in data or b"V_VP8" in data), "no WebM file")
    at, blocks = data.index(b"\x1f\x43\xb6\x75"), 0
    while data[at:at + 4] == b"\x1f\x43\xb6\x75":  # clusters; all sizes have eight bytes
        size = int.from_bytes(data[at + 5:at + 12], "big")
        inner, end = at + 12, at + 12 + size
        while inner < end:
            blocks += data[inner] == 0xa3
            inner += 9 + int.from_bytes(data[inner + 2:inner + 9], "big")
        p.check(inner == end, "elements of a cluster")
        at = end
    p.check(data[at:at + 4] == b"\x1c\x53\xbb\x6b" and blocks == pictures, "pictures", blocks, "wanted", pictures)


def test_film(folder, out):
    """Films have the pictures that were asked for, and the same page gives the same film."""
    if not any(map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"))):
        return
    wanted = ("--size", "160x90", "--fps", 10, "--begin", "0.1", "--end", "0.9")
    told = export(out, "--to", "mp4", *wanted, "-o", folder / "film")
    made = sorted(f.name for f in (folder / "film").iterdir())
    if made == ["film.mp4"]:  # else this browser has no encoder and there is no ffmpeg, and it said so
        if "by the browser" in told:
            seconds = check_mp4(folder / "film/film.mp4", 9, 160, 90)
            p.check(abs(seconds - 0.9) < 1e-3, "length of the film", seconds)
            again = export(out, "--to", "mp4", *wanted, "-o", folder / "film-again")
            p.check((folder / "film/film.mp4").read_bytes() == (folder / "film-again/film.mp4").read_bytes(), "two films differ", again)
    else:
        p.check(made == ["film.webm"] and "Debian package ffmpeg" in told, made, told)
    export(out, "--to", "webm", *wanted, "--speed", "0.5", "-o", folder / "film-webm")
    check_webm(folder / "film-webm/film.webm", 17)
    if shutil.which("ffmpeg"):
        told = export(out, "--to", "mp4", *wanted, "--look", "codec=vp9", "-o", folder / "film-ffmpeg")
        p.check("libx264" in told and (folder / "film-ffmpeg/film.mp4").stat().st_size > 500, told)
    told = export(out, "--to", "mp4", *wanted, "--look", "codec=none", "-o", folder / "film-none", status=1)
    p.check("cannot encode" in told, told)


def test_hostile_png(folder, out):
    """Of a page that others made, only the data are shown: no script of it runs. Links are not written through."""
    evil, victim = folder / "evil", folder / "victim"
    shutil.copytree(out, evil, ignore=shutil.ignore_patterns("export"))
    page = (evil / "index.html").read_text()
    script = "<script>document.documentElement.innerHTML = '<body style=\"background: red\">'; throw 1</script>"
    (evil / "index.html").write_text(page.replace("<head>", "<head>" + script, 1) + script)
    victim.write_text("kept")
    (evil / "export").mkdir()
    (evil / "export/frame-000003.png").symlink_to(victim)
    export(evil, "--to", "png", "--frame", 3, "--size", "320x200")
    _, _, colours = png_size_and_colours(evil / "export/frame-000003.png")
    _, _, wanted = png_size_and_colours(folder / "png/frame-000003.png")
    p.check(colours > wanted / 2, f"the picture has {colours} values, not {wanted}: a script of the page ran")
    p.check(victim.read_text() == "kept", "written through a link")
    shutil.rmtree(evil / "export")
    (evil / "export").symlink_to(folder)
    for to in ("png", "csv", "vtk"):
        code, _, err = p.call("export", evil, "--to", to)
        p.check(code == 2 and "is a link" in err, to, code, err)
    p.check(not list(folder.glob("*.png")) and not list(folder.glob("frames.csv")), "written through a link")
    shutil.rmtree(evil)


def test_usage(folder, out):
    before = sorted(str(f) for f in folder.rglob("*"))
    for arguments, words in (
            ((), "needs the folder"), ((out,), "--to is ''"), ((out, "--to", "gltf"), "must be vtk, csv, png, mp4 or webm"),
            ((folder / "none", "--to", "csv"), "no folder"), ((folder, "--to", "csv"), "is it the folder of a run"),
            ((folder, "--to", "png"), "has no index.html"),
            ((out, "--to", "csv", "--body", "hamer"), "did you mean 'hammer'"),
            ((out, "--to", "vtk", "--body", "xyzzy"), "no body 'xyzzy'"),
            ((out, "--to", "csv", "--quantity", "velocty"), "did you mean 'velocity'"),
            ((out, "--to", "png", "--size", "0x0"), "--size"), ((out, "--to", "png", "--theme", "pink"), "--theme"),
            ((out, "--to", "png", "--frame", 99999), "--frame is 99999"), ((out, "--to", "csv", "--every", "0"), "--every"),
            ((out, "--to", "mp4", "--size", "321x200"), "even"), ((out, "--to", "mp4", "--begin", "2", "--end", "1"), "--end must be"),
            ((out, "--to", "webm", "--speed", "0"), "--speed"), ((out, "--to", "mp4", "--fps", "500"), "--fps")):
        err = export(*arguments, status=2)
        p.check(err.startswith("kairos: ") and words in err, arguments, err)
    code, _, err = p.call("export", out, "--to", "png", env={"KAIROS_CHROMIUM": "/nonexistent"})
    p.check(code == 1 and "Debian package chromium" in err, code, err)
    p.check(before == sorted(str(f) for f in folder.rglob("*")), "nothing was written")
    (folder / "bad").mkdir()
    for junk in (b"", b"junk", b"\x89HDF\r\n\x1a\n" + b"\0" * 500):
        (folder / "bad/trajectory.h5").write_bytes(junk)
        (folder / "bad/index.html").write_bytes(b"<html>" + junk)
        for to in ("csv", "vtk", "png"):
            export(folder / "bad", "--to", to, status=2)


if __name__ == "__main__":
    p.need_program()
    with p.Folder() as place:
        scene = p.scene(place, steps=1000)
        run = place / "out"
        p.run(scene, "-o", run, "-q")
        test_usage(place, run)
        test_csv(place, run)
        vtk = test_vtk(place, run)
        test_vtk_surfaces(place)
        test_hostile_lists(place)
        picture = test_png(place, run)
        test_film(place, run)
    if not vtk:
        p.skip("VTK is not there (Debian package python3-vtk9)")
