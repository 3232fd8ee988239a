# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
"""Deforming meshes of a run (tests/run/test_render_mesh_run.c): meshes.h5 as VTK and h5py read it, and the page in a real browser."""
# ctest-labels: slow
# ctest-timeout: 300

import math
import os
import subprocess

import browser
import page_data
import process as p

ACROSS, ALONG, CABLE = 12, 20, 30
SHEET = ACROSS * ALONG


def place(mesh, v, t):
    x = v // ACROSS / (ALONG - 1) if mesh == 0 else v / (CABLE - 1)
    y = 0.5 * (v % ACROSS) / (ACROSS - 1) if mesh == 0 else 0.25
    return [x, y, (0 if mesh == 0 else 0.4) + 0.1 * math.sin(2 * math.pi * (x - t))]


def slope(mesh, v, t):
    return 0.2 * math.pi * math.cos(2 * math.pi * (place(mesh, v, t)[0] - t))


def test_file(folder):
    h5py = p.need_h5py()
    with h5py.File(folder / "meshes.h5") as file:
        vtk, steps = file["VTKHDF"], file["VTKHDF/Steps"]
        p.check(steps.attrs["NSteps"] == 17 and vtk.attrs["Type"] == b"UnstructuredGrid", dict(vtk.attrs))
        cells = 2 * (ACROSS - 1) * (ALONG - 1) + CABLE - 1
        p.check(list(vtk["NumberOfCells"]) == [cells] and list(vtk["NumberOfPoints"]) == [SHEET + CABLE], "sizes")
        p.check(len(vtk["Offsets"]) == cells + 1 and vtk["Offsets"][-1] == len(vtk["Connectivity"]), "offsets")
        p.check([file[f"Kairos/mesh{k}"].attrs["name"] for k in (0, 1)] == [b"sheet", b"cable"], "names")
        for k, t in enumerate(steps["Values"]):
            rows = vtk["Points"][steps["PointOffsets"][k]:][:SHEET + CABLE]
            for v in (0, 100, SHEET + 7):
                mesh, at = (0, v) if v < SHEET else (1, v - SHEET)
                p.check(math.dist(rows[v].tolist(), place(mesh, at, t)) < 1e-6, k, v, rows[v])
    try:
        from vtkmodules.vtkIOHDF import vtkHDFReader
    except ImportError:
        print("skipped in part: VTK is not there (Debian package python3-vtk9)")
        return
    reader = vtkHDFReader()
    reader.SetFileName(str(folder / "meshes.h5"))
    reader.Update()
    grid = reader.GetOutput()
    p.check(grid.GetNumberOfPoints() == SHEET + CABLE and grid.GetNumberOfCells() == cells, "VTK reads", grid.GetNumberOfPoints(), grid.GetNumberOfCells())
    p.check(grid.GetCellType(0) == 5 and grid.GetCellType(cells - 1) == 3, "triangles and lines")
    for v in (0, 50, SHEET + 3):
        mesh, at = (0, v) if v < SHEET else (1, v - SHEET)
        p.check(math.dist(grid.GetPoint(v), place(mesh, at, 0)) < 1e-6, "VTK's point", v, grid.GetPoint(v))
        p.check(abs(grid.GetPointData().GetArray("slope").GetValue(v) - slope(mesh, at, 0)) < 1e-6, "VTK's slope", v)
    p.check(math.isnan(grid.GetPointData().GetArray("tension").GetValue(0)), "the sheet has no tension")


def test_page(folder):
    data = page_data.Page.of_file(folder / "index.html")
    f, times = data.manifest["frames"], data.times()
    p.check([m["name"] for m in data.manifest["skins"]["meshes"]] == ["sheet", "cable"], data.manifest["skins"])
    p.check([(x["name"], x["unit"], x["mesh"]) for x in data.manifest["fields"]] == [("slope", "", 0), ("slope", "", 1), ("tension", "N", 1)], "fields")
    for mesh, count in ((0, SHEET), (1, CABLE)):
        for t, (numbers, bound) in zip(times, data.field("slope", mesh)):
            p.check(all(abs(x - slope(mesh, v, t)) <= 1.01 * bound + 1e-7 for v, x in enumerate(numbers)), "slope at", t)
            p.check(len(numbers) == count, len(numbers))
    with browser.Browser() as b:
        b.open(f"{(folder / 'index.html').as_uri()}#colour=field:slope&frame=5")
        p.check(b.evaluate("kairos.viewPixels().colours") > 300, "the view is blank")
        for k in (0, 5, 15):
            b.evaluate(f"kairos.setFrame({k})")
            b.until(f"kairos.shownTime === {times[k]!r} && kairos.complete && Number.isFinite(kairos.vertex(0, 0).value)")
            for name, mesh, v in (("sheet", 0, 0), ("sheet", 0, 133), ("cable", 1, 12)):
                got = b.evaluate(f"kairos.vertex('{name}', {v})")
                # Half a step along each axis, and single precision on the way.
                p.check(math.dist(got["position"], place(mesh, v, times[k])) < f["position_step"] + 1e-6, name, v, got, place(mesh, v, times[k]))
                p.check(abs(got["value"] - slope(mesh, v, times[k])) < 1.3 / 65534 + 1e-6, name, v, got)
        if os.environ.get("KAIROS_TEST_PICTURE"):
            b.screenshot(os.environ["KAIROS_TEST_PICTURE"])
        p.check(b.faults() == [], b.faults())


if __name__ == "__main__":
    program = p.BUILD / "bin" / "tests" / "run" / "test_render_mesh_run"
    if not program.is_file():
        p.skip(f"{program} is not built")
    if not browser.find():
        p.skip("there is no Chromium (Debian package chromium)")
    with p.Folder() as place_of:
        out = place_of / "wave"
        done = subprocess.run([str(program)], cwd=place_of, env={**os.environ, "KAIROS_TEST_KEEP": str(out)}, capture_output=True, text=True, timeout=p.LIMIT)
        p.check(done.returncode == 0, done.stdout, done.stderr)
        test_file(out)
        test_page(out)
    print("page meshes: ok")
