// npm run icons: makes the pictures in icons/ of the drawings there. They are
// kept in the repository, so a build needs none of this.
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "./lib/cargo.mjs";
import { main, must } from "./lib/run.mjs";

const icons = join(root, "icons");
const tauri = join(root, "node_modules", "@tauri-apps", "cli", "tauri.js");

/** The application's icon in the shapes and sizes that the bundles take, and what the tool calls them. */
const APPLICATION = {
  "32x32.png": "32x32.png",
  "64x64.png": "64x64.png",
  "128x128.png": "128x128.png",
  // A Linux desktop would take the other name for a size of 256 at twice the pixels.
  "256x256.png": "128x128@2x.png",
  "icon.png": "icon.png",
  "icon.icns": "icon.icns",
  "icon.ico": "icon.ico",
};
/** A panel or menu bar of 22 points, on a fine screen; others make it smaller. */
const TRAY = 44;

await main(async () => {
  const scratch = mkdtempSync(join(tmpdir(), "ozbrain-icons-"));
  const draw = (svg, ...args) => must(process.execPath, [tauri, "icon", join(icons, svg), "--output", scratch, ...args]);
  try {
    await draw("icon.svg");
    for (const [name, made] of Object.entries(APPLICATION)) copyFileSync(join(scratch, made), join(icons, name));
    for (const folder of ["tray", join("tray", "macos")]) {
      for (const state of ["idle", "attention", "paused"]) {
        await draw(join(folder, `${state}.svg`), "--png", String(TRAY));
        copyFileSync(join(scratch, `${TRAY}x${TRAY}.png`), join(icons, folder, `${state}-${TRAY}.png`));
      }
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  return 0;
});
