// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// All time series as small charts, by file. A chart reads its numbers when it first comes into view.
import { button, download, h } from "../dom";
import { count } from "../format";
import { Chart, type Sync } from "../plot";
import type { Table } from "../series";

function ordinal(n: number): string {
    const end = n % 100 > 10 && n % 100 < 14 ? "th" : (["th", "st", "nd", "rd"][n % 10] ?? "th");
    return `${count(n)}${end}`;
}

export class PlotsPanel {
    readonly element: HTMLElement;
    readonly charts: Chart[] = [];
    onpick: (time: number) => void = () => {};
    private sync: Sync;
    private watcher: IntersectionObserver;
    private byElement = new Map<Element, Chart>();
    private whole: [number, number];
    private resetButton: HTMLElement;
    private counts: (() => void)[] = []; // write the number of rows
    private empty: HTMLElement;
    private hint: HTMLElement;

    constructor(
        private tables: Table[],
        start: number,
        end: number,
    ) {
        this.whole = [start, end > start ? end : start + 1];
        this.sync = {
            low: this.whole[0],
            high: this.whole[1],
            time: start,
            hover: null,
            dark: false,
            zoom: (low, high) => this.zoom(low, high),
            reset: () => this.zoom(...this.whole),
            pickTime: (t) => this.onpick(t),
            setHover: (t) => {
                this.sync.hover = t;
                this.place();
            },
        };
        this.resetButton = h(
            "button",
            { class: "text-button", type: "button", hidden: true, onclick: () => this.zoom(...this.whole) },
            "Whole time",
        );
        const filter = h("input", {
            type: "search",
            placeholder: "Filter: velocity, elbow, energy …",
            "aria-label": "Filter charts",
        });
        filter.addEventListener("input", () => this.filter(filter.value));
        this.element = h("div", { class: "plots" }, h("div", { class: "panel-bar" }, filter, this.resetButton));
        this.watcher = new IntersectionObserver((entries) => entries.forEach((e) => this.seen(e)), {
            rootMargin: "200px",
        });
        this.empty = h(
            "p",
            { class: "empty", hidden: tables.length > 0 },
            "This run wrote no time series. Ask for some with “outputs” in the scene.",
        );
        this.hint = h(
            "p",
            { class: "hint" },
            "Click: go to that time. Drag: zoom. Double click: whole time. Shift + wheel: zoom.",
        );
        for (const table of tables) this.element.append(this.file(table));
        this.counts.forEach((f) => f());
        this.element.append(this.empty, this.hint);
    }

    /** Shows a file whose first rows a live run has written just now. */
    add(table: Table): void {
        this.empty.hidden = true;
        this.hint.before(this.file(table));
    }

    private file(table: Table): HTMLElement {
        const charts = table.quantities().map((q) => new Chart(q, this.sync));
        for (const chart of charts) {
            this.charts.push(chart);
            this.byElement.set(chart.element, chart);
            this.watcher.observe(chart.element);
        }
        const rows = h("span", { class: "muted" });
        this.counts.push(
            () =>
                (rows.textContent =
                    table.stride > 1
                        ? `${count(table.rows)} rows, every ${ordinal(table.stride)}`
                        : `${count(table.rows)} rows`),
        );
        const save = button("download", `Save ${table.file}`, async (e) => {
            e.preventDefault();
            await table.load();
            download(table.file, table.csv(), "text/csv");
        });
        return h(
            "details",
            { class: "file", open: true },
            h("summary", {}, h("span", { class: "file-name" }, table.file), rows, h("span", { class: "grow" }), save),
            h("div", { class: "chart-grid" }, ...charts.map((c) => c.element)),
        );
    }

    private async seen(entry: IntersectionObserverEntry): Promise<void> {
        const chart = this.byElement.get(entry.target);
        if (!chart) return;
        chart.visible = entry.isIntersecting;
        if (!chart.visible) return;
        try {
            await chart.q.table.load();
            chart.draw();
        } catch (error) {
            chart.element.append(h("p", { class: "error" }, String(error)));
        }
    }

    private zoom(low: number, high: number): void {
        const [a, b] = this.whole;
        const least = 1e-9 * (b - a);
        this.sync.low = Math.max(Math.min(low, b - least), a);
        this.sync.high = Math.min(Math.max(high, this.sync.low + least), b);
        this.resetButton.hidden = this.sync.low <= a && this.sync.high >= b;
        this.redraw();
    }

    private filter(text: string): void {
        const words = text.toLowerCase().split(/\s+/).filter(Boolean);
        for (const chart of this.charts) {
            const name = `${chart.q.table.file} ${chart.q.object} ${chart.q.name} ${chart.q.labels.join(" ")}`
                .toLowerCase()
                .replace(/_/g, " ");
            chart.element.hidden = !words.every((w) => name.includes(w));
        }
        for (const file of this.element.querySelectorAll<HTMLElement>(".file")) {
            file.hidden = !file.querySelector(".chart:not([hidden])");
        }
    }

    redraw(): void {
        for (const chart of this.charts) if (chart.visible) chart.draw();
    }

    private place(): void {
        for (const chart of this.charts) if (chart.visible) chart.place();
    }

    setTime(time: number): void {
        if (time === this.sync.time) return;
        this.sync.time = time;
        this.place();
    }

    theme(dark: boolean): void {
        this.sync.dark = dark;
        this.redraw();
    }

    /** A live run has gone on. */
    extend(end: number): void {
        const whole = this.sync.low <= this.whole[0] && this.sync.high >= this.whole[1];
        this.whole[1] = Math.max(this.whole[1], end);
        if (whole) this.sync.high = this.whole[1];
        for (const t of this.tables) void t.load();
        this.counts.forEach((f) => f());
        this.redraw();
    }

    /** Makes a large chart small; false when none was. */
    shrink(): boolean {
        const large = this.charts.filter((c) => c.expanded);
        large.forEach((c) => c.setExpanded(false));
        return large.length > 0;
    }
}
