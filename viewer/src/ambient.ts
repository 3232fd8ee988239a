// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Ambient occlusion: corners and gaps are darker, as less of the sky reaches them. The scene is drawn into a texture with
// its depths; for each second pixel across and down, a dozen depths around it say how much is hidden; the result is
// smoothed within surfaces and darkens the picture. What is drawn over the scene (glyphs, arrows) comes afterwards, against the same depths.
import {
    DepthTexture,
    HalfFloatType,
    Mesh,
    NearestFilter,
    OrthographicCamera,
    type PerspectiveCamera,
    PlaneGeometry,
    RGFormat,
    Scene,
    ShaderMaterial,
    UnsignedIntType,
    Vector2,
    type WebGLRenderer,
    WebGLRenderTarget,
} from "three";

/** three's layers: what belongs to the scene, and what is drawn over it. */
export const SCENE = 0,
    OVER = 1;

const VERTEX = /* glsl */ `
varying vec2 vUv;
void main() {
    vUv = uv;
    gl_Position = vec4(position.xy, 0.0, 1.0);
}`;

const DEPTHS = /* glsl */ `
uniform highp sampler2D depths;
uniform vec2 nearFar;
uniform vec2 lens; // tangents of half the angles of view
varying vec2 vUv;

float far_at(vec2 uv) {
    float z = texture2D(depths, uv).x;
    return nearFar.x * nearFar.y / (nearFar.y - z * (nearFar.y - nearFar.x));
}

vec3 place(vec2 uv, float far) { return vec3((2.0 * uv - 1.0) * lens * far, -far); }
`;

const OCCLUSION = /* glsl */ `
${DEPTHS}
uniform float reach; // m
uniform vec2 texel;
const int COUNT = 12;

// The point behind the middle of the nearest pixel.
vec3 point(vec2 uv) {
    uv = (floor(uv / texel) + 0.5) * texel;
    return place(uv, far_at(uv));
}

// The steeper side of an edge says nothing of the surface: the smaller difference counts.
vec3 slope(vec2 uv, vec3 p, vec2 step) {
    vec3 a = point(uv + step) - p, b = p - point(uv - step);
    return abs(a.z) < abs(b.z) ? a : b;
}

void main() {
    vec2 own = (floor(vUv / texel + 0.25) + 0.5) * texel;
    float far = far_at(own);
    if (far > 0.999 * nearFar.y) {
        gl_FragColor = vec4(1.0, far, 0.0, 1.0);
        return;
    }
    vec3 p = place(own, far);
    vec3 n = normalize(cross(slope(own, p, vec2(texel.x, 0.0)), slope(own, p, vec2(0.0, texel.y))));
    vec2 radius = clamp(0.5 * reach / (far * lens), 2.0 * texel, vec2(0.25));
    ivec2 at = ivec2(gl_FragCoord.xy) & 3;
    float turn = 6.2831853 * float((at.x * 4 + at.y * 7 + at.x * at.y * 5) & 15) / 16.0;
    float hidden = 0.0;
    for (int i = 0; i < COUNT; i++) {
        float a = turn + 2.3999632 * float(i), r = sqrt((float(i) + 0.5) / float(COUNT));
        vec3 v = point(own + r * radius * vec2(cos(a), sin(a))) - p;
        float d = length(v);
        hidden += max(dot(n, v) / max(d, 1e-9) - 0.08, 0.0) * max(1.0 - d * d / (reach * reach), 0.0);
    }
    gl_FragColor = vec4(clamp(1.0 - 2.6 * hidden / float(COUNT), 0.0, 1.0), far, 0.0, 1.0);
}`;

const COMBINE = /* glsl */ `
${DEPTHS}
uniform sampler2D picture;
uniform highp sampler2D occlusion;
uniform vec2 coarse; // texel of the occlusion
uniform float strength;

void main() {
    float far = far_at(vUv), sum = 0.0, weights = 1e-6;
    for (int y = -2; y < 2; y++)
        for (int x = -2; x < 2; x++) {
            vec2 o = texture2D(occlusion, vUv + (vec2(x, y) + 0.5) * coarse).xy;
            float w = 1.0 / (1e-3 + abs(o.y - far) / far * 40.0);
            sum += w * o.x;
            weights += w;
        }
    vec4 colour = texture2D(picture, vUv);
    gl_FragColor = vec4(colour.rgb * mix(1.0, sum / weights, strength), 1.0);
    gl_FragDepth = texture2D(depths, vUv).x;
    #include <colorspace_fragment>
}`;

export class Ambient {
    strength = 0.85;
    private target: WebGLRenderTarget;
    private coarse: WebGLRenderTarget;
    private camera = new OrthographicCamera(-1, 1, 1, -1, 0, 1);
    private occlude: ShaderMaterial;
    private combine: ShaderMaterial;
    private passes: [Scene, Scene];
    private size = new Vector2();

    constructor(private renderer: WebGLRenderer) {
        this.target = new WebGLRenderTarget(1, 1, { type: HalfFloatType, samples: 4, depthTexture: new DepthTexture(1, 1, UnsignedIntType) });
        this.coarse = new WebGLRenderTarget(1, 1, {
            type: HalfFloatType,
            format: RGFormat,
            minFilter: NearestFilter,
            magFilter: NearestFilter,
            depthBuffer: false,
        });
        const shared = {
            depths: { value: this.target.depthTexture },
            nearFar: { value: new Vector2() },
            lens: { value: new Vector2() },
        };
        this.occlude = new ShaderMaterial({
            vertexShader: VERTEX,
            fragmentShader: OCCLUSION,
            uniforms: { ...shared, reach: { value: 1 }, texel: { value: new Vector2() } },
            depthTest: false,
            depthWrite: false,
        });
        this.combine = new ShaderMaterial({
            vertexShader: VERTEX,
            fragmentShader: COMBINE,
            uniforms: {
                ...shared,
                picture: { value: this.target.texture },
                occlusion: { value: this.coarse.texture },
                coarse: { value: new Vector2() },
                strength: { value: 1 },
            },
            depthFunc: 1, // always: the depths of the scene come along
        });
        this.passes = [this.occlude, this.combine].map((material) => {
            const mesh = new Mesh(new PlaneGeometry(2, 2), material),
                scene = new Scene();
            mesh.frustumCulled = false;
            scene.add(mesh);
            return scene;
        }) as [Scene, Scene];
    }

    private resize(): void {
        const size = this.renderer.getDrawingBufferSize(new Vector2());
        if (size.equals(this.size)) return;
        this.size.copy(size);
        const [w, h] = [Math.ceil(size.x / 2), Math.ceil(size.y / 2)];
        this.target.setSize(size.x, size.y);
        this.coarse.setSize(w, h);
        this.occlude.uniforms.texel.value.set(1 / size.x, 1 / size.y);
        this.combine.uniforms.coarse.value.set(1 / w, 1 / h);
    }

    /** Draws a scene; `reach` is how far things shade each other, m. */
    render(scene: Scene, camera: PerspectiveCamera, reach: number): void {
        const { renderer } = this,
            t = Math.tan((camera.fov * Math.PI) / 360);
        this.resize();
        for (const { uniforms } of [this.occlude, this.combine]) {
            uniforms.nearFar.value.set(camera.near, camera.far);
            uniforms.lens.value.set(t * camera.aspect, t);
        }
        this.occlude.uniforms.reach.value = reach;
        this.combine.uniforms.strength.value = this.strength;
        camera.layers.set(SCENE);
        renderer.setRenderTarget(this.target);
        renderer.render(scene, camera);
        renderer.setRenderTarget(this.coarse);
        renderer.render(this.passes[0], this.camera);
        renderer.setRenderTarget(null);
        renderer.render(this.passes[1], this.camera);
        camera.layers.set(OVER);
        renderer.autoClear = false;
        renderer.render(scene, camera);
        renderer.autoClear = true;
        camera.layers.enable(SCENE);
    }
}
