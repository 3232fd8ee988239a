# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
"""Files that scenes read, and mutants of them: bytes, numbers in text, and the layers of PNG, GLB, gzip and HDF5."""

import gzip
import json
import re
import struct
import zlib

WORDS = [b"0", b"-1", b"nan", b"inf", b"1e308", b"1e-320", b"1e999", b"99999999", b"4294967295", b"2147483648", b"-0",
         b"18446744073709551616", b"1.5", b"", b"x", b"0x1", b"1e", b"-"]
INTEGERS = [0, 1, 2, 0x7f, 0xff, 0x7fff, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffe, 1 << 20, 1 << 28]


# Bytes ---------------------------------------------------------------------------------------------

def flip(data, draw):
    data = bytearray(data)
    for _ in range(draw.choice([1, 1, 1, 2, 4, 16])):
        data[draw.randrange(len(data))] ^= 1 << draw.randrange(8)
    return bytes(data)


def cut(data, draw):
    at = draw.randrange(len(data))
    return draw.choice([data[:at], data[at:], data[:at] + data[at + draw.randrange(1, 64):]])


def copy_block(data, draw):
    at, to, size = draw.randrange(len(data)), draw.randrange(len(data)), draw.choice([1, 4, 8, 32, 256, 2048])
    return data[:to] + data[at:at + size] + data[to + draw.choice([0, size]):]


def integer(data, draw):
    """A number of 1 to 8 bytes set to one at a limit."""
    size = draw.choice([1, 2, 4, 8])
    at = draw.randrange(max(1, len(data) - size)) // size * size + draw.choice([0, 0, 0, 1, 2])
    value = draw.choice(INTEGERS) if draw.random() < 0.7 else draw.getrandbits(8 * size)
    return data[:at] + (value % (1 << 8 * size)).to_bytes(size, "little") + data[at + size:]


def zero(data, draw):
    at, size = draw.randrange(len(data)), draw.choice([8, 64, 512])
    return data[:at] + draw.choice([b"\0", b"\xff"]) * size + data[at + size:]


def word(data, draw):
    """A number of a text replaced."""
    found = list(re.finditer(rb"[-+]?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?", data))
    if not found:
        return flip(data, draw)
    for m in sorted(draw.sample(found, min(len(found), draw.choice([1, 1, 2, 5]))), key=lambda m: -m.start()):
        data = data[:m.start()] + draw.choice(WORDS) + data[m.end():]
    return data


def line(data, draw):
    lines = data.split(b"\n")
    at, other = draw.randrange(len(lines)), draw.randrange(len(lines))
    how = draw.randrange(5)
    if how == 0:
        del lines[at]
    elif how == 1:
        lines[at:at] = [lines[other]] * draw.choice([1, 2, 1000])
    elif how == 2:
        lines[at], lines[other] = lines[other], lines[at]
    elif how == 3:
        lines[at] += b" " + lines[other]
    else:
        lines[at] = b" ".join(draw.sample(lines[at].split(), len(lines[at].split())))
    return b"\n".join(lines)


BYTES = [flip, flip, cut, copy_block, integer, integer, zero]
TEXT = [word, word, word, line, line, flip, cut, copy_block]


def mutate_bytes(data, draw, text):
    for _ in range(draw.choice([1, 1, 2, 3])):
        if data:
            data = draw.choice(TEXT if text else BYTES)(data, draw)
    return data


# Layers --------------------------------------------------------------------------------------------

def mutate_png(data, draw):
    """Chunks changed under right checksums; pixels changed under right compression."""
    chunks, at = [], 8
    while at + 12 <= len(data):
        size = int.from_bytes(data[at:at + 4], "big")
        chunks.append([data[at + 4:at + 8], data[at + 8:at + 8 + size]])
        at += 12 + size
    one = draw.choice(chunks)
    if one[0] == b"IDAT" and draw.random() < 0.5:
        one[1] = zlib.compress(mutate_bytes(zlib.decompress(one[1]), draw, False))
    else:
        one[1] = mutate_bytes(one[1], draw, False) if one[1] else b"x"
    if draw.random() < 0.2:
        chunks.insert(draw.randrange(len(chunks)), draw.choice(chunks))
    body = b"".join(struct.pack(">I", len(b)) + t + b + struct.pack(">I", zlib.crc32(t + b)) for t, b in chunks)
    return data[:8] + body


def mutate_json(data, draw):
    """glTF: numbers and words of the JSON changed, its layout kept."""
    value = json.loads(data)
    found = []

    def walk(v):
        for k, below in v.items() if isinstance(v, dict) else enumerate(v):
            found.append((v, k))
            if isinstance(below, (dict, list)):
                walk(below)
    walk(value)
    for _ in range(draw.choice([1, 1, 2])):
        of, key = draw.choice(found)
        of[key] = draw.choice([0, -1, 1, 5, 1 << 31, 1 << 62, 1e300, "x", None, [], {}, 5126, 5123, 5125, 36, True, "VEC3"])
    return json.dumps(value).encode()


def glb(text, binary):
    text += b" " * (-len(text) % 4)
    binary += b"\0" * (-len(binary) % 4)
    whole = 12 + 8 + len(text) + 8 + len(binary)
    return (struct.pack("<4sII", b"glTF", 2, whole) + struct.pack("<I4s", len(text), b"JSON") + text +
            struct.pack("<I4s", len(binary), b"BIN\0") + binary)


def mutate_glb(data, draw):
    size = int.from_bytes(data[12:16], "little")
    text, binary = data[20:20 + size], data[28 + size:]
    if draw.random() < 0.5:
        return glb(mutate_json(text, draw), binary)
    return glb(text, mutate_bytes(binary, draw, False)) if draw.random() < 0.5 else mutate_bytes(data, draw, False)


def mutate(name, data, draw):
    """A mutant of a file, by the ending of its name."""
    if name.endswith(".gz") and draw.random() < 0.6:
        return gzip.compress(mutate_bytes(gzip.decompress(data), draw, True), 1)
    if name.endswith(".png") and draw.random() < 0.7:
        return mutate_png(data, draw)
    if name.endswith(".glb"):
        return mutate_glb(data, draw)
    if name.endswith(".gltf") and draw.random() < 0.7:
        return mutate_json(data, draw)
    text = name.endswith((".csv", ".obj", ".dae", ".msh", ".inp", ".step", ".gltf", ".kairos-decomposition", "text.stl"))
    return mutate_bytes(data, draw, text)


# Bases ---------------------------------------------------------------------------------------------

CORNERS = [(x, y, z) for z in (0, 1) for y in (0, 1) for x in (0, 1)]
SIDES = [(0, 2, 1), (1, 2, 3), (4, 5, 6), (5, 7, 6), (0, 1, 4), (1, 5, 4), (2, 6, 3), (3, 6, 7), (0, 4, 2), (2, 4, 6),
         (1, 3, 5), (3, 7, 5)]


def cube_gltf(embed):
    points = b"".join(struct.pack("<3f", *c) for c in CORNERS)
    indices = b"".join(struct.pack("<3H", *s) for s in SIDES)
    value = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
             "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1, "mode": 4}]}],
             "accessors": [{"bufferView": 0, "componentType": 5126, "count": 8, "type": "VEC3", "min": [0, 0, 0],
                            "max": [1, 1, 1]},
                           {"bufferView": 1, "componentType": 5123, "count": 36, "type": "SCALAR"}],
             "bufferViews": [{"buffer": 0, "byteOffset": 0, "byteLength": 96},
                             {"buffer": 0, "byteOffset": 96, "byteLength": 72}],
             "buffers": [{"byteLength": 168}]}
    if not embed:
        return glb(json.dumps(value).encode(), points + indices)
    import base64
    value["buffers"][0]["uri"] = "data:application/octet-stream;base64," + base64.b64encode(points + indices).decode()
    return json.dumps(value).encode()


def cube_dae():
    numbers = " ".join(str(x) for c in CORNERS for x in c)
    sides = " ".join(str(i) for s in SIDES for i in s)
    return f"""<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset><up_axis>Z_UP</up_axis></asset>
<library_geometries><geometry id="g"><mesh><source id="p"><float_array id="pa" count="24">{numbers}</float_array>
<technique_common><accessor source="#pa" count="8" stride="3"><param name="X" type="float"/><param name="Y" type="float"/>
<param name="Z" type="float"/></accessor></technique_common></source><vertices id="v"><input semantic="POSITION"
 source="#p"/></vertices><triangles count="12"><input semantic="VERTEX" source="#v" offset="0"/><p>{sides}</p></triangles>
</mesh></geometry></library_geometries><library_visual_scenes><visual_scene id="s"><node id="n"><instance_geometry
 url="#g"/></node></visual_scene></library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>
""".encode()


def cube_stl(binary):
    triangles = [[CORNERS[i] for i in s] for s in SIDES]
    if binary:
        return b"cube".ljust(80) + struct.pack("<I", 12) + b"".join(
            struct.pack("<12fH", 0, 0, 0, *[x for c in t for x in c], 0) for t in triangles)
    return b"solid cube\n" + b"".join(b"facet normal 0 0 0\nouter loop\n" + b"".join(
        b"vertex %d %d %d\n" % c for c in t) + b"endloop\nendfacet\n" for t in triangles) + b"endsolid\n"


def cube_obj():
    """An L, so that it has convex parts."""
    ground = [(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)]
    text = "".join(f"v {x} {y} {z}\n" for z in (0, 1) for x, y in ground)
    for i, j in ((2, 1), (1, 0), (0, 5), (5, 4)):
        text += f"f 4 {i + 1} {j + 1}\nf 10 {j + 7} {i + 7}\n"
    for i in range(6):
        j = (i + 1) % 6
        text += f"f {i + 1} {j + 1} {j + 7}\nf {i + 1} {j + 7} {i + 7}\n"
    return text.encode()


def heights_png(bits):
    rows = b"".join(b"\0" + bytes((x * y * 3) % 256 for x in range(8 * bits // 8)) for y in range(8))
    chunk = [(b"IHDR", struct.pack(">IIBBBBB", 8, 8, bits, 0, 0, 0, 0)), (b"IDAT", zlib.compress(rows)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(struct.pack(">I", len(b)) + t + b + struct.pack(">I", zlib.crc32(t + b))
                                          for t, b in chunk)


BALL = {"name": "ball", "mass": 1, "position": [0.5, 0.5, 1.3], "shapes": [{"type": "sphere", "radius": 0.2}]}


def base_scene(shape=None, particles=None, structure=None):
    scene = {"kairos": 1, "step": 0.001, "end": 1, "contact": "nsc", "bodies": [BALL],
             "outputs": [{"system": True, "quantities": ["energy"], "file": "system.csv"}]}
    if shape:
        scene["bodies"] = [{"name": "ground", "fixed": True, "shapes": [shape]}, BALL]
    if particles:
        scene["particles"] = [{"name": "grains", "file": particles, "density": 1000,
                               "shape": {"type": "sphere", "radius": 0.02}}]
    if structure:
        scene["solids"] = {"s": {"type": "elastic", "density": 1000, "young": 1e6}}
        scene["structures"] = [{"type": "file", "name": "part", **structure}]
    return scene


def bases(source):
    """Per kind: (name of the file, its bytes, the scene that reads it, files beside it)."""
    mesh = {"stl text": ("a-text.stl", cube_stl(False)), "stl": ("a.stl", cube_stl(True)), "glb": ("a.glb", cube_gltf(False)),
            "gltf": ("a.gltf", cube_gltf(True)), "dae": ("a.dae", cube_dae()), "obj": ("a.obj", cube_obj())}
    found = {"mesh": [(n, d, base_scene({"type": "mesh", "file": n}), {}) for n, d in mesh.values()]}
    found["mesh"].append(("a.obj", cube_obj(), base_scene({"type": "mesh", "file": "a.obj", "decompose": True}), {}))
    bucket = (source / "scenes/meshes/bucket.obj").read_bytes()
    parts = (source / "scenes/meshes/bucket.obj.kairos-decomposition").read_bytes()
    found["mesh"].append(("bucket.obj.kairos-decomposition", parts,
                          base_scene({"type": "mesh", "file": "bucket.obj", "decompose": True}), {"bucket.obj": bucket}))
    for bits in (8, 16):
        found["mesh"].append(("h.png", heights_png(bits), base_scene(
            {"type": "heightfield", "file": "h.png", "spacing": 0.2}), {}))
    elements = {"bar.msh": "ancf-cable", "bar4.msh": "ancf-cable", "hex20.inp": "hex20", "hex8.msh": "hex8",
                "quads.inp": "ancf-shell", "rod.inp": "bar", "tet10.inp": "tet10", "tet4.msh": "tet4"}
    for name, element in elements.items():
        size = {"ancf-cable": {"radius": 0.01}, "bar": {"area": 1e-4}, "ancf-shell": {"thickness": 0.01}}.get(element, {})
        data = (source / "tests/fuzz/corpus/structure" / name).read_bytes()[2:]  # behind what the harness wants
        found["mesh"].append((name, data, base_scene(structure={
            "file": name, "element": {"type": element, "solid": "s", **size}}), {}))
    step = (source / "tests/scene/meshes/block.step").read_bytes()
    found["mesh"].append(("block.step", step, base_scene(structure={
        "file": "block.step", "size": 0.5, "element": {"type": "tet4", "solid": "s"}}), {}))
    table = b"x,y,z,vx,vy,vz\n" + b"".join(b"%g,%g,2,0,0,%g\n" % (0.1 * i, 0.1 * (i % 7), 0.01 * i) for i in range(40))
    found["table"] = [("t.csv", table, base_scene(particles="t.csv"), {}),
                      ("t.csv.gz", gzip.compress(table, 1), base_scene(particles="t.csv.gz"), {})]
    pool = b"\n".join((source / "scenes/ball-pool.csv").read_bytes().split(b"\n")[:200])
    found["table"].append(("pool.csv", pool, base_scene(particles="pool.csv"), {}))
    found["table"].append(("all.csv", (source / "tests/fuzz/corpus/table/all.csv").read_bytes(),
                           base_scene(particles="all.csv"), {}))
    hills = (source / "scenes/meshes/hills.csv").read_bytes()
    found["table"].append(("hills.csv", hills, base_scene(
        {"type": "heightfield", "file": "hills.csv", "spacing": 0.2}), {}))
    return found


# HDF5 ----------------------------------------------------------------------------------------------

MASK = (1 << 64) - 1


def hash_of(data):
    """kai_hash_bytes (src/base/hash.c)."""
    h = 0x9e3779b97f4a7c15

    def mix(v):
        v = (v + 0x9e3779b97f4a7c15) & MASK
        v = ((v ^ (v >> 30)) * 0xbf58476d1ce4e5b9) & MASK
        v = ((v ^ (v >> 27)) * 0x94d049bb133111eb) & MASK
        return v ^ (v >> 31)
    whole = len(data) // 8 * 8
    for (w,) in struct.iter_unpack("<Q", data[:whole]):
        h = mix(h ^ w)
    rest = data[whole:]
    if rest:
        h = mix(((h << 32 | h >> 32) & MASK) ^ (len(rest) << 56 | int.from_bytes(rest, "little")))
    return h


TRAILER = 24


def unseal(data):
    """(bytes, whether a known trailer followed them)."""
    known = len(data) > TRAILER and data[-24:-17] == b"KAIROS\n"
    return (data[:-TRAILER], data[-24:-16]) if known else (data, None)


def seal(data, magic):
    return data if magic is None else data + magic + struct.pack("<QQ", len(data), hash_of(data))


def change_h5(path, draw):
    """Alters groups, datasets, links and attributes of a file; false where h5py is not there or gives up."""
    try:
        import h5py
        import numpy
    except ImportError:
        return False
    try:
        with h5py.File(path, "r+") as file:
            found = []
            file.visititems(lambda name, item: found.append(name))
            for _ in range(draw.choice([1, 1, 2, 3])):
                name = draw.choice(found)
                if name in file:
                    change_item(h5py, numpy, file, name, draw)
    except (OSError, RuntimeError, ValueError, TypeError, KeyError, OverflowError):
        return False
    return True


def change_item(h5py, numpy, file, name, draw):
    item = file[name]
    if len(item.attrs) and draw.random() < 0.3:
        key = draw.choice(sorted(item.attrs))
        item.attrs[key] = draw.choice([0, -1, 2**62, float("nan"), 1e308, "x" * 1000, numpy.zeros(7), b"\xff\xfe"])
        return
    how = draw.randrange(10)
    if isinstance(item, h5py.Dataset) and how < 6:
        change_values(h5py, numpy, file, name, item, draw)
    elif how == 6:
        del file[name]
    elif how == 7:
        del file[name]
        file[name] = draw.choice([h5py.SoftLink("/" + name), h5py.SoftLink("/"), h5py.ExternalLink("other.h5", "/" + name),
                                  h5py.ExternalLink("/etc/passwd", "/"), h5py.SoftLink("/nowhere")])
    elif how == 8:
        del file[name]
        file.create_group(name)
    else:
        del file[name]  # claims far more than the file holds
        file.create_dataset(name, shape=(draw.choice([2**31, 2**40, 2**60]),), dtype=draw.choice(["f8", "u1", "i4"]),
                            chunks=(1024,))


def change_values(h5py, numpy, file, name, item, draw):
    if item.shape and item.size and item.dtype.kind in "fiu" and draw.random() < 0.6:
        values = item[...]
        flat = values.reshape(-1)
        for _ in range(draw.choice([1, 1, 3])):
            flat[draw.randrange(flat.size)] = draw.choice(
                [0, 1, 2, 127] + ([float("nan"), float("inf"), 1e308, -1e308, 1e-310] if item.dtype.kind == "f" else
                                  [numpy.iinfo(item.dtype).max, numpy.iinfo(item.dtype).min, flat.size, flat.size - 1]))
        item[...] = values
        return
    values, attributes = item[...], dict(item.attrs)
    if item.shape:
        values = draw.choice([values[:-1], values[:0], numpy.concatenate([values, values]), values[:1],
                              values.reshape(-1)[:3], numpy.zeros(values.shape[0], "i1")])
    else:
        values = numpy.zeros(3)
    del file[name]
    made = file.create_dataset(name, data=values)
    for key, value in attributes.items():
        made.attrs[key] = value


def mutate_h5(path, draw):
    """Changes a checkpoint or a trajectory in place; sealed anew half of the time, so that readers behind the
    checksum are met. Returns how."""
    data = path.read_bytes()
    inner, magic = unseal(data)
    how = draw.random()
    if how < 0.5:
        path.write_bytes(inner)
        if change_h5(path, draw):
            path.write_bytes(seal(path.read_bytes(), magic))
            return "structure"
        path.write_bytes(data)
    if magic is not None and how < 0.85:
        # Little is in the first bytes of a file, but all else hangs on it.
        head = draw.choice([96, 2048, len(inner)])
        path.write_bytes(seal(mutate_bytes(inner[:head], draw, False) + inner[head:], magic))
        return "sealed"
    head = draw.choice([96, 2048, len(data), len(data)])
    path.write_bytes(mutate_bytes(data[:head], draw, False) + data[head:])
    return "bytes"
