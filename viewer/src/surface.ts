// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// How surfaces look, beyond three's standard material, all in a few lines of shader so that software renderers keep up:
// the reflection of a plain sky, a fine grain in the body's own coordinates, marks on round shapes so that their spin
// shows, the inside of things that are cut open, and a number for each instance that says how solid it is.
import { Color, MeshStandardMaterial, type MeshStandardMaterialParameters, Vector3 } from "three";

/** What all surfaces share. */
export const scenery = {
    up: { value: new Vector3(0, 0, 1) },
    skyTint: { value: new Color() },
    groundTint: { value: new Color() },
    shine: { value: 1 }, // strength of the reflection
    grain: { value: 1 }, // strength of the grain
    grainSize: { value: 0.01 }, // m
};

const VERTEX_HEAD = /* glsl */ `
varying vec3 vOwn;   // in metres, in the shape's frame
varying vec3 vShape; // in units of the shape
varying float vMark;
varying float vSolid;
#ifdef INSTANCED_LOOK
attribute float mark;
attribute float solid;
#endif
`;
const VERTEX = /* glsl */ `
vShape = position;
vOwn = position;
vMark = 0.0;
vSolid = 1.0;
#ifdef INSTANCED_LOOK
vOwn *= vec3(length(instanceMatrix[0].xyz), length(instanceMatrix[1].xyz), length(instanceMatrix[2].xyz));
vMark = mark;
vSolid = solid;
#endif
`;
const FRAGMENT_HEAD = /* glsl */ `
varying vec3 vOwn;
varying vec3 vShape;
varying float vMark;
varying float vSolid;
uniform vec3 up;
uniform vec3 skyTint;
uniform vec3 groundTint;
uniform float shine;
uniform float grain;
uniform float grainSize;

float hash31(vec3 p) {
    p = fract(p * vec3(0.1031, 0.1030, 0.0973));
    p += dot(p, p.yzx + 33.33);
    return fract((p.x + p.y) * p.z);
}

float noise3(vec3 p) {
    vec3 i = floor(p), f = fract(p);
    f = f * f * (3.0 - 2.0 * f);
    return mix(mix(mix(hash31(i), hash31(i + vec3(1, 0, 0)), f.x), mix(hash31(i + vec3(0, 1, 0)), hash31(i + vec3(1, 1, 0)), f.x), f.y),
               mix(mix(hash31(i + vec3(0, 0, 1)), hash31(i + vec3(1, 0, 1)), f.x), mix(hash31(i + vec3(0, 1, 1)), hash31(i + vec3(1, 1, 1)), f.x), f.y), f.z);
}

// Quarters on the ends of cylinders and a line along them at each; eighths of balls.
float marked() {
    if (vMark < 0.5) return 1.0;
    if (vMark > 1.5) return vShape.x * vShape.y * vShape.z > 0.0 ? 1.0 : 0.8;
    float r = length(vShape.xy);
    if (abs(vShape.z) > 0.499 && r < 0.995) return r < 0.93 && r > 0.12 && vShape.x * vShape.y > 0.0 ? 0.78 : 1.0;
    return min(abs(vShape.x), abs(vShape.y)) < 0.05 ? 0.8 : 1.0;
}
`;
const PAINT = /* glsl */ `
#include <color_fragment>
diffuseColor.a *= vSolid;
diffuseColor.rgb *= marked();
if (grain > 0.0) {
    vec3 cell = vOwn / grainSize;
    float fine = 1.0 - smoothstep(0.4, 1.2, length(fwidth(cell)));
    diffuseColor.rgb *= 1.0 + grain * (0.07 * (noise3(cell * 0.11) - 0.5) + fine * 0.09 * (noise3(cell) - 0.5));
}
`;
const FINISH = /* glsl */ `
#ifdef CUT_OPEN
if (!gl_FrontFacing) outgoingLight = diffuseColor.rgb * 0.5; // plain, as the face of a cut
else
#endif
{
    vec3 eye = normalize(vViewPosition);
    float height = dot(reflect(-eye, normal), normalize((viewMatrix * vec4(up, 0.0)).xyz));
    vec3 seen = mix(groundTint, skyTint, smoothstep(-0.25, 0.35, height)) * (1.0 + 0.5 * smoothstep(0.55, 0.9, height));
    float fresnel = 0.035 + 0.5 * pow(1.0 - max(dot(normal, eye), 0.0), 5.0);
    outgoingLight += shine * fresnel * seen;
}
#include <opaque_fragment>
`;

/** `instanced`: the geometry has attributes `mark` (0: none, 1: cylinder, 2: ball) and `solid` for each instance. */
export function surface(look: MeshStandardMaterialParameters, instanced: boolean): MeshStandardMaterial {
    const material = new MeshStandardMaterial({ roughness: 0.55, metalness: 0.05, ...look });
    material.defines = { ...material.defines, ...(instanced ? { INSTANCED_LOOK: "" } : {}) };
    material.onBeforeCompile = (shader) => {
        Object.assign(shader.uniforms, scenery);
        shader.vertexShader = shader.vertexShader
            .replace("#include <common>", `#include <common>\n${VERTEX_HEAD}`)
            .replace("#include <begin_vertex>", `#include <begin_vertex>\n${VERTEX}`);
        shader.fragmentShader = shader.fragmentShader
            .replace("#include <common>", `#include <common>\n${FRAGMENT_HEAD}`)
            .replace("#include <color_fragment>", PAINT)
            .replace("#include <opaque_fragment>", FINISH);
    };
    return material;
}

/** Cuts a material open, or closes it: `side` is what it has when it is whole. */
export function cutOpen(material: MeshStandardMaterial, planes: MeshStandardMaterial["clippingPlanes"], side: 0 | 2): void {
    const open = planes !== null && planes !== undefined && planes.length > 0;
    material.clippingPlanes = planes;
    material.clipShadows = true;
    material.side = open ? 2 : side;
    const defines = material.defines as Record<string, string>;
    if (open !== "CUT_OPEN" in defines) {
        if (open) defines.CUT_OPEN = "";
        else delete defines.CUT_OPEN;
        material.needsUpdate = true;
    }
}
