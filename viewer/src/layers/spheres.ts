// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Particles that are spheres, by the million: each is a triangle that faces the eye, and the fragment
// shader finds where the ray meets the ball, so that depth, shading and shadows are exact. Positions
// of two frames lie in textures; the shader mixes them and gets the speed for nothing. There are no
// instances: software renderers draw those one by one, a hundred times slower.
import {
    Box3,
    BufferGeometry,
    Color,
    DataTexture,
    type DirectionalLight,
    DoubleSide,
    FloatType,
    Matrix4,
    Mesh,
    type Object3D,
    type Plane,
    type Ray,
    RGBAFormat,
    RGFormat,
    ShaderMaterial,
    Vector2,
    Vector3,
    Vector4,
} from "three";
import type { Colouring } from "../colouring";
import type { ParticleGroup } from "../manifest";
import { CATEGORIES, FIXED } from "../palette";
import type { Pose } from "../pose";
import type { Frame } from "../store";
import type { Hit, Layer, Visibility } from "./layer";

const WIDTH = 2048; // balls a row of the textures

const VERTEX = /* glsl */ `
uniform highp sampler2D first; // xyz and radius
uniform highp sampler2D second; // xyz
uniform highp sampler2D values; // of a field, at both
uniform float mixing;
uniform float rate;
uniform int mode;
uniform vec2 range;
uniform vec4 up;
uniform vec3 tint;
uniform vec3 unknown;
uniform vec3 palette[7];
uniform sampler2D lut;
varying vec3 vCentre;
varying vec3 vPoint;
varying float vRadius;
varying vec3 vColour;

vec3 scaled(float value) {
    float s = range.y > range.x ? clamp((value - range.x) / (range.y - range.x), 0.0, 1.0) : 0.0;
    return texture2D(lut, vec2((s * 255.0 + 0.5) / 256.0, 0.5)).rgb;
}

void main() {
    int ball = gl_VertexID / 3;
    ivec2 texel = ivec2(ball % WIDTH, ball / WIDTH);
    vec4 a = texelFetch(first, texel, 0);
    vec3 p0 = a.xyz, p1 = texelFetch(second, texel, 0).xyz;
    float radius = a.w;
    float turn = 2.0943951 * float(gl_VertexID % 3);
    vec2 corner = 2.0 * vec2(cos(turn), sin(turn)); // a triangle around the unit circle
    vec3 p = mix(p0, p1, mixing);
    vec3 c = (modelViewMatrix * vec4(p, 1.0)).xyz;
    vec3 q;
    if (isOrthographic) {
        q = c + vec3(corner * radius, radius);
    } else {
        float d = length(c);
        vec3 w = c / d;
        vec3 u = normalize(abs(w.y) < 0.9 ? vec3(w.z, 0.0, -w.x) : vec3(0.0, -w.z, w.y));
        float half_size = d > radius ? radius * d / sqrt(d * d - radius * radius) : 0.0;
        q = c + (u * corner.x + cross(w, u) * corner.y) * half_size;
    }
    vCentre = c;
    vPoint = q;
    vRadius = radius;
    vColour = tint;
    if (mode == 1) vColour = palette[ball % 7];
    else if (mode == 2) vColour = scaled(length(p1 - p0) * rate);
    else if (mode == 3) vColour = scaled(dot(p, up.xyz) + up.w);
    else if (mode == 4) {
        vec2 v = texelFetch(values, texel, 0).xy;
        vColour = min(v.x, v.y) < -1e37 ? unknown : scaled(mix(v.x, v.y, mixing));
    }
    gl_Position = projectionMatrix * vec4(q, 1.0);
}`;

const HIT = /* glsl */ `
varying vec3 vCentre;
varying vec3 vPoint;
varying float vRadius;
uniform mat4 projectionMatrix;

// Where the ray through this fragment meets the ball; w is how far inside the rim it is.
vec4 hit_ball() {
    vec3 direction = isOrthographic ? vec3(0.0, 0.0, -1.0) : normalize(vPoint);
    vec3 start = isOrthographic ? vPoint : vec3(0.0);
    vec3 to = vCentre - start;
    float along = dot(direction, to);
    vec3 off = to - along * direction;
    float inside = vRadius * vRadius - dot(off, off);
    return vec4(start + direction * (along - sqrt(max(inside, 0.0))), inside);
}

uniform vec4 cut;     // in the scene: what has dot(cut.xyz, p) + cut.w < 0 is cut away
uniform float cutOn;
uniform float opacity;

vec4 cut_in_view() {
    vec3 n = (viewMatrix * vec4(cut.xyz, 0.0)).xyz;
    return vec4(n, cut.w - dot(n, viewMatrix[3].xyz));
}

// The point of the ball that is seen; w is 1 on the face of the cut, 0 on the ball, -1 where nothing is left.
vec4 seen_ball(vec3 hit) {
    if (cutOn == 0.0) return vec4(hit, 0.0);
    vec4 plane = cut_in_view();
    if (dot(plane.xyz, hit) + plane.w >= 0.0) return vec4(hit, 0.0);
    vec3 direction = isOrthographic ? vec3(0.0, 0.0, -1.0) : normalize(vPoint);
    vec3 start = isOrthographic ? vPoint : vec3(0.0);
    float s = -(dot(plane.xyz, start) + plane.w) / dot(plane.xyz, direction);
    vec3 p = start + s * direction;
    return vec4(p, s > 0.0 && distance(p, vCentre) < vRadius ? 1.0 : -1.0);
}

// One sees through by leaving out points of a regular pattern: no order of drawing is needed.
bool left_out() {
    if (opacity >= 1.0) return false;
    ivec2 at = ivec2(gl_FragCoord.xy) & 3;
    const int order[16] = int[](0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5);
    return (float(order[at.x + 4 * at.y]) + 0.5) / 16.0 >= opacity;
}

float depth_of(vec3 p) {
    vec4 clip = projectionMatrix * vec4(p, 1.0);
    return 0.5 * clip.z / clip.w + 0.5;
}`;

const FRAGMENT = /* glsl */ `
precision highp sampler2DShadow;
${HIT}
varying vec3 vColour;
uniform vec3 sunDirection;
uniform float sunStrength;
uniform float fillStrength;
uniform vec3 skyColour;
uniform vec3 groundColour;
uniform vec3 upView;
uniform mat4 cameraWorld;
uniform mat4 shadowMatrix;
uniform sampler2DShadow shadowMap;
uniform float shadowOn;
uniform float shadowTexel;

float lit(vec3 p, vec3 n) {
    if (shadowOn == 0.0) return 1.0;
    vec4 s = shadowMatrix * (cameraWorld * vec4(p + n * vRadius * 0.08, 1.0));
    s.xyz /= s.w;
    if (any(lessThan(s.xyz, vec3(0.0))) || any(greaterThan(s.xyz, vec3(1.0)))) return 1.0;
    float sum = 0.0;
    for (int i = 0; i < 4; i++) {
        vec2 o = vec2(float(i & 1) - 0.5, float(i >> 1) - 0.5) * shadowTexel * 1.5;
        sum += texture(shadowMap, vec3(s.xy + o, s.z - 0.0004));
    }
    return 0.25 * sum;
}

void main() {
    vec4 h = hit_ball();
    float edge = clamp(h.w / max(fwidth(h.w), 1e-20) + 0.5, 0.0, 1.0);
    if (edge <= 0.0 || left_out()) discard;
    vec4 s = seen_ball(h.xyz);
    if (s.w < 0.0) discard;
    h.xyz = s.xyz;
    vec3 n = s.w > 0.0 ? -cut_in_view().xyz : normalize(h.xyz - vCentre);
    float facing = dot(n, sunDirection);
    float sun = max(facing, 0.0) * sunStrength;
    if (sun > 0.0) sun *= lit(h.xyz, n);
    float fill = fillStrength * max(-dot(n, normalize(h.xyz)), 0.0);
    vec3 sky = mix(groundColour, skyColour, 0.5 + 0.5 * dot(n, upView));
    vec3 half_way = normalize(sunDirection - normalize(h.xyz));
    float shine = sun * 0.06 * pow(max(dot(n, half_way), 0.0), 40.0);
    gl_FragDepth = depth_of(h.xyz);
    gl_FragColor = vec4(vColour * min((sun + fill + sky) / 3.14159265, vec3(1.06)) + shine, edge); // brighter light would bleach the scale
    #include <colorspace_fragment>
}`;

const DEPTH = /* glsl */ `
${HIT}
void main() {
    vec4 h = hit_ball();
    if (h.w < 0.0 || opacity < 0.5) discard;
    vec4 s = seen_ball(h.xyz);
    if (s.w < 0.0) discard;
    h.xyz = s.xyz;
    gl_FragDepth = depth_of(h.xyz);
    gl_FragColor = vec4(1.0);
}`;

export class SphereLayer implements Layer {
    readonly object: Object3D;
    private mesh: Mesh<BufferGeometry, ShaderMaterial>;
    private early: DataTexture;
    private late: DataTexture;
    private values: DataTexture | null = null; // made when a field is first shown
    private shown: [Frame | null, Frame | null] = [null, null];
    private valued: [Float32Array | null, Float32Array | null] = [null, null];
    private colouring: Colouring | null = null;
    private colour = new Color();
    private visible = true;
    private plane: Plane | null = null; // that cuts

    /** `first` is the mover of the first sphere; `radii` is null where all are the same. */
    constructor(
        private group: ParticleGroup,
        private number: number,
        private first: number,
        private radii: Float32Array | null,
        up: Vector3,
        upOffset: number,
        sun: DirectionalLight,
    ) {
        const n = group.count;
        const geometry = new BufferGeometry();
        geometry.setDrawRange(0, 3 * n);
        const texture = () => {
            const t = new DataTexture(
                new Float32Array(4 * WIDTH * Math.max(Math.ceil(n / WIDTH), 1)),
                WIDTH,
                Math.max(Math.ceil(n / WIDTH), 1),
                RGBAFormat,
                FloatType,
            );
            for (let i = 0; i < n; i++) (t.image.data as Float32Array)[4 * i + 3] = this.radius(i);
            return t;
        };
        this.early = texture();
        this.late = texture();
        const uniforms = {
            first: { value: this.early },
            second: { value: this.late },
            values: { value: null as DataTexture | null },
            mixing: { value: 0 },
            rate: { value: 0 },
            mode: { value: 0 },
            range: { value: new Vector2(0, 1) },
            up: { value: new Vector4(up.x, up.y, up.z, upOffset) },
            tint: { value: new Color() },
            unknown: { value: new Color(FIXED) },
            palette: { value: CATEGORIES.map((c) => new Color(c)) },
            lut: { value: null },
            sunDirection: { value: new Vector3() },
            sunStrength: { value: 1 },
            fillStrength: { value: 0 },
            skyColour: { value: new Color() },
            groundColour: { value: new Color() },
            upView: { value: new Vector3() },
            cameraWorld: { value: new Matrix4() },
            shadowMatrix: { value: new Matrix4() },
            shadowMap: { value: null },
            shadowOn: { value: 0 },
            shadowTexel: { value: 1 / 2048 },
            cut: { value: new Vector4() },
            cutOn: { value: 0 },
            opacity: { value: 1 },
        };
        const defines = { WIDTH };
        const material = new ShaderMaterial({
            vertexShader: VERTEX,
            fragmentShader: FRAGMENT,
            uniforms,
            defines,
            alphaToCoverage: true,
            side: DoubleSide,
        });
        this.mesh = new Mesh(geometry, material);
        this.mesh.frustumCulled = false;
        this.mesh.castShadow = true;
        this.mesh.customDepthMaterial = new ShaderMaterial({
            vertexShader: VERTEX,
            fragmentShader: DEPTH,
            uniforms,
            defines,
            side: DoubleSide,
        });
        this.mesh.onBeforeRender = (renderer, _scene, camera) => {
            const u = material.uniforms;
            u.cameraWorld.value = camera.matrixWorld;
            u.sunDirection.value
                .copy(sun.position)
                .sub(sun.target.position)
                .normalize()
                .transformDirection(camera.matrixWorldInverse);
            u.upView.value.copy(up).transformDirection(camera.matrixWorldInverse);
            u.sunStrength.value = sun.intensity;
            u.shadowMatrix.value = sun.shadow.matrix;
            u.shadowMap.value = sun.shadow.map?.depthTexture ?? null;
            u.shadowOn.value = renderer.shadowMap.enabled && sun.castShadow && sun.shadow.map ? 1 : 0;
            u.shadowTexel.value = 1 / sun.shadow.mapSize.x;
        };
        this.object = this.mesh;
    }

    private upload(texture: DataTexture, frame: Frame): void {
        const to = texture.image.data as Float32Array,
            from = frame.position,
            n = this.group.count;
        for (let i = 0, k = 3 * this.first; i < n; i++, k += 3) {
            to[4 * i] = from[k];
            to[4 * i + 1] = from[k + 1];
            to[4 * i + 2] = from[k + 2];
        }
        texture.needsUpdate = true;
    }

    update(pose: Pose): void {
        if (!pose.a || !pose.b || !this.visible) return;
        if (this.shown[0] !== pose.a) this.upload(this.early, pose.a);
        if (this.shown[1] !== pose.b) this.upload(this.late, pose.b);
        this.shown = [pose.a, pose.b];
        this.mesh.material.uniforms.mixing.value = pose.mix;
        this.mesh.material.uniforms.rate.value = pose.span > 0 ? 1 / pose.span : 0;
        if (this.colouring?.recorded) this.uploadField(this.colouring, pose);
    }

    /** The numbers of a field at both frames; grey until they have come. */
    private uploadField(c: Colouring, pose: Pose): void {
        const now = c.frames(pose),
            n = this.group.count,
            rows = Math.max(Math.ceil(n / WIDTH), 1);
        if (!this.values) {
            this.values = new DataTexture(new Float32Array(2 * WIDTH * rows).fill(-3e38), WIDTH, rows, RGFormat, FloatType);
            this.mesh.material.uniforms.values.value = this.values;
            this.values.needsUpdate = true;
        }
        if (!now[0] || !now[1] || (now[0] === this.valued[0] && now[1] === this.valued[1])) return;
        const to = this.values.image.data as Float32Array;
        for (let i = 0; i < n; i++)
            for (let k = 0; k < 2; k++) {
                const x = now[k]![this.first + i];
                to[2 * i + k] = Number.isFinite(x) ? x : -3e38;
            }
        this.values.needsUpdate = true;
        this.valued = now;
    }

    recolour(c: Colouring, pose: Pose): void {
        const u = this.mesh.material.uniforms;
        this.colouring = c;
        u.mode.value = c.recorded ? 4 : c.mode === "id" ? 1 : c.mode === "speed" ? 2 : c.mode === "height" ? 3 : 0;
        if (c.recorded) this.uploadField(c, pose);
        u.range.value.set(c.low, c.high);
        u.lut.value = c.texture;
        u.tint.value.copy(c.particles(this.number, this.colour));
    }

    light(sky: Color, ground: Color, strength: number, fill: number): void {
        this.mesh.material.uniforms.fillStrength.value = fill;
        this.mesh.material.uniforms.skyColour.value.copy(sky).multiplyScalar(strength);
        this.mesh.material.uniforms.groundColour.value.copy(ground).multiplyScalar(strength);
    }

    clip(planes: Plane[] | null): void {
        const u = this.mesh.material.uniforms,
            plane = planes?.[0];
        u.cutOn.value = plane ? 1 : 0;
        if (plane) u.cut.value.set(plane.normal.x, plane.normal.y, plane.normal.z, plane.constant);
        this.plane = plane ?? null;
    }

    solid(opacity: number): void {
        this.mesh.material.uniforms.opacity.value = opacity;
    }

    show(v: Visibility, pose: Pose): void {
        this.visible = this.mesh.visible = v.group[this.number] === 1;
        this.update(pose);
    }

    get start(): number {
        return this.first;
    }

    holds(mover: number): boolean {
        return mover >= this.first && mover < this.first + this.group.count;
    }

    radius(i: number): number {
        const margin = this.group.shape.radius_margin ?? 0;
        return margin + (this.radii ? this.radii[i] : (this.group.shape.radius ?? 0.01));
    }

    pick(ray: Ray, pose: Pose): Hit | null {
        if (!this.visible || !pose.a) return null;
        const a = pose.a.position,
            b = pose.b!.position,
            s = pose.mix;
        const o = ray.origin,
            d = ray.direction;
        const at = new Vector3();
        let best = Infinity,
            found = -1;
        for (let i = 0; i < this.group.count; i++) {
            const k = 3 * (this.first + i);
            const x = a[k] + s * (b[k] - a[k]) - o.x;
            const y = a[k + 1] + s * (b[k + 1] - a[k + 1]) - o.y;
            const z = a[k + 2] + s * (b[k + 2] - a[k + 2]) - o.z;
            const along = x * d.x + y * d.y + z * d.z;
            const r = this.radius(i);
            const inside = r * r - (x * x + y * y + z * z - along * along);
            if (inside < 0) continue;
            const distance = along - Math.sqrt(inside);
            if (this.plane && this.plane.distanceToPoint(ray.at(distance, at)) < 0) continue;
            if (distance > 0 && distance < best) {
                best = distance;
                found = i;
            }
        }
        if (found < 0) return null;
        return { mover: this.first + found, distance: best, point: ray.at(best, new Vector3()) };
    }

    /** Leaves out the farthest hundredth on each side: one lost particle must not make all others small. */
    grow(moving: Box3, _fixed: Box3, pose: Pose): void {
        if (!pose.a) return;
        const n = this.group.count,
            stride = Math.max(1, Math.floor(n / 5000));
        const low = new Vector3(),
            high = new Vector3();
        for (let c = 0; c < 3; c++) {
            const values: number[] = [];
            for (let i = 0; i < n; i += stride) values.push(pose.a.position[3 * (this.first + i) + c]);
            values.sort((x, y) => x - y);
            const cut = Math.floor(values.length / 100);
            low.setComponent(c, values[cut]);
            high.setComponent(c, values[values.length - 1 - cut]);
        }
        const r = this.radius(0);
        if (n > 0 && Number.isFinite(low.x)) moving.union(new Box3(low.subScalar(r), high.addScalar(r)));
    }
}
