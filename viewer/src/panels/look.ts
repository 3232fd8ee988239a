// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// How the scene is looked at: a cut through it, how solid things are, the arrows of contacts.
import { h } from "../dom";
import { metres, newtons, number } from "../format";
import type { View3D } from "../view3d";

/** A slider with its name and what it says. */
export function slider(
    label: string,
    range: { min: number; max: number; step: number; value: number },
    say: (x: number) => string,
    set: (x: number) => void,
): { element: HTMLElement; set(x: number): void } {
    const input = h("input", { type: "range", "aria-label": label, ...range, step: range.step || "any" });
    const told = h("output", { class: "muted" });
    const tell = () => (told.textContent = say(Number(input.value)));
    input.addEventListener("input", () => {
        set(Number(input.value));
        tell();
    });
    tell();
    return {
        element: h("label", { class: "look-row" }, h("span", {}, label), input, told),
        set: (x) => {
            input.value = String(x);
            tell();
        },
    };
}

const SHADES = ["auto", "on", "off"] as const;

export class LookPanel {
    readonly element = h("div", { class: "look", hidden: true });
    private axis: number | null = null;
    private share = 0.5;
    private flip = false;
    private solid = 1;
    private arrows = 1;
    private weakest = NaN;
    private axes: HTMLButtonElement[];
    private place: ReturnType<typeof slider>;
    private shade!: HTMLElement;
    private solidSlider: ReturnType<typeof slider>;

    constructor(
        private view: View3D,
        private changed: () => void,
    ) {
        const off = h("button", { type: "button", class: "text-button", onclick: () => this.clip(null) }, "off");
        this.axes = [off];
        ["x", "y", "z"].forEach((name, axis) =>
            this.axes.push(
                h("button", { type: "button", class: "text-button", onclick: () => this.clip(axis) }, name),
            ),
        );
        const turn = h(
            "button",
            {
                type: "button",
                class: "text-button",
                title: "Take the other half away",
                onclick: () => this.clip(this.axis ?? 0, this.share, !this.flip),
            },
            "flip",
        );
        this.place = slider(
            "at",
            { min: 0, max: 1, step: 0.002, value: 0.5 },
            () => (this.axis === null ? "" : metres(view.cutAt)),
            (x) => this.clip(this.axis ?? 0, x),
        );
        this.solidSlider = slider(
            "Solid",
            { min: 0.05, max: 1, step: 0.05, value: 1 },
            (x) => `${Math.round(100 * x)} %`,
            (x) => this.setSolid(x),
        );
        this.element.append(
            h("div", { class: "look-row" }, h("span", {}, "Cut"), ...this.axes, turn),
            this.place.element,
            this.solidSlider.element,
        );
        this.shade = h("button", { type: "button", class: "text-button", onclick: () => this.setShade(SHADES[(SHADES.indexOf(view.ambience) + 1) % 3]) });
        const grain = h("button", {
            type: "button",
            class: "text-button",
            "aria-pressed": true,
            onclick: () => {
                view.setGrain(grain.getAttribute("aria-pressed") !== "true");
                grain.setAttribute("aria-pressed", String(grain.getAttribute("aria-pressed") !== "true"));
            },
        }, "grain");
        this.element.append(h("div", { class: "look-row" }, h("span", {}, "Finish"), this.shade, grain));
        this.setShade(view.ambience);
        if (view.contacts.any) this.element.append(...this.contactRows());
        this.clip(null);
    }

    private contactRows(): HTMLElement[] {
        const length = slider(
            "Arrows",
            { min: -2, max: 3, step: 0.1, value: 0 },
            (x) => `× ${number(2 ** x, 2)}`,
            (x) => this.setArrows(2 ** x, this.weakest),
        );
        if (!this.view.contacts.forces) return [length.element];
        const least = slider(
            "From",
            { min: -0.005, max: 1, step: 0.005, value: -0.005 },
            (x) => (x < 0 ? "chosen" : newtons(x * this.view.contacts.strongest)),
            (x) => this.setArrows(this.arrows, x < 0 ? NaN : x),
        );
        least.element.title = "Weaker contact forces are not drawn";
        return [length.element, least.element];
    }

    /** Cuts across an axis (0, 1, 2; null: not at all) at a share of the scene. */
    clip(axis: number | null, share = this.share, flip = this.flip): void {
        [this.axis, this.share, this.flip] = [axis, share, flip];
        this.view.setClip(axis, share, flip);
        this.axes.forEach((b, i) => b.setAttribute("aria-pressed", String(i === (axis === null ? 0 : axis + 1))));
        this.place.set(share);
        this.place.element.hidden = axis === null;
        this.changed();
    }

    setShade(mode: "on" | "off" | "auto"): void {
        this.view.ambience = mode;
        this.view.dirty = true;
        this.shade.textContent = `shade in corners: ${mode}`;
        this.shade.setAttribute("aria-pressed", String(mode !== "off"));
    }

    setSolid(opacity: number): void {
        this.solid = opacity;
        this.solidSlider.set(opacity);
        this.view.setSolid(opacity);
        this.changed();
    }

    setArrows(length: number, weakest: number): void {
        [this.arrows, this.weakest] = [length, weakest];
        this.view.setContacts(length, weakest);
        this.changed();
    }

    /** What of this belongs into an address. */
    address(): Record<string, string> {
        const out: Record<string, string> = {};
        if (this.axis !== null) out.clip = `${this.flip ? "-" : ""}${"xyz"[this.axis]}:${Number(this.share.toFixed(4))}`;
        if (this.solid < 1) out.solid = String(this.solid);
        if (this.arrows !== 1) out.arrows = String(Number(this.arrows.toFixed(3)));
        if (Number.isFinite(this.weakest)) out.weakest = String(this.weakest);
        if (this.view.ambience !== "auto") out.ao = this.view.ambience === "on" ? "1" : "0";
        return out;
    }

    /** clip=-x:0.5&solid=0.4&arrows=2&weakest=0.1 */
    read(q: URLSearchParams): void {
        const clip = /^(-?)([xyz])(?::([\d.]+))?$/.exec(q.get("clip") ?? "");
        if (clip) this.clip("xyz".indexOf(clip[2]), clip[3] ? Math.min(Number(clip[3]), 1) : 0.5, clip[1] === "-");
        if (q.has("ao")) this.setShade(q.get("ao") === "0" ? "off" : q.get("ao") === "auto" ? "auto" : "on");
        const solid = Number(q.get("solid"));
        if (solid > 0 && solid <= 1) this.setSolid(solid);
        const arrows = Number(q.get("arrows")),
            weakest = q.has("weakest") ? Number(q.get("weakest")) : NaN;
        if (arrows > 0 || Number.isFinite(weakest)) this.setArrows(arrows > 0 ? arrows : 1, weakest);
    }
}
