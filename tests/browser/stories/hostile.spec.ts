// A hostile page in the same browser reads nothing, and changes nothing.
import { createServer, type Server as Http } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "@playwright/test";
import { chromium } from "@playwright/test";
import { PythonAgent } from "../../clients/ts/support/agents.ts";
import { axeFindsNothing } from "../support/axe.ts";
import { test, expect, link, openUnit, look } from "../support/test.ts";

const places = { name: "Places" };

/** A page of another origin that may run what it likes. */
async function elsewhere(): Promise<{ origin: string; close: () => void }> {
  const server: Http = createServer((_request, response) => {
    response.setHeader("Content-Type", "text/html").end("<!doctype html><title>elsewhere</title><p>hello</p>");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, close: () => server.close() };
}

/** What a page gets from a request: its text, or that the browser kept it back. */
const ask = (page: Page, url: string, init: RequestInit = {}) =>
  page.evaluate(
    ([url, init]) =>
      fetch(url as string, init as RequestInit).then(
        async (answer) => ({ type: answer.type, status: answer.status, text: await answer.text() }),
        () => "kept back" as const,
      ),
    [url, init] as const,
  );

const write = { brain: "team", topic: "hostile", body: "written by a hostile page" };

test("a page of another origin can neither read nor write", async ({ app, home, server, agent }) => {
  const there = await elsewhere();
  const hostile = await app.context().newPage();
  await hostile.goto(there.origin);
  const calls = [
    ["/api/state", {}],
    ["/api/inbox", { headers: { Authorization: "Bearer anything" } }],
    ["/api/write", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(write) }],
    ["/mcp", { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" }],
    ["/", {}],
  ] as const;
  for (const [path, init] of calls) {
    expect(await ask(hostile, `${server.origin}${path}`, init), path).toBe("kept back");
  }
  // Simple requests go out without asking first; nothing may come of them.
  for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]) {
    const init = { method: "POST", mode: "no-cors" as const, headers: { "Content-Type": type }, body: JSON.stringify(write) };
    for (const path of ["/api/write", "/api/sign-in", "/mcp"]) {
      expect(await ask(hostile, `${server.origin}${path}`, init), path).toBe("kept back");
    }
  }
  const form = await app.context().newPage();
  await form.goto(there.origin);
  await form.evaluate(([action, body]) => {
    const form = Object.assign(document.createElement("form"), { method: "post", action, enctype: "text/plain" });
    form.append(Object.assign(document.createElement("input"), { name: body!.slice(0, -1), value: "}" }));
    document.body.append(form);
    form.submit();
  }, [`${server.origin}/api/write`, JSON.stringify(write)]);
  await expect(form.locator("body")).toContainText("not_allowed");
  const socket = await hostile.evaluate(
    (url) =>
      new Promise((resolve) => {
        const socket = new WebSocket(url);
        socket.onopen = () => resolve("open");
        socket.onerror = () => resolve("refused");
      }),
    `${server.origin.replace("http", "ws")}/api/events`,
  );
  expect(socket).toBe("refused");
  // Not even in a frame of its own.
  await hostile.evaluate((url) => {
    document.body.append(Object.assign(document.createElement("iframe"), { src: url }));
  }, server.origin);
  const frame = hostile.frames().at(-1);
  await expect.poll(() => frame?.url()).toBe("chrome-error://chromewebdata/");
  const reader = await agent("reader");
  expect((await reader.call("search", { query: "hostile page" })).results).toEqual([]);
  expect(home.json("brain", "list").brains.find((brain: { brain: string }) => brain.brain === "team").units).toBe(0);
  there.close();
});

test("a name that leads here (DNS rebinding) is refused", async ({ server }) => {
  const browser = await chromium.launch({
    executablePath: process.env.OZBRAIN_CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--host-resolver-rules=MAP evil.example 127.0.0.1"],
  });
  const page = await browser.newPage();
  const there = `http://evil.example:${server.port}`;
  const answer = await page.goto(`${there}/`);
  expect(answer?.status()).toBe(403);
  // Of the same origin by its name: the browser holds nothing back.
  expect(await ask(page, `${there}/api/state`)).toMatchObject({ status: 403 });
  const init = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(write) };
  expect(await ask(page, `${there}/api/write`, init)).toMatchObject({ status: 403 });
  await browser.close();
});

test("a link works once, and leaves nothing behind", async ({ page, home, server, browser }) => {
  const once = await link(home, server);
  await page.goto(once);
  await expect(page.getByRole("navigation", places)).toBeVisible();
  expect(page.url()).not.toContain("token");
  expect(await page.evaluate(() => history.length)).toBeLessThanOrEqual(2);
  expect(await page.context().cookies()).toEqual([]);
  await page.reload();
  await expect(page.getByRole("navigation", places)).toBeVisible();
  // Another tab holds nothing of it.
  const other = await (await browser.newContext()).newPage();
  await other.goto(server.origin);
  await expect(other.getByRole("heading", { name: "Sign in to OzBrain" })).toBeVisible();
  await expect(other.getByRole("navigation", places)).toHaveCount(0);
  // The same link, from the history of a shell or a screenshot: it opens nothing.
  for (const again of [other, await (await browser.newContext()).newPage()]) {
    await again.goto(once);
    await expect(again.getByRole("alert")).toContainText("This link was used already");
    await expect(again.getByRole("navigation", places)).toHaveCount(0);
    expect(await again.evaluate(() => sessionStorage.length)).toBe(0);
  }
  // Who signed in with it stays signed in.
  await page.reload();
  await expect(page.getByRole("navigation", places)).toBeVisible();
});

test("who signs out leaves nothing in the tab, and nothing that opens the door again", async ({ app, agent, server }) => {
  const claude = await agent("claude");
  await claude.call("write", { brain: "team", topic: "facts", title: "Private", body: "Only for who is signed in." });
  await openUnit(app, "team", "Private");
  const bearer = await app.evaluate(() => sessionStorage.getItem("ozbrain.bearer"));
  const state = () => fetch(`${server.origin}/api/state`, { headers: { Authorization: `Bearer ${bearer}` } });
  expect((await state()).status).toBe(200);
  await app.getByRole("button", { name: "Sign out" }).click();
  await expect(app.getByText("You signed out of this tab.")).toBeVisible();
  expect(await app.content()).not.toContain("Only for who is signed in");
  expect(await app.evaluate(() => sessionStorage.getItem("ozbrain.bearer"))).toBeNull();
  expect((await state()).status).toBe(401);
  await app.reload();
  await expect(app.getByRole("heading", { name: "Sign in to OzBrain" })).toBeVisible();
  await app.goBack().catch(() => undefined);
  await expect(app.getByRole("navigation", places)).toHaveCount(0);
});

test("a client that the person does not know is revoked in the Inbox", async ({ app, home }) => {
  const stranger = await PythonAgent.connect(home, "stranger", "auto");
  await stranger.call("write", { brain: "team", topic: "facts", title: "From a stranger", body: "Trust me." });
  const row = app.getByRole("option", { name: /stranger/ });
  await row.click();
  await look(app);
  await app.keyboard.press("x");
  const dialog = app.getByRole("dialog", { name: "Revoke stranger?" });
  await expect(dialog).toContainText("This cannot be undone: the name stays revoked");
  await axeFindsNothing(app, "the question before a revoke");
  await dialog.getByRole("button", { name: "Revoke stranger" }).click();
  await expect(row).toHaveCount(0);
  expect((await stranger.refusal("search", { query: "facts" })).code).toBe("not_allowed");
  await stranger.close();
  // It is said after it too, and the undo key takes nothing else back instead.
  await expect(app.getByRole("region", { name: "Settled today" })).toContainText("You revoked it, for good");
  await app.keyboard.press("u");
  await expect(app.getByText("This cannot be undone. stranger is revoked, and stays so.").first()).toBeAttached();
});
