// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Bundles src/ into dist/viewer.html: one file, nothing fetched. A hash of all sources goes into its head, so
// that a stale file is noticed without Node (tests/checks/check_viewer.py computes the same hash).
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");

/** Files that the page is made of, by path. */
function sources() {
    const walk = (folder) =>
        readdirSync(folder, { withFileTypes: true }).flatMap((e) =>
            e.isDirectory() ? walk(join(folder, e.name)) : [join(folder, e.name)],
        );
    const names = [
        ...walk(join(root, "src")),
        ...["package.json", "package-lock.json", "tsconfig.json", "tools/build.mjs"].map((n) => join(root, n)),
    ];
    return names.map((n) => relative(root, n).split(sep).join("/")).sort((a, b) => (a < b ? -1 : 1));
}

function hashOf(names) {
    const hash = createHash("sha256");
    for (const name of names) {
        const content = readFileSync(join(root, name));
        hash.update(`${name}\0${content.length}\0`).update(content);
    }
    return hash.digest("hex");
}

const common = {
    bundle: true,
    minify: true,
    target: ["chrome109", "firefox115", "safari16"],
    format: "iife",
    write: false,
    charset: "utf8",
    legalComments: "none",
    absWorkingDir: root,
};

async function bundle(entry, plugins = []) {
    const result = await build({ ...common, entryPoints: [entry], plugins });
    return result.outputFiles[0].text;
}

const workerText = await bundle("src/worker.ts");
const inlineWorker = {
    name: "worker-text",
    setup(b) {
        b.onResolve({ filter: /^worker-text$/ }, () => ({ path: "worker-text", namespace: "worker-text" }));
        b.onLoad({ filter: /.*/, namespace: "worker-text" }, () => ({
            contents: `export default ${JSON.stringify(workerText)}`,
        }));
    },
};
const notices = ["three", "fflate"].map(
    (name) => `${name}\n\n${readFileSync(join(root, "node_modules", name, "LICENSE"), "utf8").trim()}`,
);
const script =
    `${(await bundle("src/main.ts", [inlineWorker])).trim()}\n/*! Parts of this script are\n\n${notices.join("\n\n")}\n*/`
        .replace(/<\/script/gi, "<\\/script")
        .replace(/<!--/g, "<\\!--");
const style = (await build({ ...common, entryPoints: ["src/style.css"] })).outputFiles[0].text;
const parts = { "@HASH@": hashOf(sources()), "@STYLE@": style.trim(), "@SCRIPT@": script.trim() };
const page = readFileSync(join(root, "src/index.html"), "utf8").replace(
    /@(HASH|STYLE|SCRIPT)@/g,
    (name) => parts[name],
);
const marks = page.split("<!--KAIROS-DATA-->").length - 1;
if (marks !== 1) throw new Error(`the page holds the mark of the data ${marks} times; must be once`);
mkdirSync(join(root, "dist"), { recursive: true });
writeFileSync(join(root, "dist/viewer.html"), page);
console.log(`dist/viewer.html: ${(page.length / 1024).toFixed(0)} kB`);
