// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// All time series as small charts, by file. A chart reads its numbers when it first comes into view.
import { button, download, h } from "../dom";
import { count } from "../format";
import type { RunEvent } from "../manifest";
import { Chart, type Sync } from "../plot";
import { ProbeTable } from "../probe";
import type { Quantity, Table } from "../series";
import { type Choice, choiceName, XYChart } from "../xy";

function ordinal(n: number): string {
    const end = n % 100 > 10 && n % 100 < 14 ? "th" : (["th", "st", "nd", "rd"][n % 10] ?? "th");
    return `${count(n)}${end}`;
}

export class PlotsPanel {
    readonly element: HTMLElement;
    readonly charts: Chart[] = [];
    readonly pairs: XYChart[] = [];
    onpick: (time: number) => void = () => {};
    private sync: Sync;
    private watcher: IntersectionObserver;
    private byElement = new Map<Element, Chart>();
    private whole: [number, number];
    private resetButton: HTMLElement;
    private counts: (() => void)[] = []; // write the number of rows
    private empty: HTMLElement;
    private hint: HTMLElement;
    private top = h("div"); // the chosen thing, and what was kept of those before
    private chosen: HTMLElement | null = null;
    private more: Table[] = []; // in the top part
    private find: ((table: Table) => Table | null) | null = null; // tables of another run
    private xyBar = h("div", { class: "xy-bar", hidden: true });
    private xyCharts = h("div", { class: "chart-grid" });

    constructor(
        private tables: Table[],
        start: number,
        end: number,
        events: RunEvent[] = [],
    ) {
        this.whole = [start, end > start ? end : start + 1];
        this.sync = {
            low: this.whole[0],
            high: this.whole[1],
            time: start,
            hover: null,
            dark: false,
            events,
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
        const xy = h(
            "button",
            {
                class: "text-button xy-button",
                type: "button",
                title: "Any number against any other",
                onclick: () => this.askXY(this.xyBar.hidden),
            },
            "x–y",
        );
        this.element = h(
            "div",
            { class: "plots" },
            h("div", { class: "panel-bar" }, filter, this.resetButton, xy),
            this.xyBar,
            this.xyCharts,
            this.top,
        );
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

    /** Shows the history of the chosen thing at the top; that of the one before goes, unless it was kept. */
    choose(table: Table | null): void {
        this.dropChosen();
        if (!table || !table.columns.length || table.columns.length < 2) return;
        this.more.push(table);
        const keep = h(
            "button",
            {
                class: "text-button",
                type: "button",
                title: "Keep these charts when something else is chosen",
                onclick: (e: MouseEvent) => {
                    e.preventDefault();
                    if (this.chosen) this.chosen = null;
                    keep.replaceWith(close);
                },
            },
            "Keep",
        );
        const close = button("close", "Remove these charts", (e) => {
            e.preventDefault();
            this.remove(section, table);
        });
        const section = this.file(table, keep);
        section.classList.add("of-frames");
        this.top.prepend(section);
        this.chosen = section;
    }

    private dropChosen(): void {
        const table = this.more[this.more.length - 1];
        if (this.chosen && table) this.remove(this.chosen, table);
        this.chosen = null;
    }

    private remove(section: HTMLElement, table: Table): void {
        for (let i = this.charts.length - 1; i >= 0; i--) {
            const chart = this.charts[i];
            if (chart.q.table !== table) continue;
            this.watcher.unobserve(chart.element);
            this.byElement.delete(chart.element);
            this.charts.splice(i, 1);
        }
        this.more.splice(this.more.indexOf(table), 1);
        section.remove();
    }

    /** Draws another run beside this one: `find` gives its table that goes with one of ours. */
    compare(find: ((table: Table) => Table | null) | null): void {
        this.find = find;
        for (const chart of this.charts) void this.pair(chart);
    }

    private async pair(chart: Chart): Promise<void> {
        chart.other = this.find?.(chart.q.table) ?? null;
        if (chart.other && chart.visible) await chart.other.load();
        if (chart.visible) chart.draw();
    }

    /** Brings the history of the chosen thing into view. */
    showChosen(): void {
        this.chosen?.scrollIntoView({ block: "nearest" });
    }

    // Numbers against numbers -------------------------------------------------------------------------

    /** Everything that can be an axis. */
    choices(): Choice[] {
        const quantities: Quantity[] = [...this.more, ...this.tables].flatMap((t) => t.quantities());
        return quantities.flatMap((q) => q.columns.map((_, part) => ({ q, part })));
    }

    private askXY(on: boolean): void {
        this.xyBar.hidden = !on;
        if (!on) return;
        const all = this.choices();
        const list = (label: string) => {
            const groups = new Map<string, HTMLOptGroupElement>();
            all.forEach((c, i) => {
                const file = c.q.table.file;
                if (!groups.has(file)) groups.set(file, h("optgroup", { label: file }));
                groups.get(file)!.append(h("option", { value: i }, choiceName(c)));
            });
            return h("select", { "aria-label": label }, ...groups.values());
        };
        const x = list("Across"),
            y = list("Up");
        if (all.length > 1) y.value = "1";
        this.xyBar.replaceChildren(
            h("label", {}, "x ", x),
            h("label", {}, "y ", y),
            h(
                "button",
                {
                    class: "text-button",
                    type: "button",
                    onclick: () => {
                        this.addXY(all[Number(x.value)], all[Number(y.value)]);
                        this.askXY(false);
                    },
                },
                "Draw",
            ),
        );
    }

    addXY(x: Choice, y: Choice): XYChart {
        const chart = new XYChart(x, y, this.sync, () => {
            chart.element.remove();
            this.pairs.splice(this.pairs.indexOf(chart), 1);
        });
        this.pairs.push(chart);
        this.xyCharts.append(chart.element);
        chart.load().catch((error) => chart.element.append(h("p", { class: "error" }, String(error))));
        return chart;
    }

    private file(table: Table, more: HTMLElement | null = null): HTMLElement {
        const charts = table.quantities().map((q) => new Chart(q, this.sync));
        for (const chart of charts) {
            this.charts.push(chart);
            this.byElement.set(chart.element, chart);
            this.watcher.observe(chart.element);
        }
        const rows = h("span", { class: "muted" });
        const told = () =>
            (rows.textContent =
                table.stride > 1
                    ? `${count(table.rows)} rows, every ${ordinal(table.stride)}`
                    : table.rows
                      ? `${count(table.rows)} rows`
                      : "");
        this.counts.push(told);
        told();
        const save = button("download", `Save ${table.file}`, async (e) => {
            e.preventDefault();
            await table.load();
            download(table.file, table.csv(), "text/csv");
        });
        return h(
            "details",
            { class: "file", open: true },
            h("summary", {}, h("span", { class: "file-name" }, table.file), rows, h("span", { class: "grow" }), more, save),
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
            this.counts.forEach((f) => f());
            await this.pair(chart);
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
        for (const chart of this.pairs) chart.draw();
    }

    private place(): void {
        for (const chart of this.charts) if (chart.visible) chart.place();
        for (const chart of this.pairs) chart.place();
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
        for (const t of this.more) if (t instanceof ProbeTable && this.isSeen(t)) void t.again();
        this.counts.forEach((f) => f());
        this.redraw();
    }

    private isSeen(table: Table): boolean {
        return this.charts.some((c) => c.visible && c.q.table === table);
    }

    /** Makes a large chart small; false when none was. */
    shrink(): boolean {
        const large = [...this.charts, ...this.pairs].filter((c) => c.expanded);
        large.forEach((c) => c.setExpanded(false));
        return large.length > 0;
    }
}
