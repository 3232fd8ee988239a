// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Bodies, and particles that are not spheres: one instanced mesh for each sort of primitive.
import {
    Box3,
    BoxGeometry,
    BufferAttribute,
    BufferGeometry,
    Color,
    ConeGeometry,
    CylinderGeometry,
    DynamicDrawUsage,
    Group,
    IcosahedronGeometry,
    InstancedBufferAttribute,
    InstancedMesh,
    Matrix4,
    type MeshStandardMaterial,
    type Object3D,
    type Plane,
    PlaneGeometry,
    Quaternion,
    type Ray,
    Raycaster,
    SphereGeometry,
    Vector3,
} from "three";
import { toCreasedNormals } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import type { Colouring } from "../colouring";
import { groupOffsets, type Manifest, type Shape } from "../manifest";
import type { Pose } from "../pose";
import { rounded } from "../rounded";
import { cutOpen, surface } from "../surface";
import type { Hit, Layer, Visibility } from "./layer";

interface Part {
    mover: number;
    group: number; // particle group, or -1 for a body
    local: Matrix4;
    shape: Shape;
}

// A little behind what is solid, so that a ghost does not cover what it is equal to.
const GHOST = { transparent: true, depthWrite: false, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 4 };

/** Many primitives in one draw call; those that one sees through are drawn by a second one. */
class Bucket {
    mesh: InstancedMesh;
    ghost: InstancedMesh | null = null;
    sized = false; // as large as the scene asks for: planes and markers

    constructor(
        geometry: BufferGeometry,
        readonly parts: Part[],
        readonly translucent: boolean,
        marks: Float32Array,
    ) {
        const material = surface(
            translucent ? { transparent: true, opacity: 0.22, depthWrite: false, side: 2 } : {},
            true,
        );
        geometry.setAttribute("mark", new InstancedBufferAttribute(marks, 1));
        geometry.setAttribute("solid", new InstancedBufferAttribute(new Float32Array(parts.length).fill(1), 1));
        this.mesh = this.make(geometry, material);
        this.mesh.castShadow = !translucent;
        this.mesh.receiveShadow = true;
        parts.forEach((_, i) => this.mesh.setColorAt(i, new Color(1, 1, 1)));
    }

    private make(geometry: BufferGeometry, material: MeshStandardMaterial): InstancedMesh {
        const mesh = new InstancedMesh(geometry, material, this.parts.length);
        mesh.instanceMatrix.setUsage(DynamicDrawUsage);
        mesh.frustumCulled = false;
        return mesh;
    }

    /** The second mesh, made when it is first wanted: same places to draw, numbers of its own for how solid they are. */
    needGhost(planes: Plane[] | null): InstancedMesh {
        if (this.ghost) return this.ghost;
        const geometry = new BufferGeometry();
        for (const [name, attribute] of Object.entries(this.mesh.geometry.attributes)) geometry.setAttribute(name, attribute);
        geometry.setIndex(this.mesh.geometry.index);
        geometry.setAttribute("solid", new InstancedBufferAttribute(new Float32Array(this.parts.length), 1));
        this.ghost = this.make(geometry, surface(GHOST, true));
        cutOpen(this.ghost.material as MeshStandardMaterial, planes, 0);
        this.ghost.instanceColor = this.mesh.instanceColor;
        this.ghost.renderOrder = 3;
        return this.ghost;
    }
}

const ZERO = new Matrix4().makeScale(0, 0, 0);

export function localMatrix(shape: Shape, scale: Vector3): Matrix4 {
    const at = shape.at ?? [0, 0, 0],
        r = shape.rotation ?? [1, 0, 0, 0];
    return new Matrix4().compose(new Vector3(...at), new Quaternion(r[1], r[2], r[3], r[0]).normalize(), scale);
}

function zAxis(geometry: BufferGeometry): BufferGeometry {
    return geometry.rotateX(Math.PI / 2); // three's cylinders and cones lie along y
}

/** Primitives of a shape: a key of a shared geometry and where it sits. */
function pieces(shape: Shape): { key: string; local: Matrix4 }[] {
    const margin = shape.radius_margin ?? 0,
        round = shape.type === "sphere" || shape.type === "capsule",
        r = (shape.radius ?? 0.5) + (round ? margin : 0),
        l = shape.length ?? 1;
    const at = (scale: Vector3) => localMatrix(shape, scale);
    if (margin > 0 && (shape.mesh !== undefined || ["box", "cylinder", "cone", "ellipsoid"].includes(shape.type))) {
        const { type, mesh, size, semi_axes } = shape;
        const key = `rounded:${JSON.stringify([type, mesh, size, semi_axes, r, l, margin])}`;
        return [{ key, local: at(new Vector3(1, 1, 1)) }];
    }
    switch (shape.type) {
        case "sphere":
            return [{ key: "sphere", local: at(new Vector3(r, r, r)) }];
        case "ellipsoid":
            return [{ key: "sphere", local: at(new Vector3(...(shape.semi_axes ?? [1, 1, 1]))) }];
        case "box":
            return [{ key: "box", local: at(new Vector3(...(shape.size ?? [1, 1, 1]))) }];
        case "cylinder":
            return [{ key: "cylinder", local: at(new Vector3(r, r, l)) }];
        case "cone":
            return [{ key: "cone", local: at(new Vector3(r, r, l)) }];
        case "capsule": {
            const one = new Vector3(1, 1, 1),
                cap = new Matrix4().makeScale(r, r, r);
            const ends = [l / 2, -l / 2].map((z) =>
                at(one)
                    .multiply(new Matrix4().makeTranslation(0, 0, z))
                    .multiply(cap),
            );
            return [
                { key: "tube", local: at(new Vector3(r, r, l)) },
                ...ends.map((local) => ({ key: "sphere", local })),
            ];
        }
        case "marker": // a body without a shape
            return [{ key: "marker", local: new Matrix4() }];
        case "plane": {
            const n = new Vector3(...(shape.normal ?? [0, 0, 1])).normalize();
            const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), n);
            return [
                {
                    key: "plane",
                    local: at(new Vector3(1, 1, 1)).multiply(new Matrix4().makeRotationFromQuaternion(turn)),
                },
            ];
        }
        default:
            return shape.mesh === undefined ? [] : [{ key: `mesh:${shape.mesh}`, local: at(new Vector3(1, 1, 1)) }];
    }
}

function geometryOf(key: string, shape: Shape, count: number, meshes: BufferGeometry[]): BufferGeometry {
    if (key.startsWith("rounded:")) return rounded(shape, meshes[shape.mesh ?? -1]) ?? new BoxGeometry(1, 1, 1);
    switch (key) {
        case "sphere":
            return count > 3000 ? new IcosahedronGeometry(1, 2) : new SphereGeometry(1, 40, 24);
        case "marker":
            return new SphereGeometry(1, 20, 14);
        case "box":
            return new BoxGeometry(1, 1, 1);
        case "cylinder":
            return zAxis(new CylinderGeometry(1, 1, 1, count > 1000 ? 20 : 48));
        case "tube":
            return zAxis(new CylinderGeometry(1, 1, 1, count > 1000 ? 20 : 40, 1, true));
        case "cone":
            return zAxis(new ConeGeometry(1, 1, count > 1000 ? 20 : 48));
        case "plane":
            return new PlaneGeometry(1, 1);
        default:
            return meshes[Number(key.slice(5))] ?? new BoxGeometry(1, 1, 1);
    }
}

/** A mesh of the manifest: smooth, but for edges that are sharper than 0.6 rad. */
export function meshGeometry(vertices: Float32Array, triangles: Uint32Array): BufferGeometry {
    const indexed = new BufferGeometry();
    indexed.setAttribute("position", new BufferAttribute(vertices, 3));
    indexed.setIndex(new BufferAttribute(triangles, 1));
    if (triangles.length < 600000) return toCreasedNormals(indexed, 0.6);
    indexed.computeVertexNormals();
    return indexed;
}

export class BodyLayer implements Layer {
    readonly object: Object3D = new Group();
    private buckets: Bucket[] = [];
    private hidden: (part: Part) => boolean = () => false;
    private position = new Vector3();
    private rotation = new Quaternion();
    private one = new Vector3(1, 1, 1);
    private matrix = new Matrix4();
    private item = new Matrix4();
    private colour = new Color();
    private caster = new Raycaster();
    private size = 1;
    private all = 1; // how solid
    private opacity = new Map<number, number>(); // of bodies that one sees through
    private planes: Plane[] | null = null;
    private colouring: Colouring | null = null;
    /** Bounds of each body's own shapes, for the frame around a chosen one. */
    readonly own = new Map<number, Box3>();

    /** `ground` says which planes are drawn as the ground instead. */
    constructor(
        private m: Manifest,
        meshes: BufferGeometry[],
        ground: (s: Shape, body: number) => boolean,
    ) {
        const lists = new Map<string, Part[]>();
        const add = (mover: number, group: number, shape: Shape) => {
            if (shape.visible === false) return;
            if (shape.type === "plane" && ground(shape, mover)) return;
            for (const piece of pieces(shape)) {
                const list = lists.get(piece.key) ?? [];
                list.push({ mover, group, local: piece.local, shape });
                lists.set(piece.key, list);
            }
        };
        m.bodies.forEach((b, i) => {
            b.shapes?.forEach((s) => add(i, -1, s));
            if (!b.shapes?.length && !b.fixed && b.group !== "nodes") add(i, -1, { type: "marker" });
        });
        const offsets = groupOffsets(m);
        m.particles.forEach((p, g) => {
            if (p.shape.type === "sphere") return;
            for (let i = 0; i < p.count; i++) add(offsets[g] + i, g, p.shape);
        });
        for (const [key, parts] of lists) {
            const geometry = geometryOf(key, parts[0].shape, parts.length, meshes);
            const bucket = new Bucket(geometry, parts, key === "plane", this.marksOf(key, parts));
            bucket.sized = key === "plane" || key === "marker";
            geometry.computeBoundingBox();
            for (const part of parts) {
                if (bucket.sized || part.group >= 0) continue;
                const box = geometry.boundingBox!.clone().applyMatrix4(part.local);
                this.own.set(part.mover, box.union(this.own.get(part.mover) ?? box));
            }
            this.buckets.push(bucket);
            this.object.add(bucket.mesh);
        }
    }

    /** Which parts get marks: balls, and cylinders that are wheels or turn about their axis, of bodies that move. */
    private marksOf(key: string, parts: Part[]): Float32Array {
        const out = new Float32Array(parts.length);
        if (key !== "sphere" && key !== "cylinder") return out;
        parts.forEach(({ mover, group, shape }, i) => {
            if (group >= 0 || this.m.bodies[mover]?.fixed) return;
            if (key === "sphere" && (shape.type === "sphere" || shape.type === "ellipsoid")) out[i] = 2;
            if (key === "cylinder" && (shape.length ?? 1) < 3 * (shape.radius ?? 0.5)) out[i] = 1;
        });
        return out;
    }

    resize(size: number): void {
        this.size = size;
    }

    clip(planes: Plane[] | null): void {
        this.planes = planes;
        for (const { mesh, ghost, translucent } of this.buckets) {
            if (!translucent) cutOpen(mesh.material as MeshStandardMaterial, planes, 0);
            if (ghost) cutOpen(ghost.material as MeshStandardMaterial, planes, 0);
        }
    }

    solid(opacity: number): void {
        this.all = opacity;
        this.spreadOpacity();
    }

    /** How solid one body is drawn, from 0 to 1. */
    seeThrough(mover: number, opacity: number): void {
        if (opacity < 1) this.opacity.set(mover, opacity);
        else this.opacity.delete(mover);
        this.spreadOpacity();
    }

    opacityOf(mover: number): number {
        return this.all * (this.opacity.get(mover) ?? 1);
    }

    private spreadOpacity(): void {
        for (const bucket of this.buckets) {
            const seen = bucket.parts.map((p) => this.opacityOf(p.mover));
            if (bucket.translucent || (!bucket.ghost && seen.every((x) => x >= 1))) continue;
            const isNew = !bucket.ghost,
                ghost = bucket.needGhost(this.planes),
                solid = ghost.geometry.getAttribute("solid") as BufferAttribute;
            if (isNew) this.object.add(ghost);
            seen.forEach((x, i) => solid.setX(i, x));
            solid.needsUpdate = true;
        }
    }

    private sizeOf(shape: Shape): Vector3 {
        return shape.type === "plane"
            ? new Vector3(1.2 * this.size, 1.2 * this.size, 1)
            : new Vector3(1, 1, 1).multiplyScalar(0.012 * this.size);
    }

    private place(part: Part, pose: Pose, last: number): number {
        if (part.mover !== last) {
            pose.position(part.mover, this.position);
            pose.rotation(part.mover, this.rotation);
            this.matrix.compose(this.position, this.rotation, this.one);
        }
        return part.mover;
    }

    update(pose: Pose): void {
        if (!pose.a) return;
        for (const { mesh, ghost, parts, sized } of this.buckets) {
            const scale = sized ? this.sizeOf(parts[0].shape) : this.one;
            let last = -1;
            for (let i = 0; i < parts.length; i++) {
                const part = parts[i],
                    through = ghost !== null && this.opacityOf(part.mover) < 1;
                ghost?.setMatrixAt(i, ZERO);
                if (this.hidden(part) || through) mesh.setMatrixAt(i, ZERO);
                if (this.hidden(part)) continue;
                last = this.place(part, pose, last);
                this.item.multiplyMatrices(this.matrix, part.local);
                if (sized) this.item.scale(scale);
                (through ? ghost : mesh).setMatrixAt(i, this.item);
            }
            mesh.instanceMatrix.needsUpdate = true;
            if (ghost) ghost.instanceMatrix.needsUpdate = true;
            mesh.boundingSphere = null;
        }
        if (this.colouring?.scaled) this.recolour(this.colouring, pose);
    }

    recolour(c: Colouring, pose: Pose): void {
        this.colouring = c;
        if (!pose.a && c.scaled) return;
        for (const { mesh, parts } of this.buckets) {
            for (let i = 0; i < parts.length; i++) {
                const { mover, group, shape } = parts[i];
                if (group < 0) c.body(mover, shape.color, pose, this.colour);
                else if (c.scaled) c.scale(c.number(mover, pose), this.colour);
                else c.particles(group, this.colour);
                mesh.setColorAt(i, this.colour);
            }
            if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
        }
    }

    show(v: Visibility, pose: Pose): void {
        this.hidden = (part) => (part.group < 0 ? v.body[part.mover] === 0 : v.group[part.group] === 0);
        this.update(pose);
    }

    pick(ray: Ray): Hit | null {
        this.caster.ray.copy(ray);
        let best: Hit | null = null;
        for (const { mesh, ghost, parts } of this.buckets) {
            if (parts[0]?.shape.type === "plane") continue;
            if (ghost) ghost.boundingSphere = null;
            const hits = this.caster.intersectObject(mesh, false);
            if (ghost) hits.push(...this.caster.intersectObject(ghost, false));
            for (const hit of hits) {
                const part = parts[hit.instanceId!];
                if (this.planes?.some((plane) => plane.distanceToPoint(hit.point) < 0)) continue;
                if (!this.hidden(part) && (!best || hit.distance < best.distance)) {
                    best = { mover: part.mover, distance: hit.distance, point: hit.point.clone() };
                }
            }
        }
        return best;
    }

    grow(moving: Box3, fixed: Box3, pose: Pose): void {
        if (!pose.a) return;
        for (const { mesh, parts, sized } of this.buckets) {
            if (sized) continue;
            let last = -1;
            for (const part of parts) {
                last = this.place(part, pose, last);
                this.item.multiplyMatrices(this.matrix, part.local);
                const box = mesh.geometry.boundingBox!.clone().applyMatrix4(this.item);
                (this.m.bodies[part.mover]?.fixed ? fixed : moving).union(box);
            }
        }
        this.m.bodies.forEach((b, i) => {
            if (!b.fixed && !this.own.has(i)) moving.expandByPoint(pose.position(i, this.position));
        });
    }
}
