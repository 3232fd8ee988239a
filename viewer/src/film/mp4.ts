// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Writes encoded pictures into an MP4 file (ISO/IEC 14496-12): one track of video, all of its tables before the data, so
// that players can begin at once.

/** An encoded picture. */
export interface Sample {
    data: Uint8Array;
    key: boolean; // can be shown without the ones before
}

export interface Track {
    codec: string; // as WebCodecs calls it: avc1.640028, vp09.00.10.08, vp8
    description: Uint8Array | null; // of the decoder: avcC
    width: number;
    height: number;
    fps: number;
}

class Bytes {
    private parts: number[] = [];

    u8(...x: number[]): this {
        for (const v of x) this.parts.push(v & 255);
        return this;
    }

    u16(...x: number[]): this {
        for (const v of x) this.u8(v >> 8, v);
        return this;
    }

    u32(...x: number[]): this {
        for (const v of x) this.u8(v >>> 24, v >>> 16, v >>> 8, v);
        return this;
    }

    text(s: string): this {
        for (const c of s) this.u8(c.charCodeAt(0));
        return this;
    }

    add(x: ArrayLike<number>): this {
        for (let i = 0; i < x.length; i++) this.parts.push(x[i]);
        return this;
    }

    done(): Uint8Array {
        return Uint8Array.from(this.parts);
    }
}

/** A box: its size, its name, what is in it. */
function box(name: string, ...content: (Uint8Array | Bytes)[]): Uint8Array {
    const parts = content.map((c) => (c instanceof Bytes ? c.done() : c)),
        size = 8 + parts.reduce((n, p) => n + p.length, 0),
        out = new Uint8Array(size);
    out.set(new Bytes().u32(size).text(name).done());
    let at = 8;
    for (const p of parts) {
        out.set(p, at);
        at += p.length;
    }
    return out;
}

const bytes = () => new Bytes();
const full = (version = 0, flags = 0) => bytes().u32((version << 24) | flags);
const UNIT = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000]; // no turning or scaling
const SCALE = 90000; // ticks a second

function sampleEntry(t: Track): Uint8Array {
    const kind = t.codec.startsWith("avc1") ? "avc1" : t.codec.startsWith("vp09") ? "vp09" : "vp08";
    const head = bytes()
        .u32(0).u16(0, 1) // reserved, data reference
        .u32(0, 0, 0, 0)
        .u16(t.width, t.height)
        .u32(0x480000, 0x480000, 0) // 72 dpi
        .u16(1)
        .add(new Uint8Array(32)) // name of the compressor
        .u16(24, 0xffff);
    const config =
        kind === "avc1"
            ? box("avcC", t.description ?? new Uint8Array())
            : box("vpcC", full(1), bytes().u8(0, 31, (8 << 4) | 2, 1, 1, 1).u16(0)); // 8 bits, 4:2:0, BT.709
    return box(kind, head, config);
}

function sampleTable(t: Track, samples: Sample[], firstByte: number): Uint8Array {
    const keys = samples.flatMap((s, i) => (s.key ? [i + 1] : []));
    return box(
        "stbl",
        box("stsd", full(), bytes().u32(1), sampleEntry(t)),
        box("stts", full(), bytes().u32(1, samples.length, SCALE / t.fps)),
        box("stss", full(), bytes().u32(keys.length, ...keys)),
        box("stsc", full(), bytes().u32(1, 1, samples.length, 1)),
        box("stsz", full(), bytes().u32(0, samples.length, ...samples.map((s) => s.data.length))),
        box("stco", full(), bytes().u32(1, firstByte)),
    );
}

function movie(t: Track, samples: Sample[], firstByte: number): Uint8Array {
    const ticks = Math.round((samples.length * SCALE) / t.fps);
    const media = box(
        "mdia",
        box("mdhd", full(), bytes().u32(0, 0, SCALE, ticks).u16(0x55c4, 0)), // language: und
        box("hdlr", full(), bytes().u32(0).text("vide").u32(0, 0, 0).text("Kairos").u8(0)),
        box(
            "minf",
            box("vmhd", full(0, 1), bytes().u16(0, 0, 0, 0)),
            box("dinf", box("dref", full(), bytes().u32(1), box("url ", full(0, 1)))),
            sampleTable(t, samples, firstByte),
        ),
    );
    return box(
        "moov",
        box(
            "mvhd",
            full(),
            bytes().u32(0, 0, SCALE, ticks, 0x10000).u16(0x100, 0).u32(0, 0, ...UNIT, 0, 0, 0, 0, 0, 0, 2),
        ),
        box(
            "trak",
            box(
                "tkhd",
                full(0, 3),
                bytes().u32(0, 0, 1, 0, ticks, 0, 0).u16(0, 0, 0, 0).u32(...UNIT, t.width << 16, t.height << 16),
            ),
            media,
        ),
    );
}

export function writeMP4(t: Track, samples: Sample[]): Blob {
    const type = box("ftyp", bytes().text("isom").u32(0x200).text("isomiso2avc1mp41"));
    const tables = movie(t, samples, 0).length; // their size does not depend on where the data begins
    const head = movie(t, samples, type.length + tables + 8);
    const size = samples.reduce((n, s) => n + s.data.length, 8);
    const parts = [type, head, bytes().u32(size).text("mdat").done(), ...samples.map((s) => s.data)];
    return new Blob(parts as BlobPart[], { type: "video/mp4" });
}
