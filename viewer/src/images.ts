// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What a lidar or a depth camera saw, image by image, and where its pixels lie in space. docs/page-format.md.
import { Quaternion, Vector3 } from "three";
import { Blocks } from "./blocks";
import type { BlockRef, ImagesRef } from "./manifest";
import type { Source } from "./source";

/** One image: levels, 0 where nothing was met. */
export interface Picture {
    index: number;
    time: number;
    levels: Uint16Array;
}

/** Levels of the images of a block, from two planes of bytes of differences along rows. */
export function decodeImages(data: ArrayBuffer, count: number, rows: number, columns: number): Uint16Array[] {
    const n = rows * columns,
        bytes = new Uint8Array(data);
    if (bytes.length !== 2 * n * count) throw new Error(`they hold ${bytes.length} bytes; ${2 * n * count} were expected`);
    return Array.from({ length: count }, (_, k) => {
        const out = new Uint16Array(n);
        for (let r = 0; r < rows; r++) {
            let level = 0;
            for (let c = 0; c < columns; c++) {
                const i = r * columns + c,
                    from = k * n + i;
                level = (level + bytes[from] + 256 * bytes[n * count + from]) & 0xffff;
                out[i] = level;
            }
        }
        return out;
    });
}

/** The images of one sensor. */
export class Film {
    onload = () => {};
    onerror: (message: string) => void = () => {};
    private blocks: Blocks<BlockRef, Uint16Array[]>;
    private times: Float64Array | null = null;
    private places: Float64Array | null = null;
    private directions: Float32Array | null = null;

    constructor(
        readonly ref: ImagesRef,
        source: Source,
    ) {
        this.blocks = new Blocks(
            ref.blocks,
            async (b) => decodeImages(await source.bytes(b.chunk), b.count, ref.rows, ref.columns),
            `Images of ${ref.name}`,
            4,
        );
        this.blocks.onload = () => this.onload();
        this.blocks.onerror = (message) => this.onerror(message);
        void Promise.all([source.f64(ref.times.chunk), source.f64(ref.places.chunk)]).then(
            ([times, places]) => {
                this.times = times;
                this.places = places;
                this.onload();
            },
            (error: unknown) => this.onerror(`Images of ${ref.name} cannot be read: ${error}`),
        );
    }

    /** The last image that was taken by then (the first one before that); null while it is being fetched. */
    at(time: number): Picture | null {
        if (!this.times?.length) return null;
        let lo = 0,
            hi = this.times.length - 1;
        while (lo < hi) {
            const mid = (lo + hi + 1) >> 1;
            if (this.times[mid] <= time + 1e-9) lo = mid;
            else hi = mid - 1;
        }
        const found = this.blocks.get(lo);
        return found ? { index: lo, time: this.times[lo], levels: found.data[found.at] } : null;
    }

    /** A level as a number in the unit of the images; NaN: nothing was met. */
    value(level: number): number {
        const [low, high] = this.ref.range;
        return level ? low + ((level - 1) * (high - low)) / (this.ref.levels - 1) : NaN;
    }

    /** Whether it is known where pixels lie in space. */
    get spatial(): boolean {
        return this.ref.field_of_view !== undefined || (!!this.ref.horizontal && !!this.ref.vertical);
    }

    /** For each pixel what its number is multiplied by to become a point in the sensor's frame. */
    private rays(): Float32Array {
        if (this.directions) return this.directions;
        const { rows, columns, step, full, horizontal, vertical, field_of_view } = this.ref,
            out = (this.directions = new Float32Array(3 * rows * columns)),
            focal = field_of_view ? (0.5 * full[1]) / Math.tan(0.5 * field_of_view) : 0;
        for (let r = 0; r < rows; r++)
            for (let c = 0; c < columns; c++) {
                const row = r * step[0],
                    column = c * step[1],
                    k = 3 * (r * columns + c);
                if (focal) {
                    out[k] = 1;
                    out[k + 1] = (0.5 * (full[1] - 1) - column) / focal;
                    out[k + 2] = (0.5 * (full[0] - 1) - row) / focal;
                } else {
                    const [a, b] = horizontal!,
                        [u, v] = vertical!,
                        azimuth = a + ((column + 0.5) * (b - a)) / full[1],
                        up = u + (full[0] > 1 ? row / (full[0] - 1) : 0.5) * (v - u);
                    out[k] = Math.cos(azimuth) * Math.cos(up);
                    out[k + 1] = Math.sin(azimuth) * Math.cos(up);
                    out[k + 2] = Math.sin(up);
                }
            }
        return out;
    }

    /** Calls back with each pixel that met something: its point, relative to `origin`, and its number from 0 to 1. */
    points(p: Picture, origin: [number, number, number], each: (at: Vector3, share: number) => void): void {
        const rays = this.rays(),
            q = this.places!.subarray(7 * p.index, 7 * p.index + 7),
            turn = new Quaternion(q[4], q[5], q[6], q[3]),
            from = new Vector3(q[0] - origin[0], q[1] - origin[1], q[2] - origin[2]),
            at = new Vector3();
        for (let i = 0; i < p.levels.length; i++) {
            if (!p.levels[i]) continue;
            at.fromArray(rays, 3 * i).multiplyScalar(this.value(p.levels[i]));
            each(at.applyQuaternion(turn).add(from), (p.levels[i] - 1) / (this.ref.levels - 1));
        }
    }
}
