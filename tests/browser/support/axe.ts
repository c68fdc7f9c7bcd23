// What axe finds on a page.
import { expect, type Page } from "@playwright/test";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Finding {
  id: string;
  impact: string;
  nodes: { html: string; failureSummary?: string }[];
}

/** Fails where axe finds anything on the page as it stands. */
export async function axeFindsNothing(page: Page, what: string): Promise<void> {
  // By way of the debugger: the page's own policy lets no script in.
  await page.evaluate(source);
  const violations = (await page.evaluate(`axe.run(document, {resultTypes: ["violations"]}).then((r) => r.violations)`)) as Finding[];
  const told = violations.map(({ id, impact, nodes }) => `${id} (${impact}): ${nodes.map(({ html }) => html.slice(0, 200)).join(" | ")}`);
  expect(told, `axe on ${what}`).toEqual([]);
}
