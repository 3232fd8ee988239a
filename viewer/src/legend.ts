// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The scale of the colours: its name, its ends (which can be typed), its map.
import type { Colouring } from "./colouring";
import { h } from "./dom";
import { number } from "./format";
import { cssGradient, MAPS } from "./palette";

export class Legend {
    readonly element = h("div", { class: "legend", hidden: true });

    /** `changed` is called when the scale is; `reset` when an end was left empty. */
    constructor(
        private colouring: Colouring,
        private changed: () => void,
        private reset: () => void,
    ) {}

    private end(which: "low" | "high"): HTMLInputElement {
        const c = this.colouring;
        const input = h("input", {
            type: "text",
            value: number(c[which], 3).replace("\u2212", "-"),
            "aria-label": which === "low" ? "Least" : "Most",
            size: 6,
        });
        input.addEventListener("change", () => {
            const v = Number(input.value);
            if (input.value.trim() === "" || !Number.isFinite(v)) return this.reset();
            c[which] = v;
            c.fixedRange = true;
            this.changed();
        });
        return input;
    }

    show(): void {
        const c = this.colouring;
        this.element.hidden = !c.scaled;
        if (!c.scaled || this.element.contains(document.activeElement)) return;
        const maps = h("select", { "aria-label": "Colour scale" }, ...MAPS.map((x) => h("option", { value: x }, x)));
        maps.value = c.map;
        maps.addEventListener("change", () => {
            c.setMap(maps.value);
            this.changed();
            maps.blur();
            this.show();
        });
        const middle = h("span", { class: "muted" }, number((c.low + c.high) / 2, 3));
        const all = c.extremes,
            told = (x: number) => number(x, 3),
            beyond = all && (told(all[0]) !== told(c.low) || told(all[1]) !== told(c.high));
        this.element.replaceChildren(
            h("div", { class: "legend-head" }, h("span", {}, c.label), maps),
            h("div", { class: "legend-bar", style: `background:${cssGradient(c.map)}` }),
            h("div", { class: "legend-ends" }, this.end("low"), middle, this.end("high")),
            beyond ? h("div", { class: "muted" }, `all: ${told(all[0])} to ${told(all[1])}`) : "",
        );
    }
}
