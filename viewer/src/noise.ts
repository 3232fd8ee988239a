// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Where numbers end and rounding begins: what is a thousand-millionth of the other numbers of its quantity, or less than
// a million-millionth of all of its unit, is shown as 0. Quantities that are small by nature (errors, gaps) are shown as they are.
import type { Quantity } from "./series";

const WITHIN = 1e-9; // of the quantity
const BESIDE = 1e-13; // of all numbers of that unit
const SMALL = /violation|residual|drift|gap|penetration|overlap|error/;
const largest = new Map<string, number>(); // by unit, of what was looked at
const known = new WeakMap<Quantity, { rows: number; size: number }>();

/** The largest number of a quantity. */
function sizeOf(q: Quantity): number {
    const kept = known.get(q);
    if (kept && kept.rows === q.table.rows) return kept.size;
    let size = 0;
    q.columns.forEach((c, i) => {
        if (SMALL.test(q.labels[i])) return;
        for (const x of q.table.column(c)) if (Math.abs(x) > size && Number.isFinite(x)) size = Math.abs(x);
    });
    if (q.table.data) known.set(q, { rows: q.table.rows, size });
    if (q.unit) largest.set(q.unit, Math.max(largest.get(q.unit) ?? 0, size));
    return size;
}

/** Numbers of a quantity that are smaller than this are nothing. */
export function noise(q: Quantity, label = ""): number {
    if (SMALL.test(q.name) || SMALL.test(label)) return 0;
    const own = sizeOf(q);
    return Math.max(WITHIN * own, BESIDE * (largest.get(q.unit) ?? 0));
}

export function quiet(x: number, level: number): number {
    return Math.abs(x) < level ? 0 : x;
}
