// A story's world: a data folder, a server, agents, and a page that is signed in.
import { test as base, expect, type Page } from "@playwright/test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { LegacyAgent, type Person } from "../../clients/ts/support/agents.ts";
import { Home, type Server } from "../../clients/ts/support/ozbrain.ts";

/** The one-time link that a running server printed, or prints now. */
export async function link(home: Home, server: Server): Promise<string> {
  const { link } = home.json("serve", "--port", String(server.port));
  expect(link, "a second start prints a link to the running server").toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#token=/);
  return link;
}

/** Opens the screens in a page, as a person does with a fresh link. */
export async function signIn(page: Page, home: Home, server: Server): Promise<void> {
  await page.goto(await link(home, server));
  await expect(page.getByRole("navigation", { name: "Places" })).toBeVisible();
}

/**
 * A person looks before they decide: the screens take no act on what has only just come, so that a key pressed twice or
 * held settles nothing unseen. The page says when a key counts; what is about to be drawn is drawn within two frames.
 */
export async function look(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await page.waitForFunction(() => document.documentElement.dataset.seen !== "no");
}

/** The person comes back to a tab: it looks at once what happened that no change tells of, such as agents' reads. */
export async function comeBack(page: Page): Promise<void> {
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
}

/** Asks the server as the signed-in page does. */
export async function ask<Answer>(page: Page, path: string): Promise<Answer> {
  return page.evaluate(async (path) => {
    const headers = { Authorization: `Bearer ${sessionStorage.getItem("ozbrain.bearer")}` };
    return (await fetch(path, { headers })).json();
  }, path);
}

/** The files of the data folder that hold a word. */
export function holding(home: Home, word: string): string[] {
  const folder = home.env.OZBRAIN_DATA_DIR!;
  return readdirSync(folder).filter((name) => readFileSync(join(folder, name)).includes(word));
}

/** Opens a brain among the places. */
export async function openBrain(page: Page, name: string): Promise<void> {
  await page.getByRole("navigation", { name: "Places" }).getByRole("link", { name: /Brains/ }).click();
  await page.getByRole("radiogroup", { name: "Brain" }).getByRole("radio", { name: new RegExp(name) }).click();
}

/** Opens a unit of a brain by its title. */
export async function openUnit(page: Page, brain: string, title: string): Promise<void> {
  await openBrain(page, brain);
  await page.getByRole("option", { name: new RegExp(title) }).first().click();
  await expect(page.getByRole("heading", { name: title, exact: true })).toBeVisible();
}

/** What goes wrong on a page that nobody looks at: errors, and what the CSP stopped. */
export function watch(page: Page, wrong: string[]): void {
  page.on("pageerror", (error) => wrong.push(`error: ${error.message}`));
  page.on("console", (message) => {
    // A refused request is told by the page itself; the server may be gone on purpose.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) {
      wrong.push(`console: ${message.text()}`);
    }
  });
}

interface Story {
  home: Home;
  server: Server;
  /** Connects an agent over HTTP with the official client. */
  agent: (name: string, person?: Person) => Promise<LegacyAgent>;
  /** A page that is signed in. */
  app: Page;
  /** What went wrong on the page: empty at the end, or the story fails. */
  wrong: string[];
}

export const test = base.extend<Story>({
  home: async ({}, use) => {
    const home = new Home();
    home.sharedBrain("team");
    await use(home);
    await home.close();
  },
  server: async ({ home }, use) => {
    await use(await home.serve());
  },
  agent: async ({ home, server }, use) => {
    const agents: LegacyAgent[] = [];
    await use(async (name, person) => {
      const agent = await LegacyAgent.connect(server, home.key(name), name, person);
      agents.push(agent);
      return agent;
    });
    // A server that a story stopped hears no farewell.
    await Promise.allSettled(agents.map((agent) => agent.close()));
  },
  wrong: async ({}, use) => {
    const wrong: string[] = [];
    await use(wrong);
    expect(wrong).toEqual([]);
  },
  app: async ({ page, home, server, wrong }, use) => {
    watch(page, wrong);
    await signIn(page, home, server);
    await use(page);
  },
});

export { expect };
