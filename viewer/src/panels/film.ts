// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The sheet from which a film is made.
import { button, h } from "../dom";
import { number, seconds } from "../format";
import { filmCodec, type FilmOptions, filmPictures } from "../film/film";

const SIZES = ["640x360", "1280x720", "1920x1080", "3840x2160"];

export class FilmSheet {
    readonly element: HTMLElement;
    private size = h("select", { "aria-label": "Size" }, ...SIZES.map((s) => h("option", { value: s }, s.replace("x", " × "))));
    private fps = h("select", { "aria-label": "Pictures per second" }, ...[24, 25, 30, 50, 60].map((f) => h("option", { value: f }, String(f))));
    private format = h("select", { "aria-label": "Format" });
    private from = h("input", { type: "text", size: 8, "aria-label": "From" });
    private to = h("input", { type: "text", size: 8, "aria-label": "To" });
    private speed = h("input", { type: "text", size: 6, "aria-label": "Speed" });
    private told = h("p", { class: "muted" });
    private bar = h("progress", { max: 1, value: 0, hidden: true });
    private go = h("button", { type: "button", class: "text-button" }, "Make the film");
    private timer = 0;
    private film: { done(): number; stop(): void; end: Promise<void> } | null = null;

    /** `make` returns how far the film is and a way to stop it. */
    constructor(
        private span: () => [number, number],
        private make: (o: FilmOptions) => { done(): number; stop(): void; end: Promise<void> },
    ) {
        const row = (label: string, ...what: HTMLElement[]) =>
            h("tr", {}, h("th", {}, label), h("td", {}, ...what.flatMap((w) => [w, " "])));
        this.element = h(
            "div",
            { class: "sheet film-sheet", role: "dialog", "aria-label": "Film", hidden: true },
            h(
                "div",
                { class: "sheet-body" },
                h("div", { class: "sheet-head" }, h("h2", {}, "Film"), button("close", "Close", () => this.show(false))),
                h(
                    "table",
                    {},
                    h(
                        "tbody",
                        {},
                        row("Format", this.format),
                        row("Size", this.size),
                        row("Pictures per second", this.fps),
                        row("From, to", this.from, this.to, h("span", { class: "muted" }, "s of the run")),
                        row("Speed", this.speed, h("span", { class: "muted" }, "s of the run in a second of film")),
                    ),
                ),
                this.told,
                this.bar,
                this.go,
            ),
        );
        this.size.value = "1280x720";
        this.fps.value = "30";
        this.element.addEventListener("input", () => this.tell());
        this.go.addEventListener("click", () => (this.film ? this.film.stop() : this.start()));
    }

    show(on: boolean, speed = 1): void {
        this.element.hidden = !on;
        if (!on) return;
        const [a, b] = this.span();
        this.from.value = String(Number(a.toPrecision(6)));
        this.to.value = String(Number(b.toPrecision(6)));
        this.speed.value = String(speed);
        void this.offer();
        this.tell();
    }

    /** Formats that this browser can make. */
    private async offer(): Promise<void> {
        const o = this.options();
        const [mp4, webm] = await Promise.all([filmCodec({ ...o, format: "mp4" }), filmCodec({ ...o, format: "webm" })]);
        this.format.replaceChildren(
            mp4 ? h("option", { value: "mp4" }, "MP4 (H.264)") : "",
            webm ? h("option", { value: "webm" }, `WebM (${webm.codec.startsWith("vp09") ? "VP9" : "VP8"})`) : "",
        );
        this.go.disabled = !mp4 && !webm;
        if (this.go.disabled) this.told.textContent = "This browser has no encoder for films (WebCodecs).";
    }

    options(): FilmOptions {
        const [width, height] = this.size.value.split("x").map(Number),
            [a, b] = this.span(),
            given = (input: HTMLInputElement, otherwise: number) =>
                Number.isFinite(Number(input.value)) && input.value.trim() ? Number(input.value) : otherwise;
        const from = Math.min(Math.max(given(this.from, a), a), b);
        return {
            width,
            height,
            fps: Number(this.fps.value),
            format: this.format.value === "webm" ? "webm" : "mp4",
            from,
            to: Math.min(Math.max(given(this.to, b), from), b),
            speed: Math.max(given(this.speed, 1), 1e-6),
        };
    }

    private tell(): void {
        const o = this.options(),
            n = filmPictures(o);
        this.told.textContent = `${n} pictures, ${seconds(n / o.fps)} of film`;
    }

    private start(): void {
        const film = (this.film = this.make(this.options()));
        this.bar.hidden = false;
        this.go.textContent = "Stop";
        this.timer = window.setInterval(() => {
            this.bar.value = film.done();
            this.told.textContent = `${number(100 * film.done(), 3)} %`;
        }, 200);
        film.end
            .then(
                () => (this.told.textContent = "Saved."),
                (e: unknown) => (this.told.textContent = `No film: ${e instanceof Error ? e.message : e}`),
            )
            .finally(() => {
                window.clearInterval(this.timer);
                this.bar.hidden = true;
                this.go.textContent = "Make the film";
                this.film = null;
            });
    }
}
