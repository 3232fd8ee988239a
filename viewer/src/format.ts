// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Numbers for people.

const MINUS = "\u2212";

/** A number with about `digits` significant digits; powers of ten where it is very large or small. */
export function number(x: number, digits = 4): string {
    if (x === 0) return "0";
    if (!Number.isFinite(x)) return Number.isNaN(x) ? "–" : x > 0 ? "∞" : MINUS + "∞";
    const size = Math.abs(x);
    let text: string;
    if (size >= 1e6 || size < 1e-4)
        text = x
            .toExponential(Math.max(digits - 2, 1))
            .replace(/\.?0+e/, "e")
            .replace("e+", "e");
    else text = String(Number(x.toPrecision(digits)));
    return text.replace(/-/g, MINUS);
}

/** As number(), always the same number of decimals: for read-outs that should not jump. */
export function steady(x: number, decimals: number): string {
    if (!Number.isFinite(x)) return "–";
    if (x !== 0 && Math.abs(x) >= 1e7) return number(x);
    return x.toFixed(decimals).replace(/-/g, MINUS);
}

export function decimalsFor(range: number, wanted = 4): number {
    if (!(range > 0)) return 3;
    return Math.min(Math.max(wanted - 1 - Math.floor(Math.log10(range)), 0), 9);
}

export function seconds(s: number): string {
    if (!Number.isFinite(s)) return "–";
    if (s === 0) return "0 s";
    if (s < 1e-3) return `${number(s * 1e6, 3)} µs`;
    if (s < 1) return `${number(s * 1e3, 3)} ms`;
    if (s < 120) return `${number(s, 3)} s`;
    if (s < 7200) return `${Math.floor(s / 60)} min ${Math.round(s % 60)} s`;
    return `${Math.floor(s / 3600)} h ${Math.round((s % 3600) / 60)} min`;
}

export function bytes(b: number): string {
    if (b < 1e3) return `${b} B`;
    if (b < 1e6) return `${number(b / 1e3, 3)} kB`;
    if (b < 1e9) return `${number(b / 1e6, 3)} MB`;
    return `${number(b / 1e9, 3)} GB`;
}

export function count(n: number): string {
    return n.toString().replace(/\B(?=(\d{3})+(?!\d))/g, "\u202f");
}

/** A length with a fitting prefix. */
export function metres(x: number): string {
    const size = Math.abs(x);
    if (size === 0) return "0 m";
    if (size < 1e-6) return `${number(x * 1e9, 3)} nm`;
    if (size < 1e-3) return `${number(x * 1e6, 3)} µm`;
    if (size < 1e-2) return `${number(x * 1e3, 3)} mm`;
    if (size < 1) return `${number(x * 1e2, 3)} cm`;
    if (size < 1e3) return `${number(x, 3)} m`;
    return `${number(x / 1e3, 3)} km`;
}

export function newtons(f: number): string {
    if (f >= 1e6) return `${number(f / 1e6, 3)} MN`;
    return f >= 1e3 ? `${number(f / 1e3, 3)} kN` : `${number(f, 3)} N`;
}

export function plural(n: number, one: string, many = one + "s"): string {
    return `${count(n)} ${n === 1 ? one : many}`;
}
