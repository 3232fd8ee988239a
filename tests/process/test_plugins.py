# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
"""--load FILE.so: sections of a shared object in run, check and sweep; results.json; never from a scene."""

import json
import os
import shutil
import subprocess

import process as p

PLUGINS = p.BUILD / "bin" / "tests" / "process"
TREES = PLUGINS / "trees.so"
SUNFLOWER = PLUGINS / "sunflower.so"


def forest(folder, name="forest", **changes):
    content = {"kairos": 1, "end": 1, "step": 0.002, "bodies": [{"name": "earth", "fixed": True}],
               "parameters": {"tilt": {"value": 0.01, "unit": "rad"}},
               "trees": [{"name": "oak", "ground": "earth", "lean": "tilt"}],
               "outputs": [{"body": "oak.trunk", "quantities": ["position"], "file": "oak.csv"}], "view": {"enabled": False}}
    content.update(changes)
    path = folder / f"{name}.json"
    path.write_text(json.dumps(content))
    return path


def refused(word, err):
    p.check(word in err, f"'{word}' is not in:", err)


def test_run(folder):
    scene = forest(folder)
    p.run(scene, "-q", "-o", folder / "a", "--load", TREES)
    figure = json.loads((folder / "a" / "results.json").read_text())["oak.lean"]
    p.check(figure["unit"] == "rad" and "Angle" in figure["doc"] and abs(figure["value"]) <= 0.0101, figure)
    run = json.loads((folder / "a" / "run.json").read_text())
    p.check(run["plugins"] == ["trees"], run["plugins"])
    # In two parts: the same.
    p.run(scene, "-q", "-o", folder / "b", "--load", TREES, "--end", 0.5)
    p.run(scene, "-q", "-o", folder / "b", "--load", TREES, "--resume")
    for name in ("results.json", "oak.csv"):
        p.check((folder / "a" / name).read_bytes() == (folder / "b" / name).read_bytes(), f"{name} differs")
    # A new run removes the figures of the one before; one without figures has no such file.
    p.run(forest(folder, "empty", trees=[], outputs=[]), "-q", "-o", folder / "a", "--load", TREES)
    p.check(not (folder / "a" / "results.json").exists(), "results.json is still there")


def test_check(folder):
    code, out, err = p.call("check", forest(folder), "--load", TREES)
    p.check(code == 0 and "2 bodies" in out, out, err)
    code, out, err = p.call("check", forest(folder), "--load", TREES, "--spelled")
    p.check(code == 0 and json.loads(out)["trees"] == [{"name": "oak", "ground": "earth", "lean": 0.01}], out, err)
    code, out, err = p.call("check", forest(folder, treees=[]), "--load", TREES)
    p.check(code == 2, err)
    refused('unknown key "treees"; did you mean "trees"?', err)
    # A bare name is a file of the current folder, whatever the loader's own paths hold.
    forest(folder)
    shutil.copy(TREES, folder / "my.so")
    p.check(p.call("check", "forest.json", "--load", "my.so", cwd=folder)[0] == 0, "a bare name")


def test_sweep(folder):
    code, out, err = p.call("sweep", forest(folder), "--load", TREES, "--vary", "tilt=0.01,0.02", "-o", folder / "s", "-q")
    p.check(code == 0, out, err)
    leans = [json.loads((folder / "s" / f"run-000{k}" / "results.json").read_text())["oak.lean"]["value"] for k in (1, 2)]
    p.check(leans[0] != leans[1], leans)


def test_errors(folder):
    scene = forest(folder)
    (folder / "text.so").write_text("no library")
    for file, word in ((folder / "none.so", "there is no such file"), (folder / "text.so", "file too short"),
                       (p.BUILD / "lib" / "libkairos.so", "exports no kai_plugin_entry"),
                       (PLUGINS / "old.so", "plug-in 'old' was built for Kairos 99.1; this is ")):
        code, _, err = p.call("check", scene, "--load", file)
        p.check(code == 2 and err.startswith(f"kairos: --load {file}: "), code, err)
        refused(word, err)
    code, _, err = p.call("check", scene, "--load", TREES, "--load", TREES)
    p.check(code == 2, code)
    refused("plug-in 'trees': there is a section 'trees' already", err)


def test_not_from_a_scene(folder):
    """Nothing that a scene says loads a file."""
    shutil.copy(TREES, folder / "trees.so")
    code, _, err = p.call("check", forest(folder), cwd=folder)
    p.check(code == 2, err)
    refused('unknown key "trees"', err)
    for key in ("load", "plugins", "plugin"):
        code, _, err = p.call("check", forest(folder, **{key: ["trees.so"]}), cwd=folder)
        p.check(code == 2, err)
        refused(f'unknown key "{key}"', err)


def field(folder, **changes):
    """A scene whose particles lie as the plug-in's sampler says."""
    sampler = {"type": "sunflower", "domain": {"type": "cylinder", "radius": "10 cm", "length": "2 cm"}, **changes}
    path = folder / "field.json"
    path.write_text(json.dumps({
        "kairos": 1, "end": 0.02, "step": 0.002,
        "particles": [{"name": "seeds", "shape": {"type": "sphere", "radius": 0.005}, "density": 1000, "sampler": sampler}],
        "outputs": [{"particles": "seeds", "every": 0.01, "quantities": ["position"], "file": "seeds.csv"}],
        "view": {"enabled": False}}))
    return path


def test_samplers(folder):
    code, out, err = p.call("check", field(folder), "--load", SUNFLOWER)
    p.check(code == 0 and "500 particles" in out, out, err)
    p.run(field(folder), "-q", "-o", folder / "a", "--load", SUNFLOWER, "--end", 0.01)
    p.run(field(folder), "-q", "-o", folder / "a", "--load", SUNFLOWER, "--resume")
    p.run(field(folder), "-q", "-o", folder / "b", "--load", SUNFLOWER, "--threads", 2)
    p.check(all((folder / "a" / f.name).read_bytes() == f.read_bytes() for f in (folder / "b").glob("seeds*.csv")), "resume")
    for change, word in (({"spread": 0.1}, "/particles/0/sampler/spread: spread is 0.1; must be >= 0.56"),
                         ({"spred": 1}, 'unknown key "spred"; did you mean "spread"?'),
                         ({"type": "sunflour"}, 'type is "sunflour"; did you mean "sunflower"?')):
        code, _, err = p.call("check", field(folder, **change), "--load", SUNFLOWER)
        p.check(code == 2, err)
        refused(word, err)
    code, _, err = p.call("check", field(folder))  # not there without the plug-in
    p.check(code == 2, err)
    refused('type is "sunflower"; must be one of: grid, hcp, poisson-disk', err)


def test_doc(folder):
    """What plug-ins bring is described in the terminal as the rest is."""
    code, out, err = p.call("doc", "trees", "--load", TREES, "--load", SUNFLOWER)
    p.check(code == 0 and out.startswith("trees\n\nTrunks that sway.\n") and "  height: a number; unit m; default 10; must be > 0\n" in out, out, err)
    code, out, err = p.call("doc", "sunflower", "--load", TREES, "--load", SUNFLOWER)
    p.check(code == 0 and out.startswith("Samplers of sunflower: sunflower\n\nA spiral, layer by layer.\n"), out, err)
    code, out, err = p.call("doc", "sunflower.spread", "--load", SUNFLOWER)
    p.check(code == 0 and "  spread: a number; default 0.6; must be >= 0.56\n" in out, out, err)
    code, out, err = p.call("doc", "--load", TREES)
    p.check(code == 0 and "\n`trees`\n" in out.replace("\ntrees\n", "\n`trees`\n"), out, err)
    code, out, err = p.call("doc", "revolute", "--load", TREES)
    p.check(code == 0 and out.startswith("Joints: revolute\n"), out, err)
    code, _, err = p.call("doc", "sunflour", "--load", SUNFLOWER)
    p.check(code == 2 and "did you mean 'sunflower'?" in err, err)
    code, _, err = p.call("doc", "trees", "--load", folder / "none.so")
    p.check(code == 2, err)
    refused("there is no such file", err)
    p.check(p.call("doc", "trees")[0] == 2, "without the plug-in")


def test_docs(folder):
    program = p.BUILD / "bin" / "kairos-gendocs"
    if not program.is_file():
        p.skip(f"{program} is not built")
    # The program holds the library, and the plug-in brings the shared one: the address sanitizer sees each
    # table of a kind twice.
    options = ":".join(filter(None, (os.environ.get("ASAN_OPTIONS"), "detect_odr_violation=0")))
    subprocess.run([program, folder, TREES], check=True, env={**os.environ, "ASAN_OPTIONS": options})
    trees = json.loads((folder / "scene.schema.json").read_text())["properties"]["trees"]
    keys = trees["items"]["oneOf"][0]
    p.check(set(keys["properties"]) == {"name", "at", "ground", "height", "mass", "lean"} and keys["required"] == ["ground"], keys)
    page = (folder / "trees.md").read_text()
    p.check(page.startswith("# `trees`\n\nTrunks that sway.") and "| `height` |" in page and "> 0" in page, page)
    subprocess.run([program, folder, SUNFLOWER], check=True, env={**os.environ, "ASAN_OPTIONS": options})
    kinds = json.loads((folder / "scene.schema.json").read_text())["$defs"]["sampler"]["oneOf"]
    p.check([k["properties"]["type"]["const"] for k in kinds] == ["grid", "hcp", "poisson-disk", "sunflower"], kinds)
    p.check("spread" in kinds[-1]["properties"], kinds[-1])
    p.check(subprocess.run([program, folder, PLUGINS / "old.so"], stderr=subprocess.DEVNULL).returncode == 1, "old.so")


def main():
    p.need_program()
    if not TREES.is_file():
        p.skip(f"{TREES} is not built")
    for test in (test_run, test_check, test_sweep, test_errors, test_not_from_a_scene, test_samplers, test_doc, test_docs):
        with p.Folder() as folder:
            test(folder)
        print("ok", test.__name__)


if __name__ == "__main__":
    main()
