// The screens stay true: over a restart of the server, and in two tabs.
import { test, expect, link } from "../support/test.ts";
import { LegacyAgent } from "../../clients/ts/support/agents.ts";
import { PythonAgent } from "../../clients/ts/support/agents.ts";

const places = { name: "Places" };

test("the server goes and comes back: the page says so, and misses nothing", async ({ app, home, server }) => {
  await server.stop("SIGKILL");
  await expect(app.getByRole("status").filter({ hasText: "not answering" })).toBeVisible();
  // An agent over stdio needs no server: it goes on, unseen by the page.
  const python = await PythonAgent.connect(home, "python", "auto");
  await python.call("write", { brain: "team", topic: "facts", title: "Meanwhile", body: "Written while the server was away." });
  const again = await home.serve(server.port);
  await expect(app.getByRole("status").filter({ hasText: "not answering" })).toHaveCount(0);
  await app.getByRole("navigation", places).getByRole("link", { name: /Brains/ }).click();
  await app.getByRole("radiogroup", { name: "Brain" }).getByRole("radio", { name: /team/ }).click();
  await expect(app.getByText("Meanwhile").first()).toBeVisible();
  const agent = await LegacyAgent.connect(again, home.key("claude"), "claude");
  await agent.call("write", { brain: "team", topic: "facts", title: "After", body: "Written after it came back." });
  await expect(app.getByText("After").first()).toBeVisible();
  await python.call("write", { brain: "team", topic: "facts", title: "Beside", body: "Written by another process." });
  await expect(app.getByText("Beside").first()).toBeVisible();
  await agent.close();
  await python.close();
});

test("what one tab settles leaves the other", async ({ app, home, server, agent, browser }) => {
  const other = await (await browser.newContext()).newPage();
  await other.goto(await link(home, server));
  const [claude, cursor] = [await agent("claude"), await agent("cursor")];
  await claude.call("write", { brain: "team", topic: "x", title: "Clash", body: "It is so." });
  await cursor.call("write", { brain: "team", topic: "x", title: "Clash", body: "It is otherwise." });
  for (const page of [app, other]) await expect(page.getByRole("option", { name: /Clash/ })).toBeVisible();
  await other.getByRole("option", { name: /Clash/ }).click();
  await other.keyboard.press("k");
  await expect(app.getByRole("option", { name: /Clash/ })).toHaveCount(0);
  await expect(app.getByRole("navigation", places).getByRole("link", { name: /Inbox/ })).not.toContainText("alarm");
});

test("an agent's proposal waits in a brain under review, and is accepted as edited", async ({ app, home, agent }) => {
  home.ok("brain", "create", "facts", "--shared", "--write-policy", "review");
  const claude = await agent("claude");
  const reply = await claude.call("write", { brain: "facts", topic: "prices", title: "Day rate", body: "The day rate is 900." });
  expect(reply.outcome).toBe("proposed");
  const row = app.getByRole("option", { name: /Day rate/ });
  await row.click();
  await app.getByRole("button", { name: /^Accept/ }).click();
  await expect(row).toHaveCount(0);
  const unit = await claude.call("fetch", { id: "facts:prices#Day rate" });
  expect(unit.text).toBe("The day rate is 900.");
  expect(unit.metadata.agent).toContain("claude");
});
