// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// One chart: lines over time, with zoom, values under the pointer, and a mark at the replay's time.
import { button, cssVar, downloadCanvas, h, safeName } from "./dom";
import { number } from "./format";
import type { RunEvent } from "./manifest";
import { noise, quiet } from "./noise";
import { LINES_DARK, LINES_LIGHT } from "./palette";
import type { Quantity, Table } from "./series";

/** What all charts have in common, so that they move together. */
export interface Sync {
    low: number;
    high: number; // shown interval of time
    time: number; // of the replay
    hover: number | null;
    dark: boolean;
    events: RunEvent[]; // of the run, in their order
    zoom(low: number, high: number): void;
    reset(): void;
    pickTime(time: number): void;
    setHover(time: number | null): void;
}

const MARKS_MOST = 200; // of a chart
const LEFT = 50,
    RIGHT = 8,
    TOP = 5,
    BOTTOM = 17;

export function ticks(low: number, high: number, most: number): number[] {
    const raw = (high - low) / Math.max(most, 1);
    if (!(raw > 0) || !Number.isFinite(raw)) return [low];
    const base = 10 ** Math.floor(Math.log10(raw));
    const step = base * ([1, 2, 2.5, 5, 10].find((m) => m * base >= raw * 0.999) ?? 10);
    const out: number[] = [];
    for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) out.push(k === 0 ? 0 : k * step);
    return out;
}

/** Some room above and below; what is all one number, or nothing but rounding, gets a scale of its own. */
export function paddedRange(low: number, high: number, level: number): [number, number] {
    if (!(low <= high) || !Number.isFinite(low) || !Number.isFinite(high)) return [0, 1];
    const size = Math.max(Math.abs(low), Math.abs(high));
    if (size < level) return [-1, 1];
    if (high - low <= 1e-12 * size || high === low) {
        const pad = size > 0 ? 0.1 * size : 1;
        return [low - pad, high + pad];
    }
    return [low - 0.06 * (high - low), high + 0.06 * (high - low)];
}

export class Chart {
    readonly element: HTMLElement;
    visible = false;
    /** The same quantity of another run: dashed. */
    other: Table | null = null;
    private canvas = h("canvas");
    private area: HTMLElement;
    private nowLine = h("div", { class: "plot-now" });
    private hoverLine = h("div", { class: "plot-hover" });
    private band = h("div", { class: "plot-band" });
    private marks = h("div", { class: "plot-events" });
    private marked = ""; // the interval that marks are laid out for
    private values: HTMLElement[];
    private dragFrom: number | null = null;
    private range: [number, number] = [0, 1];

    constructor(
        readonly q: Quantity,
        private sync: Sync,
    ) {
        this.values = q.labels.map(() => h("b", {}, "–"));
        const legend = h(
            "div",
            { class: "plot-legend" },
            ...q.labels.map((label, i) =>
                h("span", { class: "plot-key", "data-line": i % 7 }, h("i"), label, " ", this.values[i]),
            ),
        );
        const title = h(
            "div",
            { class: "plot-title" },
            h(
                "span",
                { class: "plot-name" },
                q.object ? `${q.object} · ` : "",
                h("strong", {}, q.name.replace(/_/g, " ")),
            ),
            q.unit ? h("span", { class: "unit" }, q.unit) : null,
            h("span", { class: "grow" }),
            button("download", "Save this chart as PNG", () => this.save()),
            button("expand", "Large or small (Esc: small)", () => this.setExpanded(!this.expanded)),
        );
        this.area = h("div", { class: "plot-area" }, this.canvas, this.marks, this.band, this.hoverLine, this.nowLine);
        this.element = h("section", { class: "chart" }, title, legend, this.area);
        this.listen();
        new ResizeObserver(() => this.visible && this.draw()).observe(this.area);
    }

    get expanded(): boolean {
        return this.element.classList.contains("expanded");
    }

    setExpanded(on: boolean): void {
        this.element.classList.toggle("expanded", on);
    }

    private get inner(): [number, number] {
        return [
            Math.max(this.area.clientWidth - LEFT - RIGHT, 10),
            Math.max(this.area.clientHeight - TOP - BOTTOM, 10),
        ];
    }

    private toTime(event: PointerEvent | WheelEvent): number {
        const x = event.clientX - this.area.getBoundingClientRect().left - LEFT;
        return this.sync.low + Math.min(Math.max(x / this.inner[0], 0), 1) * (this.sync.high - this.sync.low);
    }

    private toX(time: number): number {
        return LEFT + ((time - this.sync.low) / (this.sync.high - this.sync.low)) * this.inner[0];
    }

    private listen(): void {
        const area = this.area;
        area.addEventListener("pointermove", (e) => {
            this.sync.setHover(this.toTime(e));
            if (this.dragFrom === null) return;
            const a = this.toX(this.dragFrom),
                b = this.toX(this.toTime(e));
            this.band.style.display = Math.abs(a - b) > 4 ? "block" : "none";
            this.band.style.left = `${Math.min(a, b)}px`;
            this.band.style.width = `${Math.abs(a - b)}px`;
        });
        area.addEventListener("pointerleave", () => this.sync.setHover(null));
        area.addEventListener("pointerdown", (e) => {
            if (e.button !== 0) return;
            this.dragFrom = this.toTime(e);
            if (e.pointerType === "mouse") area.setPointerCapture(e.pointerId);
        });
        area.addEventListener("pointercancel", () => {
            this.dragFrom = null;
            this.band.style.display = "none";
        });
        area.addEventListener("pointerup", (e) => {
            if (this.dragFrom === null) return;
            const from = this.dragFrom,
                to = this.toTime(e);
            this.dragFrom = null;
            this.band.style.display = "none";
            if (Math.abs(this.toX(from) - this.toX(to)) > 4) this.sync.zoom(Math.min(from, to), Math.max(from, to));
            else this.sync.pickTime(to);
        });
        area.addEventListener("dblclick", () => this.sync.reset());
        area.addEventListener(
            "wheel",
            (e) => {
                if (!e.ctrlKey && !e.shiftKey) return; // the plain wheel scrolls the panel
                e.preventDefault();
                const at = this.toTime(e),
                    f = Math.exp(0.0015 * (e.deltaY || e.deltaX));
                this.sync.zoom(at - (at - this.sync.low) * f, at + (this.sync.high - at) * f);
            },
            { passive: false },
        );
    }

    /** Rows of the shown interval, one more on each side. */
    private rows(table: Table): [number, number] {
        const first = Math.max(table.row(this.sync.low) - 1, 0);
        const last = Math.min(table.row(this.sync.high) + 2, table.time.length);
        return [first, last];
    }

    /** The columns that are drawn: of this run, then those of the same names of the other one. */
    private lines(): { table: Table; column: number; line: number; dashed: boolean }[] {
        const own = this.q.columns.map((column, line) => ({ table: this.q.table, column, line, dashed: false }));
        const { other } = this;
        if (!other?.data) return own;
        const beside = this.q.columns.map((c, line) => ({
            table: other,
            column: other.columns.indexOf(this.q.table.columns[c]),
            line,
            dashed: true,
        }));
        return [...beside.filter((x) => x.column > 0), ...own];
    }

    private findRange(): [number, number] {
        let low = Infinity,
            high = -Infinity;
        for (const { table, column } of this.lines()) {
            const y = table.column(column),
                [first, last] = this.rows(table);
            for (let r = first; r < last; r++) {
                if (y[r] < low) low = y[r];
                if (y[r] > high) high = y[r];
            }
        }
        return paddedRange(low, high, noise(this.q, this.q.labels.length === 1 ? this.q.labels[0] : ""));
    }

    draw(): void {
        const { table } = this.q;
        if (!table.data || !this.area.clientWidth) return;
        const ratio = window.devicePixelRatio || 1;
        this.canvas.width = Math.round(this.area.clientWidth * ratio);
        this.canvas.height = Math.round(this.area.clientHeight * ratio);
        const c = this.canvas.getContext("2d")!;
        c.scale(ratio, ratio);
        this.paint(c);
        this.place();
    }

    private paint(c: CanvasRenderingContext2D): void {
        const [w, hgt] = this.inner;
        this.range = this.findRange();
        const [low, high] = this.range;
        const yOf = (v: number) => TOP + (1 - (v - low) / (high - low)) * hgt;
        c.font = `10.5px ${cssVar("--font")}`;
        c.lineWidth = 1;
        const ink = cssVar("--muted"),
            rule = cssVar("--rule"),
            axis = cssVar("--axis");
        c.textBaseline = "middle";
        c.textAlign = "right";
        for (const v of ticks(low, high, Math.max(hgt / 24, 2))) {
            const y = Math.round(yOf(v)) + 0.5;
            c.strokeStyle = v === 0 ? axis : rule;
            c.beginPath();
            c.moveTo(LEFT, y);
            c.lineTo(LEFT + w, y);
            c.stroke();
            c.fillStyle = ink;
            c.fillText(number(v, 4), LEFT - 5, y);
        }
        c.textBaseline = "top";
        c.textAlign = "center";
        const times = ticks(this.sync.low, this.sync.high, Math.max(w / 70, 2));
        for (const t of times) {
            const x = Math.round(this.toX(t)) + 0.5;
            c.strokeStyle = rule;
            c.beginPath();
            c.moveTo(x, TOP);
            c.lineTo(x, TOP + hgt);
            c.stroke();
            c.fillStyle = ink;
            c.fillText(
                number(t, 5) + (t === times[times.length - 1] ? " s" : ""),
                Math.min(x, LEFT + w - 10),
                TOP + hgt + 4,
            );
        }
        c.save();
        c.beginPath();
        c.rect(LEFT, TOP - 2, w, hgt + 4);
        c.clip();
        const colours = this.sync.dark ? LINES_DARK : LINES_LIGHT;
        for (const { table, column, line, dashed } of this.lines()) {
            c.strokeStyle = colours[line % 7];
            c.lineWidth = 1.5;
            c.lineJoin = "round";
            c.setLineDash(dashed ? [5, 3] : []);
            this.line(c, table, column, yOf);
        }
        c.setLineDash([]);
        c.restore();
    }

    /** Every point where there is room; else the lowest and highest of each column of pixels. */
    private line(
        c: CanvasRenderingContext2D,
        table: Table,
        number: number,
        yOf: (v: number) => number,
    ): void {
        const t = table.time,
            y = table.column(number),
            [first, last] = this.rows(table);
        c.beginPath();
        let open = false;
        const crowded = last - first > 3 * this.inner[0];
        let column = NaN,
            lo = 0,
            hi = 0;
        for (let r = first; r < last; r++) {
            const v = y[r];
            if (!Number.isFinite(v)) {
                open = false;
                column = NaN;
                continue;
            }
            const x = this.toX(t[r]);
            if (crowded && Math.round(x) === column) {
                if (v < lo) c.lineTo(column, yOf((lo = v)));
                if (v > hi) c.lineTo(column, yOf((hi = v)));
                continue;
            }
            column = Math.round(x);
            lo = hi = v;
            if (open) c.lineTo(crowded ? column : x, yOf(v));
            else c.moveTo(crowded ? column : x, yOf(v));
            open = true;
        }
        c.stroke();
    }

    /** Marks of events in the shown interval: the first ones, where there are very many. */
    private layMarks(): void {
        const { events, low, high } = this.sync,
            key = `${low} ${high} ${this.inner[0]}`;
        if (!events.length || key === this.marked) return;
        this.marked = key;
        const shown = events.filter((e) => e.time >= low && e.time <= high).slice(0, MARKS_MOST);
        this.marks.replaceChildren(
            ...shown.map((e) => {
                const title = [`${e.name}, ${number(e.time, 5)} s`, ...e.actions].join("\n");
                const mark = h("div", { class: "plot-event" }, h("i", { title }));
                mark.style.transform = `translateX(${this.toX(e.time)}px)`;
                return mark;
            }),
        );
    }

    /** The events within some pixels of a time, for the line under the pointer. */
    private eventsAt(time: number): string {
        const near = this.sync.events.filter((e) => Math.abs(this.toX(e.time) - this.toX(time)) < 4);
        return near
            .slice(0, 3)
            .map((e) => ` · ${e.name}`)
            .join("");
    }

    /** Puts the marks and the values where the replay or the pointer is. */
    place(): void {
        const { sync } = this;
        this.layMarks();
        const line = (element: HTMLElement, time: number | null) => {
            const shown = time !== null && time >= sync.low && time <= sync.high;
            element.style.display = shown ? "block" : "none";
            if (shown) element.style.transform = `translateX(${this.toX(time)}px)`;
        };
        line(this.nowLine, sync.time);
        line(this.hoverLine, sync.hover);
        if (sync.hover !== null) {
            this.hoverLine.dataset.time = `${number(sync.hover, 5)} s${this.eventsAt(sync.hover)}`;
            this.hoverLine.classList.toggle("left", this.toX(sync.hover) > LEFT + 0.7 * this.inner[0]);
        }
        const at = sync.hover ?? sync.time;
        this.q.columns.forEach((c, i) => {
            const value = quiet(this.q.table.value(c, at), noise(this.q, this.q.labels[i]));
            this.values[i].textContent = number(value, 4);
        });
    }

    private save(): void {
        const scale = 2,
            w = this.area.clientWidth,
            hgt = this.area.clientHeight;
        const out = h("canvas", { width: w * scale, height: (hgt + 40) * scale });
        const c = out.getContext("2d")!;
        c.scale(scale, scale);
        c.fillStyle = cssVar("--panel");
        c.fillRect(0, 0, w, hgt + 40);
        c.fillStyle = cssVar("--ink");
        c.font = `600 13px ${cssVar("--font")}`;
        c.fillText(
            `${this.q.object} ${this.q.name.replace(/_/g, " ")}${this.q.unit ? `, ${this.q.unit}` : ""}`,
            10,
            17,
        );
        c.font = `11px ${cssVar("--font")}`;
        let x = 10;
        const colours = this.sync.dark ? LINES_DARK : LINES_LIGHT;
        this.q.labels.forEach((label, i) => {
            c.fillStyle = colours[i % 7];
            c.fillRect(x, 26, 12, 3);
            c.fillStyle = cssVar("--muted");
            c.fillText(label, x + 16, 31);
            x += 28 + c.measureText(label).width;
        });
        c.translate(0, 38);
        this.paint(c);
        downloadCanvas(`${safeName(`${this.q.object} ${this.q.name}`)}.png`, out);
    }
}
