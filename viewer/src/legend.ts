// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The scale of the colours: its name, its ends (which can be typed), its map.
import type { Colouring } from "./colouring";
import { cssVar, h } from "./dom";
import { number } from "./format";
import { colourMap, cssGradient, MAPS } from "./palette";

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

    /** The scale in a corner of a picture. */
    paint(c: CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D, scale: number): void {
        const { colouring } = this;
        if (!colouring.scaled) return;
        const w = 220 * scale,
            x = c.canvas.width - w - 16 * scale,
            y = c.canvas.height - 30 * scale;
        const gradient = c.createLinearGradient(x, 0, x + w, 0),
            colours = colourMap(colouring.map);
        for (let k = 0; k <= 16; k++) {
            const i = 4 * Math.round((255 * k) / 16);
            gradient.addColorStop(k / 16, `rgb(${colours[i]}, ${colours[i + 1]}, ${colours[i + 2]})`);
        }
        c.font = `${12 * scale}px ${cssVar("--font")}`;
        c.fillStyle = cssVar("--ink");
        c.textAlign = "left";
        c.fillText(colouring.label, x, y - 16 * scale);
        c.fillText(number(colouring.low, 3), x, y + 14 * scale);
        c.textAlign = "right";
        c.fillText(number(colouring.high, 3), x + w, y + 14 * scale);
        c.fillStyle = gradient;
        c.fillRect(x, y - 11 * scale, w, 10 * scale);
    }
}
