// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Bytes to numbers: base64, zlib, and blocks of frames. Runs in the worker, or on the page where a
// browser does not allow workers.
import { unzlibSync } from "fflate";

export function fromBase64(text: string): Uint8Array {
    const native = (Uint8Array as unknown as { fromBase64?: (s: string) => Uint8Array }).fromBase64;
    if (native) return native.call(Uint8Array, text.trim());
    const binary = atob(text.trim());
    const bytes = new Uint8Array(binary.length);
    for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
    return bytes;
}

export async function inflate(bytes: Uint8Array): Promise<Uint8Array> {
    if (typeof DecompressionStream === "undefined") return unzlibSync(bytes);
    const stream = new Blob([bytes as BlobPart]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
}

export interface BlockShape {
    frames: number;
    movers: number;
    rotated: number;
}

export interface Block {
    position: Int32Array; // frame, mover, xyz
    rotation: Int16Array; // frame, mover, wxyz
}

/** One component of all positions: second differences, zigzag, byte planes. */
function decodePositions(bytes: Uint8Array, at: number, s: BlockShape, c: number, out: Int32Array): number {
    const { frames: n, movers: m } = s;
    const total = n * m;
    const p1 = at + total,
        p2 = p1 + total,
        p3 = p2 + total;
    for (let f = 0; f < n; f++) {
        for (let i = 0; i < m; i++) {
            const k = f * m + i;
            const u = bytes[at + k] | (bytes[p1 + k] << 8) | (bytes[p2 + k] << 16) | (bytes[p3 + k] << 24);
            let v = (u >>> 1) ^ -(u & 1);
            const to = 3 * k + c;
            if (f === 1) v += out[to - 3 * m];
            else if (f > 1) v += 2 * out[to - 3 * m] - out[to - 6 * m];
            out[to] = v; // stored modulo 2^32, as it was written
        }
    }
    return at + 4 * total;
}

/** One component of all rotations: first differences, zigzag, byte planes. */
function decodeRotations(bytes: Uint8Array, at: number, s: BlockShape, c: number, out: Int16Array): number {
    const { frames: n, rotated: r } = s;
    const total = n * r;
    for (let k = 0; k < total; k++) {
        const u = bytes[at + k] | (bytes[at + total + k] << 8);
        let v = (u >>> 1) ^ -(u & 1);
        const to = 4 * k + c;
        if (k >= r) v += out[to - 4 * r];
        out[to] = v;
    }
    return at + 2 * total;
}

export function decodeBlock(bytes: Uint8Array, s: BlockShape): Block {
    const expected = s.frames * (12 * s.movers + 8 * s.rotated);
    if (bytes.length !== expected) throw new Error(`a block holds ${bytes.length} bytes; ${expected} were expected`);
    const position = new Int32Array(3 * s.frames * s.movers);
    const rotation = new Int16Array(4 * s.frames * s.rotated);
    let at = 0;
    for (let c = 0; c < 3; c++) at = decodePositions(bytes, at, s, c, position);
    for (let c = 0; c < 4; c++) at = decodeRotations(bytes, at, s, c, rotation);
    return { position, rotation };
}

export interface Task {
    id: number;
    data: string | Uint8Array; // base64, or raw zlib bytes
    block?: BlockShape;
}

export interface Answer {
    id: number;
    error?: string;
    raw?: Uint8Array;
    block?: Block;
}

export async function work(task: Task): Promise<Answer> {
    try {
        const packed = typeof task.data === "string" ? fromBase64(task.data) : task.data;
        const raw = await inflate(packed);
        return task.block ? { id: task.id, block: decodeBlock(raw, task.block) } : { id: task.id, raw };
    } catch (error) {
        return { id: task.id, error: String(error instanceof Error ? error.message : error) };
    }
}
