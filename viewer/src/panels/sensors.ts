// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Images of lidars and depth cameras at the moment shown, with their scale.
import { h } from "../dom";
import { number, seconds } from "../format";
import type { Film } from "../images";
import { ScanLayer } from "../layers/scan";
import { colourMap, cssGradient } from "../palette";
import type { Pose } from "../pose";
import type { View3D } from "../view3d";

/** One sensor: its image, and its points in the view. */
class Sensor {
    readonly element: HTMLElement;
    readonly layer: ScanLayer;
    private canvas: HTMLCanvasElement;
    private time = h("span", { class: "muted" });
    private under = h("span", { class: "muted" });
    private check = h("input", { type: "checkbox" });
    private shown = -1;
    private levels: Uint16Array | null = null;
    private map = colourMap("viridis");

    constructor(
        readonly film: Film,
        origin: [number, number, number],
    ) {
        const { name, kind, quantity, unit, rows, columns, range } = film.ref;
        this.layer = new ScanLayer(film, origin);
        this.check.checked = this.layer.object.visible;
        this.canvas = h("canvas", { width: columns, height: rows, "aria-label": `${quantity} that ${name} sees` });
        // Scans of few rows are drawn higher than they are.
        const height = rows / columns < 0.2 ? "96px" : "auto";
        this.canvas.style.cssText = `width:100%;height:${height};image-rendering:pixelated;border-radius:6px;background:#10151a;display:block`;
        this.canvas.addEventListener("pointermove", (e) => this.point(e));
        this.canvas.addEventListener("pointerleave", () => (this.under.textContent = ""));
        const bar = h("i");
        bar.style.cssText = `flex:1;height:9px;border-radius:3px;transform:scaleX(-1);background:${cssGradient("viridis")}`;
        const scale = h("div", {}, `${number(range[0], 3)} ${unit}`, bar, `${number(range[1], 3)} ${unit}`);
        scale.style.cssText = "display:flex;align-items:center;gap:8px;margin-top:4px;font-variant-numeric:tabular-nums";
        const head = h("h3", {}, `${name || kind} · ${quantity} `, this.time, " ", this.under);
        const points = film.spatial ? h("label", {}, this.check, " points in the view") : null;
        this.element = h("section", {}, head, this.canvas, scale, points);
    }

    /** The points follow into a view. */
    attach(view: View3D, pose: Pose): void {
        view.add(this.layer);
        this.check.addEventListener("change", () => {
            this.layer.toggle(this.check.checked, pose);
            view.dirty = true;
        });
    }

    show(time: number): void {
        const picture = this.film.at(time);
        if (!picture || picture.index === this.shown) return;
        this.shown = picture.index;
        this.levels = picture.levels;
        this.time.textContent = `at ${seconds(picture.time)}`;
        const context = this.canvas.getContext("2d")!,
            image = context.createImageData(this.canvas.width, this.canvas.height),
            most = this.film.ref.levels - 1;
        picture.levels.forEach((level, i) => {
            if (!level) return;
            const k = 4 * Math.round((255 * (most - (level - 1))) / most); // what is near is bright
            for (let c = 0; c < 4; c++) image.data[4 * i + c] = this.map[k + c];
        });
        context.putImageData(image, 0, 0);
    }

    /** The number under the pointer. */
    private point(e: PointerEvent): void {
        const { width, height } = this.canvas,
            box = this.canvas.getBoundingClientRect();
        const c = Math.min(Math.floor(((e.clientX - box.left) / box.width) * width), width - 1),
            r = Math.min(Math.floor(((e.clientY - box.top) / box.height) * height), height - 1);
        const x = this.film.value(this.levels?.[r * width + c] ?? 0);
        this.under.textContent = Number.isFinite(x) ? `${number(x, 4)} ${this.film.ref.unit}` : "nothing within range";
    }
}

export class SensorsPanel {
    readonly element = h("div", { class: "sensors" });
    onerror: (message: string) => void = () => {};
    private sensors: Sensor[];

    constructor(films: Film[], origin: [number, number, number]) {
        this.sensors = films.map((film) => new Sensor(film, origin));
        for (const s of this.sensors) s.film.onerror = (message) => this.onerror(message);
        this.element.append(...this.sensors.map((s) => s.element));
    }

    attach(view: View3D, pose: Pose): void {
        for (const s of this.sensors) {
            s.attach(view, pose);
            s.film.onload = () => {
                s.layer.update(pose);
                s.show(pose.time);
                view.dirty = true;
            };
            s.film.onload();
        }
    }

    setTime(time: number): void {
        if (this.element.closest("[hidden]")) return;
        for (const s of this.sensors) s.show(time);
    }
}
