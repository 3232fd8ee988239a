// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The clock of the replay: which two frames, and how far between them.
import type { Pose } from "./pose";
import type { FrameStore } from "./store";

export const SPEEDS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100];

/** Real time where that can be watched; else a speed at which the run takes between some seconds and two minutes. */
export function goodSpeed(duration: number): number {
    if (!(duration > 0)) return 1;
    if (duration < 1) return SPEEDS.filter((s) => duration / s >= 4).pop() ?? SPEEDS[0];
    if (duration > 120) return SPEEDS.find((s) => duration / s <= 60) ?? SPEEDS[SPEEDS.length - 1];
    return 1;
}

export class Player {
    time = 0;
    playing = false;
    loop = true;
    speed = 1;
    waiting = false;
    onchange = () => {}; // state of the controls
    private shown = NaN;
    private stale = true;

    constructor(
        private store: FrameStore,
        private pose: Pose,
    ) {}

    get start(): number {
        return this.store.count ? this.store.times[0] : 0;
    }

    get end(): number {
        return this.store.count ? this.store.times[this.store.count - 1] : 0;
    }

    /** Last frame at or before a time. */
    frameAt(time: number): number {
        const t = this.store.times;
        let lo = 0,
            hi = this.store.count - 1;
        while (lo < hi) {
            const mid = (lo + hi + 1) >> 1;
            if (t[mid] <= time) lo = mid;
            else hi = mid - 1;
        }
        return Math.max(lo, 0);
    }

    get frame(): number {
        return this.frameAt(this.time);
    }

    setTime(time: number): void {
        this.time = Math.min(Math.max(time, this.start), this.end);
        this.stale = true;
        this.onchange();
    }

    setPlaying(on: boolean): void {
        if (on && this.time >= this.end && this.store.count > 1) this.time = this.start;
        this.playing = on && this.store.count > 1;
        this.stale = true;
        this.onchange();
    }

    step(frames: number): void {
        this.playing = false;
        const k = this.frame,
            t = this.store.times;
        // Between two frames, a step back goes to the earlier one.
        const from = frames < 0 && this.time > t[k] + 1e-12 * Math.abs(t[k]) ? k + 1 : k;
        const to = Math.min(Math.max(from + frames, 0), this.store.count - 1);
        this.setTime(t[to]);
    }

    /** Says that frames have arrived. */
    refresh(): void {
        this.stale = true;
    }

    /** Moves the clock by wall-clock seconds and fills the pose; true when the picture has changed. */
    advance(seconds: number): boolean {
        if (!this.store.count) return false;
        if (this.playing && !this.waiting) {
            this.time += seconds * this.speed;
            if (this.time >= this.end) {
                if (this.loop)
                    this.time = this.start + ((this.time - this.start) % Math.max(this.end - this.start, 1e-300));
                else {
                    this.time = this.end;
                    this.playing = false;
                }
            }
            this.onchange();
        }
        if (this.time === this.shown && !this.stale) return false;
        return this.fill();
    }

    private fill(): boolean {
        const n = this.store.count,
            k = Math.min(this.frame, Math.max(n - 2, 0));
        const a = this.store.get(k),
            b = n > 1 ? this.store.get(k + 1) : a;
        const ahead = this.playing ? Math.ceil(Math.min(this.speed, 50) * 12) + 2 : 2;
        this.store.prefetch(Math.min(k + ahead, n - 1));
        if (this.playing && this.loop && k + ahead >= n) this.store.prefetch(0);
        const waiting = !a || !b;
        if (waiting !== this.waiting) {
            this.waiting = waiting;
            this.onchange();
        }
        if (!a || !b) return false;
        const span = b.time - a.time;
        const mix = span > 0 ? Math.min(Math.max((this.time - a.time) / span, 0), 1) : 0;
        const inside = mix > 0 && mix < 1; // the neighbours only where they are at hand
        this.pose.set(
            a,
            b,
            mix,
            this.time,
            inside && k > 0 ? this.store.get(k - 1) : null,
            inside && k + 2 < n ? this.store.get(k + 2) : null,
        );
        this.shown = this.time;
        this.stale = false;
        return true;
    }
}
