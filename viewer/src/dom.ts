// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Small helpers for elements, icons and downloads.

type Child = Node | string | null | undefined | false;
type Handler = (event: never) => void;
export type Properties = Record<string, string | number | boolean | null | undefined | Handler>;

/** Makes an element: `h("button", { class: "x", onclick: f }, "text")`. */
export function h<K extends keyof HTMLElementTagNameMap>(
    tag: K,
    properties: Properties = {},
    ...children: Child[]
): HTMLElementTagNameMap[K] {
    const element = document.createElement(tag);
    for (const [key, value] of Object.entries(properties)) {
        if (value === null || value === undefined || value === false) continue;
        if (typeof value === "function") element.addEventListener(key.slice(2), value as unknown as EventListener);
        else element.setAttribute(key, value === true ? "" : String(value));
    }
    for (const child of children) if (child) element.append(child);
    return element;
}

const PATHS: Record<string, string> = {
    play: "M7 4.5v15l12-7.5z",
    pause: "M6 5h4v14H6zM14 5h4v14h-4z",
    back: "M6 5h2.4v14H6zM19 5v14l-9.6-7z",
    forward: "M15.6 5H18v14h-2.4zM5 5v14l9.6-7z",
    loop: "M17 3l4 4-4 4V8.4H8A3.6 3.6 0 0 0 4.4 12H2a6 6 0 0 1 6-6h9zM7 21l-4-4 4-4v2.6h9a3.6 3.6 0 0 0 3.6-3.6H22a6 6 0 0 1-6 6H7z",
    fit: "M4 9V4h5v2H6v3zM15 4h5v5h-2V6h-3zM4 15h2v3h3v2H4zM18 15h2v5h-5v-2h3z",
    home: "M12 3.5 3 11.2h2.6V20h5v-5.4h2.8V20h5v-8.8H21z",
    camera: "M9 4 7.4 6H4a1.5 1.5 0 0 0-1.5 1.5v11A1.5 1.5 0 0 0 4 20h16a1.5 1.5 0 0 0 1.5-1.5v-11A1.5 1.5 0 0 0 20 6h-3.4L15 4zm3 4.4a4.6 4.6 0 1 1 0 9.2 4.6 4.6 0 0 1 0-9.2z",
    theme: "M12 3a9 9 0 1 0 0 18zM12 3a9 9 0 0 1 0 18v-2a7 7 0 0 0 0-14z",
    help: "M12 2.5a9.5 9.5 0 1 0 0 19 9.5 9.5 0 0 0 0-19zm-.1 15.7a1.3 1.3 0 1 1 0-2.6 1.3 1.3 0 0 1 0 2.6zm2.7-7.3c-1.2.9-1.5 1.2-1.5 2.4v.4h-2.3v-.7c0-1.8.8-2.5 1.9-3.3.8-.6 1.1-.9 1.1-1.6 0-.8-.7-1.3-1.7-1.3s-1.7.6-1.8 1.6H7.9c.1-2.3 1.8-3.7 4.3-3.7 2.4 0 4.1 1.2 4.1 3.2 0 1.4-.6 2.2-1.7 3z",
    panel: "M3 4h18v16H3zm2 2v12h8V6zm10 0v12h4V6z",
    eye: "M12 5.5c-5 0-8.7 4-10 6.5 1.3 2.500 5 6.500 10 6.500s8.700-4 10-6.500c-1.300-2.500-5-6.500-10-6.500zm0 10.500a4 4 0 1 1 0-8 4 4 0 0 1 0 8zm0-2a2 2 0 1 0 0-4 2 2 0 0 0 0 4z",
    closed: "M3.300 4.700 4.700 3.300l16 16-1.400 1.400-3-3A11 11 0 0 1 12 18.500c-5 0-8.700-4-10-6.500a14 14 0 0 1 4.200-4.700zm4.400 4.400a7 7 0 0 0-.3.600l5 5c-2.700.400-4.800-2.300-4.700-5.600zM12 5.500c5 0 8.700 4 10 6.500a14.600 14.600 0 0 1-2.700 3.500L16 12.200A4 4 0 0 0 11.800 8L9.600 5.800c.8-.2 1.600-.3 2.400-.3z",
    target: "M11 2h2v3.100A7 7 0 0 1 18.900 11H22v2h-3.100A7 7 0 0 1 13 18.900V22h-2v-3.100A7 7 0 0 1 5.100 13H2v-2h3.100A7 7 0 0 1 11 5.100zm1 5a5 5 0 1 0 0 10 5 5 0 0 0 0-10zm0 3a2 2 0 1 1 0 4 2 2 0 0 1 0-4z",
    download: "M11 3h2v9.200l3.300-3.300 1.400 1.400L12 16l-5.700-5.700 1.400-1.400L11 12.200zM4 18h16v2.500H4z",
    expand: "M13 4h7v7h-2.400V8.100l-4.700 4.700-1.700-1.700 4.700-4.700H13zM4 13h2.400v2.900l4.700-4.700 1.700 1.700-4.700 4.700H11V20H4z",
    close: "m6.300 4.900 5.700 5.700 5.700-5.700 1.400 1.400-5.700 5.700 5.700 5.700-1.400 1.400-5.700-5.700-5.700 5.700-1.400-1.400 5.700-5.700-5.700-5.700z",
    copy: "M8 3h11v13h-2.200V5.200H8zM4 7h11.500v14H4zm2.200 2.200v9.600h7.100V9.200z",
    warn: "M12 3 1.800 20.500h20.400zm-1.100 6.500h2.200v5.600h-2.200zm0 7h2.200v2.200h-2.200z",
    film: "M4 4h16v16H4zm2 2v2h2V6zm0 4v4h2v-4zm0 6v2h2v-2zm4-10v5h4V6zm0 7v5h4v-5zm6-7v2h2V6zm0 4v4h2v-4zm0 6v2h2v-2z",
    views: "M6 3h12v18l-6-4.500L6 21zm2 2v12l4-3 4 3V5z",
    compare: "M3 5h8v14H3zm2 2v10h4V7zm8-2h8v14h-8zm2 2h1.500v2H15zm2.500 0H19v2h-1.500zM15 11h1.500v2H15zm2.500 0H19v2h-1.500zM15 15h1.500v2H15zm2.500 0H19v2h-1.500z",
    look: "M3 6h9.2a3 3 0 0 1 5.6 0H21v2h-3.2a3 3 0 0 1-5.6 0H3zm12-.2a1.200 1.200 0 1 0 0 2.400 1.200 1.200 0 0 0 0-2.400zM3 16h3.200a3 3 0 0 1 5.600 0H21v2h-9.200a3 3 0 0 1-5.600 0H3zm6-.200a1.200 1.200 0 1 0 0 2.400 1.200 1.200 0 0 0 0-2.400z",
    step: "M5 5v14l9-7zM16 5h3v14h-3z",
};

export function icon(name: string): SVGSVGElement {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.setAttribute("viewBox", "0 0 24 24");
    svg.setAttribute("class", "icon");
    svg.setAttribute("aria-hidden", "true");
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    path.setAttribute("d", PATHS[name] ?? "");
    path.setAttribute("fill-rule", "evenodd");
    svg.append(path);
    return svg;
}

export function button(
    name: string,
    title: string,
    onclick: (e: MouseEvent) => void,
    extra: Properties = {},
): HTMLButtonElement {
    return h(
        "button",
        { type: "button", class: "icon-button", title, "aria-label": title, onclick: onclick as Handler, ...extra },
        icon(name),
    );
}

export function setIcon(b: HTMLElement, name: string): void {
    b.replaceChildren(icon(name));
}

export function download(name: string, content: Blob | string, type = "text/plain"): void {
    const blob = typeof content === "string" ? new Blob([content], { type }) : content;
    const a = h("a", { href: URL.createObjectURL(blob), download: name });
    a.click();
    setTimeout(() => URL.revokeObjectURL(a.href), 1000);
}

export function downloadCanvas(name: string, canvas: HTMLCanvasElement): void {
    canvas.toBlob((blob) => blob && download(name, blob), "image/png");
}

export function cssVar(name: string): string {
    return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

export function safeName(text: string): string {
    return text.replace(/[^\w.-]+/g, "-").replace(/^-+|-+$/g, "") || "kairos";
}
