# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
"""No data file runs anything or reads other files: scripts under the names of shapes, options beside
them, buffers outside the folder. Readers that crash, hang or fill memory, and an importer that lies,
end in one clear error, and leave nothing behind. Every attack would leave a file whose name begins
with PWNED."""

import base64
import os
import signal
import struct
import subprocess
import time
import json

from process import BIN, SOURCE, Folder, call, check, need_program, skip

BLOCK = SOURCE / "tests/scene/meshes/block.step"
SCRIPT = 'SystemCall "touch PWNED_%s";\nSetFactory("OpenCASCADE");\nBox(1) = {0,0,0,1,1,1};\n'
# A version of .msh that Kairos leaves to Gmsh.
MSH3 = """$MeshFormat
3 0 8
$EndMeshFormat
$Nodes
4
1 0 0 0 0
2 1 0 0 0
3 0 1 0 0
4 0 0 1 0
$EndNodes
$Elements
1
1 4 1 4 1 2 3 4
$EndElements
"""


def solid(folder, file, name="scene.json"):
    """A scene with a structure made of a file."""
    path = folder / name
    path.write_text(json.dumps({
        "kairos": 1, "step": 1e-4, "end": 1e-3, "solids": {"s": {"type": "elastic", "density": 1000, "young": 1e6}},
        "structures": [{"name": "s", "type": "file", "file": file, "size": 0.5,
                        "element": {"type": "tet4", "solid": "s"}}]}))
    return path


def nothing_ran(folder, what):
    found = [p.name for p in folder.rglob("PWNED*")]
    check(not found, what, "left", found)


def both(folder, scene, status, *words):
    """`check` and `run` end with a status and say the words."""
    for command in (["check", scene], ["run", scene, "--output", folder / "out"]):
        code, out, err = call(*command, cwd=folder)
        check(code == status, *command, f"status {code}, wanted {status}\n{out}\n{err}")
        for word in words:
            check(word in out + err, *command, f"{word!r} is not in\n{out}\n{err}")
        nothing_ran(folder, command)


def scripts_are_refused():
    for end in ("Step", "stP", "STEP", "step", "BREP", "Brep", "Iges", "iGs", "igs", "Msh"):
        with Folder() as folder:
            (folder / f"part.{end}").write_text(SCRIPT % end)
            both(folder, solid(folder, f"part.{end}"), 2, f"part.{end}: ")


def options_beside_are_not_read():
    for end, content in (("step", BLOCK.read_text()), ("Stp", BLOCK.read_text()), ("msh", MSH3)):
        with Folder() as folder:
            name = f"part.{end}"
            (folder / name).write_text(content)
            for other in (name + ".opt", "shape.step.opt", ".gmshrc", ".gmsh-options"):
                (folder / other).write_text(SCRIPT % "opt")
            both(folder, solid(folder, name), 0)


def refused(folder, scene, *words, **env):
    """`check` ends with one error that has the words, and nothing is left in the folder of temporary files."""
    room = folder / "room"
    room.mkdir(exist_ok=True)
    begin = time.monotonic()
    code, out, err = call("check", scene, cwd=folder, env={"TMPDIR": str(room), **env})
    check(code == 2, scene, f"status {code}, wanted 2\n{out}\n{err}")
    for word in words:
        check(word in err, f"{word!r} is not in\n{err}")
    check(len(err) < 2000 and all(c.isprintable() or c == "\n" for c in err), "the message is not plain:", repr(err))
    check(list(room.iterdir()) == [], "left behind:", list(room.iterdir()))
    nothing_ran(folder, scene)
    return time.monotonic() - begin


def shapes_have_their_groups():
    with Folder() as folder:
        (folder / "Block.STEP").write_bytes(BLOCK.read_bytes())
        scene = json.loads(solid(folder, "Block.STEP").read_text())
        scene["structures"][0]["fixed"] = [{"set": "face-6"}]
        (folder / "scene.json").write_text(json.dumps(scene))
        both(folder, folder / "scene.json", 0)
        scene["structures"][0]["fixed"] = [{"set": "face-7"}]
        (folder / "scene.json").write_text(json.dumps(scene))
        both(folder, folder / "scene.json", 2, "face-7")


# Meshes -------------------------------------------------------------------------------------------

BUFFER = struct.pack("<12f12H", 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3)


def gltf(uri):
    return json.dumps({
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3", "min": [0, 0, 0],
                       "max": [1, 1, 1]}, {"bufferView": 1, "componentType": 5123, "count": 12, "type": "SCALAR"}],
        "bufferViews": [{"buffer": 0, "byteOffset": 0, "byteLength": 48},
                        {"buffer": 0, "byteOffset": 48, "byteLength": 24}],
        "buffers": [{"byteLength": 72, "uri": uri}]})


def dae(last):
    return ('<?xml version="1.0"?><!-- a tetrahedron --><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" '
            'version="1.4.1"><asset><up_axis>Z_UP</up_axis></asset><library_geometries><geometry id="g"><mesh>'
            '<source id="p"><float_array id="a" count="12">0 0 0 1 0 0 0 1 0 0 0 1</float_array><technique_common>'
            '<accessor source="#a" count="4" stride="3"><param name="X" type="float"/><param name="Y" type="float"/>'
            '<param name="Z" type="float"/></accessor></technique_common></source><vertices id="v"><input '
            'semantic="POSITION" source="#p"/></vertices><triangles count="4"><input semantic="VERTEX" source="#v" '
            f'offset="0"/><p>0 2 1 0 1 3 0 3 2 1 2 {last}</p></triangles></mesh></geometry></library_geometries>'
            '<library_visual_scenes><visual_scene id="s"><node><instance_geometry url="#g"/></node></visual_scene>'
            '</library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>')


def body(folder, file):
    """A scene with a body shaped by a mesh file."""
    path = folder / "scene.json"
    path.write_text(json.dumps({"kairos": 1, "step": 1e-3, "end": 1e-2, "materials": {"m": {"density": 1000}}, "bodies": [
        {"name": "b", "shapes": [{"type": "mesh", "file": file, "material": "m"}]}]}))
    return path


def buffers_come_from_the_folder_only():
    with Folder() as outer:
        folder = outer / "scene"
        (folder / "parts").mkdir(parents=True)
        (outer / "secret.bin").write_bytes(BUFFER)
        (folder / "good.bin").write_bytes(BUFFER)
        (folder / "parts" / "below.bin").write_bytes(BUFFER)
        (folder / "link.bin").symlink_to(outer / "secret.bin")
        (folder / "inner.bin").symlink_to("good.bin")
        os.mkfifo(folder / "pipe.bin")
        inline = "data:application/octet-stream;base64," + base64.b64encode(BUFFER).decode()
        for uri in ("good.bin", "./good.bin", "parts/below.bin", "inner.bin", inline):
            (folder / "m.gltf").write_text(gltf(uri))
            both(folder, body(folder, "m.gltf"), 0)
        for uri in ("../secret.bin", str(outer / "secret.bin"), "link.bin", "pipe.bin", "parts/../../secret.bin", "parts",
                    "file://" + str(outer / "secret.bin"), "kairos-mesh.gltf/../../secret.bin", "none.bin"):
            (folder / "m.gltf").write_text(gltf(uri))
            refused(folder, body(folder, "m.gltf"), "m.gltf: ")


def damaged_meshes_are_refused():
    with Folder() as folder:
        (folder / "m.dae").write_text(dae("3"))
        both(folder, body(folder, "m.dae"), 0)
        # An index that is no number made Assimp fill all memory there is.
        (folder / "m.dae").write_text(dae("nan"))
        refused(folder, body(folder, "m.dae"), "m.dae: ", "512 MiB")
        for name, content in (("m.gltf", "SystemCall"), ("m.glb", "{}"), ("m.dae", "<html></html>"), ("m.DAE", "{}"), (
                "m.dae", '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>' + dae("3")[21:])):
            (folder / name).write_text(content)
            refused(folder, body(folder, name), f"{name}: it is not what its name tells: it must begin with ")


# Limits -------------------------------------------------------------------------------------------

def endless_work_is_ended():
    with Folder() as folder:
        (folder / "block.step").write_bytes(BLOCK.read_bytes())
        scene = solid(folder, "block.step")
        scene.write_text(scene.read_text().replace('"size": 0.5', '"size": 0.0005'))
        seconds = refused(folder, scene, "block.step: reading it takes longer than 1 s", KAIROS_IMPORT_SECONDS="1")
        check(seconds < 60, f"it took {seconds:.1f} s")
        refused(folder, scene, "block.step: reading it needs more than 100 MiB", KAIROS_IMPORT_MEMORY="100")


def children_of(pid):
    found = []
    for status in os.listdir("/proc"):
        try:
            fields = open(f"/proc/{status}/stat").read().rsplit(")", 1)[1].split() if status.isdigit() else []
        except OSError:
            continue
        if len(fields) > 1 and int(fields[1]) == pid and fields[0] != "Z":
            found.append(int(status))
    return found


def the_importer_dies_with_kairos():
    with Folder() as folder:
        (folder / "block.step").write_bytes(BLOCK.read_bytes())
        scene = solid(folder, "block.step")
        scene.write_text(scene.read_text().replace('"size": 0.5', '"size": 0.0005'))
        kairos = subprocess.Popen([str(BIN), "check", str(scene)], env={**os.environ, "TMPDIR": str(folder)},
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until = time.monotonic() + 60
        while not list(folder.glob("kairos-import-*/shape.step")) and time.monotonic() < until:
            time.sleep(0.01)
        importers = children_of(kairos.pid)
        while not importers and time.monotonic() < until:  # the file is there before the process is
            time.sleep(0.01)
            importers = children_of(kairos.pid)
        check(len(importers) == 1, "processes of kairos:", importers)
        kairos.send_signal(signal.SIGKILL)
        kairos.wait()
        while os.path.exists(f"/proc/{importers[0]}/exe") and time.monotonic() < until:
            time.sleep(0.01)
        check(not os.path.exists(f"/proc/{importers[0]}/exe"), "the importer lives on")


# An importer that lies ----------------------------------------------------------------------------

LIAR = """#!{python}
import os, signal, socket, struct, sys
s = socket.socket(fileno=3)
s.recv(struct.unpack_from("=Q", s.recv(56, socket.MSG_WAITALL), 48)[0], socket.MSG_WAITALL)  # request, file
def say(kind, data, size=None, zero=0):
    s.sendall(struct.pack("=IIQ", kind, zero, len(data) if size is None else size) + data)
def mesh(points, corners, counts=None):
    p, t = counts or (len(points) // 3, len(corners) // 3)
    say(3, struct.pack("=QQ", p, t) + struct.pack("=%dd" % len(points), *points) + struct.pack("=%dI" % len(corners), *corners))
os.symlink("/", os.path.join(sys.argv[1], "root"))
{lie}
"""
CORNERS = "[0,2,1,0,1,3,0,3,2,1,2,3]"
POINTS = "[0.,0.,0.,1.,0.,0.,0.,1.,0.,0.,0.,1.]"
LIES = [  # what it does, what must be said
    ("os.kill(os.getpid(), signal.SIGSEGV)", "the importer ended by signal 11"),
    ("sys.exit(3)", "the importer ended without an answer (status 3)"),
    ("say(5, b'bno\\x1b[31m\\r\\nwords \\xff')", "no?[31m??words ?"),
    ("say(5, b'')", "m.gltf: "),
    ("say(5, b'b' + b'x' * 399)", "xxx"),
    ("say(5, b'b' + b'x' * 5000)", "5001 bytes; 400 are allowed"),
    ("say(9, b'')", "not understood"),
    ("say(3, b'', 0, 1)", "not understood"),
    ("say(2, b'$MeshFormat')", "not understood"),
    ("say(3, b'short')", "not understood"),
    ("say(3, b'', 1 << 62)", "bytes; 2147483648 are allowed"),
    ("say(3, b'', 1 << 30); sys.exit(4)", "status 4"),
    (f"mesh({POINTS}, {CORNERS}, (1 << 61, 1 << 61))", "not understood"),
    (f"mesh({POINTS}, {CORNERS}, (5, 4))", "not understood"),
    (f"mesh({POINTS}, [0,1,4])", "triangle 0 has vertex 4; there are 4"),
    (f"mesh([float('nan')] + {POINTS}[1:], {CORNERS})", "vertex 0 is not finite"),
    ("mesh([], [])", "it holds no triangle"),
    ("while True: say(1, b'../secret.bin'); s.recv(16)", "more than 256 other files"),
    ("say(1, b'../secret.bin'); found = struct.unpack('=QQ', s.recv(16))[0]; say(5, b'bfound %d' % found)", "found 0"),
    ("say(1, b'm.gltf\\0x'); found = struct.unpack('=QQ', s.recv(16))[0]; say(5, b'bfound %d' % found)", "found 1"),
    ("s.close(); import time; time.sleep(600)", "stopped answering"),
    ("import time; time.sleep(600)", "longer than 1 s"),
]


def lies_are_not_believed():
    with Folder() as outer:
        folder = outer / "scene"
        folder.mkdir()
        (outer / "secret.bin").write_bytes(BUFFER)
        (folder / "m.gltf").write_text(gltf("m.bin"))
        scene = body(folder, "m.gltf")
        liar = outer / "liar"
        for lie, said in LIES + [(f"mesh({POINTS}, {CORNERS})", None)]:
            liar.write_text(LIAR.format(python="/usr/bin/env python3", lie=lie))
            liar.chmod(0o755)
            env = {"KAIROS_IMPORT": str(liar), "KAIROS_IMPORT_SECONDS": "1" if "longer" in (said or "") else "60"}
            if said:
                refused(folder, scene, "m.gltf: ", said, **env)
            else:
                code, out, err = call("check", scene, env=env)
                check(code == 0, err)
        refused(folder, scene, "KAIROS_IMPORT is", "No such file", KAIROS_IMPORT=str(outer / "none"))


if __name__ == "__main__":
    need_program()
    if "gmsh      not built" in call("info")[1]:
        skip("Kairos was built without Gmsh")
    scripts_are_refused()
    options_beside_are_not_read()
    shapes_have_their_groups()
    buffers_come_from_the_folder_only()
    damaged_meshes_are_refused()
    endless_work_is_ended()
    the_importer_dies_with_kairos()
    lies_are_not_believed()
    print("contained: nothing ran")
