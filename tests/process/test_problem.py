# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
# ctest-timeout: 300
"""Contact problems as files: what `kairos export --problem` writes is read by FCLIB's own library, what that
library writes is solved by `kairos solve`, and files that are damaged or wrong end with one line that says why."""

import ctypes
import json
import math
import random

import process as p

Int, Double = ctypes.POINTER(ctypes.c_int), ctypes.POINTER(ctypes.c_double)


class Matrix(ctypes.Structure):
    _fields_ = [("nzmax", ctypes.c_int), ("m", ctypes.c_int), ("n", ctypes.c_int), ("p", Int), ("i", Int), ("x", Double),
                ("nz", ctypes.c_int), ("info", ctypes.c_void_p)]


MatrixAt = ctypes.POINTER(Matrix)


class Global(ctypes.Structure):
    _fields_ = [("M", MatrixAt), ("H", MatrixAt), ("G", MatrixAt), ("mu", Double), ("f", Double), ("b", Double), ("w", Double),
                ("spacedim", ctypes.c_int), ("info", ctypes.c_void_p)]


class Local(ctypes.Structure):
    _fields_ = [("W", MatrixAt), ("V", MatrixAt), ("R", MatrixAt), ("mu", Double), ("q", Double), ("s", Double),
                ("spacedim", ctypes.c_int), ("info", ctypes.c_void_p)]


class Solution(ctypes.Structure):
    _fields_ = [("v", Double), ("u", Double), ("r", Double), ("l", Double)]


def library():
    for name in ("libfclib.so", "libfclib.so.3.1.0", "libfclib.so.3"):
        try:
            lib = ctypes.CDLL(name)
        except OSError:
            continue
        lib.fclib_read_global.restype = ctypes.POINTER(Global)
        lib.fclib_read_solution.restype = ctypes.POINTER(Solution)
        return lib
    p.skip("libfclib is not there (Debian package libfclib-dev)")


FCLIB = library()


def numbers(values):
    return (ctypes.c_double * max(1, len(values)))(*values)


def whole(values):
    return (ctypes.c_int * max(1, len(values)))(*values)


def matrix(rows, form=-1):
    """A dense table as columns (-1), rows (-2) or triplets (0)."""
    m, n = len(rows), len(rows[0])
    entries = [(i, j, rows[i][j]) for i in range(m) for j in range(n) if rows[i][j] != 0.0]
    if form == 0:
        random.Random(1).shuffle(entries)
        return Matrix(len(entries), m, n, whole([e[0] for e in entries]), whole([e[1] for e in entries]),
                      numbers([e[2] for e in entries]), len(entries), None)
    line = 1 if form == -1 else 0
    entries.sort(key=lambda e: (e[line], e[1 - line]))
    starts = [sum(e[line] < k for e in entries) for k in range((n if form == -1 else m) + 1)]
    return Matrix(len(entries), m, n, whole(starts), whole([e[1 - line] for e in entries]), numbers([e[2] for e in entries]),
                  form, None)


def write_global(path, M, H, f, w, mu, G=None, b=(), dimension=3, form=-1):
    parts = [matrix(a, form) if a else None for a in (M, H, G)]
    problem = Global(*[ctypes.pointer(a) if a else None for a in parts], numbers(mu), numbers(f), numbers(b), numbers(w),
                     dimension, None)
    path.unlink(missing_ok=True)
    p.check(FCLIB.fclib_write_global(ctypes.byref(problem), str(path).encode()) == 1, "not written", path)


def write_local(path, W, q, mu, form=-1):
    W = matrix(W, form)
    problem = Local(ctypes.pointer(W), None, None, numbers(mu), numbers(q), None, 3, None)
    path.unlink(missing_ok=True)
    p.check(FCLIB.fclib_write_local(ctypes.byref(problem), str(path).encode()) == 1, "not written", path)


def solve(path, *options, status=0):
    code, out, err = p.call("solve", path, "--json", *options)
    p.check(code == status, code, out, err)
    return json.loads(out)


def read(path):
    """The problem and its solution as FCLIB reads them."""
    problem = FCLIB.fclib_read_global(str(path).encode())
    solution = FCLIB.fclib_read_solution(str(path).encode())
    p.check(problem and solution, "FCLIB does not read", path)
    return problem.contents, solution.contents


def entries(a):
    return [(a.i[k], j, a.x[k]) for j in range(a.n) for k in range(a.p[j], a.p[j + 1])]


def check_laws(problem, solution, tolerance):
    """The equations of the form and Coulomb's law, number by number."""
    M, H = problem.M.contents, problem.H.contents
    p.check((M.nz, H.nz, problem.spacedim) == (-1, -1, 3), M.nz, H.nz)
    left, u = [-problem.f[i] for i in range(M.m)], [problem.w[i] for i in range(H.n)]
    scale = max(abs(problem.f[i]) for i in range(M.m))
    for i, j, x in entries(M):
        left[i] += x * solution.v[j]
    for i, j, x in entries(H):
        left[i] -= x * solution.r[j]
        u[j] += x * solution.v[i]
    if problem.G:
        G = problem.G.contents
        drift = [problem.b[j] for j in range(G.n)]
        for i, j, x in entries(G):
            left[i] -= x * solution.l[j]
            drift[j] += x * solution.v[i]
        p.check(max(map(abs, drift)) <= 1e-10, "equations", drift)
    p.check(max(map(abs, left)) <= 1e-12 * max(scale, 1.0), max(map(abs, left)))
    p.check(all(abs(u[i] - solution.u[i]) <= 1e-12 for i in range(H.n)), "u")
    for i in range(H.n // 3):
        normal, along = solution.r[3 * i], math.hypot(solution.r[3 * i + 1], solution.r[3 * i + 2])
        p.check(normal >= 0.0 and along <= problem.mu[i] * normal * (1 + 1e-12) + 1e-300, i, normal, along)
        p.check(u[3 * i] >= -tolerance, "sinks in", i, u[3 * i])
        p.check(min(normal, u[3 * i]) <= tolerance, "pushes and parts", i, normal, u[3 * i])


def pile(folder):
    scene = folder / "pile.json"
    scene.write_text(json.dumps({
        "kairos": 1, "step": 0.002, "end": 0.1, "contact": "nsc",
        "bodies": [{"name": "floor", "fixed": True, "shapes": [{"type": "plane", "normal": [0, 0, 1]}]},
                   *({"name": f"box{i}", "density": 500, "position": [0, 0, 0.05 + 0.1 * i], "velocity": [0.3, 0, 0],
                      "shapes": [{"type": "box", "size": [0.1, 0.1, 0.1]}]} for i in range(3))]}))
    return scene


def test_export(folder):
    """A step of a pile that slides, written, read by FCLIB, and solved again: the solution obeys the laws."""
    path, out = folder / "pile.hdf5", folder / "solved.hdf5"
    code, _, err = p.call("export", "--problem", pile(folder), "--time", "0.02", cwd=folder)
    p.check(code == 0 and "12 contacts" in err and "written to pile.hdf5" in err, err)
    report = solve(path, "--solver", "apgd", "--iterations", "5000", "--tolerance", "1e-9", "-o", out)
    p.check(report["bodies"] and report["reached"] and report["contacts"] == 12, report)
    problem, solution = read(out)
    check_laws(problem, solution, 1e-7)
    # The step's own solution is in the file, and its equations hold too.
    problem, solution = read(path)
    check_laws(problem, solution, 1e-3)


def test_run_folder(folder):
    """From where a run stands, and the worst step of a scene."""
    scene = pile(folder)
    code, _, err = p.call("run", scene, "-o", folder / "run", "-q")
    p.check(code == 0, err)
    for word, extra in ((folder / "run", ()), (scene, ("--time", "0.1", "--worst"))):
        code, _, err = p.call("export", "--problem", word, "-o", folder / "p.hdf5", *extra)
        p.check(code == 0, err)
        report = solve(folder / "p.hdf5", "--iterations", "5000")
        p.check(4 <= report["contacts"] <= 12, word, report, err)
    code, _, err = p.call("export", "--problem", folder / "run", "--time", "0.05", "-o", folder / "p.hdf5")
    p.check(code == 1 and "the state that is there is of 0.1 s" in err, code, err)
    scene.write_text(scene.read_text().replace('"nsc"', '"none"'))
    code, _, err = p.call("export", "--problem", scene, "-o", folder / "p.hdf5")
    p.check(code == 1 and "no contact by complementarity" in err, code, err)


def test_joints(folder):
    """A cart with hinges, a limit that holds and a motor with a largest torque: rows, all equations and bounds hold."""
    scene, path, out = folder / "arm.json", folder / "arm.hdf5", folder / "out.hdf5"
    scene.write_text(json.dumps({
        "kairos": 1, "step": 0.002, "end": 0.1, "contact": "nsc",
        "bodies": [{"name": "floor", "fixed": True, "shapes": [{"type": "plane", "normal": [0, 0, 1]}]},
                   *({"name": f"box{i}", "density": 500, "position": [0.12 * i, 0, 0.05], "velocity": [0.3, 0, 0],
                      "shapes": [{"type": "box", "size": [0.1, 0.1, 0.1]}]} for i in range(3))],
        "joints": [{"name": f"hinge{i}", "type": "revolute", "bodies": [f"box{i}", f"box{i + 1}"], "at": [0.12 * i + 0.06, 0, 0.05],
                    "axis": [0, 1, 0], **extra} for i, extra in enumerate(({"limits": [0, 1]}, {"friction": 0.02}))]}))
    code, _, err = p.call("export", "--problem", scene, "--time", "0.01", "-o", path)
    p.check(code == 0 and "10 equations" in err, err)
    report = solve(path, "--solver", "apgd", "--iterations", "50000", "--tolerance", "1e-6", "-o", out)
    p.check(report["reached"] and report["contacts"] > 12, report)
    problem, solution = read(out)
    check_laws(problem, solution, 1e-5)
    velocities = [solution.v[i] for i in range(report["velocities"])]
    report = solve(path, "--solver", "newton", "--tolerance", "1e-7", "-o", out)
    p.check(report["bodies"] and report["reached"], report)
    problem, solution = read(out)
    check_laws(problem, solution, 1e-7)
    p.check(max(abs(solution.v[i] - velocities[i]) for i in range(report["velocities"])) < 1e-4, "other velocities")


# A ball of 2 kg, radius 0.5, that slides at 1 m/s on the ground, μ = 0.25, and sinks at 1 m/s: the
# impulse is 2 N s and friction takes 0.25 m/s. Moment 0.2 kg m²; the contact is below the centre.
M = [[2.0 * (i == j) if i < 3 else 0.2 * (i == j) for j in range(6)] for i in range(6)]
H = [[0, 1, 0], [0, 0, 1], [1, 0, 0], [0, 0, 0.5], [0, -0.5, 0], [0, 0, 0]]
F = [2.0, 0.0, -2.0, 0.0, 0.0, 0.0]


def test_from_fclib(folder):
    path, out = folder / "ball.hdf5", folder / "out.hdf5"
    for form in (-1, -2, 0):
        write_global(path, M, H, F, [0, 0, 0], [0.25], form=form)
        report = solve(path, "-o", out)
        p.check(report["bodies"], report)
        _, solution = read(out)
        p.check(abs(solution.r[0] - 2.0) < 1e-7 and abs(solution.r[1] + 0.5) < 1e-7, list(solution.r[:3]))
        p.check(abs(solution.v[0] - 0.75) < 1e-7 and abs(solution.v[4] - 0.5 * 0.5 / 0.2) < 1e-7, list(solution.v[:6]))
        # W = Hᵀ M⁻¹ H
        inverse = [1 / M[i][i] for i in range(6)]
        W = [[sum(H[k][i] * inverse[k] * H[k][j] for k in range(6)) for j in range(3)] for i in range(3)]
        write_local(path, W, [-1.0, 1.0, 0.0], [0.25], form)
        report = solve(path, "-o", out)
        p.check(not report["bodies"] and report["velocities"] == 0, report)
        # In the plane: no third direction.
        write_global(path, M, [row[:2] for row in H], F, [0, 0], [0.25], dimension=2, form=form)
        solve(path, "-o", out)
        _, solution = read(out)
        p.check(abs(solution.r[0] - 2.0) < 1e-7 and abs(solution.r[1] + 0.5) < 1e-7 and solution.r[2] == 0.0, "in the plane")
        # An equation: no motion along x.
        write_global(path, M, H, F, [0, 0, 0], [0.25], G=[[1.0]] + [[0.0]] * 5, b=[0.0], form=form)
        p.check(solve(path, "-o", out)["equations"] == 1, "G")
        _, solution = read(out)
        p.check(abs(solution.v[0]) < 1e-9 and abs(solution.r[0] - 2.0) < 1e-7, list(solution.v[:6]))


def test_wrong(folder):
    path = folder / "wrong.hdf5"
    nan = math.nan

    def check(word, *args, **options):
        write_global(path, *args, **options)
        code, _, err = p.call("solve", path)
        p.check(code == 2 and err.count("\n") == 1 and str(path) in err and word in err, code, err, "wanted:", word)

    def changed(a, i, j, x):
        return [[x if (r, c) == (i, j) else a[r][c] for c in range(len(a[0]))] for r in range(len(a))]

    mu, w = [0.25], [0, 0, 0]
    check("must be symmetric", changed(M, 0, 1, 3.0), H, F, w, mu)
    check("M(2, 2) is 0; must be > 0", changed(M, 2, 2, 0.0), H, F, w, mu)
    check("M(2, 2) is nan; must be finite", changed(M, 2, 2, nan), H, F, w, mu)
    check("H(2, 0) is inf; must be finite", M, changed(H, 2, 0, math.inf), F, w, mu)
    check("f(1) is nan; must be finite", M, H, [0, nan, 0, 0, 0, 0], w, mu)
    check("w(2) is nan; must be finite", M, H, F, [0, 0, nan], mu)
    check("mu(0) is -1; must be >= 0 and finite", M, H, F, w, [-1])
    check("M is not positive definite", changed(changed(M, 0, 1, 9.0), 1, 0, 9.0), H, F, w, mu)
    check("H: is 5 by 3; by the vectors it must be 6 by 3", M, H[:5], F, w, mu)
    code, _, err = p.call("solve", folder / "none.hdf5")
    p.check(code == 2 and "none.hdf5" in err, err)
    (folder / "text.hdf5").write_text("no problem")
    code, _, err = p.call("solve", folder / "text.hdf5")
    p.check(code == 2 and "no HDF5 file" in err, err)
    code, _, err = p.call("solve", path, "--solver", "cholesky")
    p.check(code == 2 and "--solver is 'cholesky'; must be one of auto, psor, bb, apgd" in err, err)


def test_damaged(folder):
    """Files cut anywhere, and with wrong bytes: one line, or a solution."""
    path, bad = folder / "good.hdf5", folder / "bad.hdf5"
    write_global(path, M, H, F, [0, 0, 0], [0.25], G=[[1.0]] + [[0.0]] * 5, b=[0.0])
    data, rng = path.read_bytes(), random.Random(20)
    for k in range(80):
        if k < 20:
            mutant = data[:rng.randrange(len(data))]
        else:
            mutant = bytearray(data)
            for _ in range(rng.choice((1, 1, 4, 30))):
                mutant[rng.randrange(len(data))] = rng.choice((0, 1, 127, 128, 255, rng.randrange(256)))
        bad.write_bytes(mutant)
        code, out, err = p.call("solve", bad, "--json")
        p.check(code in (0, 1, 2), "mutant", k, code, err)
        p.check(code != 2 or (err.count("\n") == 1 and "bad.hdf5" in err), "mutant", k, err)


if __name__ == "__main__":
    p.need_program()
    with p.Folder() as root:
        for test in (test_export, test_run_folder, test_joints, test_from_fclib, test_wrong, test_damaged):
            inside = root / test.__name__
            inside.mkdir()
            test(inside)
            print("ok", test.__name__)
