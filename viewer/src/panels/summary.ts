// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The run in words and figures.
import { h } from "../dom";
import { bytes, count, metres, number, plural, seconds } from "../format";
import { tally, type Json, type Manifest } from "../manifest";

type Run = { [key: string]: Json };

function num(run: Run, ...path: string[]): number {
    let at: Json | undefined = run;
    for (const key of path) at = at && typeof at === "object" && !Array.isArray(at) ? at[key] : undefined;
    return typeof at === "number" ? at : NaN;
}

function card(value: string, label: string, note = ""): HTMLElement {
    return h(
        "div",
        { class: "card" },
        h("div", { class: "card-value" }, value),
        h("div", { class: "card-label" }, label),
        note ? h("div", { class: "card-note" }, note) : null,
    );
}

function pace(run: Run): string {
    const factor = num(run, "real_time_factor");
    if (!(factor > 0)) return "";
    if (factor <= 1) return `${number(1 / factor, 3)}× faster than real time`;
    return `${number(factor, 3)}× slower than real time`;
}

function cards(m: Manifest): HTMLElement[] {
    const run = m.summary,
        out: HTMLElement[] = [];
    const time = num(run, "time"),
        steps = num(run, "steps"),
        step = num(run, "step");
    if (Number.isFinite(time))
        out.push(
            card(
                seconds(time),
                "simulated",
                Number.isFinite(steps) ? `${plural(steps, "step")}${step > 0 ? ` of ${seconds(step)}` : ""}` : "",
            ),
        );
    const wall = num(run, "run_seconds");
    if (Number.isFinite(wall)) out.push(card(seconds(wall), "computing", pace(run)));
    const { bodies, particles, nodes } = tally(m);
    const elements = num(run, "elements");
    out.push(
        card(
            count(bodies),
            bodies === 1 ? "body" : "bodies",
            [
                particles ? plural(particles, "particle") : "",
                nodes ? plural(nodes, "node") : "",
                elements > 0 ? plural(elements, "element") : "",
                m.joints.length ? plural(m.joints.length, "joint") : "",
                m.springs.length ? plural(m.springs.length, "spring") : "",
            ]
                .filter(Boolean)
                .join(", "),
        ),
    );
    const contacts = num(run, "contacts_max");
    if (contacts > 0)
        out.push(card(count(contacts), "contacts at most", `${number(num(run, "contacts_mean"), 3)} on average`));
    const drift = num(run, "energy", "drift");
    if (Number.isFinite(drift)) {
        const scale = Math.max(Math.abs(num(run, "energy", "kinetic")), Math.abs(num(run, "energy", "potential")));
        const share = scale > 0 ? `${number((100 * Math.abs(drift)) / scale, 2)} % of the energy at the end` : "";
        out.push(card(`${number(drift, 3)} J`, "energy drift", share));
    }
    const violation = num(run, "max_violation");
    if (Number.isFinite(violation) && m.joints.length)
        out.push(card(number(violation, 3), "largest joint error", "m or rad"));
    const penetration = num(run, "max_penetration");
    if (penetration > 0) out.push(card(metres(penetration), "deepest overlap"));
    const peak = num(run, "peak_bytes");
    if (Number.isFinite(peak)) out.push(card(bytes(peak), "memory at most"));
    return out;
}

const PHASES: [string, string][] = [
    ["proximity", "finding contacts"],
    ["formulation", "setting up"],
    ["solve", "solving"],
    ["step", "stepping"],
    ["record", "recording"],
];

function phases(run: Run): HTMLElement | null {
    const parts = PHASES.map(([key, label]) => ({ key, label, s: num(run, "phase_seconds", key) })).filter(
        (p) => p.s > 0,
    );
    const total = parts.reduce((a, p) => a + p.s, 0);
    if (!(total > 0)) return null;
    return h(
        "section",
        {},
        h("h3", {}, "Where the time went"),
        h(
            "div",
            { class: "phase-bar" },
            ...parts.map((p) =>
                h("i", { style: `flex:${p.s / total}`, "data-phase": p.key, title: `${p.label}: ${seconds(p.s)}` }),
            ),
        ),
        h(
            "div",
            { class: "phase-key" },
            ...parts.map((p) =>
                h(
                    "span",
                    { "data-phase": p.key },
                    h("i"),
                    `${p.label} `,
                    h("b", {}, seconds(p.s)),
                    ` ${number((100 * p.s) / total, 2)} %`,
                ),
            ),
        ),
    );
}

/** Whether contacts were solved to the tolerance, and where they were not. */
function verdict(run: Run): HTMLElement | null {
    const solver = run.solver;
    if (!solver || typeof solver !== "object" || Array.isArray(solver)) return null;
    const text = solver.verdict;
    if (typeof text !== "string" || !text) return null;
    return h(
        "section",
        { class: "verdict" },
        h("h3", {}, "How well contacts were solved"),
        h("p", { class: "prose" }, `${text[0].toUpperCase()}${text.slice(1)}.`),
    );
}

function show(value: Json): string {
    if (typeof value === "number") return Number.isInteger(value) ? count(value) : number(value, 6);
    if (value === null) return "–";
    if (Array.isArray(value)) return value.map(show).join(", ");
    return String(value);
}

/** Every key of run.json, nested ones with their path. */
function rows(run: Run, prefix = ""): HTMLElement[] {
    return Object.entries(run).flatMap(([key, value]) => {
        const name = prefix + key.replace(/_/g, " ");
        if (value && typeof value === "object" && !Array.isArray(value)) return rows(value, `${name} › `);
        if (Array.isArray(value) && !value.length) return [];
        return [h("tr", {}, h("th", {}, name), h("td", {}, show(value)))];
    });
}

export class SummaryPanel {
    readonly element = h("div", { class: "summary" });

    constructor(
        private m: Manifest,
        private frames: () => number,
    ) {
        this.fill();
    }

    /** Writes everything anew, also when a live run sends new figures. */
    fill(): void {
        const { m } = this,
            run = m.summary;
        const failed = run.result && run.result !== "done" ? `The run ended early: ${run.error ?? run.result}` : "";
        const warnings = [...(failed ? [failed] : []), ...m.warnings];
        const made = [
            run.version ? `Kairos ${run.version}` : m.version ? `Kairos ${m.version}` : "",
            String(run.machine ?? ""),
            run.threads ? plural(Number(run.threads), "thread") : "",
        ];
        const f = m.frames,
            error = f.position_error ?? f.position_step / 2;
        // A quaternion component off by e turns a body by about 2 e.
        const turn = f.rotation_step * (180 / Math.PI);
        const bound =
            error > 0
                ? `Positions here are within ${metres(error)} of the computed ones along each axis, rotations within about ${number(turn, 2)}°; plotted values are exact.`
                : "";
        const thinned = (f.stride ?? 1) > 1 && f.recorded ? `, of ${count(f.recorded)} that were recorded` : "";
        this.element.replaceChildren(
            ...(warnings.length
                ? [
                      h(
                          "section",
                          { class: "warnings" },
                          h("h3", {}, plural(warnings.length, "warning")),
                          h("ul", {}, ...warnings.map((w) => h("li", {}, w))),
                      ),
                  ]
                : []),
            h("div", { class: "cards" }, ...cards(m)),
            ...(verdict(run) ? [verdict(run)!] : []),
            ...(phases(run) ? [phases(run)!] : []),
            h(
                "section",
                {},
                h("h3", {}, "This replay"),
                h(
                    "p",
                    { class: "prose" },
                    `${plural(this.frames(), "frame")}${thinned}; ${plural(f.movers, "position")} in each. ${bound}`,
                ),
            ),
            h(
                "section",
                {},
                h("h3", {}, "All figures"),
                h("table", { class: "figures" }, h("tbody", {}, ...rows(run))),
            ),
            h("p", { class: "muted made" }, made.filter(Boolean).join(" · ")),
        );
    }
}
