// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Contacts of the frame that is nearest in time: a ball at the point and an arrow. Where forces are known it is the force on
// the second body, long, thick and bright where it is strong, so that chains of force show; else it goes along the normal
// and its colour says the gap. They lie between surfaces, mostly inside of things, so they are drawn over everything else.
import {
    Box3,
    Color,
    DynamicDrawUsage,
    InstancedMesh,
    LatheGeometry,
    Matrix4,
    MeshBasicMaterial,
    type Plane,
    Quaternion,
    type Ray,
    SRGBColorSpace,
    Vector2,
    Vector3,
} from "three";
import { Blocks } from "../blocks";
import type { BlockRef, Contacts } from "../manifest";
import { colourMap } from "../palette";
import type { Pose } from "../pose";
import type { Source } from "../source";
import type { Frame, FrameContacts } from "../store";
import type { Hit, Layer } from "./layer";

const MANY = 300; // contacts from which on arrows lie across their points, as links of a chain

interface Block {
    first: Uint32Array; // of each frame, and the end of the last
    point: Float32Array;
    normal: Int16Array;
    gap: Float32Array;
    force: Float32Array | null;
    bodies: Uint32Array | null;
}

/** Splits the bytes of a block; docs/page-format.md. */
function decode(data: ArrayBuffer, frames: number, forces: boolean, bodies: boolean): Block {
    const first = new Uint32Array(frames + 1),
        counts = new Uint32Array(data, 0, frames);
    counts.forEach((n, k) => (first[k + 1] = first[k] + n));
    const total = first[frames],
        each = 22 + (forces ? 12 : 0) + (bodies ? 8 : 0);
    if (data.byteLength !== 4 * frames + each * total)
        throw new Error(`they hold ${data.byteLength} bytes; ${4 * frames + each * total} were expected`);
    const at = 4 * frames;
    return {
        first,
        point: new Float32Array(data, at, 3 * total),
        gap: new Float32Array(data, at + 12 * total, total),
        force: forces ? new Float32Array(data, at + 16 * total, 3 * total) : null,
        normal: new Int16Array(data, at + (forces ? 28 : 16) * total, 3 * total),
        bodies: bodies ? pairsOf(new Uint8Array(data, at + (each - 8) * total), total) : null,
    };
}

/** The movers a and b of each contact, from byte planes of all a, then of all b. */
function pairsOf(planes: Uint8Array, n: number): Uint32Array {
    const out = new Uint32Array(2 * n);
    for (let i = 0; i < 2 * n; i++) {
        const at = i < n ? i : 4 * n + i - n;
        const byte = (k: number) => planes[at + k * n] * 2 ** (8 * k);
        out[i < n ? 2 * i : 2 * (i - n) + 1] = byte(0) + byte(1) + byte(2) + byte(3);
    }
    return out;
}

/** A ball, a shaft and a head turned about z, one unit long, as one surface: one draw call for all. */
function arrowGeometry(): LatheGeometry {
    const ball = 0.09,
        thin = 0.028,
        profile = [new Vector2(0, -ball)];
    for (let i = 1; i < 6; i++) {
        const a = (i / 6) * 0.85 * Math.PI;
        profile.push(new Vector2(ball * Math.sin(a), -ball * Math.cos(a)));
    }
    for (const [r, z] of [
        [thin, ball],
        [thin, 0.72],
        [0.085, 0.72],
        [0, 1],
    ])
        profile.push(new Vector2(r, z));
    return new LatheGeometry(profile, 10).rotateX(Math.PI / 2) as LatheGeometry;
}

export class ContactLayer implements Layer {
    readonly object: InstancedMesh;
    onload = () => {};
    onerror: (message: string) => void = () => {};
    /** What is drawn now; null while it is being fetched. */
    shown: FrameContacts | null = null;
    /** Force of the longest arrows, N; stronger ones are drawn as half as strong again at most. */
    strongest: number;
    /** Times the usual length of arrows. */
    length = 1;
    /** Share of the strongest below which forces are not drawn; NaN: where there are many, their mean. */
    least = NaN;
    /** How many are left out as too weak. */
    leftOut = 0;
    private weakest = 0; // N, of the frame
    private spacing = 1; // m, of the contacts of the frame
    private planes: Plane[] | null = null;
    private blocks: Blocks<BlockRef, Block>;
    private gap: [number, number];
    private size = 1;
    private map = colourMap("viridis");
    private matrix = new Matrix4();
    private point = new Vector3();
    private along = new Vector3();
    private scale = new Vector3();
    private turn = new Quaternion();
    private z = new Vector3(0, 0, 1);

    constructor(
        private contacts: Contacts | undefined,
        source: Source,
        private live: boolean,
    ) {
        const forces = contacts?.force !== undefined,
            bodies = contacts?.bodies === true;
        this.strongest = contacts?.force ?? 0;
        this.gap = contacts?.gap ?? [0, 0];
        this.blocks = new Blocks(
            contacts?.blocks ?? [],
            async (b) => decode(await source.bytes(b.chunk), b.count, forces, bodies),
            "Contacts",
        );
        this.blocks.onload = () => this.onload();
        this.blocks.onerror = (message) => this.onerror(message);
        this.object = this.make(0);
        this.object.visible = false;
    }

    /** Range of gaps that the colours span. */
    get range(): [number, number] {
        return this.gap;
    }

    /** Whether the run looked for contacts. */
    get any(): boolean {
        return this.contacts !== undefined;
    }

    /** Whether arrows are forces. */
    get forces(): boolean {
        return this.contacts?.force !== undefined;
    }

    private make(n: number): InstancedMesh {
        const material = new MeshBasicMaterial({ transparent: true });
        const mesh = new InstancedMesh(arrowGeometry(), material, n);
        mesh.frustumCulled = false;
        mesh.renderOrder = 8;
        // What was drawn before no longer hides them; among each other they still do.
        mesh.onBeforeRender = (renderer) => renderer.clearDepth();
        return mesh;
    }

    /** Contacts of a frame, or null while they are being fetched. */
    at(frame: Frame): FrameContacts | null {
        if (this.live) {
            if (frame.contacts) this.widen(frame.contacts);
            return frame.contacts ?? null;
        }
        const found = this.blocks.get(frame.index);
        if (!found) return null;
        const b = found.data,
            from = b.first[found.at],
            to = b.first[found.at + 1];
        return {
            count: to - from,
            point: b.point.subarray(3 * from, 3 * to),
            normal: b.normal.subarray(3 * from, 3 * to),
            gap: b.gap.subarray(from, to),
            force: b.force?.subarray(3 * from, 3 * to) ?? null,
            bodies: b.bodies?.subarray(2 * from, 2 * to) ?? null,
        };
    }

    /** Resolves when the contacts of a frame can be had. */
    load(frame: number): Promise<void> {
        return this.live ? Promise.resolve() : this.blocks.load(frame);
    }

    /** The contact that is drawn nearest to the ray. */
    pick(ray: Ray, pose: Pose): Hit | null {
        const c = this.shown,
            frame = pose.mix < 0.5 ? pose.a : pose.b;
        if (!c || !frame) return null;
        const from = new Vector3(),
            to = new Vector3(),
            on = new Vector3();
        let best = 1.2,
            hit: Hit | null = null;
        for (let i = 0; i < c.count && i < this.object.count; i++) {
            this.object.getMatrixAt(i, this.matrix);
            from.setFromMatrixPosition(this.matrix);
            to.set(0, 0, 1).applyMatrix4(this.matrix);
            const thick = 0.09 * this.scale.setFromMatrixScale(this.matrix).x;
            if (!(thick > 0)) continue;
            const off = Math.sqrt(ray.distanceSqToSegment(from, to, undefined, on)) / (thick + 0.002 * this.size);
            if (off >= best) continue;
            best = off;
            const triple = (x: ArrayLike<number>, scale = 1): [number, number, number] => [
                x[3 * i] * scale,
                x[3 * i + 1] * scale,
                x[3 * i + 2] * scale,
            ];
            hit = {
                mover: -1,
                distance: on.distanceTo(ray.origin),
                point: on.clone(),
                thing: {
                    kind: "contact",
                    index: i,
                    contact: {
                        frame: frame.index,
                        point: triple(c.point),
                        normal: triple(c.normal, 1 / 32767),
                        bodies: c.bodies ? [c.bodies[2 * i], c.bodies[2 * i + 1]] : null,
                    },
                },
            };
        }
        return hit;
    }

    /** The scale of a live run holds all that was seen. */
    private widen(c: FrameContacts): void {
        for (let i = 0; i < c.count; i++) {
            this.gap[0] = Math.min(this.gap[0], c.gap[i]);
            this.gap[1] = Math.max(this.gap[1], c.gap[i]);
            if (c.force)
                this.strongest = Math.max(
                    this.strongest,
                    Math.hypot(c.force[3 * i], c.force[3 * i + 1], c.force[3 * i + 2]),
                );
        }
    }

    resize(size: number): void {
        this.size = size;
    }

    update(pose: Pose): void {
        if (!pose.a || !pose.b || !this.object.visible || !this.contacts) return;
        const frame = this.at(pose.mix < 0.5 ? pose.a : pose.b);
        this.shown = frame;
        if (!frame) return; // the last ones stay until these have come
        this.reserve(frame.count);
        this.weakest = this.findWeakest(frame);
        this.spacing = this.findSpacing(frame);
        this.leftOut = 0;
        const colour = new Color();
        for (let i = 0; i < frame.count; i++) {
            const s = frame.force ? this.placeForce(frame, frame.force, i) : this.placeNormal(frame, i);
            const k = 4 * Math.round(255 * Math.min(Math.max(s, 0), 1));
            const [r, g, b] = [this.map[k] / 255, this.map[k + 1] / 255, this.map[k + 2] / 255];
            this.object.setColorAt(i, colour.setRGB(r, g, b, SRGBColorSpace));
        }
        this.object.count = frame.count;
        this.object.instanceMatrix.needsUpdate = true;
        if (this.object.instanceColor) this.object.instanceColor.needsUpdate = true;
    }

    clip(planes: Plane[] | null): void {
        this.planes = planes;
    }

    /** Force below which contacts are not drawn: chains are those that carry more than the others. */
    private findWeakest(c: FrameContacts): number {
        if (!c.force) return 0;
        if (Number.isFinite(this.least)) return this.least * this.strongest;
        if (c.count <= MANY) return 0;
        let sum = 0;
        for (let i = 0; i < c.count; i++)
            sum += Math.min(Math.hypot(c.force[3 * i], c.force[3 * i + 1], c.force[3 * i + 2]), this.strongest);
        return sum / c.count;
    }

    /** How far contacts are apart, as if they filled the box around them. */
    private findSpacing(c: FrameContacts): number {
        const box = new Box3();
        for (let i = 0; i < c.count; i++) box.expandByPoint(this.point.fromArray(c.point, 3 * i));
        const d = box.isEmpty() ? new Vector3() : box.getSize(new Vector3());
        const least = 0.02 * Math.max(d.x, d.y, d.z, 1e-9);
        const volume = Math.max(d.x, least) * Math.max(d.y, least) * Math.max(d.z, least);
        return c.count > 1 ? Math.cbrt(volume / c.count) : this.size;
    }

    /** Along the normal; returns its place in the colour map: the deepest are the brightest. */
    private placeNormal(frame: FrameContacts, i: number): number {
        this.along.fromArray(frame.normal, 3 * i).normalize();
        const length = 0.04 * this.size * this.length,
            [low, high] = this.range;
        this.place(frame, i, length, length);
        return 1 - (high > low ? (frame.gap[i] - low) / (high - low) : 0);
    }

    /** Along the force; the strongest are the brightest. */
    private placeForce(frame: FrameContacts, force: Float32Array, i: number): number {
        this.along.fromArray(force, 3 * i);
        const size = this.along.length(),
            share = this.strongest > 0 ? Math.min(size / this.strongest, 1.5) : 0;
        if (size > 0) this.along.divideScalar(size);
        else this.along.fromArray(frame.normal, 3 * i).normalize();
        // As long as contacts are apart, so that many of them do not hide each other; at most a part of the scene.
        const unit = Math.min(0.16 * this.size, 1.5 * this.spacing),
            many = frame.count > MANY,
            length = this.length * unit * (many ? 1 : 0.1 + 0.9 * share);
        if (size < this.weakest) {
            this.leftOut++;
            this.place(frame, i, 0, 0);
        } else this.place(frame, i, length, unit * (many ? 0.15 + 1.4 * share : 0.2 + 0.4 * Math.sqrt(share)), many ? -0.5 * length : 0);
        return 0.3 + 0.7 * share; // the darkest colours are lost on dark bodies
    }

    /** `from`: how far from the point it begins. */
    private place(frame: FrameContacts, i: number, length: number, thick: number, from = 0): void {
        this.turn.setFromUnitVectors(this.z, this.along);
        this.scale.set(thick, thick, length);
        this.point.fromArray(frame.point, 3 * i);
        if (this.planes?.some((plane) => plane.distanceToPoint(this.point) < 0)) this.scale.setScalar(0);
        this.point.addScaledVector(this.along, from);
        this.object.setMatrixAt(i, this.matrix.compose(this.point, this.turn, this.scale));
    }

    /** Room for n of them. */
    private reserve(n: number): void {
        if (n <= this.object.instanceMatrix.count) return;
        const fresh = this.make(Math.ceil(1.5 * n));
        this.object.dispose();
        this.object.instanceMatrix = fresh.instanceMatrix;
        this.object.instanceMatrix.setUsage(DynamicDrawUsage);
        this.object.instanceColor = null;
    }
}
