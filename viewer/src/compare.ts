// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A second run beside this one, from its page: drawn as a ghost at the same time, and as dashed lines in the plots. Of the
// other page only the data are read; nothing of it runs.
import { Color, Group, Vector3 } from "three";
import type { Colouring } from "./colouring";
import { Fields } from "./fields";
import { BodyLayer, meshGeometry } from "./layers/bodies";
import { type Layer, Visibility } from "./layers/layer";
import { SkinLayer } from "./layers/skins";
import { SphereLayer } from "./layers/spheres";
import { complete, groupOffsets, type Manifest } from "./manifest";
import { Player } from "./player";
import { Pose } from "./pose";
import { makeProbe, ProbeTable, probeTable, type Recorded } from "./probe";
import { Table } from "./series";
import { SkinStore } from "./skins";
import { Source } from "./source";
import { RecordedStore } from "./store";
import { findThing, thingName } from "./things";
import type { View3D } from "./view3d";

const TINT = new Color("#e5399e");
const SOLID = 0.35;

export class OtherRun {
    readonly group = new Group();
    readonly tables: Table[];
    readonly player: Player;
    readonly pose: Pose;
    private layers: Layer[] = [];
    private made = new Map<Table, Table | null>(); // histories of things by those of this run
    private skins: SkinStore;
    private recorded: Recorded;

    private constructor(
        readonly m: Manifest,
        private source: Source,
        readonly store: RecordedStore,
        private changed: () => void,
    ) {
        this.tables = m.series.map((s) => new Table(source, s));
        this.pose = new Pose(new Uint8Array(m.bodies.length));
        this.player = new Player(store, this.pose);
        const fields = new Fields(m, source);
        this.skins = new SkinStore(m, source);
        this.recorded = { m, store, fields, skins: this.skins, corners: [], contacts: null };
        store.onload = () => {
            this.player.refresh();
            this.changed();
        };
        this.skins.onload = () => this.changed();
    }

    /** Reads the text of a run's index.html. */
    static async open(text: string, changed: () => void): Promise<OtherRun> {
        const source = new Source(new DOMParser().parseFromString(text, "text/html"));
        const found = (await source.manifest()) as Partial<Manifest> | null;
        if (!found) throw new Error("this file is not the page of a run");
        const m = complete(found),
            times = m.frames.count ? await source.f64(m.frames.times.chunk) : new Float64Array(0);
        return new OtherRun(m, source, new RecordedStore(source, m.frames, times), changed);
    }

    /** Builds what is drawn; `origin` is that of this run. */
    async build(view: View3D, origin: [number, number, number]): Promise<void> {
        const { m, source } = this,
            o = m.frames.origin;
        this.group.position.set(o[0] - origin[0], o[1] - origin[1], o[2] - origin[2]);
        const meshes = await Promise.all(
            m.meshes.map(async (x) =>
                meshGeometry(await source.f32(x.vertices.chunk), await source.u32(x.triangles.chunk)),
            ),
        );
        const corners = await Promise.all(
            (m.skins?.meshes ?? []).map(async (x) => ({
                triangles: x.triangles ? await source.u32(x.triangles.chunk) : null,
                lines: x.lines ? await source.u32(x.lines.chunk) : null,
                elements: x.elements ? await source.u32(x.elements.chunk) : null,
            })),
        );
        this.recorded.corners = corners;
        const add = <T extends Layer>(layer: T): T => {
            this.layers.push(layer);
            this.group.add(layer.object);
            return layer;
        };
        add(new BodyLayer(m, meshes, () => true));
        const offsets = groupOffsets(m),
            up = new Vector3(...m.up).normalize();
        for (let g = 0; g < m.particles.length; g++) {
            const p = m.particles[g];
            if (p.shape.type !== "sphere") continue;
            const radii = p.radii ? await source.f32(p.radii.chunk) : null;
            view.lightSpheres(add(new SphereLayer(p, g, offsets[g], radii, up, 0, view.sunlight)));
        }
        add(new SkinLayer(m.skins?.meshes ?? [], corners, this.skins, this.recorded.fields));
        await Promise.all([0, 1].map((k) => this.load(k)));
        this.player.setTime(this.player.start);
        this.player.advance(0);
        const visibility = new Visibility(m);
        m.bodies.forEach((b, i) => (visibility.body[i] = b.fixed ? 0 : 1)); // those lie where ours do
        const ghost = {
            scaled: false,
            recorded: null,
            mode: "given",
            low: 0,
            high: 1,
            texture: null,
            body: (_b: number, _s: unknown, _p: Pose, out: Color) => out.copy(TINT),
            particles: (_g: number, out: Color) => out.copy(TINT),
            skin: () => TINT,
        } as unknown as Colouring;
        for (const layer of this.layers) {
            layer.resize?.(view.size);
            layer.recolour?.(ghost, this.pose);
            layer.solid?.(SOLID);
            layer.show?.(visibility, this.pose);
        }
    }

    /** Resolves when a frame can be had. */
    async load(k: number): Promise<void> {
        if (k < 0 || k >= this.store.count) return;
        await Promise.all([this.store.load(k), this.skins.vertices ? this.skins.load(k) : undefined]);
    }

    /** The frames that a time needs. */
    async loadAt(time: number): Promise<void> {
        const k = this.player.frameAt(time);
        await Promise.all([k, k + 1].map((i) => this.load(i)));
    }

    show(time: number): void {
        this.player.setTime(time);
        this.player.advance(0);
        for (const layer of this.layers) layer.update(this.pose);
    }

    /** The table of this run that goes with one of ours; null: there is none. */
    table(ours: Table, mine: Manifest): Table | null {
        if (!(ours instanceof ProbeTable)) return this.tables.find((t) => t.file === ours.file) ?? null;
        if (this.made.has(ours)) return this.made.get(ours)!;
        const thing = findThing(this.m, thingName(mine, ours.thing));
        const probe = thing && thing.kind === ours.thing.kind ? makeProbe(this.recorded, thing, 0) : null;
        const table = thing && probe ? probeTable(probe, this.m, thing) : null;
        this.made.set(ours, table);
        return table;
    }

    dispose(): void {
        this.group.removeFromParent();
    }
}
