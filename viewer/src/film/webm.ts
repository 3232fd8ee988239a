// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Writes encoded pictures into a WebM file: one track, a cluster from key picture to key picture, and cues for seeking.
import type { Sample, Track } from "./mp4";

const ID = {
    ebml: 0x1a45dfa3, version: 0x4286, readVersion: 0x42f7, idLength: 0x42f2, sizeLength: 0x42f3, docType: 0x4282, docVersion: 0x4287,
    docRead: 0x4285, segment: 0x18538067, info: 0x1549a966, scale: 0x2ad7b1, muxer: 0x4d80, writer: 0x5741, duration: 0x4489,
    tracks: 0x1654ae6b, track: 0xae, number: 0xd7, uid: 0x73c5, kind: 0x83, codec: 0x86, lacing: 0x9c, defaultDuration: 0x23e383,
    video: 0xe0, width: 0xb0, height: 0xba, cluster: 0x1f43b675, time: 0xe7, block: 0xa3, cues: 0x1c53bb6b, point: 0xbb, cueTime: 0xb3,
    positions: 0xb7, cueTrack: 0xf7, cueCluster: 0xf1,
}; // prettier-ignore

type Data = Uint8Array[];

function unsigned(x: number): Uint8Array {
    const out: number[] = [];
    do {
        out.unshift(x % 256);
        x = Math.floor(x / 256);
    } while (x > 0);
    return Uint8Array.from(out);
}

/** A size, always of eight bytes. */
function sizeOf(n: number): Uint8Array {
    const out = new Uint8Array(8);
    new DataView(out.buffer).setBigUint64(0, BigInt(n) | (1n << 56n));
    return out;
}

const length = (d: Data) => d.reduce((n, p) => n + p.length, 0);

function element(id: number, content: Data): Data {
    return [unsigned(id), sizeOf(length(content)), ...content];
}

const number = (id: number, x: number) => element(id, [unsigned(x)]);
const text = (id: number, s: string) => element(id, [new TextEncoder().encode(s)]);

function real(id: number, x: number): Data {
    const out = new Uint8Array(8);
    new DataView(out.buffer).setFloat64(0, x);
    return element(id, [out]);
}

function cluster(samples: Sample[], first: number, end: number, milliseconds: (k: number) => number): Data {
    const blocks: Data = [];
    for (let k = first; k < end; k++) {
        const head = new Uint8Array(4),
            view = new DataView(head.buffer);
        head[0] = 0x81; // track 1
        view.setInt16(1, milliseconds(k) - milliseconds(first));
        head[3] = samples[k].key ? 0x80 : 0;
        blocks.push(...element(ID.block, [head, samples[k].data]));
    }
    return element(ID.cluster, [...number(ID.time, milliseconds(first)), ...blocks]);
}

export function writeWebM(t: Track, samples: Sample[]): Blob {
    const milliseconds = (k: number) => Math.round((1000 * k) / t.fps);
    const head = element(ID.ebml, [
        ...number(ID.version, 1), ...number(ID.readVersion, 1), ...number(ID.idLength, 4), ...number(ID.sizeLength, 8),
        ...text(ID.docType, "webm"), ...number(ID.docVersion, 4), ...number(ID.docRead, 2),
    ]); // prettier-ignore
    const info = element(ID.info, [
        ...number(ID.scale, 1000000), ...text(ID.muxer, "Kairos"), ...text(ID.writer, "Kairos"), ...real(ID.duration, milliseconds(samples.length)),
    ]); // prettier-ignore
    const tracks = element(
        ID.tracks,
        element(ID.track, [
            ...number(ID.number, 1), ...number(ID.uid, 1), ...number(ID.kind, 1), ...number(ID.lacing, 0),
            ...text(ID.codec, t.codec.startsWith("vp09") ? "V_VP9" : "V_VP8"), ...number(ID.defaultDuration, Math.round(1e9 / t.fps)),
            ...element(ID.video, [...number(ID.width, t.width), ...number(ID.height, t.height)]),
        ]), // prettier-ignore
    );
    const body: Data = [...info, ...tracks],
        cues: Data = [];
    for (let first = 0; first < samples.length; ) {
        let end = first + 1;
        while (end < samples.length && !samples[end].key && milliseconds(end) - milliseconds(first) < 30000) end++;
        if (samples[first].key)
            cues.push(
                ...element(ID.point, [
                    ...number(ID.cueTime, milliseconds(first)),
                    ...element(ID.positions, [...number(ID.cueTrack, 1), ...number(ID.cueCluster, length(body))]),
                ]),
            );
        body.push(...cluster(samples, first, end, milliseconds));
        first = end;
    }
    body.push(...element(ID.cues, cues));
    return new Blob([...head, ...element(ID.segment, body)] as BlobPart[], { type: "video/webm" });
}
