// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Where the vertices of deforming meshes are, frame by frame, relative to the origin of frames.
import { Blocks } from "./blocks";
import type { Block } from "./decode";
import type { BlockRef, Manifest } from "./manifest";
import type { Source } from "./source";
import type { Frame } from "./store";

export class SkinStore {
    readonly vertices: number;
    onload = () => {};
    onerror: (message: string) => void = () => {};
    private blocks: Blocks<BlockRef, Block>;
    private frames = new Map<number, Float32Array>();

    constructor(
        private m: Manifest,
        source: Source,
    ) {
        this.vertices = m.skins?.vertices ?? 0;
        this.blocks = new Blocks(
            m.skins?.blocks ?? [],
            (b) => source.block(b.chunk, { frames: b.count, movers: this.vertices, rotated: 0 }),
            "The meshes",
        );
        this.blocks.onload = () => this.onload();
        this.blocks.onerror = (message) => this.onerror(message);
    }

    /** All vertices at a frame, or null while they are being fetched. */
    get(frame: Frame): Float32Array | null {
        if (this.m.live) return frame.vertices ?? null;
        const known = this.frames.get(frame.index);
        if (known) return known;
        const found = this.blocks.get(frame.index);
        if (!found) return null;
        const n = 3 * this.vertices,
            from = found.at * n,
            q = this.m.frames.position_step;
        const out = new Float32Array(n);
        for (let i = 0; i < n; i++) out[i] = found.data.position[from + i] * q;
        this.frames.set(frame.index, out);
        for (const key of this.frames.keys()) {
            if (this.frames.size <= 4) break;
            this.frames.delete(key);
        }
        return out;
    }

    load(frame: number): Promise<void> {
        return this.blocks.load(frame);
    }
}
