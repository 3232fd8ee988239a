// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What the colours of bodies and particles say, and the scale behind them.
import { Color, DataTexture, LinearFilter, RGBAFormat, SRGBColorSpace, Vector3 } from "three";
import type { Fields } from "./fields";
import type { Manifest } from "./manifest";
import { category, colourMap, FIXED, given } from "./palette";
import type { Pose } from "./pose";
import type { Frame } from "./store";
import { findScalar, findVector, type Table } from "./series";

export type Mode = "given" | "id" | "group" | "speed" | "height" | `field:${string}`;

interface FieldColumn {
    table: Table;
    columns: number[];
}

export class Colouring {
    mode: Mode = "given";
    map = "viridis";
    low = 0;
    high = 1;
    fixedRange = false;
    readonly texture: DataTexture;
    readonly fields: string[]; // recorded numbers of all bodies, then quantities that outputs recorded for some
    onrange = () => {};
    private lut: Uint8Array = colourMap("viridis");
    private columns = new Map<string, (FieldColumn | null)[]>();
    private groups = new Map<string, number>();
    private own: Color[];
    private at = new Vector3();
    private scanned: Frame | null = null;
    private scannedTo: Frame | null = null;

    constructor(
        private m: Manifest,
        private tables: Table[],
        private up: Vector3,
        private kept: Fields,
    ) {
        this.texture = new DataTexture(this.lut, 256, 1, RGBAFormat);
        this.texture.colorSpace = SRGBColorSpace;
        this.texture.minFilter = this.texture.magFilter = LinearFilter;
        this.texture.needsUpdate = true;
        for (const b of m.bodies) this.groupNumber(b.group ?? "");
        for (const p of m.particles) this.groupNumber(p.name);
        this.own = m.bodies.map((b, i) => (b.fixed ? new Color(FIXED) : category(i)));
        this.fields = this.findFields();
    }

    private groupNumber(name: string): number {
        if (!this.groups.has(name)) this.groups.set(name, this.groups.size);
        return this.groups.get(name)!;
    }

    private findFields(): string[] {
        const names = new Set(this.m.bodies.map((b) => b.name));
        const found = new Set<string>();
        for (const table of this.tables) {
            for (const q of table.quantities()) {
                const vector = q.labels.join() === "x,y,z";
                if (names.has(q.object) && (vector || q.columns.length === 1)) found.add(q.name);
            }
        }
        return [...this.kept.names, ...[...found].filter((name) => !this.kept.names.includes(name))];
    }

    /** The colour field that is shown, where the run has recorded it for all; null otherwise. */
    get recorded(): string | null {
        const name = this.mode.startsWith("field:") ? this.mode.slice(6) : "";
        return this.kept.names.includes(name) ? name : null;
    }

    get groupCount(): number {
        return this.groups.size;
    }

    /** True when colours follow a number. */
    get scaled(): boolean {
        return this.mode === "speed" || this.mode === "height" || this.mode.startsWith("field:");
    }

    get label(): string {
        if (this.mode === "speed") return "speed, m/s";
        if (this.mode === "height") return "height, m";
        if (!this.mode.startsWith("field:")) return "";
        const unit = this.kept.unit(this.mode.slice(6));
        return this.mode.slice(6).replace(/_/g, " ") + (unit ? `, ${unit}` : "");
    }

    /** All numbers of a recorded field lie here; null without any. */
    get extremes(): [number, number] | null {
        return this.recorded ? this.kept.range(this.recorded, true) : null;
    }

    async setMode(mode: Mode): Promise<void> {
        this.mode = mode;
        this.fixedRange = false;
        this.scanned = null;
        this.low = mode === "height" ? Infinity : 0;
        this.high = mode === "height" ? -Infinity : 0;
        if (mode.startsWith("field:")) await this.prepareField(mode.slice(6));
    }

    setMap(name: string): void {
        this.map = name;
        this.lut.set(colourMap(name));
        this.texture.needsUpdate = true;
    }

    private async prepareField(quantity: string): Promise<void> {
        if (this.recorded) {
            const range = this.kept.range(quantity);
            [this.low, this.high] = range ?? [Infinity, -Infinity];
            return;
        }
        const columns = this.m.bodies.map((b): FieldColumn | null => {
            const v = findVector(this.tables, b.name, quantity);
            if (v) return v;
            const s = findScalar(this.tables, b.name, quantity);
            return s ? { table: s.table, columns: [s.column] } : null;
        });
        this.columns.set(quantity, columns);
        await Promise.all([...new Set(columns.map((c) => c?.table))].map((t) => t?.load()));
        for (const c of columns) {
            if (!c?.table.data) continue;
            for (let r = 0; r < c.table.rows; r++) this.widen(magnitude(c, r));
        }
    }

    private widen(value: number): boolean {
        if (this.fixedRange || !Number.isFinite(value)) return false;
        if (value >= this.low && value <= this.high) return false;
        this.low = Math.min(this.low, value);
        this.high = Math.max(this.high, value);
        return true;
    }

    /** Looks at the numbers of a moment, so that the scale holds all that was seen. */
    scan(pose: Pose): void {
        const moving = this.mode === "speed" || this.mode === "height" || (this.recorded !== null && this.m.live);
        if (this.fixedRange || !moving) return;
        let wider = false;
        if (pose.a === this.scanned && pose.b === this.scannedTo) return;
        [this.scanned, this.scannedTo] = [pose.a, pose.b];
        const n = pose.movers,
            stride = Math.max(1, Math.floor(n / 20000));
        for (let i = 0; i < n; i += stride) wider = this.widen(this.number(i, pose)) || wider;
        if (this.recorded && pose.b)
            this.m.skins?.meshes.forEach((_, k) => {
                for (const x of this.kept.mesh(this.recorded!, k, pose.b!) ?? []) wider = this.widen(x) || wider;
            });
        if (wider) this.onrange();
    }

    /** The number behind the colour of a mover; NaN where none is known. */
    number(mover: number, pose: Pose): number {
        if (this.mode === "speed") return pose.speed(mover);
        if (this.mode === "height") {
            pose.position(mover, this.at);
            return this.height(this.at.x, this.at.y, this.at.z);
        }
        if (this.recorded) {
            const [a, b] = this.frames(pose);
            return a && b ? a[mover] + pose.mix * (b[mover] - a[mover]) : NaN;
        }
        const column = this.columns.get(this.mode.slice(6))?.[mover];
        if (!column?.table.data) return NaN;
        const parts = column.columns.map((c) => column.table.value(c, pose.time));
        return parts.length === 1 ? parts[0] : Math.hypot(...parts);
    }

    /** How high a point of the scene is. */
    height(x: number, y: number, z: number): number {
        const o = this.m.frames.origin;
        return (x + o[0]) * this.up.x + (y + o[1]) * this.up.y + (z + o[2]) * this.up.z;
    }

    /** Numbers of all movers at the two frames of a moment; null where there are none, or not yet. Where one frame of a
     *  live run came before they were asked for, it takes those of the other. */
    frames(pose: Pose): [Float32Array | null, Float32Array | null] {
        const name = this.recorded;
        if (!name || !pose.a || !pose.b) return [null, null];
        const a = this.kept.movers(name, pose.a),
            b = this.kept.movers(name, pose.b);
        return this.m.live ? [a ?? b, b ?? a] : [a, b];
    }

    scale(value: number, out: Color): Color {
        if (!Number.isFinite(value)) return out.set(FIXED);
        const s = this.high > this.low ? (value - this.low) / (this.high - this.low) : 0;
        const k = 4 * Math.round(255 * Math.min(Math.max(s, 0), 1));
        return out.setRGB(this.lut[k] / 255, this.lut[k + 1] / 255, this.lut[k + 2] / 255, SRGBColorSpace);
    }

    /** Colour of a shape of a body. */
    body(mover: number, shape: string | [number, number, number] | null | undefined, pose: Pose, out: Color): Color {
        if (this.scaled) return this.scale(this.number(mover, pose), out);
        const b = this.m.bodies[mover];
        if (this.mode === "id") return out.copy(category(mover));
        if (this.mode === "group") return out.copy(category(this.groupNumber(b?.group ?? "")));
        return out.copy(given(shape) ?? this.own[mover]);
    }

    /** Colour of a deforming mesh without numbers. */
    skin(k: number): Color {
        const own = this.mode === "given" ? given(this.m.skins?.meshes[k]?.color) : null;
        return own ?? category(this.m.bodies.length + k);
    }

    /** Colour of a particle group where it is the same for all. */
    particles(group: number, out: Color): Color {
        const p = this.m.particles[group];
        if (this.mode === "group") return out.copy(category(this.groupNumber(p.name)));
        return out.copy(given(p.color) ?? given(p.shape.color) ?? category(this.m.bodies.length + group));
    }
}

function magnitude(c: FieldColumn, row: number): number {
    const parts = c.columns.map((k) => c.table.column(k)[row]);
    return parts.length === 1 ? parts[0] : Math.hypot(...parts);
}
