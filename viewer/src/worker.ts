// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Decodes off the page's own thread, so that a long block never holds up a frame.
import { type Task, work } from "./decode";

self.onmessage = async (event: MessageEvent<Task>) => {
    const answer = await work(event.data);
    const transfer: ArrayBuffer[] = [];
    if (answer.raw) transfer.push(answer.raw.buffer as ArrayBuffer);
    if (answer.block)
        transfer.push(answer.block.position.buffer as ArrayBuffer, answer.block.rotation.buffer as ArrayBuffer);
    (self as unknown as Worker).postMessage(answer, transfer);
};
