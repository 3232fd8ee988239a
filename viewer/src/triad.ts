// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The small cross of axes in the corner; a click on an end looks along that axis.
import { type Camera, Vector3 } from "three";
import { AXES } from "./layers/frames";

const NS = "http://www.w3.org/2000/svg";

export class Triad {
    readonly element = document.createElementNS(NS, "svg");
    onpick: (axis: Vector3) => void = () => {};
    private ends: {
        axis: Vector3;
        line: SVGLineElement;
        dot: SVGCircleElement;
        text: SVGTextElement | null;
        group: SVGGElement;
    }[] = [];
    private labels: string[];

    constructor(labels = ["x", "y", "z"]) {
        this.labels = labels;
        this.element.setAttribute("viewBox", "-50 -50 100 100");
        this.element.setAttribute("class", "triad");
        this.element.setAttribute("aria-label", "Axes; click an end to look along it");
        for (let c = 0; c < 3; c++) for (const sign of [1, -1]) this.add(c, sign);
    }

    private add(c: number, sign: number): void {
        const make = <K extends keyof SVGElementTagNameMap>(tag: K, attributes: Record<string, string>) => {
            const e = document.createElementNS(NS, tag);
            for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
            return e;
        };
        const group = make("g", { class: "triad-end" });
        const line = make("line", { stroke: AXES[c], "stroke-width": sign > 0 ? "3" : "0" });
        const dot = make("circle", { r: sign > 0 ? "9" : "5", fill: AXES[c], "fill-opacity": sign > 0 ? "1" : "0.35" });
        const text =
            sign > 0 ? make("text", { fill: "#fff", "text-anchor": "middle", "dominant-baseline": "central" }) : null;
        if (text) text.textContent = this.labels[c];
        group.append(line, dot, ...(text ? [text] : []));
        const axis = new Vector3().setComponent(c, sign);
        group.addEventListener("click", () => this.onpick(axis));
        this.ends.push({ axis, line, dot, text, group });
    }

    update(camera: Camera): void {
        const drawn = this.ends.map((e) => ({ e, v: e.axis.clone().transformDirection(camera.matrixWorldInverse) }));
        drawn.sort((a, b) => a.v.z - b.v.z);
        for (const { e, v } of drawn) {
            const x = String(34 * v.x),
                y = String(-34 * v.y);
            e.line.setAttribute("x2", x);
            e.line.setAttribute("y2", y);
            e.dot.setAttribute("cx", x);
            e.dot.setAttribute("cy", y);
            e.text?.setAttribute("x", x);
            e.text?.setAttribute("y", y);
            this.element.append(e.group); // nearer ones on top
        }
    }
}
