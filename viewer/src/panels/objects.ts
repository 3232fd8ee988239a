// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Bodies by group, particles and deforming meshes, each with a switch; a search; joints, motors, springs and loads by name.
import { button, h, setIcon } from "../dom";
import { count, plural } from "../format";
import type { Visibility } from "../layers/layer";
import { groupOffsets, type Manifest } from "../manifest";
import { type Thing, thingKey } from "../things";

const ROWS = 300; // more are found with the search

export interface ObjectsHost {
    visibility: Visibility;
    colour(mover: number): string;
    choose(thing: Thing): void;
    follow(mover: number): void;
    changed(): void;
}

export class ObjectsPanel {
    readonly element: HTMLElement;
    private list = h("div", { class: "tree" });
    private search: HTMLInputElement;
    private selected: number | null = null;
    private chosen = "";
    private closed = new Set<string>();

    constructor(
        private m: Manifest,
        private host: ObjectsHost,
    ) {
        this.search = h("input", {
            type: "search",
            placeholder: "Find a body, joint, motor …",
            "aria-label": "Find a body",
        });
        this.search.addEventListener("input", () => this.fill());
        const all = (on: number) => () => {
            host.visibility.body.fill(on);
            host.visibility.group.fill(on);
            host.visibility.skin.fill(on);
            host.changed();
            this.fill();
        };
        const only = () => {
            if (this.selected === null) return;
            host.visibility.body.fill(0);
            host.visibility.group.fill(0);
            host.visibility.skin.fill(0);
            this.setShown(this.selected, 1);
            host.changed();
            this.fill();
        };
        this.element = h(
            "div",
            { class: "objects" },
            h(
                "div",
                { class: "panel-bar" },
                this.search,
                h("button", { class: "text-button", type: "button", onclick: all(1) }, "All"),
                h("button", { class: "text-button", type: "button", onclick: all(0) }, "None"),
                h(
                    "button",
                    { class: "text-button", type: "button", title: "Show only the chosen body", onclick: only },
                    "Only",
                ),
            ),
            this.list,
        );
        this.fill();
    }

    private setShown(mover: number, on: number): void {
        if (mover < this.m.bodies.length) this.host.visibility.body[mover] = on;
        else
            groupOffsets(this.m).forEach((first, g) => {
                if (mover >= first && mover < first + this.m.particles[g].count) this.host.visibility.group[g] = on;
            });
    }

    select(thing: Thing | null): void {
        this.selected = thing?.kind === "body" ? thing.index : null;
        this.chosen = thingKey(thing);
        for (const row of this.list.querySelectorAll<HTMLElement>(".row"))
            row.classList.toggle("chosen", this.chosen !== "" && row.dataset.thing === this.chosen);
    }

    private eye(shown: () => boolean, set: (on: boolean) => void): HTMLButtonElement {
        const b = button(shown() ? "eye" : "closed", "Show or hide", (e) => {
            e.stopPropagation();
            e.preventDefault();
            set(!shown());
            setIcon(b, shown() ? "eye" : "closed");
            b.classList.toggle("off", !shown());
            this.host.changed();
        });
        b.classList.add("eye");
        b.classList.toggle("off", !shown());
        return b;
    }

    private row(mover: number, name: string, note: string, eye: HTMLElement): HTMLElement {
        const thing: Thing = { kind: "body", index: mover };
        const row = h(
            "div",
            { class: "row", "data-thing": thingKey(thing), tabindex: 0, onclick: () => this.host.choose(thing) },
            eye,
            h("i", { class: "swatch", style: `background:${this.host.colour(mover)}` }),
            h("span", { class: "row-name" }, name),
            h("span", { class: "muted" }, note),
            button("target", "Follow", (e) => {
                e.stopPropagation();
                this.host.follow(mover);
            }),
        );
        row.addEventListener("keydown", (e) => e.key === "Enter" && this.host.choose(thing));
        row.classList.toggle("chosen", mover === this.selected);
        return row;
    }

    private bodies(group: string, members: number[]): HTMLElement {
        const { visibility } = this.host,
            shown = members.slice(0, ROWS);
        const head = this.eye(
            () => members.some((i) => visibility.body[i] === 1),
            (on) => {
                members.forEach((i) => (visibility.body[i] = on ? 1 : 0));
                this.fill();
            },
        );
        const details = h(
            "details",
            { open: !this.closed.has(group) },
            h(
                "summary",
                {},
                head,
                h("span", { class: "row-name" }, group || "bodies"),
                h("span", { class: "muted" }, count(members.length)),
            ),
            ...shown.map((i) => {
                const b = this.m.bodies[i];
                const note = b.fixed
                    ? "fixed"
                    : [...new Set((b.shapes ?? []).map((s) => s.type))].slice(0, 2).join(", ");
                return this.row(
                    i,
                    b.name,
                    note,
                    this.eye(
                        () => visibility.body[i] === 1,
                        (on) => (visibility.body[i] = on ? 1 : 0),
                    ),
                );
            }),
            members.length > ROWS
                ? h("p", { class: "hint" }, `… and ${count(members.length - ROWS)} more; the search finds them.`)
                : null,
        );
        details.addEventListener("toggle", () => (details.open ? this.closed.delete(group) : this.closed.add(group)));
        return details;
    }

    private others(title: string, kind: Thing["kind"], items: { name: string | null; type: string }[], words: string[]): HTMLElement | null {
        const found = items.map((x, index) => ({ ...x, name: x.name || `${kind} ${index}`, index }));
        const shown = found.filter((j) => words.every((w) => `${j.name} ${j.type}`.toLowerCase().includes(w)));
        if (!shown.length) return null;
        return h(
            "details",
            { open: shown.length <= 40 },
            h(
                "summary",
                {},
                h("span", { class: "row-name" }, title),
                h("span", { class: "muted" }, count(shown.length)),
            ),
            ...shown.slice(0, ROWS).map((j) => {
                const thing: Thing = { kind, index: j.index },
                    key = thingKey(thing);
                const row = h(
                    "div",
                    {
                        class: "row plain",
                        "data-thing": key,
                        tabindex: 0,
                        onclick: () => this.host.choose(thing),
                    },
                    h("span", { class: "row-name" }, j.name),
                    h("span", { class: "muted" }, j.type),
                );
                row.addEventListener("keydown", (e) => e.key === "Enter" && this.host.choose(thing));
                row.classList.toggle("chosen", key === this.chosen);
                return row;
            }),
        );
    }

    fill(): void {
        const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
        const groups = new Map<string, number[]>();
        this.m.bodies.forEach((b, i) => {
            const text = `${b.name} ${b.group ?? ""}`.toLowerCase();
            if (!words.every((w) => text.includes(w))) return;
            const list = groups.get(b.group ?? "");
            if (list) list.push(i);
            else groups.set(b.group ?? "", [i]);
        });
        const parts: (HTMLElement | null)[] = [...groups].map(([group, members]) => this.bodies(group, members));
        const { visibility } = this.host,
            offsets = groupOffsets(this.m);
        this.m.particles.forEach((p, g) => {
            if (!words.every((w) => p.name.toLowerCase().includes(w))) return;
            const eye = this.eye(
                () => visibility.group[g] === 1,
                (on) => (visibility.group[g] = on ? 1 : 0),
            );
            parts.push(this.row(offsets[g], p.name, plural(p.count, p.shape.type), eye));
        });
        this.m.skins?.meshes.forEach((mesh, k) => {
            if (!words.every((w) => mesh.name.toLowerCase().includes(w))) return;
            const eye = this.eye(
                () => visibility.skin[k] === 1,
                (on) => (visibility.skin[k] = on ? 1 : 0),
            );
            parts.push(
                h(
                    "div",
                    { class: "row plain" },
                    eye,
                    h("span", { class: "row-name" }, mesh.name),
                    h("span", { class: "muted" }, plural(mesh.vertices, "vertex", "vertices")),
                ),
            );
        });
        parts.push(
            this.others("joints", "joint", this.m.joints, words),
            this.others("motors", "motor", this.m.motors, words),
            this.others("springs", "spring", this.m.springs, words),
            this.others("loads", "load", this.m.loads, words),
        );
        const found = parts.filter((p): p is HTMLElement => p !== null);
        this.list.replaceChildren(...(found.length ? found : [h("p", { class: "empty" }, "Nothing has that name.")]));
    }
}
