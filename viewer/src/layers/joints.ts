// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Joints, on request: a small glyph for each sort, as large as the bodies that it holds ask for, drawn over everything
// else so that no machine hides it and no surface fights with it. Bodies without shapes get thin bars to their joints
// whether glyphs are shown or not: nothing else shows them.
import {
    type Box3,
    BoxGeometry,
    BufferAttribute,
    BufferGeometry,
    Color,
    ConeGeometry,
    Curve,
    CylinderGeometry,
    DynamicDrawUsage,
    Group,
    InstancedMesh,
    LineBasicMaterial,
    LineSegments,
    Matrix4,
    MeshLambertMaterial,
    MeshStandardMaterial,
    OctahedronGeometry,
    type Object3D,
    Quaternion,
    type Ray,
    SphereGeometry,
    TorusGeometry,
    TubeGeometry,
    Vector3,
} from "three";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import type { Joint, Manifest } from "../manifest";
import type { Pose } from "../pose";
import type { Hit, Layer } from "./layer";
import { pointOf, rotationOf } from "./place";

const rod = (r: number, l: number) => new CylinderGeometry(r, r, l, 12).rotateX(Math.PI / 2);
const ring = (r: number, tube: number) => new TorusGeometry(r, tube, 10, 40);
const ball = (r: number) => new SphereGeometry(r, 20, 14);
const tip = (z: number) => new ConeGeometry(0.2, 0.5, 16).rotateX((Math.PI / 2) * Math.sign(z)).translate(0, 0, z);
const rail = (x: number, y: number) => new BoxGeometry(0.09, 0.09, 1.1).translate(x, y, 0);
const rails = () => [rail(0.4, 0.4), rail(-0.4, 0.4), rail(0.4, -0.4), rail(-0.4, -0.4)];

/** Four edges of a square across the axis. */
function square(half: number): BufferGeometry[] {
    const edge = () => new BoxGeometry(2 * half, 0.1, 0.1);
    return [0, 1, 2, 3].map((k) => edge().translate(0, half, 0).rotateZ((k * Math.PI) / 2));
}

/** A thread around the axis. */
class Thread extends Curve<Vector3> {
    constructor() {
        super();
    }

    getPoint(t: number, out = new Vector3()): Vector3 {
        const a = 8 * Math.PI * t;
        return out.set(0.42 * Math.cos(a), 0.42 * Math.sin(a), 1.6 * (t - 0.5));
    }
}

type Sort = "turns" | "slides" | "both" | "ball" | "holds";

/** One glyph a sort of joint; z is the joint's axis, and sizes are in glyph radii. */
const GLYPHS: Record<string, [Sort, () => BufferGeometry[]]> = {
    revolute: ["turns", () => [rod(0.07, 3), ring(0.8, 0.09)]],
    prismatic: ["slides", () => [rod(0.07, 2.8), tip(1.5), tip(-1.5), ...rails()]],
    cylindrical: ["both", () => [rod(0.07, 2.8), tip(1.5), tip(-1.5), ring(0.8, 0.09)]],
    spherical: ["ball", () => [ball(0.42), ring(0.8, 0.08), ring(0.8, 0.08).rotateX(Math.PI / 2)]],
    universal: [
        "ball",
        () => [rod(0.09, 2).rotateX(Math.PI / 2), rod(0.09, 2).rotateY(Math.PI / 2), ball(0.26), ring(0.8, 0.06)],
    ],
    fixed: ["holds", () => [...square(0.5), ...square(0.5).map((g) => g.rotateX(Math.PI / 2)), ball(0.2)]],
    planar: ["slides", () => [...square(0.9), rod(0.07, 1.6), ball(0.2)]],
    screw: ["both", () => [rod(0.07, 2.6), new TubeGeometry(new Thread(), 80, 0.09, 6)]],
    gear: ["turns", () => [ring(0.8, 0.16), rod(0.1, 1.2)]],
    distance: ["holds", () => [ball(0.3)]],
    "revolute-spherical": ["ball", () => [rod(0.07, 2.4), ball(0.34)]],
    "point-on-line": ["slides", () => [rod(0.07, 3.2), ball(0.3)]],
    "point-on-plane": ["slides", () => [...square(0.9), ball(0.3)]],
};
const OTHER: [Sort, () => BufferGeometry[]] = ["holds", () => [new OctahedronGeometry(0.55)]];
const COLOURS: Record<Sort, [string, string]> = {
    turns: ["#0b6fd0", "#63b3ff"],
    slides: ["#0a8f5b", "#4cd9a0"],
    both: ["#8146c9", "#c095ff"],
    ball: ["#c25a00", "#ffab5e"],
    holds: ["#5b6570", "#c3ccd5"],
};

/** A body without shapes, and where a joint holds it. */
interface Bar {
    body: number;
    to: Vector3;
}

interface Bucket {
    sort: Sort;
    joints: Joint[];
    mesh: InstancedMesh;
}

export class JointLayer implements Layer {
    /** Glyphs; `skeleton` is always shown. */
    readonly object: Object3D = new Group();
    readonly skeleton: Object3D = new Group();
    private buckets: Bucket[] = [];
    private links: LineSegments;
    private line = new LineBasicMaterial({ transparent: true, opacity: 0.9, depthTest: false });
    private scale = new Map<Joint, number>(); // m, radius of a glyph
    private size = 1;
    private bars: Bar[] = [];
    private barMesh: InstancedMesh;
    private barMaterial = new MeshStandardMaterial({ roughness: 0.6 });

    /** `own` has the bounds of each body's shapes. */
    constructor(
        private m: Manifest,
        private own: Map<number, Box3>,
    ) {
        for (const j of m.joints)
            for (const [body, frame] of [
                [j.a, j.frame_a],
                [j.b, j.frame_b],
            ] as const) {
                const to = new Vector3(...(frame?.position ?? [0, 0, 0]));
                if (body >= 0 && !m.bodies[body]?.fixed && !own.has(body) && to.length() > 0) this.bars.push({ body, to });
            }
        this.barMesh = new InstancedMesh(
            new CylinderGeometry(1, 1, 1, 12).rotateX(Math.PI / 2).translate(0, 0, 0.5),
            this.barMaterial,
            this.bars.length,
        );
        this.barMesh.frustumCulled = false;
        this.barMesh.castShadow = true;
        this.barMesh.instanceMatrix.setUsage(DynamicDrawUsage);
        this.skeleton.add(this.barMesh);
        this.makeGlyphs();
        const geometry = new BufferGeometry();
        geometry.setAttribute(
            "position",
            new BufferAttribute(new Float32Array(6 * m.joints.length), 3).setUsage(DynamicDrawUsage),
        );
        this.links = new LineSegments(geometry, this.line);
        this.links.frustumCulled = false;
        this.links.renderOrder = 6;
        this.object.add(this.links);
        this.object.visible = false;
    }

    private makeGlyphs(): void {
        const lists = new Map<string, Joint[]>();
        for (const j of this.m.joints) {
            const list = lists.get(j.type);
            if (list) list.push(j);
            else lists.set(j.type, [j]);
        }
        let first = true;
        for (const [type, joints] of lists) {
            const [sort, make] = GLYPHS[type] ?? OTHER;
            const parts = make().map((g) => (g.index ? g.toNonIndexed() : g));
            for (const part of parts) part.deleteAttribute("uv");
            const material = new MeshLambertMaterial({ emissiveIntensity: 0.35, transparent: true });
            const mesh = new InstancedMesh(mergeGeometries(parts)!, material, joints.length);
            mesh.frustumCulled = false;
            mesh.instanceMatrix.setUsage(DynamicDrawUsage);
            mesh.renderOrder = 7;
            // What was drawn before no longer hides them; among each other they still do.
            if (first) mesh.onBeforeRender = (renderer) => renderer.clearDepth();
            first = false;
            this.object.add(mesh);
            this.buckets.push({ sort, joints, mesh });
        }
    }

    resize(size: number): void {
        this.size = size;
        this.scale.clear();
        for (const j of this.m.joints) {
            // Two fifths of the thinner body's middle size: a pin's glyph is about as large as the pin.
            const middles = [j.a, j.b].flatMap((b) => {
                const box = b >= 0 && !this.m.bodies[b]?.fixed ? this.own.get(b) : undefined;
                return box ? [box.getSize(new Vector3()).toArray().sort((x, y) => x - y)[1]] : [];
            });
            const wanted = middles.length ? 0.4 * Math.min(...middles) : 0.012 * size;
            this.scale.set(j, Math.min(Math.max(wanted, 0.006 * size), 0.02 * size));
        }
    }

    theme(dark: boolean): void {
        for (const { sort, mesh } of this.buckets) {
            const material = mesh.material as MeshLambertMaterial;
            material.color.set(COLOURS[sort][dark ? 1 : 0]);
            material.emissive = new Color(COLOURS[sort][dark ? 1 : 0]);
        }
        this.line.color.set(dark ? "#c3ccd5" : "#3d4a57");
        this.barMaterial.color.set(dark ? "#9aa6b2" : "#6d7985");
    }

    update(pose: Pose): void {
        if (!pose.a) return;
        this.placeBars(pose);
        if (!this.object.visible) return;
        const p = new Vector3(),
            e = new Vector3(),
            q = new Quaternion(),
            s = new Vector3(),
            matrix = new Matrix4();
        const ends = this.links.geometry.getAttribute("position") as BufferAttribute;
        let at = 0;
        for (const { joints, mesh } of this.buckets) {
            joints.forEach((j, i) => {
                this.where(j, pose, p);
                rotationOf(j.a, j.frame_a, pose, q);
                mesh.setMatrixAt(i, matrix.compose(p, q, s.setScalar(this.scale.get(j) ?? 0.01 * this.size)));
                pointOf(j.b, j.frame_b?.position, this.m.frames.origin, pose, e);
                ends.setXYZ(at++, p.x, p.y, p.z);
                ends.setXYZ(at++, e.x, e.y, e.z);
            });
            mesh.instanceMatrix.needsUpdate = true;
        }
        ends.needsUpdate = true;
    }

    private placeBars(pose: Pose): void {
        if (!this.bars.length) return;
        const p = new Vector3(),
            e = new Vector3(),
            q = new Quaternion(),
            z = new Vector3(0, 0, 1),
            turn = new Quaternion(),
            matrix = new Matrix4(),
            r = 0.0035 * this.size;
        this.bars.forEach(({ body, to }, i) => {
            pose.position(body, p);
            pose.rotation(body, q);
            const length = to.length();
            turn.setFromUnitVectors(z, e.copy(to).divideScalar(length)).premultiply(q);
            this.barMesh.setMatrixAt(i, matrix.compose(p, turn, new Vector3(r, r, length)));
        });
        this.barMesh.instanceMatrix.needsUpdate = true;
    }

    /** The joint's point on body a. */
    private where(j: Joint, pose: Pose, out: Vector3): Vector3 {
        return pointOf(j.a, j.frame_a?.position, this.m.frames.origin, pose, out);
    }

    pick(ray: Ray, pose: Pose): Hit | null {
        let best: Hit | null = null;
        const p = new Vector3();
        this.m.joints.forEach((j, index) => {
            this.where(j, pose, p);
            if (ray.distanceToPoint(p) > 1.3 * (this.scale.get(j) ?? 0)) return;
            const distance = p.distanceTo(ray.origin);
            if (!best || distance < best.distance)
                best = { mover: -1, distance, point: p.clone(), thing: { kind: "joint", index } };
        });
        return best;
    }
}
