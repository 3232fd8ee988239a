// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Points and frames fixed to a body (or to the world, body -1), at a moment.
import { Quaternion, Vector3 } from "three";
import type { Frame3, Vec3 } from "../manifest";
import type { Pose } from "../pose";

const q = new Quaternion();
const p = new Vector3();

/** Scene coordinates of a point of a body. */
export function pointOf(body: number, point: Vec3 | undefined, origin: Vec3, pose: Pose, out: Vector3): Vector3 {
    out.set(...(point ?? [0, 0, 0]));
    if (body < 0) return out.set(out.x - origin[0], out.y - origin[1], out.z - origin[2]);
    return out.applyQuaternion(pose.rotation(body, q)).add(pose.position(body, p));
}

/** World rotation of a frame of a body. */
export function rotationOf(body: number, frame: Frame3 | undefined, pose: Pose, out: Quaternion): Quaternion {
    const r = frame?.rotation ?? [1, 0, 0, 0];
    out.set(r[1], r[2], r[3], r[0]).normalize();
    return body < 0 ? out : out.premultiply(pose.rotation(body, q));
}
