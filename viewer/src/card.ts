// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What is known of the chosen thing at the moment that is shown: what frames say, and what outputs recorded.
import { button, h } from "./dom";
import { decimalsFor, number, steady } from "./format";
import { endsOf, SURFACE, surfaceName, type Thing, thingKey, thingName, thingSort } from "./things";
import { type Manifest, moverName } from "./manifest";
import { noise, quiet } from "./noise";
import type { Pose } from "./pose";
import type { Probe } from "./probe";
import type { Quantity, Table } from "./series";

export interface CardHost {
    choose(thing: Thing | null): void;
    follow(mover: number): void;
    hide(mover: number): void;
    plot(): void;
    seeThrough(mover: number, opacity: number): void;
    opacityOf(mover: number): number;
}

interface Line {
    cell: HTMLElement;
    text(pose: Pose, now: number[]): string;
}

export class Card {
    readonly element = h("div", { class: "picked", hidden: true });
    private lines: Line[] = [];
    private shown = "";

    constructor(
        private m: Manifest,
        private pose: Pose,
        private tables: Table[],
        private host: CardHost,
    ) {}

    /** `size` is that of the scene, for the number of digits. */
    show(thing: Thing | null, probe: Probe | null, following: boolean, size: number): void {
        this.element.hidden = !thing || !probe || !this.pose.a;
        if (!thing || !probe || !this.pose.a) return;
        const key = `${thingKey(thing)} ${following} ${this.tables.length}`;
        if (key !== this.shown) this.build(thing, probe, following, size);
        this.shown = key;
        const now = probe.now(this.pose);
        for (const line of this.lines) {
            const text = line.text(this.pose, now);
            if (line.cell.textContent !== text) line.cell.textContent = text;
        }
    }

    /** Quantities that outputs recorded of a name. */
    private recorded(name: string): Quantity[] {
        const found = this.tables.flatMap((t) => t.quantities()).filter((q) => q.object === name);
        for (const q of found) void q.table.load();
        return found.filter((q, i) => found.findIndex((o) => o.name === q.name) === i);
    }

    private build(thing: Thing, probe: Probe, following: boolean, size: number): void {
        const name = thingName(this.m, thing),
            outputs = thing.kind === "contact" || thing.kind === "element" ? [] : this.recorded(name),
            rows: HTMLElement[] = [];
        this.lines = [];
        const add = (label: string, unit: string, text: Line["text"]) => {
            const cell = h("td");
            this.lines.push({ cell, text: (pose, now) => text(pose, now) + (unit ? ` ${unit}` : "") });
            rows.push(h("tr", {}, h("th", {}, label.replace(/_/g, " ")), cell));
        };
        const output = (q: Quantity) =>
            add(q.name, q.unit, (pose) =>
                q.columns
                    .map((c, i) => number(quiet(q.table.value(c, pose.time), noise(q, q.labels[i])), 4))
                    .join("  "),
            );
        let at = 0;
        for (const row of probe.rows) {
            const from = at,
                count = row.labels.length,
                fine = decimalsFor(size, 4);
            at += count;
            const told = outputs.find((q) => q.name === row.name);
            if (told) output(told); // exact, in place of what frames say
            if (row.name === "rotation" || told) continue;
            // Places keep their number of decimals; others their digits.
            const place = row.unit === "m" && row.name === "position";
            add(row.name, row.unit, (_, now) => {
                const part = now.slice(from, from + count),
                    level = 1e-9 * Math.max(...part.map(Math.abs));
                return part.map((x) => (place ? steady(x, fine) : number(quiet(x, level), 3))).join("  ");
            });
        }
        for (const q of outputs) if (!probe.rows.some((r) => r.name === q.name)) output(q);
        this.element.replaceChildren(
            this.head(thing, name),
            h("table", {}, h("tbody", {}, ...rows)),
            this.actions(thing, following),
        );
    }

    private head(thing: Thing, name: string): HTMLElement {
        const ends = endsOf(this.m, thing),
            end = (i: number) =>
                i < 0 || i === SURFACE
                    ? h("span", {}, i < 0 ? "the world" : surfaceName(this.m))
                    : h(
                          "button",
                          {
                              type: "button",
                              class: "link",
                              onclick: () => this.host.choose({ kind: "body", index: i }),
                          },
                          moverName(this.m, i),
                      );
        return h(
            "div",
            {},
            h(
                "div",
                { class: "picked-head" },
                h("strong", {}, name),
                h("span", { class: "muted" }, thingSort(this.m, thing)),
                h("span", { class: "grow" }),
                button("close", "Let go (Esc)", () => this.host.choose(null)),
            ),
            ends ? h("div", { class: "muted picked-ends" }, "between ", end(ends[0]), " and ", end(ends[1])) : null,
        );
    }

    private actions(thing: Thing, following: boolean): HTMLElement {
        const text = (label: string, onclick: () => void, pressed = false, title = "") =>
            h("button", { type: "button", class: "text-button", title, "aria-pressed": pressed, onclick }, label);
        const body = thing.kind === "body" ? this.m.bodies[thing.index] : null;
        const slider = h("input", {
            type: "range",
            class: "see-through",
            min: 0.05,
            max: 1,
            step: 0.05,
            value: thing.kind === "body" ? this.host.opacityOf(thing.index) : 1,
            title: "How solid it is drawn",
            "aria-label": "Opacity",
        });
        slider.addEventListener("input", () => this.host.seeThrough(thing.index, Number(slider.value)));
        return h(
            "div",
            { class: "picked-actions" },
            text("Plot", () => this.host.plot(), false, "All of this over time"),
            thing.kind === "body"
                ? text(following ? "Following" : "Follow", () => this.host.follow(thing.index), following)
                : null,
            body ? text("Hide", () => this.host.hide(thing.index)) : null,
            thing.kind === "body" ? slider : null,
        );
    }
}
