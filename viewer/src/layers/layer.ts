// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A layer draws one sort of thing. Spheres, bodies, deforming meshes, joints, springs, arrows and frames are layers;
// fluid markers become one the same way.
import type { Box3, Object3D, Plane, Ray, Vector3 } from "three";
import type { Colouring } from "../colouring";
import type { Manifest } from "../manifest";
import type { Pose } from "../pose";
import type { Thing } from "../things";

export interface Hit {
    mover: number; // -1: none
    thing?: Thing; // where it is no mover
    distance: number;
    point: Vector3;
}

export interface Layer {
    /** Goes into the scene as it is. */
    readonly object: Object3D;
    /** A new moment. */
    update(pose: Pose): void;
    /** Colours mean something else, or the scale has changed. */
    recolour?(colouring: Colouring, pose: Pose): void;
    /** Movers were shown or hidden. */
    show?(visibility: Visibility, pose: Pose): void;
    /** The first thing a ray meets. */
    pick?(ray: Ray, pose: Pose): Hit | null;
    /** Widens a box by what is drawn at this moment; what never moves goes into the second one. */
    grow?(moving: Box3, fixed: Box3, pose: Pose): void;
    /** Length that glyphs are sized by. */
    resize?(size: number): void;
    /** Hides what lies behind planes (three's sense); null: nothing. */
    clip?(planes: Plane[] | null): void;
    /** How solid all things are drawn, from 0 to 1. */
    solid?(opacity: number): void;
    /** Light and dark. */
    theme?(dark: boolean): void;
}

/** What is shown: bodies one by one, particles by group, deforming meshes. */
export class Visibility {
    readonly body: Uint8Array;
    readonly group: Uint8Array;
    readonly skin: Uint8Array;

    constructor(m: Manifest) {
        this.body = new Uint8Array(m.bodies.length).fill(1);
        this.group = new Uint8Array(m.particles.length).fill(1);
        this.skin = new Uint8Array(m.skins?.meshes.length ?? 0).fill(1);
    }
}
