// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Time series: tables of columns, what their names mean, and values between rows.
import type { SeriesRef } from "./manifest";
import type { Source } from "./source";

const UNITS: Record<string, string> = {
    position: "m",
    com_position: "m",
    travel: "m",
    length: "m",
    max_penetration: "m",
    velocity: "m/s",
    com_velocity: "m/s",
    rate: "m/s",
    travel_rate: "m/s",
    acceleration: "m/s²",
    com_acceleration: "m/s²",
    angular_velocity: "rad/s",
    angle_rate: "rad/s",
    angular_acceleration: "rad/s²",
    angle: "rad",
    force: "N",
    contact_force: "N",
    torque: "N·m",
    contact_torque: "N·m",
    momentum: "kg·m/s",
    energy: "J",
    kinetic_energy: "J",
    angular_momentum: "kg·m²/s",
};

const OF_VECTORS = new Set(["position", "velocity", "acceleration"]);

/** Columns of one object that belong in one chart. */
export interface Quantity {
    table: Table;
    object: string;
    name: string; // position, energy …
    unit: string;
    columns: number[];
    labels: string[]; // x, y, z, kinetic …
}

function split(column: string, known: Set<string>): { object: string; quantity: string; part: string } {
    const parts = column.split(".");
    if (parts.length === 1) return { object: "", quantity: column, part: "" };
    if (parts.length === 2) return { object: parts[0], quantity: parts[1], part: "" };
    // Names of bodies may hold points: the quantity is the last part but one where that is a known word.
    const last = parts.length - 1;
    if (known.has(parts[last]) && !known.has(parts[last - 1])) {
        return { object: parts.slice(0, last).join("."), quantity: parts[last], part: "" };
    }
    return { object: parts.slice(0, last - 1).join("."), quantity: parts[last - 1], part: parts[last] };
}

/** Momentum comes as px … lz: two quantities in one. */
function momentum(name: ReturnType<typeof split>): ReturnType<typeof split> {
    if (name.quantity !== "momentum" || !/^[pl][xyz]$/.test(name.part)) return name;
    return { ...name, quantity: name.part[0] === "l" ? "angular_momentum" : "momentum", part: name.part[1] };
}

const KNOWN = new Set([
    ...Object.keys(UNITS),
    "violation",
    "rotation",
    "max_violation",
    "rows",
    "contacts",
    "bodies",
    "residual",
    "iterations",
    "effort",
    "speed",
]);

const EMPTY = new Float64Array(0);

/** A unit as it is shown: products have points. */
export function shownUnit(unit: string): string {
    return unit.replace(/(?<!,) /g, "·");
}

export class Table {
    readonly file: string;
    readonly columns: string[];
    rows: number;
    readonly stride: number;
    data: Float64Array[] | null = null; // by column
    private promise: Promise<void> | null = null;
    private hint = 0;

    constructor(
        private source: Source | null,
        private ref: SeriesRef,
    ) {
        this.file = ref.file;
        this.columns = ref.columns;
        this.rows = ref.rows;
        this.stride = ref.stride ?? 1;
    }

    load(): Promise<void> {
        this.promise ??= this.read();
        return this.promise;
    }

    private async read(): Promise<void> {
        if (!this.source || this.ref.chunk < 0) {
            this.data ??= this.columns.map(() => new Float64Array(0));
            return;
        }
        const all = await this.source.f64(this.ref.chunk);
        this.rows = Math.min(this.rows, Math.floor(all.length / this.columns.length));
        this.data = this.columns.map((_, c) => all.subarray(c * this.ref.rows, c * this.ref.rows + this.rows));
    }

    /** Adds a row of a live run. */
    append(row: number[]): void {
        this.data ??= this.columns.map(() => new Float64Array(0));
        const n = this.rows;
        for (let c = 0; c < this.columns.length; c++) {
            const buffer = this.data[c].buffer as ArrayBuffer;
            let whole = new Float64Array(buffer);
            if (whole.length <= n) {
                const more = new Float64Array(Math.max(256, 2 * n));
                more.set(whole.subarray(0, n));
                whole = more;
            }
            whole[n] = row[c] ?? NaN;
            this.data[c] = whole.subarray(0, n + 1);
        }
        this.rows = n + 1;
    }

    /** Whether rows are still added. */
    get live(): boolean {
        return this.ref.chunk < 0;
    }

    get time(): Float64Array {
        return this.column(0);
    }

    /** A column; empty until it is loaded. */
    column(c: number): Float64Array {
        return this.data?.[c] ?? EMPTY;
    }

    /** Last row at or before a time. */
    row(time: number): number {
        const t = this.time;
        if (!t.length) return 0;
        if (t[this.hint] <= time && (this.hint + 1 >= t.length || t[this.hint + 1] > time)) return this.hint;
        let lo = 0,
            hi = t.length - 1;
        while (lo < hi) {
            const mid = (lo + hi + 1) >> 1;
            if (t[mid] <= time) lo = mid;
            else hi = mid - 1;
        }
        return (this.hint = lo);
    }

    /** Value at a time, linear between rows. */
    value(column: number, time: number): number {
        const t = this.time,
            y = this.data?.[column];
        if (!y || !t.length) return NaN;
        const k = this.row(time);
        if (k + 1 >= t.length || time <= t[k]) return y[k];
        return y[k] + ((time - t[k]) / (t[k + 1] - t[k])) * (y[k + 1] - y[k]);
    }

    quantities(): Quantity[] {
        const found = new Map<string, Quantity>();
        this.columns.forEach((column, index) => {
            if (index === 0) return;
            const { object, quantity, part } = momentum(split(column, KNOWN));
            const key = object + "\n" + quantity;
            let q = found.get(key);
            if (!q) {
                const unit = this.ref.units?.[index];
                q = {
                    table: this,
                    object,
                    name: quantity,
                    unit: unit === undefined ? (UNITS[quantity] ?? "") : shownUnit(unit),
                    columns: [],
                    labels: [],
                };
                found.set(key, q);
            }
            q.columns.push(index);
            q.labels.push(part || quantity.replace(/_/g, " "));
        });
        // Where units are not told, a lone position or speed is a motor's: metres or radians, which its name does not say.
        for (const q of this.ref.units ? [] : found.values()) if (q.columns.length === 1 && OF_VECTORS.has(q.name)) q.unit = "";
        return [...found.values()];
    }

    /** As a CSV file, with the shortest digits that give the same numbers back. */
    csv(): string {
        const lines = [this.columns.map(quote).join(",")];
        for (let r = 0; r < this.rows; r++) lines.push(this.data!.map((c) => String(c[r]).toLowerCase()).join(","));
        return lines.join("\n") + "\n";
    }
}

function quote(text: string): string {
    return /[",\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

/** The three columns of a vector quantity of an object, wherever they were written. */
export function findVector(
    tables: Table[],
    object: string,
    quantity: string,
): { table: Table; columns: number[] } | null {
    for (const table of tables) {
        const columns = ["x", "y", "z"].map((c) => table.columns.indexOf(`${object}.${quantity}.${c}`));
        if (columns.every((c) => c > 0)) return { table, columns };
    }
    return null;
}

/** The column of a number of an object. */
export function findScalar(tables: Table[], object: string, quantity: string): { table: Table; column: number } | null {
    for (const table of tables) {
        const column = table.columns.indexOf(`${object}.${quantity}`);
        if (column > 0) return { table, column };
    }
    return null;
}
