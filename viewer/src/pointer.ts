// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The pointer on the view: clicks choose, double clicks follow; in a live run a drag pulls the body under the
// pointer with a spring, drawn as a band. The camera's own gestures are those of OrbitControls.
import { Quaternion, Vector3 } from "three";
import type { LiveClient } from "./live";
import type { Manifest } from "./manifest";
import type { Pose } from "./pose";
import type { Thing } from "./things";
import type { View3D } from "./view3d";

const CLICK = 5; // pixels that a click may move

export interface PointerHost {
    choose(thing: Thing | null): void;
    follow(mover: number): void;
}

interface Drag {
    mover: number;
    point: Vector3; // in the body's frame
    target: Vector3 | null; // in the scene
    plane: Vector3; // a point of the plane that the pointer moves in
}

export class Pointer {
    private down: { x: number; y: number } | null = null;
    private drag: Drag | null = null;

    constructor(
        private view: View3D,
        private m: Manifest,
        private pose: Pose,
        private live: LiveClient | null,
        private host: PointerHost,
    ) {
        const canvas = view.canvas;
        canvas.addEventListener("pointerdown", (e) => this.press(e), { capture: true }); // before OrbitControls
        canvas.addEventListener("pointermove", (e) => this.move(e));
        canvas.addEventListener("pointerup", (e) => this.release(e));
        canvas.addEventListener("pointercancel", (e) => this.release(e));
        canvas.addEventListener("dblclick", (e) => {
            const hit = view.pick(e.clientX, e.clientY);
            if (hit && hit.mover >= 0) host.follow(hit.mover);
        });
    }

    /** The body that is being pulled. */
    get dragging(): number | null {
        return this.drag?.target ? this.drag.mover : null;
    }

    private press(e: PointerEvent): void {
        if (e.button !== 0 || !e.isPrimary) return;
        this.down = { x: e.clientX, y: e.clientY };
        const hit = this.live?.connection === "connected" ? this.view.pick(e.clientX, e.clientY) : null;
        if (!hit || hit.mover < 0 || hit.mover >= this.m.bodies.length || this.m.bodies[hit.mover].fixed) return;
        const back = this.pose.rotation(hit.mover, new Quaternion()).invert();
        const point = hit.point.clone().sub(this.pose.position(hit.mover, new Vector3())).applyQuaternion(back);
        this.drag = { mover: hit.mover, point, target: null, plane: hit.point };
        this.view.controls.enabled = false;
        this.view.canvas.setPointerCapture(e.pointerId);
    }

    private move(e: PointerEvent): void {
        const { drag } = this,
            o = this.m.frames.origin;
        if (!drag) return;
        const target = this.view.onPlane(e.clientX, e.clientY, drag.plane);
        if (!target) return;
        drag.target = target;
        this.live?.send({
            type: "drag",
            body: drag.mover,
            point: drag.point.toArray(),
            target: [target.x + o[0], target.y + o[1], target.z + o[2]],
        });
        this.showBand();
    }

    private release(e: PointerEvent): void {
        if (!this.down) return;
        const { x, y } = this.down;
        this.down = null;
        this.view.controls.enabled = true;
        if (this.drag) this.live?.send({ type: "release" });
        this.drag = null;
        this.view.setBand(null, null);
        const still = Math.hypot(e.clientX - x, e.clientY - y) < CLICK;
        if (!still) return;
        const hit = this.view.pick(e.clientX, e.clientY);
        this.host.choose(hit ? (hit.thing ?? { kind: "body", index: hit.mover }) : null);
    }

    /** Draws the band where its body is now. */
    showBand(): void {
        if (!this.drag?.target || !this.pose.a) return;
        const { mover, point, target } = this.drag;
        const turned = point.clone().applyQuaternion(this.pose.rotation(mover, new Quaternion()));
        this.view.setBand(turned.add(this.pose.position(mover, new Vector3())), target);
    }
}
