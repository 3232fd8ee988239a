// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// One number against another, such as the load of a tire against its deflection: a curve over the interval of time that
// charts show, with a mark at the replay's time.
import { button, cssVar, downloadCanvas, h, safeName } from "./dom";
import { number } from "./format";
import { noise, quiet } from "./noise";
import { LINES_DARK, LINES_LIGHT } from "./palette";
import { paddedRange, type Sync, ticks } from "./plot";
import type { Quantity } from "./series";

const LEFT = 56,
    RIGHT = 10,
    TOP = 8,
    BOTTOM = 32;

/** One number over time: a quantity and which part of it. */
export interface Choice {
    q: Quantity;
    part: number;
}

export function choiceName(c: Choice): string {
    const label = c.q.labels[c.part],
        name = c.q.name.replace(/_/g, " ");
    return `${c.q.object ? `${c.q.object} · ` : ""}${name}${c.q.columns.length > 1 ? ` ${label}` : ""}`;
}

function axisName(c: Choice): string {
    return choiceName(c) + (c.q.unit ? `, ${c.q.unit}` : "");
}

export class XYChart {
    readonly element: HTMLElement;
    private canvas = h("canvas");
    private area: HTMLElement;
    private mark = h("div", { class: "plot-mark" });
    private read = h("span", { class: "muted" });
    private points: { t: Float64Array; x: Float64Array; y: Float64Array } | null = null;
    private ranges: [[number, number], [number, number]] = [
        [0, 1],
        [0, 1],
    ];

    constructor(
        readonly x: Choice,
        readonly y: Choice,
        private sync: Sync,
        close: () => void,
    ) {
        this.area = h("div", { class: "plot-area xy" }, this.canvas, this.mark);
        this.element = h(
            "section",
            { class: "chart xy-chart" },
            h(
                "div",
                { class: "plot-title" },
                h("span", { class: "plot-name" }, h("strong", {}, choiceName(y)), " against ", h("strong", {}, choiceName(x))),
                h("span", { class: "grow" }),
                this.read,
                button("download", "Save this chart as PNG", () => this.save()),
                button("expand", "Large or small (Esc: small)", () => this.setExpanded(!this.expanded)),
                button("close", "Remove this chart", close),
            ),
            this.area,
        );
        this.area.addEventListener("pointermove", (e) => this.sync.setHover(this.nearest(e)));
        this.area.addEventListener("pointerleave", () => this.sync.setHover(null));
        this.area.addEventListener("click", (e) => {
            const t = this.nearest(e);
            if (t !== null) this.sync.pickTime(t);
        });
        new ResizeObserver(() => this.draw()).observe(this.area);
    }

    get expanded(): boolean {
        return this.element.classList.contains("expanded");
    }

    setExpanded(on: boolean): void {
        this.element.classList.toggle("expanded", on);
    }

    async load(): Promise<void> {
        await Promise.all([this.x.q.table.load(), this.y.q.table.load()]);
        this.points = null;
        this.draw();
    }

    /** Both numbers at the rows of the one that has fewer of them. */
    private gather(): { t: Float64Array; x: Float64Array; y: Float64Array } {
        if (this.points && !this.x.q.table.live) return this.points;
        const { x, y } = this,
            base = y.q.table.rows <= x.q.table.rows ? y : x,
            t = base.q.table.time;
        const at = (c: Choice) => {
            const column = c.q.columns[c.part],
                level = noise(c.q, c.q.labels[c.part]);
            return Float64Array.from(t, (time) => quiet(c.q.table.value(column, time), level));
        };
        return (this.points = { t, x: at(x), y: at(y) });
    }

    private get inner(): [number, number] {
        return [Math.max(this.area.clientWidth - LEFT - RIGHT, 10), Math.max(this.area.clientHeight - TOP - BOTTOM, 10)];
    }

    private place2(x: number, y: number): [number, number] {
        const [w, hgt] = this.inner,
            [[x0, x1], [y0, y1]] = this.ranges;
        return [LEFT + ((x - x0) / (x1 - x0)) * w, TOP + (1 - (y - y0) / (y1 - y0)) * hgt];
    }

    /** The time of the point that is nearest to the pointer. */
    private nearest(e: MouseEvent): number | null {
        if (!this.points) return null;
        const box = this.area.getBoundingClientRect(),
            { t, x, y } = this.points;
        let best = Infinity,
            found: number | null = null;
        for (let k = 0; k < t.length; k++) {
            if (t[k] < this.sync.low || t[k] > this.sync.high) continue;
            const [u, v] = this.place2(x[k], y[k]);
            const d = Math.hypot(u - e.clientX + box.left, v - e.clientY + box.top);
            if (d < best) [best, found] = [d, t[k]];
        }
        return found;
    }

    draw(): void {
        if (!this.x.q.table.data || !this.y.q.table.data || !this.area.clientWidth) return;
        const ratio = window.devicePixelRatio || 1;
        this.canvas.width = Math.round(this.area.clientWidth * ratio);
        this.canvas.height = Math.round(this.area.clientHeight * ratio);
        const c = this.canvas.getContext("2d")!;
        c.scale(ratio, ratio);
        this.paint(c);
        this.place();
    }

    private paint(c: CanvasRenderingContext2D): void {
        const { t, x, y } = this.gather(),
            inside = (k: number) => t[k] >= this.sync.low && t[k] <= this.sync.high;
        const range = (v: Float64Array): [number, number] => {
            let low = Infinity,
                high = -Infinity;
            for (let k = 0; k < v.length; k++)
                if (inside(k) && Number.isFinite(v[k])) {
                    low = Math.min(low, v[k]);
                    high = Math.max(high, v[k]);
                }
            return paddedRange(low, high, 0);
        };
        this.ranges = [range(x), range(y)];
        this.axes(c);
        c.save();
        c.beginPath();
        c.rect(LEFT, TOP, ...this.inner);
        c.clip();
        c.strokeStyle = (this.sync.dark ? LINES_DARK : LINES_LIGHT)[0];
        c.lineWidth = 1.6;
        c.lineJoin = "round";
        c.beginPath();
        let open = false;
        for (let k = 0; k < t.length; k++) {
            const good = inside(k) && Number.isFinite(x[k]) && Number.isFinite(y[k]);
            if (good) {
                const [u, v] = this.place2(x[k], y[k]);
                if (open) c.lineTo(u, v);
                else c.moveTo(u, v);
            }
            open = good;
        }
        c.stroke();
        c.restore();
    }

    private axes(c: CanvasRenderingContext2D): void {
        const [w, hgt] = this.inner,
            [[x0, x1], [y0, y1]] = this.ranges;
        c.font = `10.5px ${cssVar("--font")}`;
        c.lineWidth = 1;
        const rule = cssVar("--rule"),
            axis = cssVar("--axis");
        const line = (zero: boolean, a: [number, number], b: [number, number]) => {
            c.strokeStyle = zero ? axis : rule;
            c.beginPath();
            c.moveTo(...a);
            c.lineTo(...b);
            c.stroke();
        };
        c.fillStyle = cssVar("--muted");
        c.textBaseline = "middle";
        c.textAlign = "right";
        for (const v of ticks(y0, y1, Math.max(hgt / 24, 2))) {
            const at = Math.round(this.place2(x0, v)[1]) + 0.5;
            line(v === 0, [LEFT, at], [LEFT + w, at]);
            c.fillText(number(v, 4), LEFT - 5, at);
        }
        c.textBaseline = "top";
        c.textAlign = "center";
        for (const v of ticks(x0, x1, Math.max(w / 70, 2))) {
            const at = Math.round(this.place2(v, y0)[0]) + 0.5;
            line(v === 0, [at, TOP], [at, TOP + hgt]);
            c.fillText(number(v, 4), at, TOP + hgt + 4);
        }
        c.fillText(axisName(this.x), LEFT + w / 2, TOP + hgt + 18);
        c.textAlign = "left";
        c.fillText(axisName(this.y), LEFT + 4, TOP + 1);
    }

    /** Puts the mark and the values where the replay or the pointer is. */
    place(): void {
        if (!this.points) return;
        const time = this.sync.hover ?? this.sync.time,
            value = (c: Choice) => quiet(c.q.table.value(c.q.columns[c.part], time), noise(c.q, c.q.labels[c.part]));
        const x = value(this.x),
            y = value(this.y),
            shown = Number.isFinite(x) && Number.isFinite(y);
        this.mark.style.display = shown ? "block" : "none";
        const [u, v] = this.place2(x, y);
        this.mark.style.transform = `translate(${u}px, ${v}px)`;
        this.read.textContent = shown ? `${number(x, 4)} → ${number(y, 4)}` : "";
    }

    private save(): void {
        const scale = 2,
            w = this.area.clientWidth,
            hgt = this.area.clientHeight;
        const out = h("canvas", { width: w * scale, height: (hgt + 24) * scale });
        const c = out.getContext("2d")!;
        c.scale(scale, scale);
        c.fillStyle = cssVar("--panel");
        c.fillRect(0, 0, w, hgt + 24);
        c.fillStyle = cssVar("--ink");
        c.font = `600 13px ${cssVar("--font")}`;
        c.fillText(`${choiceName(this.y)} against ${choiceName(this.x)}`, 10, 17);
        c.translate(0, 24);
        this.paint(c);
        downloadCanvas(`${safeName(`${choiceName(this.y)}-${choiceName(this.x)}`)}.png`, out);
    }
}
