// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A film of the replay: picture by picture at exact times, as fast as the machine draws them, never dropping one. The same
// page gives the same pictures.
import { type Sample, type Track, writeMP4 } from "./mp4";
import { writeWebM } from "./webm";

export interface FilmOptions {
    width: number;
    height: number;
    fps: number;
    from: number; // s of the run
    to: number;
    speed: number; // seconds of the run in a second of film
    format: "mp4" | "webm";
    codec?: string; // "vp9", "vp8", "h264": this one or none
    quality?: number; // bits a pixel and picture, times 0.1
}

export interface FilmHost {
    /** Draws the moment and resolves when all of it is drawn, in the size of the film. */
    draw(time: number): Promise<OffscreenCanvas>;
}

const CODECS: Record<string, string[]> = {
    h264: ["avc1.640034", "avc1.640028", "avc1.4d0028", "avc1.42001f"],
    vp9: ["vp09.00.50.08", "vp09.00.10.08"],
    vp8: ["vp8"],
};
const KEY_EVERY = 2; // s of film

export function filmPictures(o: FilmOptions): number {
    return Math.max(Math.round(((o.to - o.from) / o.speed) * o.fps), 0) + 1;
}

function bitrate(o: FilmOptions): number {
    return Math.round(0.1 * (o.quality ?? 1) * o.width * o.height * o.fps);
}

/** The first codec that this browser can encode with; null: none. */
export async function filmCodec(o: FilmOptions): Promise<VideoEncoderConfig | null> {
    if (typeof VideoEncoder === "undefined") return null;
    const names = o.codec ? [o.codec] : o.format === "mp4" ? ["h264"] : ["vp9", "vp8"];
    for (const codec of names.flatMap((n) => CODECS[n] ?? []))
        for (const hardwareAcceleration of ["prefer-software", "no-preference"] as const) {
            const config: VideoEncoderConfig = {
                codec,
                width: o.width,
                height: o.height,
                framerate: o.fps,
                bitrate: bitrate(o),
                latencyMode: "quality",
                hardwareAcceleration, // in software, the same pictures give the same file
                ...(codec.startsWith("avc1") ? { avc: { format: "avc" } } : {}),
            };
            if ((await VideoEncoder.isConfigSupported(config).catch(() => null))?.supported) return config;
        }
    return null;
}

export class Film {
    /** Share that is done, from 0 to 1. */
    done = 0;
    stopped = false;
    private samples: Sample[] = [];
    private description: Uint8Array | null = null;
    private problem: Error | null = null;

    constructor(
        private o: FilmOptions,
        private host: FilmHost,
    ) {}

    async make(): Promise<Blob> {
        const { o } = this,
            config = await filmCodec(o);
        if (!config) throw new Error(`this browser cannot encode ${o.format === "mp4" ? "H.264" : "VP9 or VP8"}`);
        const encoder = new VideoEncoder({
            output: (chunk, meta) => this.take(chunk, meta),
            error: (e) => (this.problem = e),
        });
        encoder.configure(config);
        const count = filmPictures(o);
        for (let k = 0; k < count && !this.stopped && !this.problem; k++) {
            const picture = await this.host.draw(Math.min(o.from + (k * o.speed) / o.fps, o.to));
            const frame = new VideoFrame(picture, {
                timestamp: Math.round((1e6 * k) / o.fps),
                duration: Math.round(1e6 / o.fps),
            });
            encoder.encode(frame, { keyFrame: k % Math.max(Math.round(KEY_EVERY * o.fps), 1) === 0 });
            frame.close();
            this.done = (k + 1) / count;
            // A turn for the page, and no more pictures in the queue than the encoder can take.
            do await new Promise((next) => setTimeout(next, 0));
            while (encoder.encodeQueueSize > 4 && !this.problem);
        }
        if (!this.problem) await encoder.flush();
        encoder.close();
        if (this.problem) throw this.problem;
        if (this.stopped) throw new Error("stopped");
        const track: Track = { codec: config.codec, description: this.description, width: o.width, height: o.height, fps: o.fps };
        return o.format === "mp4" ? writeMP4(track, this.samples) : writeWebM(track, this.samples);
    }

    private take(chunk: EncodedVideoChunk, meta?: EncodedVideoChunkMetadata): void {
        const data = new Uint8Array(chunk.byteLength);
        chunk.copyTo(data);
        this.samples.push({ data, key: chunk.type === "key" });
        const d = meta?.decoderConfig?.description;
        if (!d) return;
        this.description = ArrayBuffer.isView(d) ? new Uint8Array(d.buffer, d.byteOffset, d.byteLength) : new Uint8Array(d);
    }
}
