// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Sliders for the controls of a live run, beside keys and game pads. A slider holds until it is let go of.
import { button, h } from "../dom";
import { number } from "../format";
import type { Control } from "../manifest";
import { slider } from "./look";

const MOST = 64; // sliders that a server knows

export class ControlsPanel {
    readonly element: HTMLElement;
    readonly sliders: ReturnType<typeof slider>[] = [];

    constructor(controls: Control[], send: (control: number, value: number | null) => void) {
        const rows = controls.slice(0, MOST).map((c, k) => {
            const s = slider(
                c.name || `control ${k}`,
                { min: c.low, max: c.high, step: 0, value: c.initial },
                (x) => number(x, 3),
                (x) => send(k, x),
            );
            this.sliders.push(s);
            const keys = [c.key_low, c.key].filter(Boolean);
            const free = button("close", "Let go: back to keys and rest", (e) => {
                e.preventDefault();
                send(k, null);
                s.set(c.initial);
            });
            if (keys.length) s.element.title = `keys: ${keys.join(", ")}`;
            s.element.append(free);
            return s.element;
        });
        this.element = h("div", { class: "look live-controls", hidden: !rows.length }, ...rows);
    }
}
