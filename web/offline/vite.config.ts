import preact from "@preact/preset-vite";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { defineConfig } from "vite";

const files = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());

/** Writes the list of all files into the service worker, so that it stores them for use without a network. */
function storeAll(folder: string): void {
  const worker = join(folder, "sw.js");
  const stored = files(folder).filter((path) => path !== worker);
  const hash = createHash("sha256");
  for (const path of stored) hash.update(readFileSync(path));
  const names = ["./", ...stored.map((path) => relative(folder, path)).filter((name) => name !== "index.html")];
  const text = readFileSync(worker, "utf8");
  const version = hash.digest("hex").slice(0, 16);
  writeFileSync(worker, `const VERSION = "${version}";\nconst FILES = ${JSON.stringify(names)};\n${text}`);
}

// The page of web/src with its server in a worker; what else it loads lies in public/ (web/tools/offline.py).
export default defineConfig({
  plugins: [
    preact({ prefreshEnabled: false, devToolsEnabled: false }),
    { name: "store", apply: "build", writeBundle: ({ dir }) => storeAll(dir!) },
  ],
  base: "./",
  publicDir: "build",
  worker: { format: "es" },
  build: { outDir: "dist", emptyOutDir: true, target: "es2022", modulePreload: false, assetsInlineLimit: 0 },
});
