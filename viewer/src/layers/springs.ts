// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Springs: a coil between two points. Those without length (bushings, rotational springs) get a ring.
import {
    Curve,
    DynamicDrawUsage,
    Group,
    InstancedMesh,
    Matrix4,
    MeshStandardMaterial,
    type Object3D,
    type Plane,
    Quaternion,
    type Ray,
    TorusGeometry,
    TubeGeometry,
    Vector3,
} from "three";
import type { Manifest, Spring } from "../manifest";
import type { Pose } from "../pose";
import type { Hit, Layer } from "./layer";
import { pointOf } from "./place";

const TURNS = 9;

/** From z = 0 to z = 1, with straight ends. */
class Coil extends Curve<Vector3> {
    constructor() {
        super();
    }

    getPoint(t: number, out = new Vector3()): Vector3 {
        const s = Math.min(Math.max((t - 0.08) / 0.84, 0), 1);
        const swell = Math.min(1, 10 * s, 10 * (1 - s));
        const a = 2 * Math.PI * TURNS * s;
        return out.set(swell * Math.cos(a), swell * Math.sin(a), t);
    }
}

export class SpringLayer implements Layer {
    readonly object: Object3D = new Group();
    private coils: InstancedMesh;
    private rings: InstancedMesh;
    private straight: Spring[];
    private round: Spring[];
    private material = new MeshStandardMaterial({ color: "#b9c2cb", roughness: 0.35, metalness: 0.5 });
    private radius = 0.02;

    constructor(private m: Manifest) {
        this.straight = m.springs.filter((s) => s.type === "spring");
        this.round = m.springs.filter((s) => s.type !== "spring");
        const tube = new TubeGeometry(new Coil(), 26 * TURNS, 0.16, 6);
        this.coils = new InstancedMesh(tube, this.material, this.straight.length);
        this.rings = new InstancedMesh(new TorusGeometry(1.2, 0.2, 10, 32), this.material, this.round.length);
        for (const mesh of [this.coils, this.rings]) {
            mesh.frustumCulled = false;
            mesh.castShadow = true;
            mesh.instanceMatrix.setUsage(DynamicDrawUsage);
            this.object.add(mesh);
        }
    }

    resize(size: number): void {
        this.radius = 0.012 * size;
    }

    theme(dark: boolean): void {
        this.material.color.set(dark ? "#c3ccd5" : "#7c8894");
    }

    clip(planes: Plane[] | null): void {
        this.material.clippingPlanes = planes;
        this.material.needsUpdate = true;
    }

    pick(ray: Ray, pose: Pose): Hit | null {
        const o = this.m.frames.origin,
            [a, b, on] = [new Vector3(), new Vector3(), new Vector3()];
        let best: Hit | null = null;
        this.m.springs.forEach((s, index) => {
            pointOf(s.a, s.point_a, o, pose, a);
            pointOf(s.b, s.point_b, o, pose, b);
            if (ray.distanceSqToSegment(a, b, undefined, on) > this.radius * this.radius) return;
            const distance = on.distanceTo(ray.origin);
            if (!best || distance < best.distance)
                best = { mover: -1, distance, point: on.clone(), thing: { kind: "spring", index } };
        });
        return best;
    }

    update(pose: Pose): void {
        if (!pose.a || !this.object.visible) return;
        const a = new Vector3(),
            b = new Vector3(),
            q = new Quaternion(),
            z = new Vector3(0, 0, 1);
        const matrix = new Matrix4(),
            r = this.radius,
            o = this.m.frames.origin;
        this.straight.forEach((s, i) => {
            pointOf(s.a, s.point_a, o, pose, a);
            pointOf(s.b, s.point_b, o, pose, b).sub(a);
            const length = b.length();
            q.setFromUnitVectors(z, length > 0 ? b.divideScalar(length) : z);
            const width = Math.min(r, 0.3 * length);
            this.coils.setMatrixAt(i, matrix.compose(a, q, new Vector3(width, width, length)));
        });
        this.round.forEach((s, i) => {
            pointOf(s.a, s.point_a, o, pose, a);
            this.rings.setMatrixAt(i, matrix.compose(a, q.identity(), new Vector3(r, r, r)));
        });
        this.coils.instanceMatrix.needsUpdate = this.rings.instanceMatrix.needsUpdate = true;
    }
}
