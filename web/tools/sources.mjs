// A short digest of the page's sources, contained in the built page, so that a test detects a stale one.
import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

const WEB = dirname(dirname(fileURLToPath(import.meta.url)));

/** The sources of the page, without tests and their games. */
export function sources() {
  const made = readdirSync(join(WEB, "src"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(WEB, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .filter((name) => !/\.test\.tsx?$/.test(name) && !name.split("/").includes("fixtures"));
  return ["index.html", "package-lock.json", "vite.config.ts", ...made].sort();
}

export function digest() {
  const hash = createHash("sha256");
  for (const name of sources()) hash.update(`${name}\n`).update(readFileSync(join(WEB, name)));
  return hash.digest("hex").slice(0, 16);
}
