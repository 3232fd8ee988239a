// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Shapes grown by a ball (radius_margin): what all balls of that radius about points of the shape cover.
import {
    BufferAttribute,
    BufferGeometry,
    CylinderGeometry,
    LatheGeometry,
    Quaternion,
    SphereGeometry,
    Vector2,
    Vector3,
} from "three";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import type { Shape } from "./manifest";

const ARC = 8; // steps of a rounded edge
const MOST = 600; // triangles of a mesh whose edges are rounded

/** Points of an arc about (r, z), from one angle to another, for a profile of revolution. */
function arc(r: number, z: number, m: number, from: number, to: number): Vector2[] {
    return Array.from({ length: ARC + 1 }, (_, i) => {
        const a = from + ((to - from) * i) / ARC;
        return new Vector2(Math.max(r + m * Math.cos(a), 0), z + m * Math.sin(a));
    });
}

function turned(profile: Vector2[]): BufferGeometry {
    return new LatheGeometry(profile, 48).rotateX(Math.PI / 2);
}

function cylinder(r: number, l: number, m: number): BufferGeometry {
    const low = arc(r, -l / 2, m, -Math.PI / 2, 0),
        high = arc(r, l / 2, m, 0, Math.PI / 2);
    return turned([new Vector2(0, -l / 2 - m), ...low, ...high, new Vector2(0, l / 2 + m)]);
}

function cone(r: number, l: number, m: number): BufferGeometry {
    const slope = Math.atan2(r, l); // of the normal of the side against the horizontal
    const low = arc(r, -l / 2, m, -Math.PI / 2, slope),
        high = arc(0, l / 2, m, slope, Math.PI / 2);
    return turned([new Vector2(0, -l / 2 - m), ...low, ...high]);
}

/** The surface at a distance m outside of an ellipsoid. */
function ellipsoid([a, b, c]: [number, number, number], m: number): BufferGeometry {
    const geometry = new SphereGeometry(1, 40, 24),
        p = geometry.getAttribute("position"),
        normals = geometry.getAttribute("normal");
    const n = new Vector3();
    for (let i = 0; i < p.count; i++) {
        const [x, y, z] = [p.getX(i), p.getY(i), p.getZ(i)];
        n.set(x / a, y / b, z / c).normalize();
        p.setXYZ(i, a * x + m * n.x, b * y + m * n.y, c * z + m * n.z);
        normals.setXYZ(i, n.x, n.y, n.z);
    }
    return geometry;
}

/** Every triangle moved out, a cylinder along every edge, a ball at every corner. */
function polyhedron(position: ArrayLike<number>, corners: ArrayLike<number>, m: number): BufferGeometry {
    const at = (i: number) => new Vector3().fromArray(position, 3 * i);
    const flat: number[] = [],
        normals: number[] = [],
        ends = new Map<string, Vector3>(),
        edges = new Map<string, [Vector3, Vector3, Vector3]>(); // ends, and the normal of a face
    const name = (v: Vector3) => v.toArray().map((x) => x.toPrecision(7)).join();
    for (let k = 0; k + 2 < corners.length; k += 3) {
        const [a, b, c] = [0, 1, 2].map((i) => at(corners[k + i]));
        const n = b.clone().sub(a).cross(c.clone().sub(a));
        if (n.lengthSq() === 0) continue;
        n.normalize();
        for (const v of [a, b, c]) {
            flat.push(...v.clone().addScaledVector(n, m).toArray());
            normals.push(...n.toArray());
            ends.set(name(v), v);
        }
        for (const [u, v] of [
            [a, b],
            [b, c],
            [c, a],
        ]) {
            const key = [name(u), name(v)].sort().join(),
                other = edges.get(key);
            // An edge within a flat face is none.
            if (other && other[2].dot(n) > 0.99999) edges.delete(key);
            else edges.set(key, [u, v, n]);
        }
    }
    const faces = new BufferGeometry();
    faces.setAttribute("position", new BufferAttribute(new Float32Array(flat), 3));
    faces.setAttribute("normal", new BufferAttribute(new Float32Array(normals), 3));
    if (corners.length > 3 * MOST) return faces;
    const bare = (g: BufferGeometry) => {
        const plain = g.toNonIndexed();
        plain.deleteAttribute("uv");
        return plain;
    };
    const parts = [faces];
    for (const v of ends.values()) parts.push(bare(new SphereGeometry(m, 14, 10).translate(v.x, v.y, v.z)));
    for (const [u, v] of edges.values()) {
        const along = v.clone().sub(u),
            length = along.length(),
            middle = u.clone().add(v).multiplyScalar(0.5);
        const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), along.divideScalar(length));
        const rod = new CylinderGeometry(m, m, length, 14, 1, true).applyQuaternion(turn);
        parts.push(bare(rod.translate(middle.x, middle.y, middle.z)));
    }
    return mergeGeometries(parts);
}

function box([x, y, z]: [number, number, number], m: number): BufferGeometry {
    const position = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((i) => [
        (i & 1 ? 0.5 : -0.5) * x,
        (i & 2 ? 0.5 : -0.5) * y,
        (i & 4 ? 0.5 : -0.5) * z,
    ]);
    const quads = [
        [0, 4, 6, 2],
        [1, 3, 7, 5],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 2, 3, 1],
        [4, 5, 7, 6],
    ];
    return polyhedron(
        position,
        quads.flatMap(([a, b, c, d]) => [a, b, c, a, c, d]),
        m,
    );
}

/** The grown surface of a shape; null for one that is drawn as it is. */
export function rounded(shape: Shape, mesh: BufferGeometry | undefined): BufferGeometry | null {
    const m = shape.radius_margin ?? 0,
        r = shape.radius ?? 0.5,
        l = shape.length ?? 1;
    if (!(m > 0)) return null;
    switch (shape.type) {
        case "box":
            return box(shape.size ?? [1, 1, 1], m);
        case "cylinder":
            return cylinder(r, l, m);
        case "cone":
            return cone(r, l, m);
        case "ellipsoid":
            return ellipsoid(shape.semi_axes ?? [1, 1, 1], m);
        default: {
            if (!mesh) return null;
            const p = mesh.getAttribute("position"),
                corners = mesh.index?.array ?? Array.from({ length: p.count }, (_, i) => i);
            return polyhedron(p.array, corners, m);
        }
    }
}
