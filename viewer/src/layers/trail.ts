// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The path of the chosen mover, as far as its frames are at hand.
import { BufferAttribute, BufferGeometry, Line, LineBasicMaterial, type Object3D } from "three";
import type { Pose } from "../pose";
import type { FrameStore } from "../store";
import type { Layer } from "./layer";

const MOST = 20000;
const PIECES = 4; // of a path between two frames, where it is a curve

/** Points of a smooth curve through the given ones (Catmull and Rom's). */
function rounded(p: number[]): number[] {
    const n = p.length / 3,
        out: number[] = [];
    for (let k = 0; k + 1 < n; k++) {
        const at = [Math.max(k - 1, 0), k, k + 1, Math.min(k + 2, n - 1)];
        for (let j = 0; j < PIECES; j++) {
            const s = j / PIECES;
            for (let c = 0; c < 3; c++) {
                const [a, b, d, e] = at.map((i) => p[3 * i + c]);
                out.push(b + 0.5 * s * (d - a + s * (2 * a - 5 * b + 4 * d - e + s * (3 * (b - d) + e - a))));
            }
        }
    }
    return out.concat(p.slice(-3));
}

export class TrailLayer implements Layer {
    readonly object: Object3D;
    private line: Line<BufferGeometry, LineBasicMaterial>;
    private mover = -1;
    private counted = -1;

    constructor(
        private store: FrameStore,
        private origin: [number, number, number],
        private held: Uint8Array,
    ) {
        this.line = new Line(new BufferGeometry(), new LineBasicMaterial({ transparent: true, opacity: 0.75 }));
        this.line.frustumCulled = false;
        this.object = this.line;
    }

    theme(dark: boolean): void {
        this.line.material.color.set(dark ? "#ffb454" : "#c2410c");
    }

    follow(mover: number | null): void {
        this.mover = mover ?? -1;
        this.counted = -1;
        this.trace();
    }

    /** More frames have come. */
    trace(): void {
        if (this.mover < 0 || !this.object.visible) {
            this.line.geometry.setDrawRange(0, 0);
            return;
        }
        const n = Math.min(this.store.count, MOST),
            points: number[] = [],
            o = this.origin;
        for (let k = 0; k < n; k++) {
            const p = this.store.exact(k, this.mover);
            if (p) points.push(p[0] - o[0], p[1] - o[1], p[2] - o[2]);
        }
        if (points.length === this.counted) return;
        this.counted = points.length;
        const curve = this.held[this.mover] ? rounded(points) : points;
        this.line.geometry.dispose();
        this.line.geometry = new BufferGeometry();
        this.line.geometry.setAttribute("position", new BufferAttribute(new Float32Array(curve), 3));
    }

    update(_pose: Pose): void {}
}
