// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Views by number, 1 to 9: at first the standard ones, then whatever was saved in their place. They are kept for this run
// by the browser, and the address can carry one view or all that were saved.
import { Vector3 } from "three";
import { store, stored } from "./settings";
import type { View3D } from "./view3d";

/** Where the eye is and what it looks at, in world coordinates, m. */
export type Look = [number, number, number, number, number, number];

const STANDARD = ["front", "right", "top", "back", "left", "bottom", "corner"];
const DIGITS = 6;

function tidy(look: Look): string {
    return look.map((x) => String(Number(x.toPrecision(DIGITS)))).join(",");
}

function parse(text: string | null): Look | null {
    const numbers = (text ?? "").split(",").map(Number);
    return numbers.length === 6 && numbers.every(Number.isFinite) ? (numbers as Look) : null;
}

export class Bookmarks {
    private saved = new Map<number, Look>();
    onchange = () => {};

    constructor(
        private view: View3D,
        private run: string,
        private origin: [number, number, number],
    ) {
        this.readAll(stored(this.key));
    }

    private get key(): string {
        return `kairos-views:${this.run}`;
    }

    /** The view as it is now. */
    now(): Look {
        const { camera, controls } = this.view,
            o = new Vector3(...this.origin);
        return [...camera.position.clone().add(o).toArray(), ...controls.target.clone().add(o).toArray()] as Look;
    }

    private show(look: Look): void {
        const o = new Vector3(...this.origin);
        this.view.lookFrom(new Vector3(...look.slice(0, 3)).sub(o), new Vector3(...look.slice(3)).sub(o));
    }

    /** Goes to view 1 to 9; false where there is none. */
    go(n: number): boolean {
        const look = this.saved.get(n);
        if (look) this.show(look);
        else if (STANDARD[n - 1]) this.view.preset(STANDARD[n - 1]);
        else return false;
        return true;
    }

    save(n: number): void {
        this.saved.set(n, this.now());
        store(this.key, this.text());
        this.onchange();
    }

    /** Back to the standard view of that number. */
    forget(n: number): void {
        this.saved.delete(n);
        store(this.key, this.text());
        this.onchange();
    }

    has(n: number): boolean {
        return this.saved.has(n);
    }

    name(n: number): string {
        return this.saved.has(n) ? "saved" : (STANDARD[n - 1] ?? "empty");
    }

    /** All that were saved: "1:ex,ey,ez,tx,ty,tz;4:…". */
    text(): string {
        return [...this.saved].map(([n, look]) => `${n}:${tidy(look)}`).join(";");
    }

    private readAll(text: string | null): void {
        for (const part of (text ?? "").split(";")) {
            const [n, look] = [Number(part.split(":")[0]), parse(part.split(":")[1] ?? null)];
            if (n >= 1 && n <= 9 && look) this.saved.set(n, look);
        }
    }

    address(): Record<string, string> {
        return { cam: tidy(this.now()), ...(this.saved.size ? { views: this.text() } : {}) };
    }

    /** cam=ex,ey,ez,tx,ty,tz&views=1:…;2:… */
    read(q: URLSearchParams): void {
        this.readAll(q.get("views"));
        const look = parse(q.get("cam"));
        if (look) this.show(look);
    }
}
