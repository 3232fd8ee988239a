// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Contacts of the frame that is nearest in time: a ball at the point and an arrow. Where forces are known it is the force on
// the second body, long, thick and bright where it is strong, so that chains of force show; else it goes along the normal
// and its colour says the gap. They lie between surfaces, mostly inside of things, so they are drawn over everything else.
import {
    Color,
    DynamicDrawUsage,
    InstancedMesh,
    LatheGeometry,
    Matrix4,
    MeshBasicMaterial,
    Quaternion,
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
import type { Layer } from "./layer";

const MANY = 300; // contacts from which on arrows lie across their points, as links of a chain

interface Block {
    first: Uint32Array; // of each frame, and the end of the last
    point: Float32Array;
    normal: Int16Array;
    gap: Float32Array;
    force: Float32Array | null;
}

/** Splits the bytes of a block; docs/page-format.md. */
function decode(data: ArrayBuffer, frames: number, forces: boolean): Block {
    const first = new Uint32Array(frames + 1),
        counts = new Uint32Array(data, 0, frames);
    counts.forEach((n, k) => (first[k + 1] = first[k] + n));
    const total = first[frames],
        each = forces ? 34 : 22;
    if (data.byteLength !== 4 * frames + each * total)
        throw new Error(`they hold ${data.byteLength} bytes; ${4 * frames + each * total} were expected`);
    const at = 4 * frames;
    return {
        first,
        point: new Float32Array(data, at, 3 * total),
        gap: new Float32Array(data, at + 12 * total, total),
        force: forces ? new Float32Array(data, at + 16 * total, 3 * total) : null,
        normal: new Int16Array(data, at + (each - 6) * total, 3 * total),
    };
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
        const forces = contacts?.force !== undefined;
        this.strongest = contacts?.force ?? 0;
        this.gap = contacts?.gap ?? [0, 0];
        this.blocks = new Blocks(
            contacts?.blocks ?? [],
            async (b) => decode(await source.bytes(b.chunk), b.count, forces),
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
        };
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

    /** Along the normal; returns its place in the colour map: the deepest are the brightest. */
    private placeNormal(frame: FrameContacts, i: number): number {
        this.along.fromArray(frame.normal, 3 * i).normalize();
        const length = 0.04 * this.size,
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
        const unit = this.size * Math.min(0.16, 0.7 / Math.cbrt(Math.max(frame.count, 1))),
            length = unit * (0.1 + 0.9 * share);
        this.place(frame, i, length, unit * (0.2 + 0.4 * Math.sqrt(share)), frame.count > MANY ? -0.5 * length : 0);
        return 0.3 + 0.7 * share; // the darkest colours are lost on dark bodies
    }

    /** `from`: how far from the point it begins. */
    private place(frame: FrameContacts, i: number, length: number, thick: number, from = 0): void {
        this.turn.setFromUnitVectors(this.z, this.along);
        this.scale.set(thick, thick, length);
        this.point.fromArray(frame.point, 3 * i).addScaledVector(this.along, from);
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
