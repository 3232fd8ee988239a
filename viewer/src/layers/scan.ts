// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Points that a lidar or a depth camera has met, where it met them: the last image taken by the moment shown.
import {
    BufferAttribute,
    BufferGeometry,
    Color,
    DynamicDrawUsage,
    Points,
    PointsMaterial,
    SRGBColorSpace,
} from "three";
import type { Film } from "../images";
import { colourMap } from "../palette";
import type { Pose } from "../pose";
import type { Layer } from "./layer";

export class ScanLayer implements Layer {
    readonly object: Points<BufferGeometry, PointsMaterial>;
    private map = colourMap("viridis");
    private shown = -1;
    private most: number;

    constructor(
        readonly film: Film,
        private origin: [number, number, number],
    ) {
        this.most = film.ref.rows * film.ref.columns;
        const geometry = new BufferGeometry();
        for (const name of ["position", "color"])
            geometry.setAttribute(name, new BufferAttribute(new Float32Array(3 * this.most), 3).setUsage(DynamicDrawUsage));
        geometry.setDrawRange(0, 0);
        const material = new PointsMaterial({ size: 3, sizeAttenuation: false, vertexColors: true });
        // Towards the eye, so that points are not hidden by the surface that they lie on.
        material.onBeforeCompile = (shader) => {
            shader.vertexShader = shader.vertexShader.replace(
                "#include <logdepthbuf_vertex>",
                "gl_Position.z -= 0.0005 * gl_Position.w;\n#include <logdepthbuf_vertex>",
            );
        };
        this.object = new Points(geometry, material);
        this.object.frustumCulled = false;
        this.object.visible = film.spatial && film.ref.field_of_view === undefined;
    }

    update(pose: Pose): void {
        if (!this.object.visible) return;
        const picture = this.film.at(pose.time);
        if (!picture || picture.index === this.shown) return;
        this.shown = picture.index;
        const geometry = this.object.geometry,
            position = geometry.getAttribute("position") as BufferAttribute,
            colour = geometry.getAttribute("color") as BufferAttribute,
            c = new Color();
        let n = 0;
        this.film.points(picture, this.origin, (at, share) => {
            position.setXYZ(n, at.x, at.y, at.z);
            const k = 4 * Math.round(255 * (1 - share)); // what is near is bright
            c.setRGB(this.map[k] / 255, this.map[k + 1] / 255, this.map[k + 2] / 255, SRGBColorSpace);
            colour.setXYZ(n++, c.r, c.g, c.b);
        });
        geometry.setDrawRange(0, n);
        position.needsUpdate = colour.needsUpdate = true;
    }

    /** Shows or hides the points. */
    toggle(on: boolean, pose: Pose): void {
        this.object.visible = on;
        this.shown = -1;
        this.update(pose);
    }
}
