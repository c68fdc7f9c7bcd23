// The screens stay true: over a restart of the server, and in two tabs.
import type { Page, Request } from "@playwright/test";
import { test, expect, ask, comeBack, link, openBrain, openUnit, signIn, look, watch } from "../support/test.ts";
import { LegacyAgent, PythonAgent } from "../../clients/ts/support/agents.ts";

const places = { name: "Places" };

test("the server goes and comes back: the page says so, and misses nothing", async ({ app, home, server }) => {
  // What is on screen was fetched before: nothing but the stream tells it what came meanwhile.
  await openBrain(app, "team");
  await expect(app.getByText("This brain is empty")).toBeVisible();
  await server.stop("SIGKILL");
  await expect(app.getByRole("status").filter({ hasText: "not answering" })).toBeVisible();
  // An agent over stdio needs no server: it goes on, unseen by the page.
  const python = await PythonAgent.connect(home, "python", "auto");
  await python.call("write", { brain: "team", topic: "facts", title: "Meanwhile", body: "Written while the server was away." });
  const again = await home.serve(server.port);
  await expect(app.getByRole("status").filter({ hasText: "not answering" })).toHaveCount(0);
  await expect(app.getByText("Meanwhile").first()).toBeVisible();
  const agent = await LegacyAgent.connect(again, home.key("claude"), "claude");
  await agent.call("write", { brain: "team", topic: "facts", title: "After", body: "Written after it came back." });
  await expect(app.getByText("After").first()).toBeVisible();
  await python.call("write", { brain: "team", topic: "facts", title: "Beside", body: "Written by another process." });
  await expect(app.getByText("Beside").first()).toBeVisible();
  await agent.close();
  await python.close();
});

test("a screen that could not be fetched while the server was away is there once it is back", async ({ page, home, server }) => {
  // The screens that are fetched ahead find nobody.
  const screens = /\/assets\/page-.*\.js$/;
  await page.route(screens, (route) => route.abort("connectionrefused"));
  const failed = page.waitForEvent("requestfailed", (request) => screens.test(request.url()));
  await signIn(page, home, server);
  await failed;
  await page.getByRole("navigation", places).getByRole("link", { name: /Brains/ }).click();
  await page.unroute(screens);
  await expect(page.getByRole("radiogroup", { name: "Brain" })).toBeVisible();
});

test("what one tab settles leaves the other", async ({ app, home, server, agent, browser }) => {
  const other = await (await browser.newContext()).newPage();
  await other.goto(await link(home, server));
  const [claude, cursor] = [await agent("claude"), await agent("cursor")];
  await claude.call("write", { brain: "team", topic: "x", title: "Clash", body: "It is so." });
  await cursor.call("write", { brain: "team", topic: "x", title: "Clash", body: "It is otherwise." });
  for (const page of [app, other]) await expect(page.getByRole("option", { name: /Clash/ })).toBeVisible();
  await other.getByRole("option", { name: /Clash/ }).click();
  await look(other);
  await other.keyboard.press("k");
  await expect(app.getByRole("option", { name: /Clash/ })).toHaveCount(0);
  // No count stands behind the place any more.
  await expect(app.getByRole("navigation", places).getByRole("link", { name: /Inbox/ })).toHaveText("Inbox");
  await expect(app).toHaveTitle("OzBrain");
});

test("more tabs than a browser opens connections: each works, and catches up when it is shown", async ({ app, home, server, agent, browser }) => {
  const context = await browser.newContext();
  // Whether a tab is hidden, as the browser would say it.
  await context.addInitScript(() => {
    const tab = window as unknown as { hiddenTab: boolean };
    tab.hiddenTab = true;
    Object.defineProperty(Document.prototype, "visibilityState", { get: () => (tab.hiddenTab ? "hidden" : "visible") });
  });
  const streams: string[] = [];
  context.on("request", (request) => {
    if (request.url().includes("/api/events")) streams.push(request.url());
  });
  const tabs = [];
  for (let tab = 0; tab < 8; tab++) {
    const page = await context.newPage();
    await signIn(page, home, server);
    tabs.push(page);
  }
  await expect(tabs.at(-1)!.getByRole("heading", { name: "One memory for all your agents" })).toBeVisible();
  expect(streams).toEqual([]);
  const [claude, cursor] = [await agent("claude"), await agent("cursor")];
  await claude.call("write", { brain: "team", topic: "x", title: "Clash", body: "It is so." });
  await cursor.call("write", { brain: "team", topic: "x", title: "Clash", body: "It is otherwise." });
  await expect(app.getByRole("option", { name: /Clash/ })).toBeVisible();
  const shown = tabs[3]!;
  await expect(shown.getByRole("option", { name: /Clash/ })).toHaveCount(0);
  await shown.evaluate(() => {
    (window as unknown as { hiddenTab: boolean }).hiddenTab = false;
    document.dispatchEvent(new Event("visibilitychange"));
  });
  await expect(shown.getByRole("option", { name: /Clash/ })).toBeVisible();
  expect(streams).toHaveLength(1);
  await context.close();
});

test("eight tabs in sight: all follow over one connection, each can act, and none misses a change when the one that has it closes", async ({ app, home, server, agent }) => {
  test.setTimeout(120_000);
  const context = app.context();
  const open = new Map<Request, Page>();
  context.on("request", (request) => {
    if (request.url().includes("/api/events")) open.set(request, request.frame().page());
  });
  context.on("requestfinished", (request) => void open.delete(request));
  context.on("requestfailed", (request) => void open.delete(request));
  /** The tabs that have a stream. */
  const holders = () => [...new Set(open.values())].filter((page) => !page.isClosed());
  const tabs: Page[] = [];
  for (let tab = 0; tab < 8; tab++) {
    const page = await context.newPage();
    await signIn(page, home, server);
    tabs.push(page);
  }
  await app.close();
  const [claude, cursor] = [await agent("claude"), await agent("cursor")];
  const clash = async (title: string) => {
    await claude.call("write", { brain: "team", topic: "x", title, body: "It is so." });
    await cursor.call("write", { brain: "team", topic: "x", title, body: "It is otherwise." });
  };
  const row = (page: Page, title: string) => page.getByRole("option", { name: new RegExp(title) });
  await clash("First");
  for (const page of tabs) await expect(row(page, "First")).toBeVisible();
  expect(holders()).toHaveLength(1);

  // Any of them acts, and all others see it.
  const actor = tabs.find((page) => !holders().includes(page))!;
  await row(actor, "First").click();
  await look(actor);
  await actor.keyboard.press("k");
  for (const page of tabs) await expect(row(page, "First")).toHaveCount(0);

  // The one that has the stream goes in the middle of what happens.
  const [leader] = holders();
  await Promise.all([clash("Second"), leader!.close(), clash("Third")]);
  const rest = tabs.filter((page) => page !== leader);
  for (const page of rest) for (const title of ["Second", "Third"]) await expect(row(page, title)).toBeVisible();
  expect(holders()).toHaveLength(1);
  await expect(rest[0]!.getByRole("status").filter({ hasText: "not answering" })).toHaveCount(0);

  // Who signed out is told nothing more, and asks for nothing.
  const out = rest.find((page) => !holders().includes(page))!;
  await out.getByRole("button", { name: "Sign out" }).click();
  await expect(out.getByRole("heading", { name: /sign/i }).first()).toBeVisible();
  const asked: string[] = [];
  out.on("request", (request) => asked.push(request.url()));
  await clash("Fourth");
  for (const page of rest) if (page !== out) await expect(row(page, "Fourth")).toBeVisible();
  expect(asked).toEqual([]);
});

test("agents that write all the time are followed at a pace: what a page asks for grows with the time, not with the writes", async ({ app, agent }) => {
  const [claude, cursor] = [await agent("claude"), await agent("cursor")];
  const asked = { inbox: 0, state: 0 };
  app.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname === "/api/inbox") asked.inbox += 1;
    if (pathname === "/api/state") asked.state += 1;
  });
  const started = Date.now();
  await Promise.all(
    [claude, cursor].map(async (one, of) => {
      for (let n = 0; n < 40; n++) await one.call("write", { brain: "team", topic: "x", title: `Fact ${n}`, body: `It is so, says ${of}.` });
    }),
  );
  await expect(app.getByRole("option", { name: /Fact 39/ })).toBeVisible();
  // The shortest pause between two looks is a quarter of a second.
  const most = 3 + (Date.now() - started) / 250;
  expect(asked.inbox).toBeLessThanOrEqual(most);
  expect(asked.state).toBeLessThanOrEqual(most);
});

test("a list that is run over asks for the unit where one rests", async ({ app, agent }) => {
  const claude = await agent("claude");
  const weeks = new Date(Date.now() - 21 * 86_400_000).toISOString();
  for (let fact = 0; fact < 15; fact++) {
    await claude.call("write", { brain: "team", topic: "facts", title: `Fact ${fact}`, body: `Fact ${fact} holds.`, observed_at: weeks });
    await claude.call("fetch", { id: `team:facts#Fact ${fact}` });
  }
  await comeBack(app);
  await expect(app.getByRole("option")).toHaveCount(15);
  await app.getByRole("option").first().click();
  const asked: string[] = [];
  app.on("request", (request) => {
    if (/\/api\/units\/[^/?]+$/.test(request.url())) asked.push(request.url());
  });
  await app.evaluate(async () => {
    // As a key that is held down, however slow the machine: each press comes as soon as the one before is done with.
    const { port1, port2 } = new MessageChannel();
    for (let i = 0; i < 12; i++) {
      document.querySelector(".inbox-list")?.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowDown", bubbles: true, cancelable: true }));
      await new Promise((done) => {
        port1.onmessage = done;
        port2.postMessage(undefined);
      });
    }
  });
  await expect(app.getByRole("option", { selected: true })).toHaveAttribute("aria-posinset", "13");
  const title = await app.getByRole("option", { selected: true }).locator(".t").textContent();
  await expect(app.getByRole("article", { name: title!, exact: true })).toContainText(`${title} holds.`);
  // The first step may be a single one; the others are passed by.
  expect(asked.length).toBeLessThanOrEqual(2);
});

test("an open page says within half a minute what an agent read, and shows in the list what its title counts", async ({ page, home, server, agent, wrong }) => {
  watch(page, wrong);
  await page.clock.install();
  await signIn(page, home, server);
  const [claude, cursor] = [await agent("claude"), await agent("cursor")];
  const weeks = new Date(Date.now() - 21 * 86_400_000).toISOString();
  const { id } = await claude.call("write", { brain: "team", topic: "facts", title: "Approver", body: "Priya approves.", observed_at: weeks });
  await expect(page.getByRole("heading", { name: "Nothing waits for you" })).toBeVisible();
  // Who wrote it has not read it.
  expect(await ask(page, "/api/state")).toMatchObject({ counts: { aging: 0, review: 1 } });
  await cursor.call("fetch", { id });
  await page.clock.fastForward(31_000);
  await expect(page.getByRole("option", { name: /Approver/ })).toBeVisible();
  await expect(page).toHaveTitle("(1) OzBrain");
});
