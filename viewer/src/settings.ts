// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What the reader of the page asks for: in the address, and what the browser keeps.

/** What the address asks for, after # or ?. */
export function address(): URLSearchParams {
    const hash = location.hash.slice(1);
    return new URLSearchParams(`${location.search.slice(1)}&${hash}`);
}

export function stored(key: string): string | null {
    try {
        return localStorage.getItem(key);
    } catch {
        return null; // a page from a file may have no storage
    }
}

export function store(key: string, value: string): void {
    try {
        localStorage.setItem(key, value);
    } catch {
        // as above
    }
}
