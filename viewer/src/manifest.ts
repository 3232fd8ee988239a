// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What a page carries besides its numbers. docs/page-format.md describes each key.

export type Vec3 = [number, number, number];
export type Quat = [number, number, number, number]; // w, x, y, z

export interface ChunkRef {
    chunk: number;
    count?: number;
}

export interface Shape {
    type: string;
    at?: Vec3;
    rotation?: Quat;
    color?: Vec3 | string | null;
    visible?: boolean;
    radius?: number;
    length?: number;
    size?: Vec3;
    semi_axes?: Vec3;
    normal?: Vec3;
    radius_margin?: number;
    mesh?: number;
}

export interface Body {
    name: string;
    group?: string;
    fixed?: boolean;
    shapes?: Shape[];
}

export interface ParticleGroup {
    name: string;
    count: number;
    shape: Shape;
    radii?: ChunkRef;
    color?: Vec3 | string | null;
}

export interface Frame3 {
    position?: Vec3;
    rotation?: Quat;
}

export interface Joint {
    name: string;
    type: string;
    a: number;
    b: number;
    frame_a?: Frame3;
    frame_b?: Frame3;
}

export interface Spring {
    name: string;
    type: string;
    a: number;
    b: number;
    point_a?: Vec3;
    point_b?: Vec3;
}

/** A motor, or a load that is no spring: with joint frames where it works in them. */
export interface Drive {
    name: string | null;
    type: string;
    a: number;
    b: number;
    joint?: string; // that it drives
    frame_a?: Frame3;
    frame_b?: Frame3;
}

/** A number of a live run that its viewers steer. */
export interface Control {
    name: string | null; // what it drives
    key: string;
    key_low: string;
    initial: number;
    low: number;
    high: number;
}

export interface BlockRef {
    first: number;
    count: number;
    chunk: number;
}

export interface Frames {
    count: number;
    times: ChunkRef;
    position_step: number;
    rotation_step: number;
    origin: Vec3;
    rotated: number;
    movers: number;
    blocks: BlockRef[];
    position_error?: number; // m, along each axis
    recorded?: number; // frames in trajectory.h5
    stride?: number; // every stride-th of them is here
}

/** Something that happened: a signal crossed a value. */
export interface RunEvent {
    time: number;
    name: string;
    actions: string[];
}

export interface Contacts {
    stride?: number; // every stride-th of a frame is here
    gap: [number, number]; // least and largest, m
    force?: number; // that few exceed, N: the longest arrows; absent where forces are not known
    bodies?: boolean; // it is known what touches
    blocks: BlockRef[];
}

export interface FieldBlockRef extends BlockRef {
    low: number; // level 0
    high: number; // level 65534
}

export interface FieldRef {
    name: string;
    unit: string;
    mesh?: number; // of skins; absent: of movers
    range: [number, number]; // least and largest
    usual?: [number, number]; // where nearly all lie
    blocks: FieldBlockRef[];
}

export interface SkinMesh {
    name: string;
    vertices: number;
    color?: [number, number, number]; // absent: chosen by number
    triangles?: ChunkRef;
    lines?: ChunkRef;
    elements?: ChunkRef; // number of the element of each triangle, then of each line
}

export interface Skins {
    vertices: number; // of all meshes
    meshes: SkinMesh[];
    blocks: BlockRef[];
}

export interface SeriesRef {
    file: string;
    columns: string[];
    units?: string[]; // of each column
    rows: number;
    chunk: number;
    stride?: number; // every stride-th row of the file is here
}

/** Images of a lidar or a depth camera. */
export interface ImagesRef {
    name: string;
    kind: string;
    quantity: string;
    unit: string;
    count: number;
    rows: number;
    columns: number;
    full: [number, number]; // rows and columns of the file
    step: [number, number]; // of the file every so many-th row and column is here
    stride: number; // every stride-th image
    levels: number;
    range: [number, number];
    horizontal?: [number, number]; // rad
    vertical?: [number, number];
    field_of_view?: number;
    times: ChunkRef;
    places: ChunkRef;
    blocks: BlockRef[];
}

export interface MeshRef {
    vertices: ChunkRef;
    triangles: ChunkRef;
}

export interface ViewHints {
    camera?: Vec3 | { position?: Vec3; target?: Vec3 } | null; // where the eye is
    target?: Vec3 | null; // what it looks at
    follow?: string | null; // name of a body
}

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

export interface Manifest {
    kairos: number;
    version: string;
    name: string;
    live: boolean;
    scene_text: string;
    summary: { [key: string]: Json };
    warnings: string[];
    gravity: Vec3;
    up: Vec3;
    view: ViewHints;
    bodies: Body[];
    particles: ParticleGroup[];
    meshes: MeshRef[];
    joints: Joint[];
    springs: Spring[];
    motors: Drive[];
    loads: Drive[];
    controls: Control[];
    frames: Frames;
    contacts?: Contacts; // where a run looked for them
    skins?: Skins; // deforming meshes
    fields: FieldRef[];
    series: SeriesRef[];
    images: ImagesRef[];
    events: RunEvent[];
}

/** How many things there are, each in its own kind: what stands for a node of a structure is no body. */
export function tally(m: Manifest): { bodies: number; particles: number; nodes: number } {
    const standIns = m.bodies.filter((b) => b.group === "nodes").length;
    const nodes = Number(m.summary?.["nodes"]);
    return {
        bodies: m.bodies.length - standIns,
        particles: m.particles.reduce((n, p) => n + p.count, 0),
        nodes: nodes > 0 ? nodes : standIns,
    };
}

/** Fills in what a writer may leave out. */
export function complete(given: Partial<Manifest>): Manifest {
    const bodies = given.bodies ?? [];
    const particles = given.particles ?? [];
    const movers = bodies.length + particles.reduce((n, p) => n + p.count, 0);
    const frames: Frames = {
        count: 0,
        times: { chunk: -1 },
        position_step: 0,
        rotation_step: 1 / 16384,
        origin: [0, 0, 0],
        rotated: bodies.length,
        movers,
        blocks: [],
        ...given.frames,
    };
    return {
        kairos: given.kairos ?? 1,
        version: given.version ?? "",
        name: given.name || "run",
        live: given.live ?? false,
        scene_text: given.scene_text ?? "",
        summary: given.summary ?? {},
        warnings: given.warnings ?? [],
        gravity: given.gravity ?? [0, 0, -9.81],
        up: given.up ?? [0, 0, 1],
        view: given.view ?? {},
        bodies,
        particles,
        meshes: given.meshes ?? [],
        joints: given.joints ?? [],
        springs: given.springs ?? [],
        motors: given.motors ?? [],
        loads: given.loads ?? [],
        controls: given.controls ?? [],
        frames,
        contacts: given.contacts,
        skins: given.skins,
        fields: given.fields ?? [],
        series: given.series ?? [],
        images: given.images ?? [],
        events: given.events ?? [],
    };
}

/** First mover of each particle group. */
export function groupOffsets(m: Manifest): number[] {
    let at = m.bodies.length;
    return m.particles.map((p) => {
        const first = at;
        at += p.count;
        return first;
    });
}

/** Name of a mover: a body's own, or the group's with a number. */
export function moverName(m: Manifest, mover: number): string {
    if (mover < m.bodies.length) return m.bodies[mover].name || `body ${mover}`;
    let at = m.bodies.length;
    for (const p of m.particles) {
        if (mover < at + p.count) return `${p.name}[${mover - at}]`;
        at += p.count;
    }
    return `#${mover}`;
}
