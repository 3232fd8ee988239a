// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What is known of the chosen body: where it is, how fast it moves.
import { Vector3 } from "three";
import { button, h } from "./dom";
import { decimalsFor, number, steady } from "./format";
import { type Manifest, moverName } from "./manifest";
import type { Pose } from "./pose";

export interface CardHost {
    select(mover: number | null): void;
    follow(mover: number): void;
    hide(mover: number): void;
}

export class Card {
    readonly element = h("div", { class: "picked", hidden: true });
    private cells: HTMLElement[] = [];
    private shown = "";
    private at = new Vector3();

    constructor(
        private m: Manifest,
        private pose: Pose,
        private host: CardHost,
    ) {}

    /** `size` is that of the scene, for the number of digits. */
    show(mover: number | null, following: boolean, size: number): void {
        this.element.hidden = mover === null || !this.pose.a;
        if (mover === null || !this.pose.a) return;
        const key = `${mover} ${following}`;
        if (key !== this.shown) this.build(mover, following);
        this.shown = key;
        const o = this.m.frames.origin,
            d = decimalsFor(size, 4);
        this.pose
            .position(mover, this.at)
            .toArray()
            .forEach((x, c) => (this.cells[c].textContent = `${steady(x + o[c], d)} m`));
        this.cells[3].textContent = `${number(this.pose.speed(mover), 3)} m/s`;
    }

    private build(mover: number, following: boolean): void {
        const body = this.m.bodies[mover];
        const text = (label: string, onclick: () => void, pressed = false) =>
            h("button", { type: "button", class: "text-button", "aria-pressed": pressed, onclick }, label);
        this.cells = ["x", "y", "z", "speed"].map(() => h("td"));
        const rows = ["x", "y", "z", "speed"].map((label, i) => h("tr", {}, h("th", {}, label), this.cells[i]));
        this.element.replaceChildren(
            h(
                "div",
                { class: "picked-head" },
                h("strong", {}, moverName(this.m, mover)),
                h("span", { class: "muted" }, body?.fixed ? "fixed" : (body?.group ?? "")),
                h("span", { class: "grow" }),
                button("close", "Let go (Esc)", () => this.host.select(null)),
            ),
            h("table", {}, h("tbody", {}, ...rows)),
            h(
                "div",
                { class: "picked-actions" },
                text(following ? "Following" : "Follow", () => this.host.follow(mover), following),
                body ? text("Hide", () => this.host.hide(mover)) : null,
            ),
        );
    }
}
