// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The sky behind everything: a gradient from top to bottom. Colours lie on vertices and are written as they are, as
// software renderers would pay as much for a texture here as for all bodies.
import { BufferAttribute, Color, Mesh, PlaneGeometry, ShaderMaterial, SRGBColorSpace } from "three";

const VERTEX = /* glsl */ `
attribute vec3 tint;
varying vec3 vTint;
void main() {
    vTint = tint;
    gl_Position = vec4(position.xy, 1.0, 1.0); // as far away as can be
}`;

const FRAGMENT = /* glsl */ `
varying vec3 vTint;
uniform float linear;
void main() {
    vec3 c = vTint;
    if (linear > 0.5) c = mix(c / 12.92, pow((c + 0.055) / 1.055, vec3(2.4)), step(vec3(0.04045), c));
    gl_FragColor = vec4(c, 1.0);
}`;

export class Backdrop {
    readonly object: Mesh<PlaneGeometry, ShaderMaterial>;

    constructor() {
        const geometry = new PlaneGeometry(2, 2, 1, 2); // two vertices each at the top, in the middle, at the bottom
        geometry.setAttribute("tint", new BufferAttribute(new Float32Array(18), 3));
        const material = new ShaderMaterial({
            vertexShader: VERTEX,
            fragmentShader: FRAGMENT,
            uniforms: { linear: { value: 0 } },
            depthWrite: false,
        });
        this.object = new Mesh(geometry, material);
        this.object.frustumCulled = false;
        this.object.onBeforeRender = (renderer) => {
            material.uniforms.linear.value = renderer.getRenderTarget() ? 1 : 0;
            material.uniformsNeedUpdate = true;
        };
        this.object.renderOrder = 1000; // after all that hides it
    }

    paint(top: string, middle: string, bottom: string): void {
        const tint = this.object.geometry.getAttribute("tint") as BufferAttribute;
        [top, middle, bottom].forEach((css, row) => {
            const c = new Color(css).getRGB(new Color(), SRGBColorSpace);
            for (let i = 0; i < 2; i++) tint.setXYZ(2 * row + i, c.r, c.g, c.b);
        });
        tint.needsUpdate = true;
    }
}
