// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The state of everything at one moment, between two recorded frames. Positions are linear between the two, but
// for bodies that joints hold: a straight line between two points of a swing would pull joints apart, so theirs
// follow a cubic through the frames beside. Free bodies stay linear, as a cubic would overshoot where they bounce.
import { Quaternion, Vector3 } from "three";
import type { Manifest } from "./manifest";
import type { Frame } from "./store";

export class Pose {
    a: Frame | null = null;
    b: Frame | null = null;
    mix = 0; // 0 = frame a, 1 = frame b
    time = 0;
    private before: Frame | null = null;
    private after: Frame | null = null;
    private qa = new Quaternion();
    private qb = new Quaternion();

    /** `held` says which bodies joints hold. */
    constructor(readonly held: Uint8Array) {}

    set(a: Frame, b: Frame, mix: number, time: number, before: Frame | null = null, after: Frame | null = null): void {
        this.before = before;
        this.after = after;
        this.a = a;
        this.b = b;
        this.mix = mix;
        this.time = time;
    }

    get movers(): number {
        return this.a ? this.a.position.length / 3 : 0;
    }

    get rotated(): number {
        return this.a ? this.a.rotation.length / 4 : 0;
    }

    /** Seconds between the two frames. */
    get span(): number {
        return this.a && this.b ? this.b.time - this.a.time : 0;
    }

    position(i: number, out: Vector3): Vector3 {
        if (this.held[i] && this.mix > 0 && this.mix < 1) return this.cubic(i, out);
        const a = this.a!.position,
            b = this.b!.position,
            k = 3 * i,
            s = this.mix;
        return out.set(
            a[k] + s * (b[k] - a[k]),
            a[k + 1] + s * (b[k + 1] - a[k + 1]),
            a[k + 2] + s * (b[k + 2] - a[k + 2]),
        );
    }

    /** Hermite's cubic; slopes are those of the parabola through three frames, of the line where there are but two. */
    private cubic(i: number, out: Vector3): Vector3 {
        const a = this.a!,
            b = this.b!,
            s = this.mix,
            h = b.time - a.time;
        const h0 = this.before ? a.time - this.before.time : 0,
            h2 = this.after ? this.after.time - b.time : 0;
        const s2 = s * s,
            s3 = s2 * s;
        for (let c = 0; c < 3; c++) {
            const k = 3 * i + c,
                pa = a.position[k],
                pb = b.position[k],
                d = (pb - pa) / h;
            const d0 = h0 > 0 ? (pa - this.before!.position[k]) / h0 : d,
                d2 = h2 > 0 ? (this.after!.position[k] - pb) / h2 : d;
            const va = h0 > 0 ? (h * d0 + h0 * d) / (h + h0) : d,
                vb = h2 > 0 ? (h * d2 + h2 * d) / (h + h2) : d;
            out.setComponent(
                c,
                (2 * s3 - 3 * s2 + 1) * pa + (3 * s2 - 2 * s3) * pb + h * ((s3 - 2 * s2 + s) * va + (s3 - s2) * vb),
            );
        }
        return out;
    }

    private read(f: Frame, i: number, out: Quaternion): void {
        const r = f.rotation,
            k = 4 * i;
        out.set(r[k + 1], r[k + 2], r[k + 3], r[k]);
        if (out.lengthSq() === 0) out.identity();
        else out.normalize();
    }

    rotation(i: number, out: Quaternion): Quaternion {
        if (i >= this.rotated) return out.identity();
        this.read(this.a!, i, this.qa);
        if (this.mix === 0) return out.copy(this.qa);
        this.read(this.b!, i, this.qb);
        return out.slerpQuaternions(this.qa, this.qb, this.mix);
    }

    /** Mean speed between the two frames. */
    speed(i: number): number {
        const dt = this.span;
        if (!(dt > 0)) return 0;
        const a = this.a!.position,
            b = this.b!.position,
            k = 3 * i;
        return Math.hypot(b[k] - a[k], b[k + 1] - a[k + 1], b[k + 2] - a[k + 2]) / dt;
    }
}

/** Bodies that joints hold; none in a scene of very many bodies, where looks matter less than speed. */
export function heldBodies(m: Manifest): Uint8Array {
    const held = new Uint8Array(m.bodies.length);
    if (m.frames.movers > 20000) return held;
    for (const j of m.joints) {
        if (j.a >= 0) held[j.a] = 1;
        if (j.b >= 0) held[j.b] = 1;
    }
    return held;
}
