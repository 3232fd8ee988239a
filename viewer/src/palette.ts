// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Colours that stay apart for colour-blind eyes: Okabe and Ito's eight for things, viridis and
// cividis (sampled, then interpolated) for numbers.
import { Color } from "three";

export const CATEGORIES = ["#0072b2", "#e69f00", "#009e73", "#d55e00", "#56b4e9", "#cc79a7", "#f0e442"];
export const FIXED = "#8b939c";
export const LINES_LIGHT = ["#0072b2", "#d55e00", "#009e73", "#a8437d", "#b07a00", "#3c8fc9", "#555e68"];
export const LINES_DARK = ["#56b4e9", "#ff9455", "#2fc79b", "#e2a0c6", "#f0c04d", "#9fd3f5", "#b8c2cc"];

const STOPS: Record<string, number[]> = {
    viridis: [
        0x440154, 0x482475, 0x414487, 0x355f8d, 0x2a788e, 0x21918c, 0x22a884, 0x44bf70, 0x7ad151, 0xbddf26, 0xfde725,
    ],
    cividis: [0x00224e, 0x123570, 0x3b496c, 0x575d6d, 0x707173, 0x8a8678, 0xa59c74, 0xc3b369, 0xe1cc55, 0xfee838],
    magma: [
        0x000004, 0x140e36, 0x3b0f70, 0x641a80, 0x8c2981, 0xb73779, 0xde4968, 0xf7705c, 0xfe9f6d, 0xfecf92, 0xfcfdbf,
    ],
    grey: [0x20262d, 0xf2f4f6],
};
export const MAPS = Object.keys(STOPS);

/** 256 colours as sRGB bytes. */
export function colourMap(name: string): Uint8Array {
    const stops = STOPS[name] ?? STOPS.viridis;
    const out = new Uint8Array(256 * 4);
    for (let i = 0; i < 256; i++) {
        const x = (i / 255) * (stops.length - 1),
            k = Math.min(Math.floor(x), stops.length - 2),
            s = x - k;
        for (let c = 0; c < 3; c++) {
            const shift = 16 - 8 * c;
            const lo = (stops[k] >> shift) & 255,
                hi = (stops[k + 1] >> shift) & 255;
            out[4 * i + c] = Math.round(lo + s * (hi - lo));
        }
        out[4 * i + 3] = 255;
    }
    return out;
}

export function cssGradient(name: string): string {
    const stops = STOPS[name] ?? STOPS.viridis;
    return `linear-gradient(to right, ${stops.map((c) => "#" + c.toString(16).padStart(6, "0")).join(", ")})`;
}

/** A colour as a manifest gives it: parts from 0 to 1, or a name or "#rrggbb". */
export function given(colour: [number, number, number] | string | null | undefined): Color | null {
    if (colour === null || colour === undefined) return null;
    if (typeof colour === "string") return new Color(colour);
    if (colour.some((c) => !(c >= 0 && c <= 1))) return null;
    return new Color().setRGB(colour[0], colour[1], colour[2], "srgb");
}

export function category(i: number): Color {
    return new Color(CATEGORIES[((i % CATEGORIES.length) + CATEGORIES.length) % CATEGORIES.length]);
}
