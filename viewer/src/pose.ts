// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The state of everything at one moment, between two recorded frames.
import { Quaternion, Vector3 } from "three";
import type { Frame } from "./store";

export class Pose {
    a: Frame | null = null;
    b: Frame | null = null;
    mix = 0; // 0 = frame a, 1 = frame b
    time = 0;
    private qa = new Quaternion();
    private qb = new Quaternion();

    constructor(readonly rotationStep: number) {}

    set(a: Frame, b: Frame, mix: number, time: number): void {
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
        const a = this.a!.position, b = this.b!.position, k = 3 * i, s = this.mix;
        return out.set(
            a[k] + s * (b[k] - a[k]),
            a[k + 1] + s * (b[k + 1] - a[k + 1]),
            a[k + 2] + s * (b[k + 2] - a[k + 2]),
        );
    }

    private read(f: Frame, i: number, out: Quaternion): void {
        const r = f.rotation, k = 4 * i;
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
        const a = this.a!.position, b = this.b!.position, k = 3 * i;
        return Math.hypot(b[k] - a[k], b[k + 1] - a[k + 1], b[k + 2] - a[k + 2]) / dt;
    }
}
