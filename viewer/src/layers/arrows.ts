// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Arrows for recorded forces: of joints (given in the joint's frame on body a, acting on b), of bodies
// (world frame) and of springs (along their line).
import {
    ConeGeometry,
    CylinderGeometry,
    DynamicDrawUsage,
    Group,
    InstancedMesh,
    Matrix4,
    MeshStandardMaterial,
    type Object3D,
    Quaternion,
    Vector3,
} from "three";
import type { Manifest } from "../manifest";
import type { Pose } from "../pose";
import { findScalar, findVector, type Table } from "../series";
import type { Layer } from "./layer";
import { pointOf, rotationOf } from "./place";

interface Arrow {
    tables: Table[];
    /** Base and force, in scene coordinates and newtons. */
    evaluate(pose: Pose, at: Vector3, force: Vector3): void;
    largest(): number;
}

function vectorAt(v: { table: Table; columns: number[] }, time: number, out: Vector3): Vector3 {
    return out.set(
        v.table.value(v.columns[0], time),
        v.table.value(v.columns[1], time),
        v.table.value(v.columns[2], time),
    );
}

/** The largest length but one in fifty, so that one spike does not make all arrows short. */
function typical(table: Table, columns: number[]): number {
    const sizes: number[] = [];
    const stride = Math.max(1, Math.floor(table.rows / 2000));
    for (let r = 0; r < table.rows; r += stride) sizes.push(Math.hypot(...columns.map((c) => table.data![c][r])));
    const finite = sizes.filter(Number.isFinite).sort((a, b) => a - b);
    return finite[Math.floor(0.98 * (finite.length - 1))] ?? 0;
}

export class ArrowLayer implements Layer {
    readonly object: Object3D = new Group();
    private arrows: Arrow[] = [];
    private shafts: InstancedMesh;
    private heads: InstancedMesh;
    private material = new MeshStandardMaterial({
        color: "#d55e00",
        roughness: 0.5,
        emissive: "#d55e00",
        emissiveIntensity: 0.25,
    });
    private size = 1;
    private largest = 0;
    /** Newtons drawn as the longest arrow; 0 before the series are read. */
    get reference(): number {
        return this.largest;
    }

    constructor(
        private m: Manifest,
        tables: Table[],
    ) {
        this.findJoints(tables);
        this.findBodies(tables);
        this.findSprings(tables);
        const n = this.arrows.length;
        this.shafts = new InstancedMesh(
            new CylinderGeometry(1, 1, 1, 14).rotateX(Math.PI / 2).translate(0, 0, 0.5),
            this.material,
            n,
        );
        this.heads = new InstancedMesh(
            new ConeGeometry(1, 1, 18).rotateX(Math.PI / 2).translate(0, 0, -0.5),
            this.material,
            n,
        );
        for (const mesh of [this.shafts, this.heads]) {
            mesh.frustumCulled = false;
            mesh.instanceMatrix.setUsage(DynamicDrawUsage);
            this.object.add(mesh);
        }
        this.object.visible = false;
    }

    get count(): number {
        return this.arrows.length;
    }

    private findJoints(tables: Table[]): void {
        const turn = new Quaternion(),
            o = this.m.frames.origin;
        for (const j of this.m.joints) {
            const v = findVector(tables, j.name, "force");
            if (!v) continue;
            this.arrows.push({
                tables: [v.table],
                evaluate: (pose, at, force) => {
                    pointOf(j.b, j.frame_b?.position, o, pose, at);
                    vectorAt(v, pose.time, force).applyQuaternion(rotationOf(j.a, j.frame_a, pose, turn));
                },
                largest: () => typical(v.table, v.columns),
            });
        }
    }

    private findBodies(tables: Table[]): void {
        this.m.bodies.forEach((b, i) => {
            for (const quantity of ["contact_force", "force"]) {
                const v = findVector(tables, b.name, quantity);
                if (!v) continue;
                this.arrows.push({
                    tables: [v.table],
                    evaluate: (pose, at, force) => {
                        pose.position(i, at);
                        vectorAt(v, pose.time, force);
                    },
                    largest: () => typical(v.table, v.columns),
                });
            }
        });
    }

    private findSprings(tables: Table[]): void {
        const o = this.m.frames.origin;
        for (const s of this.m.springs) {
            const f = findScalar(tables, s.name, "force");
            if (!f) continue;
            this.arrows.push({
                tables: [f.table],
                evaluate: (pose, at, force) => {
                    pointOf(s.a, s.point_a, o, pose, force);
                    pointOf(s.b, s.point_b, o, pose, at);
                    force.sub(at).setLength(1).multiplyScalar(f.table.value(f.column, pose.time));
                },
                largest: () => typical(f.table, [f.column]),
            });
        }
    }

    /** Reads the series that the arrows need. */
    async prepare(): Promise<void> {
        await Promise.all(this.arrows.flatMap((a) => a.tables.map((t) => t.load())));
        this.largest = Math.max(0, ...this.arrows.map((a) => a.largest()));
    }

    resize(size: number): void {
        this.size = size;
    }

    update(pose: Pose): void {
        if (!pose.a || !this.object.visible || !(this.largest > 0)) return;
        const at = new Vector3(),
            f = new Vector3(),
            q = new Quaternion(),
            z = new Vector3(0, 0, 1),
            matrix = new Matrix4();
        const r = 0.005 * this.size;
        this.arrows.forEach((arrow, i) => {
            arrow.evaluate(pose, at, f);
            const size = f.length();
            const length = Number.isFinite(size) ? (0.24 * this.size * size) / this.largest : 0;
            q.setFromUnitVectors(z, length > 0 ? f.divideScalar(size) : z);
            const head = Math.min(5 * r, 0.5 * length);
            const thick = length > 0 ? Math.min(r, 0.2 * length) : 0;
            this.shafts.setMatrixAt(i, matrix.compose(at, q, new Vector3(thick, thick, Math.max(length - head, 0))));
            at.addScaledVector(f, length);
            this.heads.setMatrixAt(i, matrix.compose(at, q, new Vector3(2.6 * thick, 2.6 * thick, head)));
        });
        this.shafts.instanceMatrix.needsUpdate = this.heads.instanceMatrix.needsUpdate = true;
    }
}
