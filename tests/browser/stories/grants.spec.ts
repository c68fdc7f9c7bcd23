// What a connection may do: what the person chose last is what stands.
import { test, expect, ask, openBrain } from "../support/test.ts";

interface Connections {
  connections: { connection: string; grants: Record<string, string> }[];
}

test("arrows pass over a grant without giving it, and what was chosen last stands", async ({ app, agent }) => {
  await agent("claude");
  await openBrain(app, "team");
  await app.getByRole("button", { name: "Policies" }).click();
  const grant = app.getByRole("radiogroup", { name: /Claude/ });
  await expect(grant.getByRole("radio", { checked: true })).toHaveAccessibleName("write");
  const asked: string[] = [];
  // The first request is answered late: one that overtook it would be undone by it.
  let held: (() => void) | undefined;
  await app.route("**/grants/**", async (route) => {
    asked.push((route.request().postDataJSON() as { grant: string }).grant);
    if (asked.length === 1) await new Promise<void>((go) => (held = go));
    await route.continue();
  });
  await grant.getByRole("radio", { checked: true }).focus();
  await app.keyboard.press("ArrowLeft");
  await expect(grant.getByRole("radio", { name: "read" })).toBeFocused();
  await app.keyboard.press("ArrowLeft");
  await expect(grant.getByRole("radio", { name: "none" })).toBeFocused();
  expect(asked).toEqual([]);
  await grant.getByRole("radio", { name: "read" }).click();
  await expect.poll(() => held).toBeDefined();
  await grant.getByRole("radio", { name: "none" }).focus();
  await app.keyboard.press("Enter");
  held!();
  await expect(grant.getByRole("radio", { name: "none" })).toHaveAttribute("aria-checked", "true");
  await expect.poll(() => asked).toEqual(["read", "none"]);
  const { connections } = await ask<Connections>(app, "/api/connections");
  expect(connections.find((row) => row.connection === "claude")?.grants).not.toMatchObject({ team: "write" });
});

test("arrows pass over a policy without setting it", async ({ app }) => {
  await openBrain(app, "team");
  await app.getByRole("button", { name: "Policies" }).click();
  const policy = app.getByRole("group", { name: /write/i });
  const asked: string[] = [];
  await app.route("**/api/brains/team", async (route) => {
    if (route.request().method() !== "GET") asked.push((route.request().postDataJSON() as { write_policy: string }).write_policy);
    await route.continue();
  });
  await policy.getByRole("radio", { checked: true }).focus();
  await app.keyboard.press("ArrowDown");
  await app.keyboard.press("ArrowDown");
  await expect(policy.getByRole("radio", { name: /^Review/ })).toBeFocused();
  await expect(policy.getByRole("radio", { name: /^Open/ })).toBeChecked();
  await app.keyboard.press("Space");
  await expect(policy.getByRole("radio", { name: /^Review/ })).toBeChecked();
  await app.keyboard.press("ArrowUp");
  await app.keyboard.press("Enter");
  await expect(policy.getByRole("radio", { name: /^Owners/ })).toBeChecked();
  await expect.poll(() => asked).toEqual(["review", "owners"]);
});
