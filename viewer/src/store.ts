// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Frames by number: recorded ones decoded block by block with a bounded cache, live ones as they come.
import type { Block } from "./decode";
import type { Frames } from "./manifest";
import type { Source } from "./source";

export interface Frame {
    index: number;
    time: number;
    position: Float32Array; // mover, xyz, relative to the origin
    rotation: Int16Array; // mover, wxyz, in rotation steps
    // Of a live run, where the server was asked for them.
    vertices?: Float32Array; // of deforming meshes, relative to the origin
    contacts?: FrameContacts;
    fields?: Map<string, Float32Array>; // movers, then vertices
}

/** Contacts of one frame; points are relative to the origin of frames. */
export interface FrameContacts {
    count: number;
    point: Float32Array;
    normal: Int16Array; // in 1/32767
    gap: Float32Array;
    force: Float32Array | null; // on the second body
    bodies: Uint32Array | null; // two movers each; 2^32 - 1: a flexible surface
}

export interface FrameStore {
    readonly count: number;
    readonly times: ArrayLike<number>;
    readonly movers: number;
    readonly rotated: number;
    /** The frame, or null while it is being fetched. */
    get(index: number): Frame | null;
    /** Begins to fetch frames that will be wanted soon. */
    prefetch(index: number): void;
    /** Resolves when the frame can be had. */
    load(index: number): Promise<void>;
    /** Recorded position in double precision, in world coordinates. */
    exact(index: number, mover: number): [number, number, number] | null;
    /** Called when something new can be had. */
    onload: () => void;
    onerror: (message: string) => void;
}

const CACHE_BYTES = 384e6;
const FRAMES_KEPT = 8;

export class RecordedStore implements FrameStore {
    readonly count: number;
    readonly movers: number;
    readonly rotated: number;
    onload = () => {};
    onerror: (message: string) => void = () => {};
    private blocks = new Map<number, Block>(); // in order of last use
    private pending = new Map<number, Promise<void>>();
    private failed = new Set<number>();
    private frames = new Map<number, Frame>();

    constructor(
        private source: Source,
        private f: Frames,
        readonly times: Float64Array,
    ) {
        this.count = Math.min(f.count, times.length);
        this.movers = f.movers;
        this.rotated = f.rotated;
    }

    private blockOf(index: number): number {
        const b = this.f.blocks;
        let lo = 0,
            hi = b.length - 1;
        while (lo < hi) {
            const mid = (lo + hi + 1) >> 1;
            if (b[mid].first <= index) lo = mid;
            else hi = mid - 1;
        }
        return lo;
    }

    private fetch(block: number): Promise<void> {
        if (this.blocks.has(block) || this.failed.has(block) || !this.f.blocks[block]) return Promise.resolve();
        const already = this.pending.get(block);
        if (already) return already;
        const ref = this.f.blocks[block];
        const shape = { frames: ref.count, movers: this.movers, rotated: this.rotated };
        const promise = this.source
            .block(ref.chunk, shape)
            .then(
                (data) => {
                    this.blocks.set(block, data);
                    this.trim();
                },
                (error: Error) => {
                    this.failed.add(block);
                    this.onerror(
                        `Frames ${ref.first} to ${ref.first + ref.count - 1} cannot be read: ${error.message}`,
                    );
                },
            )
            .then(() => {
                this.pending.delete(block);
                this.onload();
            });
        this.pending.set(block, promise);
        return promise;
    }

    private trim(): void {
        let bytes = 0;
        for (const b of this.blocks.values()) bytes += b.position.byteLength + b.rotation.byteLength;
        for (const [key, b] of this.blocks) {
            if (bytes <= CACHE_BYTES || this.blocks.size <= 3) return;
            bytes -= b.position.byteLength + b.rotation.byteLength;
            this.blocks.delete(key);
        }
    }

    private cached(index: number): { data: Block; at: number } | null {
        const block = this.blockOf(index);
        const data = this.blocks.get(block);
        if (!data) return null;
        this.blocks.delete(block); // the newest use goes last
        this.blocks.set(block, data);
        return { data, at: index - this.f.blocks[block].first };
    }

    get(index: number): Frame | null {
        const known = this.frames.get(index);
        if (known) return known;
        const found = this.cached(index);
        if (!found) {
            void this.fetch(this.blockOf(index));
            return null;
        }
        const n = 3 * this.movers,
            q = this.f.position_step;
        const from = found.at * n;
        const position = new Float32Array(n);
        for (let i = 0; i < n; i++) position[i] = found.data.position[from + i] * q;
        const r = 4 * this.rotated;
        const rotation = found.data.rotation.subarray(found.at * r, (found.at + 1) * r);
        const frame = { index, time: this.times[index], position, rotation };
        this.frames.set(index, frame);
        for (const key of this.frames.keys()) {
            if (this.frames.size <= FRAMES_KEPT) break;
            this.frames.delete(key);
        }
        return frame;
    }

    prefetch(index: number): void {
        if (index >= 0 && index < this.count) void this.fetch(this.blockOf(index));
    }

    load(index: number): Promise<void> {
        return this.fetch(this.blockOf(Math.min(Math.max(index, 0), this.count - 1)));
    }

    exact(index: number, mover: number): [number, number, number] | null {
        const found = this.cached(index);
        if (!found) return null;
        const q = this.f.position_step,
            o = this.f.origin;
        const at = 3 * (found.at * this.movers + mover),
            p = found.data.position;
        return [o[0] + p[at] * q, o[1] + p[at + 1] * q, o[2] + p[at + 2] * q];
    }
}

const LIVE_BYTES = 256e6;
const PARTS = { vertices: 1, contacts: 2, field: 3 };

/** What follows the places of a live frame; docs/page-format.md. */
function takeParts(data: ArrayBuffer, from: number, frame: Frame): void {
    const view = new DataView(data);
    for (let at = from; at + 8 <= data.byteLength; ) {
        const tag = view.getUint32(at, true),
            size = view.getUint32(at + 4, true),
            start = at + 8;
        if (start + size > data.byteLength) return;
        if (tag === PARTS.vertices) frame.vertices = new Float32Array(data, start, size / 4);
        else if (tag === PARTS.contacts) frame.contacts = liveContacts(data, start);
        else if (tag === PARTS.field) {
            const length = view.getUint32(start, true);
            const name = new TextDecoder().decode(new Uint8Array(data, start + 4, length)).replace(/\0+$/, "");
            frame.fields ??= new Map();
            frame.fields.set(name, new Float32Array(data, start + 4 + length, (size - 4 - length) / 4));
        }
        at = start + size;
    }
}

function liveContacts(data: ArrayBuffer, start: number): FrameContacts {
    const view = new DataView(data),
        n = view.getUint32(start, true),
        forces = view.getUint32(start + 4, true) !== 0;
    const gap = start + 8 + 12 * n,
        normal = gap + (forces ? 16 : 4) * n;
    return {
        count: n,
        point: new Float32Array(data, start + 8, 3 * n),
        gap: new Float32Array(data, gap, n),
        force: forces ? new Float32Array(data, gap + 4 * n, 3 * n) : null,
        bodies: null,
        normal: new Int16Array(data, normal, 3 * n),
    };
}

/** The newest frames of a run that is still going; older ones fall out. */
export class LiveStore implements FrameStore {
    times: number[] = [];
    onload = () => {};
    onerror: (message: string) => void = () => {};
    private frames: Frame[] = [];
    movers = 0;
    rotated = 0;

    constructor(private origin: [number, number, number]) {}

    get count(): number {
        return this.frames.length;
    }

    /** Takes a binary message; false when it is not a frame. */
    take(data: ArrayBuffer): boolean {
        const view = new DataView(data);
        if (data.byteLength < 24 || view.getUint32(0, true) !== 0x4b414946) return false;
        const time = view.getFloat64(8, true);
        const movers = view.getUint32(16, true),
            rotated = view.getUint32(20, true);
        if (data.byteLength < 24 + 12 * movers + 8 * rotated) return false;
        if (
            movers !== this.movers ||
            rotated !== this.rotated ||
            (this.count > 0 && time < this.times[this.count - 1])
        ) {
            this.frames = [];
            this.times = [];
        }
        this.movers = movers;
        this.rotated = rotated;
        const position = new Float32Array(data, 24, 3 * movers);
        const rotation = new Int16Array(data, 24 + 12 * movers, 4 * rotated);
        const frame: Frame = { index: 0, time, position, rotation };
        takeParts(data, 24 + 12 * movers + 8 * rotated, frame);
        if (this.count > 0 && time === this.times[this.count - 1]) {
            this.frames[this.count - 1] = frame;
        } else {
            this.frames.push(frame);
            this.times.push(time);
        }
        const limit = Math.max(16, Math.floor(LIVE_BYTES / (data.byteLength + 64)));
        if (this.frames.length > 1.2 * limit) {
            this.frames = this.frames.slice(-limit);
            this.times = this.times.slice(-limit);
        }
        this.onload();
        return true;
    }

    get(index: number): Frame | null {
        const frame = this.frames[index];
        return frame ? { ...frame, index: frame.time } : null; // numbers shift as old frames fall out; times do not
    }

    prefetch(): void {}

    load(): Promise<void> {
        return Promise.resolve();
    }

    exact(index: number, mover: number): [number, number, number] | null {
        const p = this.frames[index]?.position;
        if (!p) return null;
        const o = this.origin;
        return [o[0] + p[3 * mover], o[1] + p[3 * mover + 1], o[2] + p[3 * mover + 2]];
    }
}
