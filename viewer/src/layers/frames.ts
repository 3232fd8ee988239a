// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The own frame of each body: x red, y green, z blue.
import {
    BufferAttribute,
    BufferGeometry,
    Color,
    DynamicDrawUsage,
    LineBasicMaterial,
    LineSegments,
    type Object3D,
    Quaternion,
    Vector3,
} from "three";
import type { Manifest } from "../manifest";
import type { Pose } from "../pose";
import type { Layer, Visibility } from "./layer";

export const AXES = ["#e5484d", "#2f9e5b", "#2f7de1"];

export class FrameLayer implements Layer {
    readonly object: Object3D;
    private geometry = new BufferGeometry();
    private length = 0.1;
    private visibility: Visibility | null = null;

    constructor(private m: Manifest) {
        const n = m.bodies.length;
        this.geometry.setAttribute(
            "position",
            new BufferAttribute(new Float32Array(18 * n), 3).setUsage(DynamicDrawUsage),
        );
        const colours = new Float32Array(18 * n);
        const axes = AXES.map((c) => new Color(c));
        for (let i = 0; i < 6 * n; i++) axes[(i >> 1) % 3].toArray(colours, 3 * i);
        this.geometry.setAttribute("color", new BufferAttribute(colours, 3));
        const lines = new LineSegments(
            this.geometry,
            new LineBasicMaterial({ vertexColors: true, depthTest: false, transparent: true }),
        );
        lines.frustumCulled = false;
        lines.renderOrder = 6;
        lines.visible = false;
        this.object = lines;
    }

    resize(size: number): void {
        this.length = 0.06 * size;
    }

    show(v: Visibility, pose: Pose): void {
        this.visibility = v;
        this.update(pose);
    }

    update(pose: Pose): void {
        if (!pose.a || !this.object.visible) return;
        const p = new Vector3(),
            e = new Vector3(),
            q = new Quaternion();
        const at = this.geometry.getAttribute("position") as BufferAttribute;
        for (let i = 0; i < this.m.bodies.length; i++) {
            pose.position(i, p);
            pose.rotation(i, q);
            const shown = !this.visibility || this.visibility.body[i] === 1 ? this.length : 0;
            for (let c = 0; c < 3; c++) {
                e.set(0, 0, 0).setComponent(c, shown).applyQuaternion(q).add(p);
                at.setXYZ(6 * i + 2 * c, p.x, p.y, p.z);
                at.setXYZ(6 * i + 2 * c + 1, e.x, e.y, e.z);
            }
        }
        at.needsUpdate = true;
    }
}
