// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The ground: a grid that fades out, and the shadows on it.
import {
    Color,
    DoubleSide,
    Group,
    Mesh,
    PlaneGeometry,
    Quaternion,
    ShadowMaterial,
    Vector2,
    Vector3,
} from "three";

const HEAD = /* glsl */ `
varying vec2 vAt;
uniform float cell;
uniform float radius;
uniform vec2 shift;
uniform vec3 lineColour;
uniform float strength;
uniform float linear;
uniform float onDark;

float lines(vec2 x, vec2 w) {
    vec2 d = abs(fract(x - 0.5) - 0.5) / w;
    vec2 faint = clamp(1.0 - 1.6 * w, 0.0, 1.0);
    return max((1.0 - min(d.x, 1.0)) * faint.x, (1.0 - min(d.y, 1.0)) * faint.y);
}
`;

// Lines over shadows, in one pass: software renderers pay for every pixel of the ground.
const PAINT = /* glsl */ `
float away = dot(vAt, vAt) / (radius * radius);
if (away >= 1.0) discard;
vec2 at = (vAt + shift) / cell;
vec2 w = max(fwidth(at), vec2(1e-6));
float fade = 1.0 - smoothstep(0.1, 1.0, sqrt(away));
float line = strength * max(0.45 * lines(at, w), lines(0.2 * at, 0.2 * w)) * fade * fade;
float dark = away < 0.16 ? opacity * (1.0 - getShadowMask()) : 0.0;
// Drawn into a texture, colours are mixed in linear light: these weights look as the plain ones do on the screen.
if (linear > 0.5) {
    dark = 1.0 - pow(1.0 - dark, 2.2);
    line = onDark > 0.5 ? 0.9 * pow(line, 1.8) : 1.0 - pow(1.0 - line, 1.55);
}
float both = line + dark * (1.0 - line);
if (both < 0.003) discard;
gl_FragColor = vec4(mix(color, lineColour, line / both), both);
`;

/** 1, 2 or 5 times a power of ten, at most x. */
export function roundLength(x: number): number {
    const base = 10 ** Math.floor(Math.log10(x));
    const m = x / base;
    return (m >= 5 ? 5 : m >= 2 ? 2 : 1) * base;
}

export class Ground {
    readonly object = new Group();
    cell = 1;
    private mesh: Mesh<PlaneGeometry, ShadowMaterial>;
    private uniforms = {
        cell: { value: 1 },
        radius: { value: 1 },
        shift: { value: new Vector2() },
        lineColour: { value: new Color() },
        strength: { value: 0.5 },
        linear: { value: 0 },
        onDark: { value: 0 },
    };

    constructor(private up: Vector3) {
        const material = new ShadowMaterial({ opacity: 0.28, depthWrite: false, side: DoubleSide });
        material.onBeforeCompile = (shader) => {
            Object.assign(shader.uniforms, this.uniforms);
            shader.vertexShader = shader.vertexShader
                .replace("#include <common>", "#include <common>\nvarying vec2 vAt;\nuniform float radius;")
                .replace("#include <begin_vertex>", "#include <begin_vertex>\nvAt = position.xy * radius;");
            shader.fragmentShader = shader.fragmentShader
                .replace("#include <common>", `#include <common>\n${HEAD}`)
                .replace(/gl_FragColor = vec4\( color.*;/, PAINT);
        };
        this.mesh = new Mesh(new PlaneGeometry(2, 2), material);
        this.mesh.receiveShadow = true;
        this.mesh.frustumCulled = false;
        this.mesh.renderOrder = -1;
        this.mesh.onBeforeRender = (renderer) => {
            this.uniforms.linear.value = renderer.getRenderTarget() ? 1 : 0;
        };
        this.object.add(this.mesh);
        this.object.quaternion.copy(new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), up));
    }

    /** Lays the ground under a scene of some size; `height` counts along up in scene coordinates. */
    place(centre: Vector3, height: number, size: number, origin: Vector3): void {
        this.cell = roundLength(size / 8);
        const extent = 5 * size;
        this.object.position.copy(centre).addScaledVector(this.up, height - centre.dot(this.up));
        // Lines lie at round world coordinates.
        const world = this.object.position.clone().add(origin).applyQuaternion(this.object.quaternion.clone().invert());
        const u = this.uniforms;
        u.radius.value = extent;
        u.cell.value = this.cell;
        u.shift.value.set(world.x % (5 * this.cell), world.y % (5 * this.cell));
        this.mesh.scale.setScalar(extent);
    }

    theme(dark: boolean): void {
        this.uniforms.onDark.value = dark ? 1 : 0;
        this.uniforms.lineColour.value.set(dark ? "#9fb2c5" : "#51606f");
        this.uniforms.strength.value = dark ? 0.26 : 0.3;
        this.mesh.material.opacity = dark ? 0.42 : 0.22;
    }
}
