// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The page: header, view, controls and panels, and what happens between them.
import { Color, Vector3 } from "three";
import { Bookmarks } from "./bookmarks";
import { Card } from "./card";
import { Colouring, type Mode } from "./colouring";
import { OtherRun } from "./compare";
import { button, cssVar, download, downloadCanvas, h, icon, safeName, setIcon } from "./dom";
import { count, decimalsFor, metres, newtons, number, plural, seconds, steady } from "./format";
import { Fields } from "./fields";
import { Film, type FilmOptions } from "./film/film";
import { Film as ImageFilm } from "./images";
import { helpSheet } from "./help";
import { LiveClient } from "./live";
import { Legend } from "./legend";
import { tally, type Manifest } from "./manifest";
import { ControlsPanel } from "./panels/controls";
import { FilmSheet } from "./panels/film";
import { LookPanel } from "./panels/look";
import { ObjectsPanel } from "./panels/objects";
import { PlotsPanel } from "./panels/plots";
import { scenePanel } from "./panels/scene";
import { SensorsPanel } from "./panels/sensors";
import { SummaryPanel } from "./panels/summary";
import { ViewsMenu } from "./panels/views";
import { goodSpeed, Player, SPEEDS } from "./player";
import { Pointer } from "./pointer";
import { heldBodies, Pose } from "./pose";
import { makeProbe, type Probe, probeTable, type Recorded } from "./probe";
import { Table } from "./series";
import { address, store, stored } from "./settings";
import { SkinStore } from "./skins";
import type { Source } from "./source";
import { type FrameStore, LiveStore } from "./store";
import { findThing, type Thing, thingName } from "./things";
import { type MeshData, type Toggle, View3D, webgl } from "./view3d";

const TABS = ["plots", "sensors", "objects", "summary", "scene"] as const;
type Tab = (typeof TABS)[number];
const AT_FIRST: Toggle[] = ["grid", "shadows", "springs", "trail"]; // what is shown unless somebody turns it off
const TOGGLES: [Toggle, string, string][] = [
    ["grid", "Grid", "g"],
    ["shadows", "Shadows", "s"],
    ["joints", "Joints", "j"],
    ["springs", "Springs", "k"],
    ["forces", "Forces", "a"],
    ["contacts", "Contacts", "t"],
    ["frames", "Frames", "v"],
    ["trail", "Path", "p"],
];

export class App {
    readonly pose: Pose;
    readonly player: Player;
    readonly tables: Table[];
    readonly colouring: Colouring;
    readonly fields: Fields;
    readonly skins: SkinStore;
    readonly plots: PlotsPanel;
    readonly sensors: SensorsPanel;
    view: View3D | null = null;
    pointer: Pointer | null = null;
    dark = false;
    fps = 0;
    pictures = 0;
    chosen: Thing | null = null;
    private probe: Probe | null = null;
    private recorded!: Recorded;
    problems: string[] = [];
    private objects: ObjectsPanel | null = null;
    look: LookPanel | null = null;
    views: Bookmarks | null = null;
    private viewsMenu: ViewsMenu | null = null;
    private summary: SummaryPanel;
    private stage = h("div", { class: "stage" });
    private panels = new Map<Tab, HTMLElement>();
    private tabs = new Map<Tab, HTMLButtonElement>();
    private toggles = new Map<Toggle, HTMLButtonElement>();
    private playButton!: HTMLButtonElement;
    private scrub!: HTMLInputElement;
    private clock = h("output", { class: "clock", "aria-label": "Time" });
    private frameText = h("span", { class: "muted frame-text" });
    private speedSelect!: HTMLSelectElement;
    private loopButton!: HTMLButtonElement;
    private colourSelect!: HTMLSelectElement;
    private legend: Legend;
    private scaleText = h("div", { class: "scale-text" });
    private stamp = h("div", { class: "stamp" });
    private card: Card;
    private note = h("div", { class: "note", role: "status", hidden: true });
    private liveBar = h("div", { class: "live-bar", hidden: true });
    private help: HTMLElement;
    private decimals: number;
    private filmSheet = new FilmSheet(
        () => [this.player.start, this.player.end],
        (o) => this.filmToSave(o),
    );
    private filming = false;
    other: OtherRun | null = null;
    private otherBar = h("div", { class: "other-bar", hidden: true });
    private last = 0;
    private frameTimes: number[] = [];
    private atEdge = true; // live: show the newest frame

    constructor(
        readonly root: HTMLElement,
        readonly m: Manifest,
        readonly source: Source,
        readonly store: FrameStore,
        readonly live: LiveClient | null,
    ) {
        this.pose = new Pose(heldBodies(m));
        this.player = new Player(store, this.pose);
        this.tables = m.series.map((s) => new Table(live ? null : source, s));
        this.fields = new Fields(m, source);
        this.skins = new SkinStore(m, source);
        this.fields.onerror = this.skins.onerror = (message) => this.problem(message);
        this.colouring = new Colouring(m, this.tables, new Vector3(...m.up).normalize(), this.fields);
        const end = Math.max(this.player.end, 0);
        this.plots = new PlotsPanel(this.tables, this.player.start, end, m.events);
        this.plots.onpick = (t) => this.setTime(t);
        this.sensors = new SensorsPanel(
            m.images.map((x) => new ImageFilm(x, source)),
            m.frames.origin,
        );
        this.sensors.onerror = (message) => this.problem(message);
        this.summary = new SummaryPanel(m, () => store.count);
        this.card = new Card(m, this.pose, this.tables, {
            choose: (t) => this.choose(t),
            follow: (i) => this.follow(i),
            hide: (i) => this.hide(i),
            plot: () => {
                this.showTab("plots");
                this.plots.showChosen();
            },
            seeThrough: (i, opacity) => this.seeThrough(i, opacity),
            opacityOf: (i) => this.view?.opacityOf(i) ?? 1,
        });
        this.recorded = { m, store, fields: this.fields, skins: this.skins, corners: [], contacts: null };
        this.legend = new Legend(
            this.colouring,
            () => this.view?.recolour(this.colouring),
            () => void this.setColour(this.colouring.mode),
        );
        this.help = helpSheet(() => this.showHelp(false));
        this.decimals = decimalsFor(this.player.end - this.player.start, 5);
        this.player.onchange = () => this.showPlayer();
        store.onload = () => {
            this.player.refresh();
            this.view?.framesCame();
        };
        store.onerror = (message) => this.problem(message);
    }

    /** Builds everything and shows the first picture. */
    async start(): Promise<void> {
        this.layout();
        this.setTheme(this.storedTheme());
        matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.setTheme(this.storedTheme()));
        await this.startView();
        if (this.view) this.sensors.attach(this.view, this.pose);
        this.objects = new ObjectsPanel(this.m, {
            visibility: this.view?.visibility ?? {
                body: new Uint8Array(this.m.bodies.length),
                group: new Uint8Array(this.m.particles.length),
                skin: new Uint8Array(this.m.skins?.meshes.length ?? 0),
            },
            colour: (i) => this.swatch(i),
            choose: (t) => this.choose(t),
            follow: (i) => this.follow(i),
            changed: () => this.view?.showChanged(),
        });
        this.panels.get("objects")!.append(this.objects.element);
        this.keyboard();
        await this.readAddress();
        this.showPlayer();
        if (this.live) this.startLive(this.live);
        requestAnimationFrame((t) => this.loop(t));
    }

    // Layout ------------------------------------------------------------------------------------------

    private layout(): void {
        document.title = `${this.m.name} – Kairos`;
        const warnings = this.m.warnings.length + (this.m.summary.result && this.m.summary.result !== "done" ? 1 : 0);
        const header = h(
            "header",
            {},
            h("span", { class: "brand" }, "Kairos"),
            h("h1", {}, this.m.name),
            this.facts(),
            warnings
                ? h(
                      "button",
                      {
                          type: "button",
                          class: "warn-badge",
                          title: "Show the warnings",
                          onclick: () => this.showTab("summary"),
                      },
                      icon("warn"),
                      String(warnings),
                  )
                : null,
            h("span", { class: "grow" }),
            this.live ? null : button("film", "Make a film", () => this.filmSheet.show(true, this.player.speed)),
            this.live ? null : button("compare", "Compare with another run", () => this.askOther()),
            button("camera", "Save the view as PNG", () => this.savePicture()),
            button("theme", "Dark or light (D)", () => this.toggleTheme()),
            button("help", "Keys and gestures (?)", () => this.showHelp(true)),
            button("panel", "Show or hide the panel", () => document.body.classList.toggle("wide"), {
                class: "icon-button panel-button",
            }),
        );
        this.root.replaceChildren(header, h("main", {}, this.stageElement(), this.controls(), this.side()), this.help, this.filmSheet.element);
    }

    private facts(): HTMLElement {
        const m = this.m,
            { bodies, particles, nodes } = tally(m);
        const facts = [
            bodies ? plural(bodies, "body", "bodies") : "",
            particles ? plural(particles, "particle") : "",
            nodes ? plural(nodes, "node") : "",
            m.joints.length ? plural(m.joints.length, "joint") : "",
            this.player.end > 0 ? seconds(this.player.end) : "",
        ];
        return h("span", { class: "facts muted" }, facts.filter(Boolean).join(" · "));
    }

    private stageElement(): HTMLElement {
        const tools = h("div", { class: "tools" });
        const modes: [string, string][] = [
            ["given", "Own colours"],
            ["id", "By number"],
            ...(this.colouring.groupCount > 1 ? [["group", "By group"] as [string, string]] : []),
            ["speed", "By speed"],
            ["height", "By height"],
            ...this.colouring.fields.map((f): [string, string] => [`field:${f}`, `By ${f.replace(/_/g, " ")}`]),
        ];
        this.colourSelect = h(
            "select",
            { title: "Colours (C)", "aria-label": "Colours" },
            ...modes.map(([v, t]) => h("option", { value: v }, t)),
        );
        this.colourSelect.addEventListener("change", () => void this.setColour(this.colourSelect.value as Mode));
        const chips = h("div", { class: "chips" });
        for (const [what, label, key] of TOGGLES) {
            if (what === "joints" && !this.m.joints.length) continue;
            if (what === "springs" && !this.m.springs.length) continue;
            if (what === "contacts" && !this.m.contacts) continue;
            const b = h(
                "button",
                {
                    type: "button",
                    class: "chip",
                    title: `${what === "trail" ? "Path of the chosen body" : label} (${key.toUpperCase()})`,
                    onclick: () => void this.toggle(what),
                },
                label,
            );
            this.toggles.set(what, b);
            chips.append(b);
        }
        tools.append(this.colourSelect, chips);
        const corner = h(
            "div",
            { class: "corner" },
            button("home", "First view (H)", () => this.view?.home()),
            button("fit", "Fit all (F)", () => this.view?.fit()),
            button("views", "Views (1 to 9)", () => this.toggleViews()),
            button("look", "Cut, see through, arrows (X)", () => this.toggleLook()),
        );
        this.stage.append(
            tools,
            corner,
            this.legend.element,
            this.card.element,
            this.scaleText,
            this.stamp,
            this.liveBar,
            this.otherBar,
            this.note,
        );
        return this.stage;
    }

    private controls(): HTMLElement {
        this.playButton = button("play", "Play (Space)", () => this.togglePlay(), { class: "icon-button primary" });
        this.scrub = h("input", {
            type: "range",
            class: "scrub",
            min: 0,
            max: 1,
            step: "any",
            value: 0,
            "aria-label": "Time",
        });
        this.scrub.addEventListener("input", () => {
            const [a, b] = [this.player.start, this.player.end];
            this.player.playing = false;
            this.setTime(a + Number(this.scrub.value) * (b - a));
        });
        this.speedSelect = h(
            "select",
            { title: "Speed (− +)", "aria-label": "Speed" },
            ...SPEEDS.map((s) => h("option", { value: s }, `${s}×`)),
        );
        if (!this.live) this.player.speed = goodSpeed(this.player.end - this.player.start);
        this.speedSelect.value = String(this.player.speed);
        this.speedSelect.addEventListener("change", () => this.setSpeed(Number(this.speedSelect.value)));
        this.loopButton = button("loop", "Loop (L)", () => this.toggleLoop());
        return h(
            "div",
            { class: "controls" },
            button("back", "One frame back (←)", () => this.player.step(-1)),
            this.playButton,
            button("forward", "One frame on (→)", () => this.player.step(1)),
            h("div", { class: "clock-box" }, this.clock, this.frameText),
            this.scrub,
            this.speedSelect,
            this.loopButton,
        );
    }

    private side(): HTMLElement {
        const names: Record<Tab, string> = { plots: "Plots", sensors: "Sensors", objects: "Objects", summary: "Summary", scene: "Scene" };
        const contents: Record<Tab, HTMLElement> = {
            plots: this.plots.element,
            sensors: this.sensors.element,
            objects: h("div"),
            summary: this.summary.element,
            scene: scenePanel(this.m.scene_text, this.m.name),
        };
        const bar = h("nav", { class: "tabs", role: "tablist" }),
            body = h("div", { class: "panels" });
        for (const tab of TABS) {
            const b = h("button", { type: "button", role: "tab", onclick: () => this.showTab(tab) }, names[tab]);
            const panel = h("div", { class: "panel", role: "tabpanel" }, contents[tab]);
            if (tab === "sensors") b.hidden = !this.m.images.length;
            this.tabs.set(tab, b);
            this.panels.set(tab, panel);
            bar.append(b);
            body.append(panel);
        }
        this.showTab(this.tables.length ? "plots" : "summary");
        return h("aside", {}, bar, body);
    }

    showTab(tab: Tab): void {
        for (const t of TABS) {
            this.tabs.get(t)?.setAttribute("aria-selected", String(t === tab));
            this.panels.get(t)?.toggleAttribute("hidden", t !== tab);
        }
        document.body.classList.remove("wide");
    }

    private nextTab(by: number): void {
        const there = TABS.filter((t) => !this.tabs.get(t)?.hidden);
        this.showTab(there[(there.indexOf(this.tab) + by + there.length) % there.length]);
    }

    private get tab(): Tab {
        return TABS.find((t) => !this.panels.get(t)?.hidden) ?? "plots";
    }

    private showHelp(on: boolean): void {
        this.help.hidden = !on;
    }

    problem(message: string): void {
        this.problems.push(message);
        this.note.hidden = false;
        this.note.textContent = message;
    }

    // The view ----------------------------------------------------------------------------------------

    private async startView(): Promise<void> {
        const hardware = webgl();
        if (hardware === null) {
            this.stage.classList.add("no-webgl");
            this.stage.append(noView());
            return;
        }
        const radii = await Promise.all(this.m.particles.map((p) => (p.radii ? this.source.f32(p.radii.chunk) : null)));
        const meshes = await Promise.all(
            this.m.meshes.map(
                async (x): Promise<MeshData> => ({
                    vertices: await this.source.f32(x.vertices.chunk),
                    triangles: await this.source.u32(x.triangles.chunk),
                }),
            ),
        );
        const corners = await Promise.all(
            (this.m.skins?.meshes ?? []).map(async (x) => ({
                triangles: x.triangles ? await this.source.u32(x.triangles.chunk) : null,
                lines: x.lines ? await this.source.u32(x.lines.chunk) : null,
                elements: x.elements ? await this.source.u32(x.elements.chunk) : null,
            })),
        );
        this.recorded.corners = corners;
        try {
            this.view = new View3D(
                this.stage,
                this.m,
                this.tables,
                this.pose,
                this.store,
                this.source,
                meshes,
                radii,
                hardware,
                { store: this.skins, fields: this.fields, corners },
            );
        } catch (error) {
            this.problem(`The 3-D view could not start: ${error instanceof Error ? error.message : error}`);
            return;
        }
        const view = this.view;
        this.recorded.contacts = view.contacts;
        view.theme(this.dark);
        view.setBackground(cssVar("--stage-top"), cssVar("--stage"), cssVar("--stage-low"));
        this.stage.append(view.triad.element);
        view.onmoved = () => {
            const arrows =
                view.shown("forces") && view.arrows.reference > 0
                    ? `longest arrow ${newtons(view.arrows.reference)}`
                    : "";
            const [low, high] = view.contacts.range;
            const gaps = !view.shown("contacts")
                ? ""
                : view.contacts.forces
                  ? `contact force ${newtons(view.contacts.strongest)} (bright)${view.contacts.leftOut ? `, ${count(view.contacts.leftOut)} weaker ones left out` : ""}`
                  : `gaps ${metres(low)} (bright) to ${metres(high)} (dark)`;
            this.scaleText.textContent = [view.shown("grid") ? `grid ${metres(view.cell)}` : "", arrows, gaps]
                .filter(Boolean)
                .join(" · ");
        };
        this.look = new LookPanel(view, () => view.onmoved());
        this.views = new Bookmarks(view, this.m.name, this.m.frames.origin);
        this.viewsMenu = new ViewsMenu(this.views, () => this.writeAddress());
        this.stage.append(this.look.element, this.viewsMenu.element);
        this.colouring.onrange = () => this.legend.show();
        view.contacts.onerror = (message) => this.problem(message);
        await this.firstPose();
        view.recolour(this.colouring);
        for (const [what, b] of this.toggles) {
            if (what === "forces" && !view.arrows.count) {
                b.remove();
                this.toggles.delete(what);
            } else b.setAttribute("aria-pressed", String(view.shown(what)));
        }
        this.pointer = new Pointer(view, this.m, this.pose, this.live, {
            choose: (t) => this.choose(t),
            follow: (i) => this.follow(i),
        });
        view.canvas.addEventListener("webglcontextlost", () =>
            this.problem(
                "The graphics driver has dropped the view; it comes back when the driver does, or when the page is loaded again.",
            ),
        );
        const followed = this.m.bodies.findIndex((b) => b.name === this.m.view.follow);
        if (followed >= 0) this.follow(followed);
    }

    /** Looks at a few moments (all of them in a small run), so that the first view holds the whole motion. */
    private async firstPose(): Promise<void> {
        const n = this.store.count;
        if (!n) return;
        const small = n * this.m.frames.movers < 400000;
        const looks = small ? Math.min(n, 60) : Math.min(n, 3);
        for (let i = looks - 1; i >= 0; i--) {
            const k = Math.round((i * (n - 1)) / Math.max(looks - 1, 1));
            await Promise.all([this.store.load(k), this.skins.load(k)]);
            const frame = this.store.get(k);
            if (!frame) continue;
            this.pose.set(frame, frame, 0, frame.time);
            this.view?.include();
        }
        this.player.setTime(this.player.start);
        await Promise.all([0, 1].flatMap((k) => [this.store.load(k), this.skins.load(k)]));
        this.player.advance(0);
        this.view?.settle();
    }

    private swatch(mover: number): string {
        if (mover >= this.m.bodies.length) {
            let at = this.m.bodies.length;
            for (let g = 0; g < this.m.particles.length; g++) {
                if (mover < at + this.m.particles[g].count) return this.colouring.particles(g, new Color()).getStyle();
                at += this.m.particles[g].count;
            }
        }
        const mode = this.colouring.mode;
        if (this.colouring.scaled) this.colouring.mode = "given";
        const style = this.colouring
            .body(mover, this.m.bodies[mover].shapes?.[0]?.color, this.pose, new Color())
            .getStyle();
        this.colouring.mode = mode;
        return style;
    }

    async setColour(mode: Mode): Promise<void> {
        this.colourSelect.value = mode;
        await this.colouring.setMode(mode);
        if (this.colouring.recorded && !this.live) await this.loadField(this.colouring.recorded);
        this.askLive();
        if (this.pose.a) this.colouring.scan(this.pose);
        this.view?.recolour(this.colouring);
        this.objects?.fill();
        this.legend.show();
    }

    /** The numbers of the two frames that are shown. */
    private async loadField(name: string): Promise<void> {
        const k = Math.min(this.player.frame, Math.max(this.store.count - 2, 0));
        await Promise.all([k, k + 1].map((i) => this.fields.load(name, i)));
    }

    /** Tells the server of a live run what its frames are to hold. */
    private askLive(): void {
        this.live?.send({
            type: "show",
            contacts: this.view?.shown("contacts") ?? false,
            field: this.colouring.recorded,
        });
    }

    private toggleLook(): void {
        if (!this.look || !this.viewsMenu) return;
        this.look.element.hidden = !this.look.element.hidden;
        this.viewsMenu.element.hidden = true;
    }

    private toggleViews(): void {
        if (!this.look || !this.viewsMenu) return;
        this.viewsMenu.element.hidden = !this.viewsMenu.element.hidden;
        this.look.element.hidden = true;
    }

    /** Everything that the address can say, as it is now. */
    writeAddress(): void {
        const keys: Record<string, string> = {
            t: String(Number(this.player.time.toPrecision(8))),
            ...this.views?.address(),
            ...this.look?.address(),
        };
        if (this.colouring.mode !== "given") keys.colour = this.colouring.mode;
        const shown = [...this.toggles.keys()].filter((k) => this.view?.shown(k) && !AT_FIRST.includes(k));
        if (shown.length) keys.show = shown.join(",");
        const hidden = [...this.toggles.keys()].filter((k) => !this.view?.shown(k) && AT_FIRST.includes(k));
        if (hidden.length) keys.hide = hidden.join(",");
        if (this.chosen && this.chosen.kind !== "element" && this.chosen.kind !== "contact")
            keys.select = thingName(this.m, this.chosen);
        const text = Object.entries(keys).map(([k, v]) => `${k}=${encodeURIComponent(v).replace(/%2C/g, ",").replace(/%3A/g, ":").replace(/%3B/g, ";")}`);
        history.replaceState(null, "", `#${text.join("&")}`);
    }

    async toggle(what: Toggle, on?: boolean): Promise<void> {
        if (!this.view || !this.toggles.has(what)) return;
        const wanted = on ?? !this.view.shown(what);
        this.toggles.get(what)!.setAttribute("aria-pressed", String(wanted));
        await this.view.toggle(what, wanted);
        if (what === "contacts") this.askLive();
    }

    /** The chosen body or particle. */
    get selected(): number | null {
        return this.chosen?.kind === "body" ? this.chosen.index : null;
    }

    choose(thing: Thing | null): void {
        this.chosen = thing;
        this.probe = thing ? makeProbe(this.recorded, thing, 0.05 * (this.view?.size ?? 1)) : null;
        const { probe } = this;
        this.view?.select(this.selected);
        this.view?.mark(probe && this.selected === null ? (pose, out) => probe.where(pose, out) : null);
        this.objects?.select(thing);
        this.plots.choose(thing && probe?.rows.length ? probeTable(probe, this.m, thing) : null);
        this.showCard();
    }

    select(mover: number | null): void {
        this.choose(mover === null ? null : { kind: "body", index: mover });
    }

    private showCard(): void {
        const following = this.selected !== null && this.view?.following === this.selected;
        this.card.show(this.chosen, this.probe, following, this.view?.size ?? 1);
    }

    follow(mover: number | null): void {
        if (!this.view) return;
        this.view.follow(this.view.following === mover ? null : mover);
        if (mover !== null && this.selected !== mover) this.select(mover);
        this.showCard();
    }

    private seeThrough(mover: number, opacity: number): void {
        this.view?.seeThrough(mover, opacity);
    }

    private hide(body: number): void {
        if (!this.view) return;
        this.view.visibility.body[body] = 0;
        this.view.showChanged();
        this.objects?.fill();
        this.select(null);
    }

    savePicture(): void {
        if (!this.view) return;
        const canvas = this.view.picture();
        const c = canvas.getContext("2d")!,
            scale = canvas.width / Math.max(this.stage.clientWidth, 1);
        this.caption(c, scale);
        downloadCanvas(`${safeName(this.m.name)}-${steady(this.player.time, 3)}s.png`, canvas);
    }

    // Another run -------------------------------------------------------------------------------------

    private askOther(): void {
        if (this.other) return this.dropOther();
        const input = h("input", { type: "file", accept: ".html,text/html" });
        input.addEventListener("change", async () => {
            const file = input.files?.[0];
            if (file) await this.compare(await file.text()).catch((e: unknown) => this.problem(`${file.name}: ${e instanceof Error ? e.message : e}`));
        });
        input.click();
    }

    /** Shows another run, the text of whose page is given, beside this one. */
    async compare(text: string): Promise<void> {
        this.dropOther();
        const other = await OtherRun.open(text, () => this.showOther());
        if (this.view) {
            await other.build(this.view, this.m.frames.origin);
            this.view.addGuest(other.group);
        }
        this.other = other;
        this.plots.compare((table) => other.table(table, this.m));
        this.otherBar.replaceChildren(
            h("i", { class: "swatch" }),
            h("span", {}, other.m.name === this.m.name ? "the other run" : other.m.name),
            h("span", { class: "muted" }, this.view ? "ghost, dashed lines" : "dashed lines"),
            button("close", "No longer compare", () => this.dropOther()),
        );
        this.otherBar.hidden = false;
        this.showOther();
    }

    private dropOther(): void {
        this.other?.dispose();
        this.other = null;
        this.otherBar.hidden = true;
        this.plots.compare(null);
        if (this.view) this.view.dirty = true;
    }

    private showOther(): void {
        if (!this.other || !this.view) return;
        this.other.show(this.player.time);
        this.view.dirty = true;
    }

    // Films -------------------------------------------------------------------------------------------

    /** Shows a moment with all that belongs to it: frames, meshes, fields, contacts. */
    async showMoment(time: number): Promise<void> {
        const n = this.store.count,
            k = Math.min(this.player.frameAt(time), Math.max(n - 2, 0)),
            field = this.colouring.recorded;
        const load = (i: number) => [
            this.store.load(i),
            this.skins.vertices ? this.skins.load(i) : undefined,
            field ? this.fields.load(field, i) : undefined,
            this.view?.shown("contacts") ? this.view.contacts.load(i) : undefined,
        ];
        // The frames beside bend the paths of bodies that joints hold.
        await Promise.all([
            this.other?.loadAt(time),
            ...[k - 1, k, k + 1, k + 2].filter((i) => i >= 0 && i < n).flatMap(load),
        ]);
        this.player.setTime(time);
        this.player.advance(0);
        this.view?.update();
        this.showOther();
    }

    /** Makes a film; the page itself stands still meanwhile. */
    film(o: FilmOptions): { film: Film; end: Promise<Blob> } {
        const { view } = this,
            before = this.player.time,
            canvas = new OffscreenCanvas(o.width, o.height),
            c = canvas.getContext("2d", { alpha: false, willReadFrequently: true })!; // the encoder reads it
        const film = new Film(o, {
            draw: async (time) => {
                await this.showMoment(time);
                c.drawImage(view!.drawNow(), 0, 0);
                this.caption(c, o.height / 720);
                return canvas;
            },
        });
        const make = async () => {
            if (!view || !this.store.count) throw new Error("there is nothing to show");
            if (this.filming) throw new Error("another film is being made");
            this.filming = true;
            this.player.setPlaying(false);
            view.fix([o.width, o.height]);
            try {
                return await film.make();
            } finally {
                view.fix(null);
                this.filming = false;
                this.setTime(before);
            }
        };
        return { film, end: make() };
    }

    private filmToSave(o: FilmOptions): { done(): number; stop(): void; end: Promise<void> } {
        const { film, end } = this.film(o);
        return {
            done: () => film.done,
            stop: () => (film.stopped = true),
            end: end.then((blob) => download(`${safeName(this.m.name)}.${o.format}`, blob)),
        };
    }

    /** The name, the time, and the scale of the colours, for pictures. */
    private caption(c: CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D, scale: number): void {
        c.textAlign = "left";
        c.textBaseline = "alphabetic";
        c.font = `600 ${15 * scale}px ${cssVar("--font")}`;
        c.fillStyle = cssVar("--ink");
        c.fillText(`${this.m.name}   t = ${steady(this.player.time, this.decimals)} s`, 16 * scale, 30 * scale);
        this.legend.paint(c, scale);
    }

    // Time --------------------------------------------------------------------------------------------

    setTime(time: number): void {
        if (this.live) this.atEdge = time >= this.player.end;
        this.player.setTime(time);
    }

    togglePlay(): void {
        if (this.live && this.live.connection === "connected") {
            this.atEdge = true;
            this.live.send({ type: this.live.state.paused ? "continue" : "pause" });
        } else this.player.setPlaying(!this.player.playing);
    }

    private setSpeed(s: number): void {
        if (s > 0) this.player.speed = s;
        this.speedSelect.value = String(s);
        if (this.live) this.live.send({ type: "speed", factor: s });
    }

    private changeSpeed(by: number): void {
        const k = SPEEDS.findIndex((s) => s >= this.player.speed);
        this.setSpeed(SPEEDS[Math.min(Math.max(k + by, 0), SPEEDS.length - 1)]);
    }

    private toggleLoop(): void {
        this.player.loop = !this.player.loop;
        this.showPlayer();
    }

    private showPlayer(): void {
        if (!this.playButton) return;
        const p = this.player,
            running = this.live?.connection === "connected" ? !this.live.state.paused : p.playing;
        if (this.playButton.dataset.running !== String(running)) {
            this.playButton.dataset.running = String(running);
            setIcon(this.playButton, running ? "pause" : "play");
        }
        this.loopButton.setAttribute("aria-pressed", String(p.loop));
        const span = p.end - p.start,
            share = span > 0 ? (p.time - p.start) / span : 0;
        this.scrub.value = String(share);
        this.scrub.style.setProperty("--done", `${100 * share}%`);
        this.clock.textContent = `${steady(p.time, this.decimals)} s`;
        this.frameText.textContent = this.store.count ? `frame ${p.frame + 1} / ${this.store.count}` : "no frames";
        this.stage.classList.toggle("waiting", p.waiting);
        this.stamp.textContent = `${this.m.name} · t = ${steady(p.time, this.decimals)} s`;
    }

    private loop(now: number): void {
        requestAnimationFrame((t) => this.loop(t));
        const dt = Math.min((now - this.last) / 1000, 0.25);
        this.last = now;
        if (this.filming) return;
        if (this.live && this.atEdge && this.store.count) this.player.setTime(this.player.end);
        if (this.player.advance(dt)) {
            this.view?.update();
            this.showOther();
            this.showCard();
            this.pointer?.showBand();
        }
        this.plots.setTime(this.player.time);
        this.sensors.setTime(this.player.time);
        if (this.view?.render(now, this.player.playing)) {
            this.pictures++;
            this.frameTimes.push(now);
            while (this.frameTimes.length > 30) this.frameTimes.shift();
            const n = this.frameTimes.length;
            if (n > 2) this.fps = ((n - 1) * 1000) / Math.max(this.frameTimes[n - 1] - this.frameTimes[0], 1);
        }
        this.live?.drawn();
        this.live?.pollGamepad();
    }

    // Live --------------------------------------------------------------------------------------------

    private startLive(live: LiveClient): void {
        document.body.classList.add("live");
        const controls = new ControlsPanel(this.m.controls, (control, value) =>
            live.send({ type: "control", control, value }),
        );
        this.stage.append(controls.element);
        this.speedSelect.append(h("option", { value: 0 }, "max"));
        this.loopButton.hidden = true;
        const store = this.store as LiveStore;
        let first = true,
            looked = 0;
        live.onframe = (data) => {
            if (!store.take(data)) return;
            if (first) {
                first = false;
                this.player.setTime(this.player.end);
                this.player.advance(0);
                this.view?.include();
                this.view?.settle();
                this.view?.recolour(this.colouring);
            }
            const now = performance.now();
            if (now - looked > 250) {
                looked = now;
                if (this.view?.following === null) this.view.widen();
                this.plots.extend(this.player.end);
            }
            this.decimals = decimalsFor(Math.max(this.player.end, 1), 4);
        };
        live.onstate = () => this.showLive(live);
        live.onseries = (file, rows, columns) => {
            let table = this.tables.find((t) => t.file === file);
            if (!table && columns?.length) {
                // The page was opened before the run had written this file.
                table = new Table(null, { file, columns, rows: 0, chunk: -1 });
                this.tables.push(table);
                this.plots.add(table);
            }
            for (const row of rows) table?.append(row);
        };
        live.onerror = (message) => this.problem(message);
        live.onopen = () => this.askLive();
        this.askLive();
        this.showLive(live);
    }

    private showLive(live: LiveClient): void {
        const s = live.state,
            on = live.connection === "connected";
        if (s.summary) {
            Object.assign(this.m.summary, s.summary);
            if (this.tab === "summary") this.summary.fill();
        }
        const words = {
            connecting: "connecting …",
            connected: s.paused ? "paused" : "running",
            lost: "connection lost, trying again …",
            ended: "the run has ended",
        };
        if (
            on &&
            document.activeElement !== this.speedSelect &&
            [...this.speedSelect.options].some((o) => Number(o.value) === s.speed)
        )
            this.speedSelect.value = String(s.speed);
        this.liveBar.hidden = false;
        this.liveBar.dataset.connection = live.connection;
        this.liveBar.dataset.paused = String(s.paused);
        this.liveBar.replaceChildren(
            h("i", { class: "dot" }),
            h("strong", {}, "Live"),
            h("span", {}, words[live.connection]),
            on && s.real_time_factor > 0
                ? h("span", { class: "muted" }, `${number(s.real_time_factor, 2)} s of computing for 1 s`)
                : "",
            on ? button("step", "One step (N)", () => live.send({ type: "step", count: 1 })) : "",
        );
        this.showPlayer();
    }

    // Keys, theme, address ----------------------------------------------------------------------------

    private keyboard(): void {
        const typing = (e: KeyboardEvent) =>
            /^(INPUT|SELECT|TEXTAREA)$/.test((e.target as HTMLElement).tagName) &&
            (e.target as HTMLInputElement).type !== "range";
        const forwarded = (e: KeyboardEvent) =>
            this.live && /^(Arrow|Key[WASDQEZX]$)/.test(e.code) && !e.ctrlKey && !e.metaKey;
        addEventListener("keydown", (e) => {
            if (typing(e) || e.altKey) return;
            if (forwarded(e)) {
                if (!e.repeat) this.live!.send({ type: "key", name: e.key, down: true });
                e.preventDefault();
                return;
            }
            if (e.ctrlKey || e.metaKey) return;
            if (this.key(e)) e.preventDefault();
        });
        addEventListener("keyup", (e) => forwarded(e) && this.live!.send({ type: "key", name: e.key, down: false }));
    }

    private key(e: KeyboardEvent): boolean {
        const digit = /^Digit([1-9])$/.exec(e.code);
        const n = digit ? Number(digit[1]) : /^[1-9]$/.test(e.key) ? Number(e.key) : 0;
        if (n && this.views) {
            if (e.shiftKey) this.views.save(n);
            else this.views.go(n);
            return true;
        }
        const many = e.shiftKey ? 10 : 1;
        const actions: Record<string, () => void> = {
            " ": () => this.togglePlay(),
            ArrowLeft: () => this.player.step(-many),
            ArrowRight: () => this.player.step(many),
            Home: () => this.setTime(this.player.start),
            End: () => this.setTime(this.player.end),
            "-": () => this.changeSpeed(-1),
            "+": () => this.changeSpeed(1),
            "=": () => this.changeSpeed(1),
            l: () => this.toggleLoop(),
            f: () => this.view?.fit(),
            h: () => this.view?.home(),
            u: () => this.toggleViews(),
            x: () => this.toggleLook(),
            b: () => this.follow(this.selected),
            c: () => this.nextColour(),
            d: () => this.toggleTheme(),
            n: () => this.live?.send({ type: "step", count: many }),
            "?": () => this.showHelp(this.help.hidden),
            "[": () => this.nextTab(-1),
            "]": () => this.nextTab(1),
            Escape: () => this.escape(),
        };
        for (const [what, , key] of TOGGLES) actions[key] = () => void this.toggle(what);
        const action = actions[e.key] ?? actions[e.key.toLowerCase()];
        if (!action) return false;
        action();
        return true;
    }

    private escape(): void {
        if (!this.help.hidden) this.showHelp(false);
        else if (!this.plots.shrink()) this.select(null);
    }

    private nextColour(): void {
        const options = [...this.colourSelect.options].map((o) => o.value as Mode);
        void this.setColour(options[(options.indexOf(this.colouring.mode) + 1) % options.length]);
    }

    private storedTheme(): boolean {
        const wanted = address().get("theme") ?? stored("kairos-theme");
        if (wanted) return wanted === "dark";
        return matchMedia("(prefers-color-scheme: dark)").matches;
    }

    toggleTheme(): void {
        store("kairos-theme", this.dark ? "light" : "dark");
        this.setTheme(!this.dark);
    }

    setTheme(dark: boolean): void {
        this.dark = dark;
        document.documentElement.dataset.theme = dark ? "dark" : "light";
        this.view?.theme(dark);
        this.view?.setBackground(cssVar("--stage-top"), cssVar("--stage"), cssVar("--stage-low"));
        this.plots.theme(dark);
    }

    /** #t=1.5&colour=speed&theme=dark&bare&view=top&tab=summary&play&select=arm&show=forces,frames */
    private async readAddress(): Promise<void> {
        const q = address();
        const number = (key: string) => (q.has(key) ? Number(q.get(key)) : NaN);
        if (q.has("bare") || q.get("ui") === "0") document.body.classList.add("bare");
        if (Number.isFinite(number("frame")))
            this.player.setTime(this.store.times[Math.min(Math.max(number("frame"), 0), this.store.count - 1)]);
        if (Number.isFinite(number("t"))) this.player.setTime(number("t"));
        if (number("speed") > 0) this.setSpeed(number("speed"));
        if (q.get("colour")) await this.setColour(q.get("colour") as Mode);
        if (q.get("view")) this.view?.preset(q.get("view")!);
        if (q.get("tab") && TABS.includes(q.get("tab") as Tab)) this.showTab(q.get("tab") as Tab);
        for (const what of q.get("show")?.split(",") ?? []) await this.toggle(what as Toggle, true);
        for (const what of q.get("hide")?.split(",") ?? []) await this.toggle(what as Toggle, false);
        this.look?.read(q);
        this.views?.read(q);
        const chosen = findThing(this.m, q.get("select"));
        if (chosen) this.choose(chosen);
        if (q.has("play")) this.player.setPlaying(true);
    }
}

function noView(): HTMLElement {
    const why =
        "This browser offers no WebGL 2, which the replay needs. Plots, figures and the scene work all the same. Turning on hardware acceleration, or another browser, brings the view back.";
    return h("div", { class: "no-webgl-text" }, h("strong", {}, "No 3-D view here"), h("p", {}, why));
}
