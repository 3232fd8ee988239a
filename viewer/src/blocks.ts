// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Things of frames that come in blocks of their own, fetched when they are wanted: contacts, colour fields, vertices.

export interface Range {
    first: number;
    count: number;
}

/** Blocks of one sort, a few of them kept. */
export class Blocks<R extends Range, T> {
    onload = () => {};
    onerror: (message: string) => void = () => {};
    private kept = new Map<number, T>(); // in order of last use
    private pending = new Map<number, Promise<void>>();
    private failed = new Set<number>();

    /** `read` fetches and decodes a block; `what` is for messages. */
    constructor(
        private refs: R[],
        private read: (ref: R) => Promise<T>,
        private what: string,
        private most = 8,
    ) {}

    private find(frame: number): number {
        return this.refs.findIndex((b) => frame >= b.first && frame < b.first + b.count);
    }

    private fetch(k: number): Promise<void> {
        if (k < 0 || this.kept.has(k) || this.failed.has(k)) return Promise.resolve();
        const already = this.pending.get(k);
        if (already) return already;
        const promise = this.read(this.refs[k])
            .then(
                (data) => {
                    this.kept.set(k, data);
                    for (const key of this.kept.keys()) {
                        if (this.kept.size <= this.most) break;
                        this.kept.delete(key);
                    }
                },
                (error: unknown) => {
                    this.failed.add(k);
                    this.onerror(`${this.what} cannot be read: ${error instanceof Error ? error.message : error}`);
                },
            )
            .then(() => {
                this.pending.delete(k);
                this.onload();
            });
        this.pending.set(k, promise);
        return promise;
    }

    /** The block of a frame and the frame's place in it, or null while it is being fetched. */
    get(frame: number): { data: T; at: number; ref: R } | null {
        const k = this.find(frame);
        if (k < 0) return null;
        const data = this.kept.get(k);
        if (data === undefined) {
            void this.fetch(k);
            return null;
        }
        this.kept.delete(k); // the newest use goes last
        this.kept.set(k, data);
        return { data, at: frame - this.refs[k].first, ref: this.refs[k] };
    }

    /** Resolves when the frame can be had. */
    load(frame: number): Promise<void> {
        return this.fetch(this.find(frame));
    }
}
