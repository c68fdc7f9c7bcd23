import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

/** What says where the screens run, or depends on it. */
const KNOWS = /@tauri-apps|__TAURI|\b(?:session|local)Storage\b|navigator\.(?:clipboard|platform|locks|userAgent)|BroadcastChannel|EventSource\b/;

test("only the files of this folder know where the screens run", () => {
  const src = join(import.meta.dirname, "..");
  const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((name) => /(?<!\.test)\.tsx?$/.test(name));
  expect(files.length).toBeGreaterThan(50);
  const code = (name: string) => readFileSync(join(src, name), "utf8").replace(/^\s*(?:\/\/|\/?\*).*$/gm, "");
  expect(files.filter((name) => !name.startsWith("platform") && KNOWS.test(code(name)))).toEqual([]);
  expect(files.filter((name) => name.startsWith("platform") && KNOWS.test(code(name))).length).toBeGreaterThan(2);
});
