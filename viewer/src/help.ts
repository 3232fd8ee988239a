// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The sheet of keys and gestures.
import { button, h } from "./dom";

const KEYS: [string, string][] = [
    ["Space", "play, pause (live: pause, continue)"],
    ["← →", "one frame back, forth; with Shift ten (live: sent to the scene)"],
    ["Home End", "first, last frame"],
    ["− +", "slower, faster"],
    ["L", "loop"],
    ["F", "fit all into view"],
    ["H", "first view"],
    ["1 … 9", "views: front, right, top, back, left, bottom, corner, or saved ones; with Shift: save"],
    ["U", "list of views, and the address of this one"],
    ["X", "cut, see through, arrows"],
    ["B", "follow the chosen body"],
    ["C", "next colouring"],
    ["G J K V A P T", "grid, joints, springs, body frames, force arrows, path, contacts"],
    ["S", "shadows"],
    ["D", "dark or light"],
    ["[ ]", "previous, next tab"],
    ["N", "step (live)"],
    ["Esc", "let go of the chosen body, close this"],
    ["?", "this sheet"],
];
const GESTURES: [string, string][] = [
    ["Drag", "turn (one finger)"],
    ["Right drag, Ctrl + drag", "move sideways (two fingers)"],
    ["Wheel, pinch", "nearer, farther"],
    ["Click", "choose a body"],
    ["Double click", "follow a body"],
    ["Drag a body (live)", "pull it with a spring"],
];

function table(rows: [string, string][]): HTMLElement {
    return h(
        "table",
        {},
        h(
            "tbody",
            {},
            ...rows.map(([k, v]) =>
                h(
                    "tr",
                    {},
                    h(
                        "th",
                        {},
                        ...k
                            .split(" ")
                            .flatMap((x) =>
                                rows !== GESTURES && /^(\S|Space|Home|End|Esc)$/.test(x)
                                    ? [h("kbd", {}, x), " "]
                                    : [x, " "],
                            ),
                    ),
                    h("td", {}, v),
                ),
            ),
        ),
    );
}

export function helpSheet(close: () => void): HTMLElement {
    const sheet = h(
        "div",
        {
            class: "sheet",
            role: "dialog",
            "aria-label": "Keys",
            hidden: true,
            onclick: (e: MouseEvent) => e.target === sheet && close(),
        },
        h(
            "div",
            { class: "sheet-body" },
            h("div", { class: "sheet-head" }, h("h2", {}, "Keys and gestures"), button("close", "Close", close)),
            h(
                "div",
                { class: "sheet-columns" },
                table(KEYS.slice(0, 9)),
                h("div", {}, table(KEYS.slice(9)), h("h3", {}, "Pointer"), table(GESTURES)),
            ),
        ),
    );
    return sheet;
}
