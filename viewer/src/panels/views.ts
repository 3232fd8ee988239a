// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The menu of views: go to one, save one, back to the standard one; and a link to the page as it looks now.
import type { Bookmarks } from "../bookmarks";
import { h } from "../dom";

function text(label: string, title: string, onclick: () => void): HTMLElement {
    return h("button", { type: "button", class: "text-button", title, onclick }, label);
}

export class ViewsMenu {
    readonly element = h("div", { class: "look views", hidden: true });

    constructor(
        private views: Bookmarks,
        private link: () => void,
    ) {
        views.onchange = () => this.fill();
        this.fill();
    }

    private fill(): void {
        const { views } = this;
        const rows = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) =>
            h(
                "div",
                { class: "look-row" },
                h("kbd", {}, String(n)),
                views.name(n) === "empty"
                    ? h("span", { class: "muted grow" }, "empty")
                    : h("button", { type: "button", class: "link grow", onclick: () => views.go(n) }, views.name(n)),
                text("save", `Save this view as ${n} (Shift + ${n})`, () => views.save(n)),
                views.has(n) ? text("reset", "Back to the standard view", () => views.forget(n)) : null,
            ),
        );
        const copy = text("Put this view into the address", "For a link to the page as it looks now", this.link);
        this.element.replaceChildren(...rows, copy);
    }
}
