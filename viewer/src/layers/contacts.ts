// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Contacts of the frame that is nearest in time: a ball at the point, an arrow along the normal, coloured by the gap.
// They lie between surfaces, mostly inside of things, so they are drawn over everything else.
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
import type { Contacts } from "../manifest";
import { colourMap } from "../palette";
import type { Pose } from "../pose";
import type { Source } from "../source";
import type { Layer } from "./layer";

/** Contacts of one frame; points are relative to the origin of frames. */
export interface FrameContacts {
    count: number;
    point: Float32Array;
    normal: Int16Array; // in 1/32767
    gap: Float32Array;
}

interface Block {
    first: Uint32Array; // of each frame, and the end of the last
    point: Float32Array;
    normal: Int16Array;
    gap: Float32Array;
}

const BLOCKS_KEPT = 8;

/** Splits the bytes of a block; docs/page-format.md. */
function decode(data: ArrayBuffer, frames: number): Block {
    const first = new Uint32Array(frames + 1),
        counts = new Uint32Array(data, 0, frames);
    counts.forEach((n, k) => (first[k + 1] = first[k] + n));
    const total = first[frames];
    if (data.byteLength !== 4 * frames + 22 * total)
        throw new Error(`contacts hold ${data.byteLength} bytes; ${4 * frames + 22 * total} were expected`);
    const at = 4 * frames;
    return {
        first,
        point: new Float32Array(data, at, 3 * total),
        gap: new Float32Array(data, at + 12 * total, total),
        normal: new Int16Array(data, at + 16 * total, 3 * total),
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
    private blocks = new Map<number, Block>(); // in order of last use
    private pending = new Set<number>();
    private failed = new Set<number>();
    private size = 1;
    private map = colourMap("viridis");

    constructor(
        private contacts: Contacts | undefined,
        private source: Source,
    ) {
        this.object = this.make(0);
        this.object.visible = false;
    }

    /** Range of gaps that the colours span. */
    get range(): [number, number] {
        return this.contacts?.gap ?? [0, 0];
    }

    get any(): boolean {
        return this.contacts !== undefined;
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

    private blockOf(frame: number): number {
        return this.contacts?.blocks.findIndex((b) => frame >= b.first && frame < b.first + b.count) ?? -1;
    }

    private async fetch(k: number): Promise<void> {
        if (this.pending.has(k) || this.failed.has(k)) return;
        this.pending.add(k);
        const ref = this.contacts!.blocks[k];
        try {
            this.blocks.set(k, decode(await this.source.bytes(ref.chunk), ref.count));
            for (const key of this.blocks.keys()) {
                if (this.blocks.size <= BLOCKS_KEPT) break;
                this.blocks.delete(key);
            }
        } catch (error) {
            this.failed.add(k);
            this.onerror(`Contacts cannot be read: ${error instanceof Error ? error.message : error}`);
        }
        this.pending.delete(k);
        this.onload();
    }

    /** Contacts of a frame, or null while they are being fetched. */
    at(frame: number): FrameContacts | null {
        const k = this.blockOf(frame);
        if (k < 0) return null;
        const b = this.blocks.get(k);
        if (!b) {
            void this.fetch(k);
            return null;
        }
        this.blocks.delete(k); // the newest use goes last
        this.blocks.set(k, b);
        const i = frame - this.contacts!.blocks[k].first,
            from = b.first[i],
            to = b.first[i + 1];
        return {
            count: to - from,
            point: b.point.subarray(3 * from, 3 * to),
            normal: b.normal.subarray(3 * from, 3 * to),
            gap: b.gap.subarray(from, to),
        };
    }

    resize(size: number): void {
        this.size = size;
    }

    update(pose: Pose): void {
        if (!pose.a || !pose.b || !this.object.visible || !this.contacts) return;
        const frame = this.at((pose.mix < 0.5 ? pose.a : pose.b).index);
        this.shown = frame;
        if (!frame) return; // the last ones stay until these have come
        this.reserve(frame.count);
        const matrix = new Matrix4(),
            at = new Vector3(),
            n = new Vector3(),
            q = new Quaternion(),
            z = new Vector3(0, 0, 1),
            colour = new Color();
        const length = 0.04 * this.size,
            scale = new Vector3(length, length, length);
        const [low, high] = this.range;
        for (let i = 0; i < frame.count; i++) {
            at.fromArray(frame.point, 3 * i);
            n.fromArray(frame.normal, 3 * i).normalize();
            q.setFromUnitVectors(z, n);
            this.object.setMatrixAt(i, matrix.compose(at, q, scale));
            const s = high > low ? (frame.gap[i] - low) / (high - low) : 0,
                k = 4 * Math.round(255 * (1 - s)); // the deepest are the brightest
            const [r, g, b] = [this.map[k] / 255, this.map[k + 1] / 255, this.map[k + 2] / 255];
            this.object.setColorAt(i, colour.setRGB(r, g, b, SRGBColorSpace));
        }
        this.object.count = frame.count;
        this.object.instanceMatrix.needsUpdate = true;
        if (this.object.instanceColor) this.object.instanceColor.needsUpdate = true;
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
