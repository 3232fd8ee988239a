# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
"""No data file runs anything or reads other files: scripts under the names of shapes, options beside
them. Every attack would leave a file whose name begins with PWNED."""

import json

from process import SOURCE, Folder, call, check, need_program, skip

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


if __name__ == "__main__":
    need_program()
    if "gmsh      not built" in call("info")[1]:
        skip("Kairos was built without Gmsh")
    scripts_are_refused()
    options_beside_are_not_read()
    print("contained: nothing ran")
