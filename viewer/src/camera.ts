// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Where to look from: a first view that shows the whole motion, the fit of a box, and presets.
import { Box3, PerspectiveCamera, Vector3 } from "three";

/** Two directions across `up`; the first is x wherever up is z. */
export function across(up: Vector3): [Vector3, Vector3] {
    const e1 = Math.abs(up.x) < 0.9 ? new Vector3(1, 0, 0) : new Vector3(0, 1, 0);
    e1.addScaledVector(up, -e1.dot(up)).normalize();
    return [e1, new Vector3().crossVectors(up, e1)];
}

/** Direction from the scene to the eye. Flat mechanisms are seen nearly square on. */
export function goodDirection(box: Box3, up: Vector3): Vector3 {
    const [e1, e2] = across(up);
    const size = box.getSize(new Vector3());
    const along = (v: Vector3) => Math.abs(v.x * size.x) + Math.abs(v.y * size.y) + Math.abs(v.z * size.z);
    const w1 = along(e1),
        w2 = along(e2),
        h = along(up);
    const direction = new Vector3();
    if (w2 < 0.3 * Math.max(w1, h))
        direction.addScaledVector(e2, -1).addScaledVector(e1, 0.35).addScaledVector(up, 0.28);
    else if (w1 < 0.3 * Math.max(w2, h))
        direction.addScaledVector(e1, 1).addScaledVector(e2, -0.35).addScaledVector(up, 0.28);
    else direction.addScaledVector(e1, 0.62).addScaledVector(e2, -1).addScaledVector(up, 0.55);
    return direction.normalize();
}

/** Distance from which all corners of a box lie inside the picture. */
export function fitDistance(camera: PerspectiveCamera, box: Box3, direction: Vector3): number {
    const centre = box.getCenter(new Vector3());
    const right = new Vector3().crossVectors(camera.up, direction);
    if (right.lengthSq() < 1e-6) right.set(1, 0, 0);
    right.normalize();
    const top = new Vector3().crossVectors(direction, right);
    const tanV = Math.tan((camera.fov * Math.PI) / 360),
        tanH = tanV * camera.aspect;
    let distance = 0;
    for (let i = 0; i < 8; i++) {
        const corner = new Vector3(
            i & 1 ? box.max.x : box.min.x,
            i & 2 ? box.max.y : box.min.y,
            i & 4 ? box.max.z : box.min.z,
        ).sub(centre);
        const depth = corner.dot(direction);
        distance = Math.max(
            distance,
            depth + Math.abs(corner.dot(top)) / tanV,
            depth + Math.abs(corner.dot(right)) / tanH,
        );
    }
    return 0.97 * distance; // the corners of a box are mostly empty
}
