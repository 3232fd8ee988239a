// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Finds the data, starts the page, and offers `window.kairos` to tests and to curious users.
import { Color, Vector3 } from "three";
import { App } from "./app";
import { h } from "./dom";
import { type Film, filmCodec, type FilmOptions } from "./film/film";
import { LiveClient } from "./live";
import { complete, type Manifest } from "./manifest";
import { address } from "./settings";
import { Source } from "./source";
import { LiveStore, RecordedStore } from "./store";
import { findThing, type Thing } from "./things";

interface Handle {
    ready: Promise<void>;
    [key: string]: unknown;
}

function expose(app: App): Record<string, unknown> {
    const { m, player, store } = app;
    const film = new FilmHandle(app);
    const mover = (of: string | number) => (typeof of === "number" ? of : m.bodies.findIndex((b) => b.name === of));
    return {
        app,
        manifest: m,
        setTime: (t: number) => app.setTime(t),
        setFrame: (k: number) => app.setTime(store.times[k]),
        play: (on = true) => player.setPlaying(on),
        select: (of: string | number | null) => app.select(of === null ? null : mover(of)),
        choose: (thing: Thing | string | null) => app.choose(typeof thing === "string" ? findThing(m, thing) : thing),
        setTheme: (dark: boolean) => app.setTheme(dark),
        setColour: (mode: never) => app.setColour(mode),
        /** Where a body is drawn now, in world coordinates. */
        bodyPosition: (of: string | number) => {
            const i = mover(of),
                o = m.frames.origin;
            if (i < 0 || !app.pose.a) return null;
            const k = player.frameAt(app.pose.time);
            if (store.times[k] === app.pose.time) return store.exact(k, i);
            return app.pose
                .position(i, new Vector3())
                .toArray()
                .map((x, c) => x + o[c]);
        },
        bodyRotation: (of: string | number) => {
            const i = mover(of),
                r = (app.pose.mix === 1 ? app.pose.b : app.pose.a)?.rotation;
            return r && i < r.length / 4 ? [0, 1, 2, 3].map((c) => r[4 * i + c] * m.frames.rotation_step) : null;
        },
        /** Where a body appears in the window, in CSS pixels. */
        bodyPixel: (of: string | number) =>
            app.view && app.pose.a
                ? app.view.project(app.pose.position(mover(of), app.view.camera.position.clone()))
                : null,
        /** The contacts that are drawn now: points in world coordinates, normals and gaps; null while they are fetched. */
        contacts: () => {
            const c = app.view?.shown("contacts") ? app.view.contacts.shown : null,
                o = m.frames.origin;
            if (!c) return null;
            return Array.from(c.gap, (gap, i) => ({
                point: [0, 1, 2].map((k) => c.point[3 * i + k] + o[k]),
                normal: [0, 1, 2].map((k) => c.normal[3 * i + k] / 32767),
                gap,
                force: c.force ? Array.from(c.force.subarray(3 * i, 3 * i + 3)) : null,
            }));
        },
        /** The number behind the colour of a body or particle, and that colour, as it is drawn before light falls on it. */
        colourValue: (of: string | number) => (app.pose.a ? app.colouring.number(mover(of), app.pose) : null),
        colourOf: (of: string | number) =>
            app.pose.a && app.colouring.scaled
                ? app.colouring.scale(app.colouring.number(mover(of), app.pose), new Color()).getHexString()
                : null,
        /** A vertex of a deforming mesh as it is drawn: where it is in the world, the number behind its colour, the colour. */
        vertex: (mesh: string | number, i: number) => {
            const skins = app.view?.skins.skins ?? [],
                skin = typeof mesh === "number" ? skins[mesh] : skins.find((s) => s.ref.name === mesh);
            if (!skin || i >= skin.ref.vertices) return null;
            return {
                position: [0, 1, 2].map((c) => skin.position[3 * i + c] + m.frames.origin[c]),
                value: skin.value[i],
                colour: new Color().fromArray(skin.colour, 3 * i).getHexString(),
            };
        },
        seriesValue: async (file: string, column: string | number, row: number) => {
            const table = app.tables.find((t) => t.file === file);
            if (!table) return null;
            await table.load();
            const c = typeof column === "number" ? column : table.columns.indexOf(column);
            return table.data?.[c]?.[row] ?? null;
        },
        /** Shows another run beside this one, from the text of its page; null: none. */
        compare: (text: string) => app.compare(text),
        /** Makes a film; filmState() says how far it is, filmPiece(k) gives its bytes, base64, FILM_PIECE at a time. */
        filmStart: (o: Partial<FilmOptions>) => film.start(o),
        filmState: () => film.state(),
        filmPiece: (k: number) => film.piece(k),
        filmCodec: async (o: Partial<FilmOptions>) => (await filmCodec(film.options(o)))?.codec ?? "",
        /** The view as drawn now: how many pixels differ from the left end of their row, how many colours there are, and a hash of all. */
        viewPixels: () => {
            if (!app.view) return null;
            const canvas = app.view.picture();
            const data = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height).data;
            const colours = new Set<number>();
            let drawn = 0,
                hash = 0;
            for (let i = 0; i < data.length; i += 4) {
                const left = i - (i % (4 * canvas.width));
                if ([0, 1, 2].some((c) => Math.abs(data[i + c] - data[left + c]) > 8)) drawn++;
                hash = (Math.imul(hash, 31) + ((data[i] << 16) | (data[i + 1] << 8) | data[i + 2])) | 0;
                colours.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]);
            }
            return { width: canvas.width, height: canvas.height, drawn, colours: colours.size, hash };
        },
    };
}

const FILM_PIECE = 3 << 18; // bytes; a multiple of three, so that pieces in base64 can follow each other

/** A film for who drives the page from outside. */
class FilmHandle {
    private film: Film | null = null;
    private bytes: Uint8Array | null = null;
    private problem = "";

    constructor(private app: App) {}

    options(o: Partial<FilmOptions>): FilmOptions {
        const { player } = this.app;
        const whole = { width: 1280, height: 720, fps: 30, from: player.start, to: player.end, speed: 1, format: "mp4" } as const;
        const given = Object.fromEntries(Object.entries(o).filter(([, x]) => x !== null && x !== undefined));
        const out = { codec: address().get("codec") ?? undefined, ...whole, ...given };
        out.from = Math.min(Math.max(out.from, player.start), player.end);
        out.to = Math.min(Math.max(out.to, out.from), player.end);
        return out;
    }

    start(o: Partial<FilmOptions>): boolean {
        [this.bytes, this.problem] = [null, ""];
        const { film, end } = this.app.film(this.options(o));
        this.film = film;
        end.then(async (blob) => (this.bytes = new Uint8Array(await blob.arrayBuffer()))).catch(
            (e: unknown) => (this.problem = e instanceof Error ? e.message : String(e)),
        );
        return true;
    }

    state(): { done: number; pieces: number; bytes: number; problem: string } {
        const n = this.bytes?.length ?? 0;
        return { done: this.film?.done ?? 0, pieces: Math.ceil(n / FILM_PIECE), bytes: n, problem: this.problem };
    }

    piece(k: number): string {
        const part = this.bytes!.subarray(k * FILM_PIECE, (k + 1) * FILM_PIECE);
        let text = "";
        for (let i = 0; i < part.length; i += 4096) text += String.fromCharCode(...part.subarray(i, i + 4096));
        return btoa(text);
    }
}

function liveGetters(handle: Handle, app: App): void {
    const get = (name: string, f: () => unknown) => Object.defineProperty(handle, name, { get: f, enumerable: true });
    get("time", () => app.player.time);
    get("shownTime", () => app.pose.time);
    get("frame", () => app.player.frame);
    get("frames", () => app.store.count);
    get("times", () => Array.from(app.store.times));
    get("fps", () => app.fps);
    get("pictures", () => app.pictures);
    get("problems", () => app.problems);
    get("complete", () => shownInFull(app));
    get("state", () => ({
        playing: app.player.playing,
        waiting: app.player.waiting,
        speed: app.player.speed,
        loop: app.player.loop,
        theme: app.dark ? "dark" : "light",
        selected: app.selected,
        chosen: app.chosen,
        following: app.view?.following ?? null,
        colour: app.colouring.mode,
        webgl: app.view !== null,
        live: app.live ? { connection: app.live.connection, ...app.live.state } : null,
        dragging: app.pointer?.dragging ?? null,
    }));
}

/** The manifest of a live run is its first message. */
function liveManifest(live: LiveClient): Promise<Partial<Manifest>> {
    return new Promise((resolve) => {
        live.onmanifest = resolve;
        live.connect();
    });
}

/** Whether the moment of the clock is drawn, with meshes and the field that colours say. */
function shownInFull(app: App): boolean {
    const { pose, skins, colouring } = app;
    if (pose.time !== app.player.time || !pose.a || !pose.b) return false;
    if (skins.vertices > 0 && (!skins.get(pose.a) || !skins.get(pose.b))) return false;
    const name = colouring.recorded;
    const ofMovers = app.m.fields.some((f) => f.name === name && f.mesh === undefined);
    return !ofMovers || colouring.frames(pose).every((x) => x !== null);
}

/** Resolves when what is on the screen is what the state says, or after some seconds. */
async function settled(app: App): Promise<void> {
    const end = performance.now() + 20000;
    const next = () => new Promise((done) => requestAnimationFrame(done));
    do {
        await next();
        await next();
    } while (!app.live && app.view && app.store.count && !shownInFull(app) && performance.now() < end);
    await next();
}

async function start(handle: Handle): Promise<void> {
    const root = document.getElementById("kairos")!;
    const source = new Source();
    const found = (await source.manifest()) as Partial<Manifest> | null;
    let live: LiveClient | null = null;
    let m: Manifest;
    if (found && !found.live) m = complete(found);
    else if (location.protocol.startsWith("http")) {
        live = new LiveClient(LiveClient.address());
        m = complete({ ...found, ...(await liveManifest(live)), live: true });
        const name = m.name;
        live.onmanifest = (again) => again.name !== name && location.reload();
    } else
        throw new Error(
            "This page holds no run. Kairos writes one into the folder of results of every run: open that index.html.",
        );
    const store = live
        ? new LiveStore(m.frames.origin)
        : new RecordedStore(
              source,
              m.frames,
              m.frames.count ? await source.f64(m.frames.times.chunk) : new Float64Array(0),
          );
    const app = new App(root, m, source, store, live);
    Object.assign(handle, expose(app));
    liveGetters(handle, app);
    await app.start();
    await settled(app);
    document.body.dataset.state = document.documentElement.dataset.kairos = "ready";
}

const handle = { ready: Promise.resolve() } as Handle;
(window as unknown as { kairos: Handle }).kairos = handle;
handle.ready = start(handle).catch((error: Error) => {
    document.body.dataset.state = document.documentElement.dataset.kairos = "failed";
    document
        .getElementById("kairos")!
        .replaceChildren(h("div", { class: "fatal" }, h("strong", {}, "Kairos"), h("p", {}, error.message)));
    handle.error = error.message;
});
