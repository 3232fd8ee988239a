// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Joints: a glyph for each sort, and a line where the two ends lie apart.
import {
    type Box3,
    BoxGeometry,
    BufferAttribute,
    BufferGeometry,
    ConeGeometry,
    CylinderGeometry,
    DynamicDrawUsage,
    Group,
    InstancedMesh,
    LineBasicMaterial,
    LineSegments,
    Matrix4,
    MeshBasicMaterial,
    MeshStandardMaterial,
    OctahedronGeometry,
    type Object3D,
    Quaternion,
    SphereGeometry,
    TorusGeometry,
    Vector3,
} from "three";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import type { Joint, Manifest } from "../manifest";
import type { Pose } from "../pose";
import type { Layer } from "./layer";
import { pointOf, rotationOf } from "./place";

const rod = (r: number, l: number) => new CylinderGeometry(r, r, l, 20).rotateX(Math.PI / 2);
const ring = (r: number, tube: number) => new TorusGeometry(r, tube, 10, 32);
const block = (x: number, y: number, z: number) => new BoxGeometry(x, y, z);
const tip = (z: number) => new ConeGeometry(0.26, 0.5, 16).rotateX((Math.PI / 2) * Math.sign(z)).translate(0, 0, z);

/** One glyph a sort of joint; z is the joint's axis, and sizes are in glyph radii. */
const GLYPHS: Record<string, () => BufferGeometry[]> = {
    revolute: () => [rod(0.24, 2.4), ring(0.72, 0.14)],
    prismatic: () => [block(0.26, 0.26, 2.4), block(0.8, 0.8, 0.9), tip(1.4), tip(-1.4)],
    cylindrical: () => [rod(0.2, 2.6), rod(0.5, 1), ring(0.8, 0.1)],
    spherical: () => [new SphereGeometry(0.55, 24, 16), ring(0.78, 0.09)],
    universal: () => [
        rod(0.18, 1.9).rotateX(Math.PI / 2),
        rod(0.18, 1.9).rotateY(Math.PI / 2),
        new SphereGeometry(0.3, 16, 12),
    ],
    fixed: () => [block(0.8, 0.8, 0.8)],
    planar: () => [rod(1, 0.1), rod(0.12, 1.4)],
    screw: () => [
        rod(0.2, 2.4),
        ring(0.5, 0.1).translate(0, 0, -0.5),
        ring(0.5, 0.1),
        ring(0.5, 0.1).translate(0, 0, 0.5),
    ],
    gear: () => [ring(0.8, 0.2), rod(0.2, 1.2)],
    distance: () => [new SphereGeometry(0.32, 16, 12)],
    "revolute-spherical": () => [rod(0.2, 1.8), new SphereGeometry(0.4, 16, 12)],
    "point-on-line": () => [rod(0.12, 3), new SphereGeometry(0.35, 16, 12)],
    "point-on-plane": () => [rod(1, 0.08), new SphereGeometry(0.3, 16, 12)],
};
const OTHER = () => [new OctahedronGeometry(0.6)];

/** Where a joint's point lies outside of its body's shapes, a bar shows what it is fixed to. */
interface Bar {
    body: number;
    to: Vector3;
}

interface Bucket {
    joints: Joint[];
    solid: InstancedMesh;
    ghost: InstancedMesh;
}

export class JointLayer implements Layer {
    readonly object: Object3D = new Group();
    private buckets: Bucket[] = [];
    private links: LineSegments;
    private solid = new MeshStandardMaterial({ roughness: 0.5 });
    private ghost = new MeshBasicMaterial({ transparent: true, opacity: 0.28, depthTest: false });
    private line = new LineBasicMaterial({ transparent: true, opacity: 0.8 });
    private size = 0.05;
    private bars: Bar[] = [];
    private barMesh: InstancedMesh;
    private barMaterial = new MeshStandardMaterial({ roughness: 0.6 });

    /** `own` has the bounds of each body's shapes. */
    constructor(
        private m: Manifest,
        own: Map<number, Box3>,
    ) {
        for (const j of m.joints) {
            for (const [body, frame] of [
                [j.a, j.frame_a],
                [j.b, j.frame_b],
            ] as const) {
                if (body < 0 || m.bodies[body]?.fixed) continue;
                const to = new Vector3(...(frame?.position ?? [0, 0, 0])),
                    box = own.get(body);
                const near = box?.clone().expandByScalar(0.1 * box.getSize(new Vector3()).length());
                if (to.length() > 0 && !near?.containsPoint(to)) this.bars.push({ body, to });
            }
        }
        this.barMesh = new InstancedMesh(
            new CylinderGeometry(1, 1, 1, 12).rotateX(Math.PI / 2).translate(0, 0, 0.5),
            this.barMaterial,
            this.bars.length,
        );
        this.barMesh.frustumCulled = false;
        this.barMesh.castShadow = true;
        this.barMesh.instanceMatrix.setUsage(DynamicDrawUsage);
        this.object.add(this.barMesh);
        const lists = new Map<string, Joint[]>();
        for (const j of m.joints) lists.set(j.type, [...(lists.get(j.type) ?? []), j]);
        for (const [type, joints] of lists) {
            const parts = (GLYPHS[type] ?? OTHER)().map((g) => (g.index ? g.toNonIndexed() : g));
            const geometry = mergeGeometries(parts)!;
            const make = (material: MeshStandardMaterial | MeshBasicMaterial) => {
                const mesh = new InstancedMesh(geometry, material, joints.length);
                mesh.frustumCulled = false;
                mesh.instanceMatrix.setUsage(DynamicDrawUsage);
                this.object.add(mesh);
                return mesh;
            };
            const bucket = { joints, solid: make(this.solid), ghost: make(this.ghost) };
            bucket.ghost.instanceMatrix = bucket.solid.instanceMatrix;
            bucket.ghost.renderOrder = 5;
            this.buckets.push(bucket);
        }
        const geometry = new BufferGeometry();
        geometry.setAttribute(
            "position",
            new BufferAttribute(new Float32Array(6 * m.joints.length), 3).setUsage(DynamicDrawUsage),
        );
        this.links = new LineSegments(geometry, this.line);
        this.links.frustumCulled = false;
        this.object.add(this.links);
    }

    resize(size: number): void {
        this.size = 0.016 * size;
    }

    theme(dark: boolean): void {
        for (const material of [this.solid, this.ghost, this.line]) material.color.set(dark ? "#f3f6f8" : "#1d2935");
        this.barMaterial.color.set(dark ? "#9aa6b2" : "#6d7985");
        this.ghost.opacity = dark ? 0.3 : 0.34;
    }

    update(pose: Pose): void {
        if (!pose.a || !this.object.visible) return;
        const p = new Vector3(),
            e = new Vector3(),
            q = new Quaternion(),
            matrix = new Matrix4();
        const scale = new Vector3(this.size, this.size, this.size);
        const ends = this.links.geometry.getAttribute("position") as BufferAttribute;
        let at = 0;
        for (const { joints, solid } of this.buckets) {
            joints.forEach((j, i) => {
                pointOf(j.a, j.frame_a?.position, this.m.frames.origin, pose, p);
                rotationOf(j.a, j.frame_a, pose, q);
                solid.setMatrixAt(i, matrix.compose(p, q, scale));
                pointOf(j.b, j.frame_b?.position, this.m.frames.origin, pose, e);
                ends.setXYZ(at++, p.x, p.y, p.z);
                ends.setXYZ(at++, e.x, e.y, e.z);
            });
            solid.instanceMatrix.needsUpdate = true;
        }
        ends.needsUpdate = true;
        const z = new Vector3(0, 0, 1),
            turn = new Quaternion();
        this.bars.forEach(({ body, to }, i) => {
            pose.position(body, p);
            pose.rotation(body, q);
            const length = to.length();
            turn.setFromUnitVectors(z, e.copy(to).divideScalar(length)).premultiply(q);
            this.barMesh.setMatrixAt(
                i,
                matrix.compose(p, turn, new Vector3(0.22 * this.size, 0.22 * this.size, length)),
            );
        });
        this.barMesh.instanceMatrix.needsUpdate = true;
    }
}
