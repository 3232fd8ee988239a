// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Where the data comes from: elements of this page, or the server that sent it.
import workerText from "worker-text";
import { type Answer, type Block, type BlockShape, type Task, work } from "./decode";

/** Runs tasks in a worker where the browser allows one, else on the page. */
class Decoder {
    private worker: Worker | null = null;
    private waiting = new Map<number, { task: Task; done: (a: Answer) => void }>();
    private next = 1;

    constructor() {
        try {
            const url = URL.createObjectURL(new Blob([workerText], { type: "text/javascript" }));
            this.worker = new Worker(url);
            this.worker.onmessage = (e: MessageEvent<Answer>) => this.answer(e.data);
            this.worker.onerror = (e) => {
                e.preventDefault();
                this.giveUp();
            };
        } catch {
            this.worker = null;
        }
    }

    private answer(a: Answer): void {
        this.waiting.get(a.id)?.done(a);
        this.waiting.delete(a.id);
    }

    /** The worker could not start: do what waits, and all that follows, here. */
    private giveUp(): void {
        this.worker = null;
        for (const { task } of this.waiting.values()) void work(task).then((a) => this.answer(a));
    }

    run(data: string | Uint8Array, block?: BlockShape): Promise<Answer> {
        const task: Task = { id: this.next++, data, block };
        return new Promise((resolve, reject) => {
            this.waiting.set(task.id, { task, done: (a) => (a.error ? reject(new Error(a.error)) : resolve(a)) });
            if (this.worker) this.worker.postMessage(task);
            else void work(task).then((a) => this.answer(a));
        });
    }
}

export class Source {
    private decoder = new Decoder();
    readonly embedded: boolean;

    /** `page`: where the data lie; another page that was read, or this one. */
    constructor(private page: Document = document) {
        this.embedded = page.getElementById("kairos-manifest") !== null;
    }

    /** The manifest, or null where the page has none (a live run sends it later). */
    async manifest(): Promise<object | null> {
        if (this.embedded) return JSON.parse(this.page.getElementById("kairos-manifest")!.textContent || "{}");
        if (this.page !== document || !location.protocol.startsWith("http")) return null;
        const answer = await fetch("manifest.json" + location.search);
        return answer.ok ? await answer.json() : null;
    }

    private async packed(chunk: number): Promise<string | Uint8Array> {
        if (this.embedded) {
            const element = this.page.getElementById(`kairos-chunk-${chunk}`);
            if (!element) throw new Error(`chunk ${chunk} is not in the page`);
            return element.textContent || "";
        }
        const answer = await fetch(`chunk/${chunk}${location.search}`);
        if (!answer.ok) throw new Error(`chunk ${chunk}: ${answer.status} ${answer.statusText}`);
        return new Uint8Array(await answer.arrayBuffer());
    }

    async bytes(chunk: number): Promise<ArrayBuffer> {
        const answer = await this.decoder.run(await this.packed(chunk));
        const raw = answer.raw!;
        return raw.buffer.slice(raw.byteOffset, raw.byteOffset + raw.byteLength) as ArrayBuffer;
    }

    async block(chunk: number, shape: BlockShape): Promise<Block> {
        return (await this.decoder.run(await this.packed(chunk), shape)).block!;
    }

    async f64(chunk: number): Promise<Float64Array> {
        return new Float64Array(await this.bytes(chunk));
    }

    async f32(chunk: number): Promise<Float32Array> {
        return new Float32Array(await this.bytes(chunk));
    }

    async u32(chunk: number): Promise<Uint32Array> {
        return new Uint32Array(await this.bytes(chunk));
    }
}
