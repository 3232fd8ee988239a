// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Colour fields: one number a mover, or a vertex of a deforming mesh, and frame. Recorded ones come in blocks, those of a
// live run with its frames, for the field that was asked for.
import { Blocks } from "./blocks";
import type { FieldBlockRef, FieldRef, Manifest } from "./manifest";
import type { Source } from "./source";
import type { Frame } from "./store";

const UNKNOWN = 65535; // level of a number that is not known
const LEVELS = 65534;

/** Levels of all frames of a block; docs/page-format.md. */
function decode(data: ArrayBuffer, frames: number, count: number): Uint16Array {
    const bytes = new Uint8Array(data),
        total = frames * count;
    if (bytes.length !== 2 * total) throw new Error(`a block holds ${bytes.length} bytes; ${2 * total} were expected`);
    const out = new Uint16Array(total);
    for (let k = 0; k < total; k++) {
        const u = bytes[k] | (bytes[total + k] << 8);
        out[k] = ((u >>> 1) ^ -(u & 1)) + (k >= count ? out[k - count] : 0); // modulo 2^16
    }
    return out;
}

/** One recorded field of the movers, or of a mesh. */
class Recorded {
    readonly blocks: Blocks<FieldBlockRef, Uint16Array>;
    private frames = new Map<number, Float32Array>();

    constructor(
        readonly ref: FieldRef,
        private count: number,
        source: Source,
    ) {
        this.blocks = new Blocks(
            ref.blocks,
            async (b) => decode(await source.bytes(b.chunk), b.count, count),
            `The field ${ref.name}`,
        );
    }

    get(frame: number): Float32Array | null {
        const known = this.frames.get(frame);
        if (known) return known;
        const found = this.blocks.get(frame);
        if (!found) return null;
        const { low, high } = found.ref,
            scale = (high - low) / LEVELS,
            from = found.at * this.count;
        const out = new Float32Array(this.count);
        for (let i = 0; i < this.count; i++) {
            const level = found.data[from + i];
            out[i] = level === UNKNOWN ? NaN : low + scale * level;
        }
        this.frames.set(frame, out);
        for (const key of this.frames.keys()) {
            if (this.frames.size <= 4) break;
            this.frames.delete(key);
        }
        return out;
    }
}

export class Fields {
    /** Names of all fields, each once. */
    readonly names: string[];
    onload = () => {};
    onerror: (message: string) => void = () => {};
    private recorded: Recorded[];
    private firstVertex: number[] = [];

    constructor(
        private m: Manifest,
        source: Source,
    ) {
        let at = 0;
        for (const mesh of m.skins?.meshes ?? []) {
            this.firstVertex.push(at);
            at += mesh.vertices;
        }
        this.names = [...new Set(m.fields.map((f) => f.name))];
        this.recorded = m.fields.map(
            (f) =>
                new Recorded(f, f.mesh === undefined ? m.frames.movers : (m.skins?.meshes[f.mesh]?.vertices ?? 0), source),
        );
        for (const r of this.recorded) {
            r.blocks.onload = () => this.onload();
            r.blocks.onerror = (message) => this.onerror(message);
        }
    }

    unit(name: string): string {
        return this.m.fields.find((f) => f.name === name)?.unit ?? "";
    }

    /** Where nearly all numbers of all frames lie, or all of them; nothing in a live run. */
    range(name: string, all = false): [number, number] | null {
        const list = this.m.fields.filter((f) => f.name === name && f.blocks.length);
        if (!list.length) return null;
        const ranges = list.map((f) => (all ? f.range : (f.usual ?? f.range)));
        return [Math.min(...ranges.map((r) => r[0])), Math.max(...ranges.map((r) => r[1]))];
    }

    private find(name: string, mesh: number | undefined): Recorded | undefined {
        return this.recorded.find((r) => r.ref.name === name && r.ref.mesh === mesh);
    }

    /** Numbers of all movers at a frame, or null where there are none, or not yet. */
    movers(name: string, frame: Frame): Float32Array | null {
        if (this.m.live) return frame.fields?.get(name)?.subarray(0, this.m.frames.movers) ?? null;
        return this.find(name, undefined)?.get(frame.index) ?? null;
    }

    /** Numbers of the vertices of a mesh at a frame. */
    mesh(name: string, k: number, frame: Frame): Float32Array | null {
        if (!this.m.live) return this.find(name, k)?.get(frame.index) ?? null;
        const from = this.m.frames.movers + this.firstVertex[k],
            all = frame.fields?.get(name);
        return all ? all.subarray(from, from + this.m.skins!.meshes[k].vertices) : null;
    }

    /** Resolves when the numbers of a frame can be had. */
    async load(name: string, frame: number): Promise<void> {
        await Promise.all(this.recorded.filter((r) => r.ref.name === name).map((r) => r.blocks.load(frame)));
    }
}
