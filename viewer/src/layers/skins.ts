// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Deforming meshes: triangles as smooth surfaces, lines as thin rods, coloured vertex by vertex where a field says so.
import {
    BackSide,
    Box3,
    BufferAttribute,
    BufferGeometry,
    Color,
    CylinderGeometry,
    DoubleSide,
    DynamicDrawUsage,
    Group,
    InstancedMesh,
    Matrix4,
    Mesh,
    type MeshStandardMaterial,
    type Object3D,
    type Plane,
    Quaternion,
    type Ray,
    Vector3,
} from "three";
import type { Colouring } from "../colouring";
import type { Fields } from "../fields";
import type { SkinMesh } from "../manifest";
import type { Pose } from "../pose";
import type { SkinStore } from "../skins";
import { surface } from "../surface";
import type { Hit, Layer, Visibility } from "./layer";

export interface SkinCorners {
    triangles: Uint32Array | null;
    lines: Uint32Array | null;
    elements: Uint32Array | null; // number of the element of each triangle, then of each line
}

/** One mesh: a surface, rods, or both, over the same vertices. */
class Skin {
    readonly group = new Group();
    readonly position: Float32Array;
    readonly colour: Float32Array;
    readonly value: Float32Array; // behind the colours; NaN: none
    private surface: Mesh<BufferGeometry, MeshStandardMaterial> | null = null;
    private rods: InstancedMesh | null = null;
    private z = new Vector3(0, 0, 1);

    constructor(
        readonly ref: SkinMesh,
        readonly first: number,
        private corners: SkinCorners,
    ) {
        this.position = new Float32Array(3 * ref.vertices);
        this.colour = new Float32Array(3 * ref.vertices).fill(1);
        this.value = new Float32Array(ref.vertices).fill(NaN);
        if (corners.triangles?.length) {
            const geometry = new BufferGeometry();
            geometry.setAttribute("position", new BufferAttribute(this.position, 3).setUsage(DynamicDrawUsage));
            geometry.setAttribute("color", new BufferAttribute(this.colour, 3).setUsage(DynamicDrawUsage));
            geometry.setIndex(new BufferAttribute(corners.triangles, 1));
            const material = surface({ roughness: 0.6, side: DoubleSide, vertexColors: true }, false);
            // Shadows of thin shells on themselves would be stripes: only their far side casts them.
            material.shadowSide = BackSide;
            this.surface = new Mesh(geometry, material);
            this.surface.castShadow = this.surface.receiveShadow = true;
            this.surface.frustumCulled = false;
            this.group.add(this.surface);
        }
        if (corners.lines?.length) {
            const rod = new CylinderGeometry(1, 1, 1, 10).rotateX(Math.PI / 2).translate(0, 0, 0.5);
            const material = surface({ roughness: 0.6 }, false);
            this.rods = new InstancedMesh(rod, material, corners.lines.length / 2);
            this.rods.instanceMatrix.setUsage(DynamicDrawUsage);
            this.rods.castShadow = true;
            this.rods.frustumCulled = false;
            this.group.add(this.rods);
        }
    }

    /** Takes the vertices between two frames. */
    place(a: Float32Array, b: Float32Array, mix: number, thickness: number): void {
        const from = 3 * this.first,
            p = this.position;
        for (let i = 0; i < p.length; i++) p[i] = a[from + i] + mix * (b[from + i] - a[from + i]);
        if (this.surface) {
            this.surface.geometry.attributes.position.needsUpdate = true;
            this.surface.geometry.computeVertexNormals();
        }
        if (this.rods) this.placeRods(this.rods, thickness);
    }

    /** The element that a ray meets first; a rod is met within `reach`. */
    pick(ray: Ray, reach: number): { element: number; distance: number; point: Vector3 } | null {
        const { triangles, lines, elements } = this.corners,
            [a, b, c, on] = [new Vector3(), new Vector3(), new Vector3(), new Vector3()];
        const surface = (triangles?.length ?? 0) / 3;
        let best: { element: number; distance: number; point: Vector3 } | null = null;
        const take = (i: number) => {
            const distance = on.distanceTo(ray.origin);
            if (!best || distance < best.distance) best = { element: elements?.[i] ?? i, distance, point: on.clone() };
        };
        for (let t = 0; t < surface; t++) {
            a.fromArray(this.position, 3 * triangles![3 * t]);
            b.fromArray(this.position, 3 * triangles![3 * t + 1]);
            c.fromArray(this.position, 3 * triangles![3 * t + 2]);
            if (ray.intersectTriangle(a, b, c, false, on)) take(t);
        }
        for (let l = 0; 2 * l < (lines?.length ?? 0); l++) {
            a.fromArray(this.position, 3 * lines![2 * l]);
            b.fromArray(this.position, 3 * lines![2 * l + 1]);
            if (ray.distanceSqToSegment(a, b, undefined, on) < reach * reach) take(surface + l);
        }
        return best;
    }

    private placeRods(rods: InstancedMesh, thickness: number): void {
        const lines = this.corners.lines!,
            start = new Vector3(),
            along = new Vector3(),
            q = new Quaternion(),
            matrix = new Matrix4();
        for (let i = 0; 2 * i < lines.length; i++) {
            start.fromArray(this.position, 3 * lines[2 * i]);
            along.fromArray(this.position, 3 * lines[2 * i + 1]).sub(start);
            const length = along.length();
            q.setFromUnitVectors(this.z, length > 0 ? along.divideScalar(length) : this.z);
            rods.setMatrixAt(i, matrix.compose(start, q, new Vector3(thickness, thickness, length)));
        }
        rods.instanceMatrix.needsUpdate = true;
    }

    clip(planes: Plane[] | null): void {
        for (const mesh of [this.surface, this.rods]) {
            if (!mesh) continue;
            const material = mesh.material as MeshStandardMaterial;
            material.clippingPlanes = planes;
            material.clipShadows = true;
            material.needsUpdate = true;
        }
    }

    solid(opacity: number): void {
        for (const mesh of [this.surface, this.rods]) {
            if (!mesh) continue;
            const material = mesh.material as MeshStandardMaterial;
            material.opacity = opacity;
            material.transparent = opacity < 1;
            material.depthWrite = opacity >= 1;
            material.needsUpdate = true;
        }
    }

    /** Colours from `value`, or one for all. */
    paint(c: Colouring, own: Color): void {
        const colour = new Color(),
            scaled = c.scaled && this.value.some(Number.isFinite);
        for (let i = 0; i < this.ref.vertices; i++) {
            if (scaled) c.scale(this.value[i], colour);
            else colour.copy(own);
            colour.toArray(this.colour, 3 * i);
        }
        if (this.surface) this.surface.geometry.attributes.color.needsUpdate = true;
        const { rods } = this,
            lines = this.corners.lines;
        if (!rods || !lines) return;
        for (let i = 0; 2 * i < lines.length; i++) {
            if (scaled) c.scale(0.5 * (this.value[lines[2 * i]] + this.value[lines[2 * i + 1]]), colour);
            rods.setColorAt(i, scaled ? colour : own);
        }
        if (rods.instanceColor) rods.instanceColor.needsUpdate = true;
    }
}

export class SkinLayer implements Layer {
    readonly object: Object3D = new Group();
    readonly skins: Skin[] = [];
    private colouring: Colouring | null = null;
    private size = 1;
    private own = new Color();

    constructor(
        meshes: SkinMesh[],
        corners: SkinCorners[],
        private store: SkinStore,
        private fields: Fields,
    ) {
        let first = 0;
        meshes.forEach((m, k) => {
            this.skins.push(new Skin(m, first, corners[k]));
            this.object.add(this.skins[k].group);
            first += m.vertices;
        });
    }

    resize(size: number): void {
        this.size = size;
    }

    update(pose: Pose): void {
        if (!pose.a || !pose.b || !this.skins.length) return;
        const a = this.store.get(pose.a),
            b = this.store.get(pose.b);
        if (!a || !b) return; // the last ones stay until these have come
        for (const skin of this.skins) skin.place(a, b, pose.mix, 0.004 * this.size);
        if (this.colouring) this.recolour(this.colouring, pose);
    }

    /** Numbers of a mesh between two frames. */
    private values(skin: Skin, k: number, c: Colouring, pose: Pose): void {
        const name = c.recorded,
            early = name && pose.a ? this.fields.mesh(name, k, pose.a) : null,
            late = name && pose.b ? this.fields.mesh(name, k, pose.b) : null,
            a = early ?? late, // one of them may have come before it was asked for
            b = late ?? early;
        for (let i = 0; i < skin.ref.vertices; i++)
            skin.value[i] =
                a && b
                    ? a[i] + pose.mix * (b[i] - a[i])
                    : c.mode === "height"
                      ? c.height(skin.position[3 * i], skin.position[3 * i + 1], skin.position[3 * i + 2])
                      : NaN;
    }

    recolour(c: Colouring, pose: Pose): void {
        this.colouring = c;
        this.skins.forEach((skin, k) => {
            this.values(skin, k, c, pose);
            skin.paint(c, this.own.copy(c.skin(k)));
        });
    }

    clip(planes: Plane[] | null): void {
        for (const skin of this.skins) skin.clip(planes);
    }

    solid(opacity: number): void {
        for (const skin of this.skins) skin.solid(opacity);
    }

    pick(ray: Ray): Hit | null {
        let best: Hit | null = null;
        this.skins.forEach((skin, mesh) => {
            const hit = skin.group.visible ? skin.pick(ray, 0.006 * this.size) : null;
            if (hit && (!best || hit.distance < best.distance))
                best = { mover: -1, ...hit, thing: { kind: "element", index: hit.element, mesh } };
        });
        return best;
    }

    show(v: Visibility): void {
        this.skins.forEach((skin, k) => (skin.group.visible = v.skin[k] === 1));
    }

    grow(moving: Box3, _fixed: Box3, pose: Pose): void {
        const a = pose.a ? this.store.get(pose.a) : null;
        if (!a) return;
        const p = new Vector3();
        for (let i = 0; i < a.length; i += 3) moving.expandByPoint(p.fromArray(a, i));
    }
}
