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
    ShaderMaterial,
    ShadowMaterial,
    Vector2,
    Vector3,
} from "three";

const VERTEX = /* glsl */ `
varying vec2 vAt;
uniform float extent;
void main() {
    vAt = position.xy * extent;
    gl_Position = projectionMatrix * modelViewMatrix * vec4(position.xy * extent, 0.0, 1.0);
}`;

const FRAGMENT = /* glsl */ `
varying vec2 vAt;
uniform float cell;
uniform float radius;
uniform vec2 shift;
uniform vec3 colour;
uniform float strength;

float lines(vec2 at, float step) {
    vec2 x = at / step;
    vec2 w = max(fwidth(x), vec2(1e-6));
    vec2 d = abs(fract(x - 0.5) - 0.5) / w;
    vec2 faint = clamp(1.0 - 1.6 * w, 0.0, 1.0);
    return max((1.0 - min(d.x, 1.0)) * faint.x, (1.0 - min(d.y, 1.0)) * faint.y);
}

void main() {
    vec2 at = vAt + shift;
    float fade = 1.0 - smoothstep(0.1, 1.0, length(vAt) / radius);
    float a = max(0.45 * lines(at, cell), lines(at, 5.0 * cell));
    float alpha = strength * a * fade * fade;
    if (alpha < 0.003) discard;
    gl_FragColor = vec4(colour, alpha);
    #include <colorspace_fragment>
}`;

/** 1, 2 or 5 times a power of ten, at most x. */
export function roundLength(x: number): number {
    const base = 10 ** Math.floor(Math.log10(x));
    const m = x / base;
    return (m >= 5 ? 5 : m >= 2 ? 2 : 1) * base;
}

export class Ground {
    readonly object = new Group();
    cell = 1;
    private grid: Mesh<PlaneGeometry, ShaderMaterial>;
    private shadow: Mesh<PlaneGeometry, ShadowMaterial>;

    constructor(private up: Vector3) {
        const uniforms = {
            extent: { value: 1 },
            cell: { value: 1 },
            radius: { value: 1 },
            shift: { value: new Vector2() },
            colour: { value: new Color() },
            strength: { value: 0.5 },
        };
        const material = new ShaderMaterial({
            vertexShader: VERTEX,
            fragmentShader: FRAGMENT,
            uniforms,
            transparent: true,
            depthWrite: false,
            side: DoubleSide,
        });
        this.grid = new Mesh(new PlaneGeometry(2, 2), material);
        this.grid.frustumCulled = false;
        this.shadow = new Mesh(new PlaneGeometry(2, 2), new ShadowMaterial({ opacity: 0.28, depthWrite: false }));
        this.shadow.receiveShadow = true;
        this.shadow.renderOrder = -2;
        this.grid.renderOrder = -1;
        this.object.add(this.shadow, this.grid);
        this.object.quaternion.copy(new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), up));
    }

    /** Lays the ground under a scene of some size; `height` counts along up in scene coordinates. */
    place(centre: Vector3, height: number, size: number, origin: Vector3): void {
        this.cell = roundLength(size / 8);
        const extent = 5 * size;
        this.object.position.copy(centre).addScaledVector(this.up, height - centre.dot(this.up));
        // Lines lie at round world coordinates.
        const world = this.object.position.clone().add(origin).applyQuaternion(this.object.quaternion.clone().invert());
        const u = this.grid.material.uniforms;
        u.extent.value = u.radius.value = extent;
        u.cell.value = this.cell;
        u.shift.value.set(world.x % (5 * this.cell), world.y % (5 * this.cell));
        this.shadow.scale.setScalar(extent);
    }

    theme(dark: boolean): void {
        this.grid.material.uniforms.colour.value.set(dark ? "#9fb2c5" : "#51606f");
        this.grid.material.uniforms.strength.value = dark ? 0.26 : 0.3;
        this.shadow.material.opacity = dark ? 0.42 : 0.22;
    }
}
