// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What the recorded frames say about one thing: its values at the moment that is shown, and over the whole run, without
// that the scene asked for them. Rates are differences of frames, so they are as fine as frames are.
import { Quaternion, Vector3 } from "three";
import type { Fields } from "./fields";
import type { ContactLayer } from "./layers/contacts";
import { pointOf, rotationOf } from "./layers/place";
import type { Frame3, Manifest, Vec3 } from "./manifest";
import { Pose } from "./pose";
import { type Quantity, Table } from "./series";
import type { SkinStore } from "./skins";
import type { Frame, FrameContacts, FrameStore } from "./store";
import { type ContactSeed, endsOf, type Thing, thingName } from "./things";

/** One quantity: some numbers that belong together. */
export interface Row {
    name: string;
    unit: string;
    labels: string[];
}

/** Where frames and what belongs to them come from. */
export interface Recorded {
    m: Manifest;
    store: FrameStore;
    fields: Fields;
    skins: SkinStore;
    corners: { triangles: Uint32Array | null; lines: Uint32Array | null; elements: Uint32Array | null }[];
    contacts: ContactLayer | null;
}

export interface Probe {
    readonly rows: Row[];
    /** Values at a moment, rows one after the other; NaN where one is not known. */
    now(pose: Pose): number[];
    /** Values at all recorded frames, by column. */
    history(): Promise<{ times: Float64Array; columns: Float64Array[] }>;
    /** Where the thing is, for the mark around it. */
    where(pose: Pose, out: Vector3): Vector3 | null;
}

const XYZ = ["x", "y", "z"];
const one = (name: string, unit: string): Row => ({ name, unit, labels: [name] });
const three = (name: string, unit: string): Row => ({ name, unit, labels: XYZ });
const size = (v: number[]) => Math.hypot(...v);

/** The rotation vector that takes one quaternion (w, x, y, z) to another. */
function turnBetween(a: number[], b: number[]): number[] {
    const p = new Quaternion(a[1], a[2], a[3], a[0]).invert(),
        q = new Quaternion(b[1], b[2], b[3], b[0]).multiply(p);
    const s = q.w < 0 ? -1 : 1,
        v = [s * q.x, s * q.y, s * q.z],
        n = size(v);
    const f = n > 1e-12 ? (2 * Math.atan2(n, s * q.w)) / n : 2;
    return v.map((x) => f * x);
}

/** Numbers of frames, and rates of them by differences. */
abstract class FrameProbe implements Probe {
    abstract readonly rows: Row[];
    constructor(protected r: Recorded) {}

    /** Numbers of one moment. */
    protected abstract sample(pose: Pose): number[];
    /** Numbers from the difference of two moments. */
    protected rates(_before: number[], _after: number[], _seconds: number): number[] {
        return [];
    }
    /** Puts a series right, such as an angle that jumps by a turn. */
    protected mend(_columns: Float64Array[]): void {}
    protected async prepare(_frame: number): Promise<void> {}
    abstract where(pose: Pose, out: Vector3): Vector3 | null;

    now(pose: Pose): number[] {
        if (!pose.a || !pose.b) return [];
        const here = this.sample(pose);
        const a = this.at(pose.a),
            b = this.at(pose.b);
        return [...here, ...this.rates(a, b, pose.span > 0 ? pose.span : NaN)];
    }

    private at(frame: Frame): number[] {
        const pose = new Pose(NONE);
        pose.set(frame, frame, 0, frame.time);
        return this.sample(pose);
    }

    async history(): Promise<{ times: Float64Array; columns: Float64Array[] }> {
        const { store } = this.r,
            kept: number[][] = [],
            times: number[] = [];
        for (let k = 0; k < store.count; k++) {
            await Promise.all([store.load(k), this.prepare(k)]);
            const frame = store.get(k);
            if (!frame) continue;
            kept.push(this.at(frame));
            times.push(frame.time);
        }
        const n = kept.length,
            width = this.rows.reduce((sum, r) => sum + r.labels.length, 0);
        const columns = Array.from({ length: width }, () => new Float64Array(n));
        const base = kept[0]?.length ?? 0;
        kept.forEach((row, k) => row.forEach((x, c) => (columns[c][k] = x)));
        this.mend(columns);
        for (let k = 0; k < n; k++) {
            const a = Math.max(k - 1, 0),
                b = Math.min(k + 1, n - 1);
            const row = (i: number) => columns.slice(0, base).map((c) => c[i]);
            this.rates(row(a), row(b), times[b] > times[a] ? times[b] - times[a] : NaN).forEach(
                (x, c) => (columns[base + c][k] = x),
            );
        }
        return { times: Float64Array.from(times), columns };
    }
}

const NONE = new Uint8Array(0);

/** A body or particle: place, rotation, velocity, spin, and the fields that the run kept of all. */
class MoverProbe extends FrameProbe {
    readonly rows: Row[];
    private turns: boolean;
    private names: string[];
    private p = new Vector3();
    private q = new Quaternion();

    constructor(
        r: Recorded,
        private mover: number,
    ) {
        super(r);
        this.turns = mover < r.m.frames.rotated;
        this.names = r.fields.names.filter((f) => r.m.fields.some((x) => x.name === f && x.mesh === undefined));
        this.rows = [
            three("position", "m"),
            ...(this.turns ? [{ name: "rotation", unit: "", labels: ["w", "x", "y", "z"] }] : []),
            ...this.names.map((f) => one(f, r.fields.unit(f))),
            three("velocity", "m/s"),
            one("speed", "m/s"),
            ...(this.turns ? [three("angular_velocity", "rad/s"), one("spin", "rad/s")] : []),
        ];
    }

    where(pose: Pose, out: Vector3): Vector3 {
        return pose.position(this.mover, out);
    }

    protected sample(pose: Pose): number[] {
        const o = this.r.m.frames.origin;
        const exact = pose.mix === 0 && pose.a ? this.r.store.exact(pose.a.index, this.mover) : null;
        const out =
            exact && !this.r.m.live
                ? [...exact]
                : pose
                      .position(this.mover, this.p)
                      .toArray()
                      .map((x, c) => x + o[c]);
        if (this.turns) {
            pose.rotation(this.mover, this.q);
            out.push(this.q.w, this.q.x, this.q.y, this.q.z);
        }
        for (const f of this.names) out.push(this.r.fields.movers(f, pose.a!)?.[this.mover] ?? NaN);
        return out;
    }

    protected async prepare(frame: number): Promise<void> {
        await Promise.all(this.names.map((f) => this.r.fields.load(f, frame)));
    }

    protected rates(a: number[], b: number[], dt: number): number[] {
        const v = [0, 1, 2].map((c) => (b[c] - a[c]) / dt),
            out = [...v, size(v)];
        if (!this.turns) return out;
        const w = turnBetween(a.slice(3, 7), b.slice(3, 7)).map((x) => x / dt);
        return [...out, ...w, size(w)];
    }
}

const ANGLES = new Set(["revolute", "cylindrical", "screw", "gear", "rotation-angle", "rotation-speed", "rotation-torque", "rotation-pid", "rotational-spring"]);
const TRAVELS = new Set(["prismatic", "cylindrical", "screw", "linear-position", "linear-speed", "linear-force", "linear-pid"]);

/** Two joint frames: the angle about and the travel along the axis of a, counted from the first frame; else how far apart
 *  the frames are and how far they are turned. */
class FramesProbe extends FrameProbe {
    readonly rows: Row[];
    private angle: boolean;
    private travel: boolean;
    private start: number[] | null = null;

    constructor(
        r: Recorded,
        type: string,
        private a: number,
        private b: number,
        private frameA: Frame3 | undefined,
        private frameB: Frame3 | undefined,
    ) {
        super(r);
        this.angle = ANGLES.has(type);
        this.travel = TRAVELS.has(type);
        const plain = !this.angle && !this.travel;
        this.rows = [
            ...(this.angle ? [one("angle", "rad")] : []),
            ...(this.travel ? [one("travel", "m")] : []),
            ...(plain ? [one("turned", "rad"), three("offset", "m")] : []),
            ...(this.angle ? [one("angle_rate", "rad/s")] : []),
            ...(this.travel ? [one("travel_rate", "m/s")] : []),
        ];
    }

    where(pose: Pose, out: Vector3): Vector3 {
        return pointOf(this.a, this.frameA?.position, this.r.m.frames.origin, pose, out);
    }

    private raw(pose: Pose): number[] {
        const o = this.r.m.frames.origin,
            qa = rotationOf(this.a, this.frameA, pose, new Quaternion()).invert(),
            turn = rotationOf(this.b, this.frameB, pose, new Quaternion()).premultiply(qa);
        const d = pointOf(this.b, this.frameB?.position, o, pose, new Vector3())
            .sub(this.where(pose, new Vector3()))
            .applyQuaternion(qa);
        const out: number[] = [];
        if (this.angle) out.push(2 * Math.atan2(turn.z, turn.w));
        if (this.travel) out.push(d.z);
        if (!out.length) {
            const s = Math.hypot(turn.x, turn.y, turn.z);
            out.push(2 * Math.atan2(s, Math.abs(turn.w)), d.x, d.y, d.z);
        }
        return out;
    }

    protected sample(pose: Pose): number[] {
        const out = this.raw(pose);
        if (!this.angle && !this.travel) return out;
        if (!this.start) {
            const first = this.r.store.get(0);
            if (!first) return out.map(() => NaN);
            const pose0 = new Pose(NONE);
            pose0.set(first, first, 0, first.time);
            this.start = this.raw(pose0);
        }
        return out.map((x, i) => (this.angle && i === 0 ? wrap(x - this.start![i]) : x - this.start![i]));
    }

    /** Counts whole turns, as far as frames are less than half a turn apart. */
    protected mend(columns: Float64Array[]): void {
        if (!this.angle) return;
        const x = columns[0];
        for (let k = 1; k < x.length; k++) x[k] = x[k - 1] + wrap(x[k] - x[k - 1]);
    }

    protected rates(a: number[], b: number[], dt: number): number[] {
        if (!this.angle && !this.travel) return [];
        return a.map((x, i) => (this.angle && i === 0 ? wrap(b[i] - x) : b[i] - x) / dt);
    }
}

function wrap(angle: number): number {
    return angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));
}

/** Two points of bodies: a spring. */
class PointsProbe extends FrameProbe {
    readonly rows = [one("length", "m"), one("rate", "m/s")];

    constructor(
        r: Recorded,
        private a: number,
        private b: number,
        private pointA: Vec3 | undefined,
        private pointB: Vec3 | undefined,
    ) {
        super(r);
    }

    private ends(pose: Pose): [Vector3, Vector3] {
        const o = this.r.m.frames.origin;
        return [pointOf(this.a, this.pointA, o, pose, new Vector3()), pointOf(this.b, this.pointB, o, pose, new Vector3())];
    }

    where(pose: Pose, out: Vector3): Vector3 {
        const [a, b] = this.ends(pose);
        return out.addVectors(a, b).multiplyScalar(0.5);
    }

    protected sample(pose: Pose): number[] {
        const [a, b] = this.ends(pose);
        return [a.distanceTo(b)];
    }

    protected rates(a: number[], b: number[], dt: number): number[] {
        return [(b[0] - a[0]) / dt];
    }
}

/** A load without a place of its own: it is where its body is. */
class LooseProbe extends FrameProbe {
    readonly rows: Row[] = [];

    constructor(
        r: Recorded,
        private mover: number,
    ) {
        super(r);
    }

    where(pose: Pose, out: Vector3): Vector3 | null {
        return this.mover >= 0 ? pose.position(this.mover, out) : null;
    }

    protected sample(): number[] {
        return [];
    }
}

/** An element of a deforming mesh: the middle of its vertices, and the mean of what fields say there. */
class ElementProbe extends FrameProbe {
    readonly rows: Row[];
    private vertices: number[];
    private first = 0;
    private names: string[];

    constructor(
        r: Recorded,
        private mesh: number,
        element: number,
    ) {
        super(r);
        this.vertices = verticesOf(r, mesh, element);
        for (let k = 0; k < mesh; k++) this.first += r.m.skins!.meshes[k].vertices;
        this.names = r.fields.names.filter((f) => r.m.fields.some((x) => x.name === f && x.mesh === mesh));
        this.rows = [
            three("position", "m"),
            ...this.names.map((f) => one(f, r.fields.unit(f))),
            three("velocity", "m/s"),
        ];
    }

    where(pose: Pose, out: Vector3): Vector3 | null {
        const a = pose.a ? this.r.skins.get(pose.a) : null,
            b = pose.b ? this.r.skins.get(pose.b) : null;
        if (!a || !b || !this.vertices.length) return null;
        out.set(0, 0, 0);
        for (const v of this.vertices) {
            const k = 3 * (this.first + v);
            for (let c = 0; c < 3; c++)
                out.setComponent(c, out.getComponent(c) + a[k + c] + pose.mix * (b[k + c] - a[k + c]));
        }
        return out.divideScalar(this.vertices.length);
    }

    protected sample(pose: Pose): number[] {
        const o = this.r.m.frames.origin,
            p = this.where(pose, new Vector3());
        const out = p ? [p.x + o[0], p.y + o[1], p.z + o[2]] : [NaN, NaN, NaN];
        for (const f of this.names) {
            const x = this.r.fields.mesh(f, this.mesh, pose.a!);
            const known = this.vertices.map((v) => x?.[v] ?? NaN).filter(Number.isFinite);
            out.push(known.length ? known.reduce((s, v) => s + v, 0) / known.length : NaN);
        }
        return out;
    }

    protected async prepare(frame: number): Promise<void> {
        await Promise.all([this.r.skins.load(frame), ...this.names.map((f) => this.r.fields.load(f, frame))]);
    }

    protected rates(a: number[], b: number[], dt: number): number[] {
        return [0, 1, 2].map((c) => (b[c] - a[c]) / dt);
    }
}

/** Vertices of the triangles and lines of an element; where their elements are not told, of the triangle of that number. */
export function verticesOf(r: Recorded, mesh: number, element: number): number[] {
    const { triangles, lines, elements } = r.corners[mesh] ?? {},
        found = new Set<number>(),
        surface = (triangles?.length ?? 0) / 3;
    const mine = (i: number) => (elements ? elements[i] === element : i === element);
    for (let t = 0; t < surface; t++) if (mine(t)) for (let c = 0; c < 3; c++) found.add(triangles![3 * t + c]);
    for (let l = 0; 2 * l < (lines?.length ?? 0); l++)
        if (mine(surface + l)) for (let c = 0; c < 2; c++) found.add(lines![2 * l + c]);
    return [...found];
}

/** A contact, followed from frame to frame to the one whose place and normal are nearest. */
class ContactProbe implements Probe {
    readonly rows: Row[];
    private track = new Map<number, number[]>(); // by frame: what was found, with place and normal behind

    constructor(
        private r: Recorded,
        private seed: ContactSeed,
        private reach: number, // m that a contact may move from one frame to the next
    ) {
        const forces = r.contacts?.forces ?? false;
        this.rows = [
            ...(forces ? [three("force", "N"), one("normal_force", "N"), one("friction_force", "N")] : []),
            one("gap", "m"),
            three("position", "m"),
            three("normal", ""),
        ];
    }

    where(pose: Pose, out: Vector3): Vector3 | null {
        const found = this.near(pose, this.seed.frame);
        const o = this.r.m.frames.origin,
            at = this.rows.length > 3 ? 6 : 1;
        return found ? out.set(found[at] - o[0], found[at + 1] - o[1], found[at + 2] - o[2]) : null;
    }

    /** What is known of the contact at the frame that is shown. */
    private near(pose: Pose, _from: number): number[] | null {
        const frame = pose.mix < 0.5 ? pose.a : pose.b;
        if (!frame) return null;
        const known = this.track.get(frame.index);
        if (known) return known.length ? known : null;
        const c = this.r.contacts?.at(frame);
        if (!c) return null;
        const found = this.match(c, this.seed.point, this.seed.normal, this.reach);
        if (found) this.track.set(frame.index, found);
        return found;
    }

    private match(c: FrameContacts, point: Vec3 | number[], normal: Vec3 | number[], reach: number): number[] | null {
        let best = -1,
            least = reach;
        for (let i = 0; i < c.count; i++) {
            const along = [0, 1, 2].reduce((s, k) => s + (c.normal[3 * i + k] / 32767) * normal[k], 0);
            if (Math.abs(along) < 0.7) continue;
            const far = Math.hypot(...[0, 1, 2].map((k) => c.point[3 * i + k] - point[k]));
            if (far < least) [least, best] = [far, i];
        }
        return best < 0 ? null : this.values(c, best);
    }

    private values(c: FrameContacts, i: number): number[] {
        const n = [0, 1, 2].map((k) => c.normal[3 * i + k] / 32767),
            o = this.r.m.frames.origin,
            out: number[] = [];
        if (this.r.contacts?.forces) {
            const f = [0, 1, 2].map((k) => c.force?.[3 * i + k] ?? NaN),
                push = f[0] * n[0] + f[1] * n[1] + f[2] * n[2];
            out.push(...f, push, size(f.map((x, k) => x - push * n[k])));
        }
        return [...out, c.gap[i], ...[0, 1, 2].map((k) => c.point[3 * i + k] + o[k]), ...n];
    }

    now(pose: Pose): number[] {
        const width = this.rows.reduce((n, r) => n + r.labels.length, 0);
        return this.near(pose, this.seed.frame) ?? new Array<number>(width).fill(NaN);
    }

    async history(): Promise<{ times: Float64Array; columns: Float64Array[] }> {
        const { store, contacts } = this.r,
            width = this.rows.reduce((n, r) => n + r.labels.length, 0),
            columns = Array.from({ length: width }, () => new Float64Array(store.count).fill(NaN));
        for (const way of [1, -1]) {
            let point: number[] = [...this.seed.point],
                normal: number[] = [...this.seed.normal];
            for (let k = this.seed.frame; k >= 0 && k < store.count; k += way) {
                await Promise.all([store.load(k), contacts?.load(k)]);
                const frame = store.get(k),
                    c = frame ? contacts?.at(frame) : null;
                const found = c ? this.match(c, point, normal, this.reach) : null;
                this.track.set(k, found ?? []);
                if (!found) continue; // it may come back where it was
                const at = this.rows.length > 3 ? 6 : 1,
                    o = this.r.m.frames.origin;
                point = found.slice(at, at + 3).map((x, i) => x - o[i]);
                normal = found.slice(at + 3, at + 6);
                found.forEach((x, i) => (columns[i][k] = x));
            }
        }
        return { times: Float64Array.from(Array.from(store.times).slice(0, store.count)), columns };
    }
}

/** `reach`: how far a contact may move between frames, m. */
export function makeProbe(r: Recorded, t: Thing, reach: number): Probe {
    const { m } = r;
    if (t.kind === "body") return new MoverProbe(r, t.index);
    if (t.kind === "element") return new ElementProbe(r, t.mesh!, t.index);
    if (t.kind === "contact") return new ContactProbe(r, t.contact!, reach);
    if (t.kind === "spring") {
        const s = m.springs[t.index];
        return new PointsProbe(r, s.a, s.b, s.point_a, s.point_b);
    }
    const x = t.kind === "joint" ? m.joints[t.index] : t.kind === "motor" ? m.motors[t.index] : m.loads[t.index];
    if (x.frame_a || x.frame_b) return new FramesProbe(r, x.type, x.a, x.b, x.frame_a, x.frame_b);
    const ends = endsOf(m, t) ?? [-1, -1];
    return new LooseProbe(r, ends[1] >= 0 ? ends[1] : ends[0]);
}

/** The history of a thing as a table for charts, read when one of them is looked at. */
export class ProbeTable extends Table {
    private units: Row[];
    private reading: Promise<void> | null = null;

    constructor(
        private probe: Probe,
        readonly object: string,
        readonly thing: Thing,
    ) {
        const columns = probe.rows.flatMap((r) =>
            r.labels.map((l) => (r.labels.length > 1 ? `${object}.${r.name}.${l}` : `${object}.${r.name}`)),
        );
        super(null, { file: `${object}, from the frames`, columns: ["time", ...columns], rows: 0, chunk: -1 });
        this.units = probe.rows;
    }

    load(): Promise<void> {
        this.reading ??= this.probe.history().then(({ times, columns }) => {
            this.rows = times.length;
            this.data = [times, ...columns];
        });
        return this.reading;
    }

    /** A live run has gone on: read anew when somebody looks. */
    async again(): Promise<void> {
        if (this.reading) await this.reading;
        this.reading = null;
        await this.load();
    }

    quantities(): Quantity[] {
        let at = 1;
        return this.units.map((r) => {
            const columns = r.labels.map((_, i) => at + i);
            at += r.labels.length;
            return { table: this, object: this.object, name: r.name, unit: r.unit, columns, labels: r.labels.map((l) => l.replace(/_/g, " ")) };
        });
    }
}

export function probeTable(probe: Probe, m: Manifest, thing: Thing): ProbeTable {
    return new ProbeTable(probe, thingName(m, thing), thing);
}
