// The browser's journeys: one real Chromium, one real `ozbrain serve` a story.
import { defineConfig } from "@playwright/test";

/** Debian's Chromium; the flags keep it from calling out. */
const flags = [
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export default defineConfig({
  testDir: "stories",
  outputDir: "../output/browser/traces",
  reporter: [["list"], ["json", { outputFile: process.env.OZBRAIN_TALLY ?? "../output/browser/tally.json" }]],
  // Two, so that a story can wait while another works.
  workers: 2,
  fullyParallel: false,
  timeout: 90_000,
  expect: { timeout: 10_000 },
  forbidOnly: true,
  use: {
    launchOptions: {
      executablePath: process.env.OZBRAIN_CHROMIUM ?? "/usr/bin/chromium",
      args: process.getuid?.() === 0 ? [...flags, "--no-sandbox"] : flags,
    },
    viewport: { width: 1180, height: 760 },
    locale: "en-GB",
    timezoneId: "Europe/London",
    trace: "retain-on-failure",
    screenshot: "only-on-failure",
  },
});
