// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The scene as it was given.
import { button, download, h, safeName } from "../dom";

const TOKEN = /("(?:\\.|[^"\\])*")(\s*:)?|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|\b(true|false|null)\b/g;
const LONGEST = 400000; // characters with colours; longer text is shown plain

function highlight(text: string): DocumentFragment {
    const out = document.createDocumentFragment();
    let at = 0;
    for (const match of text.matchAll(TOKEN)) {
        out.append(text.slice(at, match.index));
        at = match.index + match[0].length;
        const kind = match[1] ? (match[2] ? "key" : "string") : match[3] ? "number" : "word";
        out.append(h("span", { class: `json-${kind}` }, match[1] ?? match[0]));
        if (match[2]) out.append(match[2]);
    }
    out.append(text.slice(at));
    return out;
}

/** The shortest digits that mean the same: 0.1 for 0.10000000000000001. */
function tidy(text: string): string {
    return text.replace(TOKEN, (all, _string, _colon, number) =>
        number && number.length > 16 ? String(Number(number)) : all,
    );
}

export function scenePanel(given: string, name: string): HTMLElement {
    const text = tidy(given);
    const pre = h("pre", { class: "scene-text", tabindex: 0 });
    if (!text) return h("div", {}, h("p", { class: "empty" }, "The scene's text is not in this page."));
    pre.append(text.length <= LONGEST ? highlight(text) : text);
    const copy = button("copy", "Copy", async () => {
        try {
            await navigator.clipboard.writeText(text);
        } catch {
            getSelection()?.selectAllChildren(pre);
        }
    });
    return h(
        "div",
        { class: "scene" },
        h(
            "div",
            { class: "panel-bar" },
            h("span", { class: "muted" }, `${name}.json`),
            h("span", { class: "grow" }),
            copy,
            button("download", "Save the scene", () => download(`${safeName(name)}.json`, text, "application/json")),
        ),
        pre,
    );
}
