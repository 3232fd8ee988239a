# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
"""docs/scene.schema.json is a valid JSON Schema, accepts every shipped scene and the scenes of the reference
page, and refuses what the reader refuses, where a schema can know it."""

import json
import os
import re
import unittest
from pathlib import Path

import process

try:
    import jsonschema
except ImportError:
    jsonschema = None

ROOT = Path(os.environ.get("KAIROS_SOURCE", Path(__file__).resolve().parents[2]))

HEAD = {"kairos": 1, "step": 0.001, "end": 1}
BALL = {"type": "sphere", "radius": 1}
SAMPLER = {"type": "hcp", "domain": {"type": "box", "size": [9, 9, 9]}}
BODY = {"name": "post", "mass": 1, "inertia": [1, 1, 1]}
ARM = {"name": "arm", "mass": 1, "inertia": [1, 1, 1]}


def scene(**keys):
    return {**HEAD, **keys}


def body(**keys):
    return scene(bodies=[keys])


def force(value):
    return scene(bodies=[ARM], forces=[{"type": "force", "body": "arm", "value": [value, 0, 0]}])


def output(**keys):
    return scene(bodies=[ARM], outputs=[keys])


GOOD = {
    "least": HEAD,
    "formulas": {**body(mass="2*m", inertia=["m/10", 1, "1 kg m^2"]), "parameters": {"m": 2}, "step": "1 ms"},
    "parameters": scene(parameters={"a": 1, "b": "a/2", "c": {"value": 3, "unit": "mm", "min": 1, "doc": "Gap."}, "d": {"text": "x"}}),
    "instances": scene(templates={"post": {"bodies": [BALL]}},
                       instances=[{"template": "post", "name": "p", "count": [2, "n"], "at": ["2*i", 0, 0], "mirror": "y"},
                                  {"template": "a.json", "parameters": {"h": 1}, "connect": {"car": "b"}, "set": {"/bodies/0/mass": 2}}]),
    "template": {"template": {"doc": "A post.", "connect": {"ground": "What it stands on."}, "preview": HEAD}, "bodies": [BODY]},
    "include without the rest": {"include": "base.json", "bodies": [{"name": "arm", "mass": 2}]},
    "include objects": {"include": ["a.json", {"file": "b.json", "set": {"/step": 1}}]},
    "density": body(density=1, shapes=[BALL]),
    "mass and shapes": body(mass=1, shapes=[BALL]),
    "fixed": body(fixed=True),
    "inertia of six": body(mass=1, inertia=[1, 1, 1, 0, 0, 0]),
    "quaternion": body(fixed=True, rotation=[1, 0, 0, 0]),
    "axis and angle": body(fixed=True, rotation={"axis": [0, 0, 1], "angle": 1}),
    "euler": body(fixed=True, rotation={"euler": [0, 0, 1], "order": "zxz"}),
    "colors": body(fixed=True, shapes=[{**BALL, "color": "#ff0000"}, {**BALL, "color": [1, 0, 0]}]),
    "integrators": scene(integrator="rk4"),
    "integrator object": scene(integrator={"type": "leapfrog"}),
    "sine": force({"sine": {"amplitude": 2}}),
    "table": force({"table": [[0, 1], [1, 2]], "interpolation": "cubic"}),
    "table as object": force({"table": {"points": [[0, 1], [1, 2]]}}),
    "nested": force({"sum": [1, {"product": [2, {"ramp": {}}]}, {"value": 3}]}),
    "sequence": force({"sequence": [{"duration": 1, "value": {"polynomial": [1, 2]}}]}),
    "repeat": force({"repeat": {"function": 1, "period": 2}}),
    "sampler": scene(particles=[{"name": "g", "sampler": SAMPLER, "shape": BALL, "density": 1}]),
    "particles": scene(particles=[{"name": "g", "file": "g.csv", "shape": BALL, "density": 1}],
                       outputs=[{"particles": "g", "file": "g.csv.gz"}]),
    "outputs": output(body="arm", quantities=["position"], file="a.csv"),
    "system": output(system=True, every=0, quantities=["energy"], file="a.csv"),
}

BAD = {
    "no object": [],
    "instance without template": scene(instances=[{"name": "p"}]),
    "mirror": scene(instances=[{"template": "post", "mirror": "w"}]),
    "parameter key": scene(parameters={"a": {"valeu": 1}}),
    "nothing": {},
    "version": {**HEAD, "kairos": 2},
    "step": {**HEAD, "step": 0},
    "end": {**HEAD, "end": -1},
    "unknown key": scene(gravty=[0, 0, 0]),
    "gravity of two": scene(gravity=[0, 0]),
    "contact": scene(contact="impulse"),
    "integrator": scene(integrator="eulr"),
    "integrator key": scene(integrator={"type": "rk4", "order": 4}),
    "material range": scene(materials={"ice": {"restitution": 2}}),
    "material key": scene(materials={"ice": {"fricton": 2}}),
    "trajectory": scene(trajectory={"compression": 10}),
    "no mass": body(name="a"),
    "mass without inertia": body(mass=1),
    "inertia without mass": body(inertia=[1, 1, 1]),
    "density without shapes": body(density=1),
    "negative mass": body(mass=-1, inertia=[1, 1, 1]),
    "mass as list": body(mass=[1], inertia=[1, 1, 1]),
    "inertia of four": body(mass=1, inertia=[1, 1, 1, 0]),
    "quaternion of three": body(fixed=True, rotation=[1, 0, 0]),
    "euler order": body(fixed=True, rotation={"euler": [0, 0, 1], "order": "xxz"}),
    "shape kind": body(fixed=True, shapes=[{"type": "spere", "radius": 1}]),
    "shape radius": body(fixed=True, shapes=[{"type": "sphere", "radius": 0}]),
    "shape without radius": body(fixed=True, shapes=[{"type": "sphere"}]),
    "shape key": body(fixed=True, shapes=[{**BALL, "length": 1}]),
    "color": body(fixed=True, shapes=[{**BALL, "color": "red"}]),
    "function kind": force({"sin": {}}),
    "function key": force({"sine": {"amplitud": 1}}),
    "function range": force({"step": {"duration": -1}}),
    "table row": force({"table": [[0, 1], [2]]}),
    "table too short": force({"table": [[0, 1]]}),
    "interpolation": force({"table": [[0, 1], [1, 2]], "interpolation": "cubc"}),
    "sum of true": force({"sum": [True]}),
    "sequence without duration": force({"sequence": [{"value": 1}]}),
    "force without value": scene(forces=[{"type": "force", "body": "arm"}]),
    "particles without file": scene(particles=[{"shape": BALL}]),
    "particles with file and sampler": scene(particles=[{"shape": BALL, "file": "a.csv", "sampler": SAMPLER}]),
    "sampler without domain": scene(particles=[{"shape": BALL, "sampler": {"type": "hcp"}}]),
    "sampler in a mesh": scene(particles=[{"shape": BALL, "sampler": {"type": "hcp", "domain": {"type": "mesh"}}}]),
    "output without target": output(quantities=["position"], file="a.csv"),
    "output with two targets": output(body="arm", system=True, quantities=["energy"], file="a.csv"),
    "output without quantities": output(body="arm", file="a.csv"),
    "quantity": output(body="arm", quantities=["velcity"], file="a.csv"),
    "quantity of another target": output(system=True, quantities=["position"], file="a.csv"),
    "output file": output(body="arm", quantities=["position"], file="../a.csv"),
    "output suffix": output(body="arm", quantities=["position"], file="run.json"),
}


@unittest.skipIf(jsonschema is None, "python3-jsonschema is not installed")
class Schema(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.schema = json.loads((ROOT / "docs" / "scene.schema.json").read_text(encoding="utf-8"))
        cls.validator = jsonschema.Draft202012Validator(cls.schema)

    def check(self, name, value):
        errors = [f"{list(e.path)}: {e.message}" for e in self.validator.iter_errors(value)]
        self.assertEqual(errors, [], name)

    def test_schema_is_valid(self):
        jsonschema.Draft202012Validator.check_schema(self.schema)

    def test_shipped_scenes(self):
        scenes = sorted((ROOT / "scenes").rglob("*.json"))
        self.assertGreaterEqual(len(scenes), 4)
        for path in scenes:
            with self.subTest(scene=path.name):
                self.check(path.name, json.loads(process.without_comments(path.read_text(encoding="utf-8"))))

    def test_examples_of_the_reference(self):
        pages = (ROOT / "docs" / "scene.md", ROOT / "docs" / "scene" / "functions.md")
        text = "".join(page.read_text(encoding="utf-8") for page in pages)
        blocks = re.findall(r"```json\n(.*?)```", text, re.S)
        self.assertGreaterEqual(len(blocks), 3)
        self.check("first example", json.loads(blocks[0]))
        for line in "".join(blocks[1:]).splitlines():
            with self.subTest(function=line):
                self.check(line, force(json.loads(line)))

    def test_good_scenes(self):
        for name, value in GOOD.items():
            with self.subTest(scene=name):
                self.check(name, value)

    def test_bad_scenes(self):
        for name, value in BAD.items():
            with self.subTest(scene=name):
                self.assertFalse(self.validator.is_valid(value), name)


if __name__ == "__main__":
    unittest.main()
