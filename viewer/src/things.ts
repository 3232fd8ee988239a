// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What can be chosen: bodies and particles, joints, motors, springs and other loads, elements of meshes, contacts.
import { type Manifest, moverName } from "./manifest";

export interface Thing {
    kind: "body" | "joint" | "motor" | "spring" | "load" | "element" | "contact";
    index: number; // in its list; a mover; of elements, in their mesh
    mesh?: number; // of an element
    contact?: ContactSeed;
}

/** A contact as it was when it was chosen: it has no number of its own that lasts. */
export interface ContactSeed {
    frame: number;
    point: [number, number, number]; // relative to the origin of frames
    normal: [number, number, number];
    bodies: [number, number] | null; // movers; SURFACE: a flexible one; null: not known
}

/** What is no mover, but a surface of finite elements. */
export const SURFACE = 0xffffffff;

const LISTS = { joint: "joints", motor: "motors", spring: "springs", load: "loads" } as const;

type Named = { name: string | null; type: string };

function entry(m: Manifest, t: Thing): Named | null {
    const list = LISTS[t.kind as keyof typeof LISTS];
    return list ? (m[list][t.index] as Named) : null;
}

/** What messages call a flexible surface: its mesh where there is just one. */
export function surfaceName(m: Manifest): string {
    const meshes = m.skins?.meshes ?? [];
    return (meshes.length === 1 && meshes[0].name) || "a flexible surface";
}

export function thingName(m: Manifest, t: Thing): string {
    if (t.kind === "body") return moverName(m, t.index);
    if (t.kind === "element") return `${m.skins?.meshes[t.mesh!]?.name ?? "mesh"}[${t.index}]`;
    if (t.kind === "contact") return "contact";
    return entry(m, t)?.name || `${t.kind} ${t.index}`;
}

/** What sort of thing it is, in a word or two. */
export function thingSort(m: Manifest, t: Thing): string {
    if (t.kind === "body") {
        const b = m.bodies[t.index];
        return b ? (b.fixed ? "fixed body" : "body") : "particle";
    }
    if (t.kind === "element" || t.kind === "contact") return t.kind;
    const type = entry(m, t)?.type ?? "";
    return type === t.kind ? type : `${type} ${t.kind}`;
}

export function thingKey(t: Thing | null): string {
    if (!t) return "";
    return [t.kind, t.index, t.mesh ?? "", t.contact ? `${t.contact.frame} ${t.contact.point}` : ""].join(":");
}

/** The first thing of a name. */
export function findThing(m: Manifest, name: string | null): Thing | null {
    if (!name) return null;
    const body = m.bodies.findIndex((b) => b.name === name);
    if (body >= 0) return { kind: "body", index: body };
    for (const [kind, list] of Object.entries(LISTS)) {
        const index = (m[list] as Named[]).findIndex((x) => x.name === name);
        if (index >= 0) return { kind: kind as Thing["kind"], index };
    }
    return null;
}

/** The two movers that a thing joins; -1: the world; SURFACE. */
export function endsOf(m: Manifest, t: Thing): [number, number] | null {
    // What stands for a node of a structure is no body.
    const shown = (i: number) => (m.bodies[i]?.group === "nodes" ? SURFACE : i);
    if (t.contact) return t.contact.bodies && [shown(t.contact.bodies[0]), shown(t.contact.bodies[1])];
    const list = LISTS[t.kind as keyof typeof LISTS];
    const x = list ? m[list][t.index] : null;
    return x ? [x.a, x.b] : null;
}
