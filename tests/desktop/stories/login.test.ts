// Starting at login: off until the person asks for it.
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe } from "node:test";
import { story } from "../support/world.ts";
import { until } from "../support/until.ts";

describe("start at login", () => {
  story("is off until it is asked for, writes an entry that starts hidden, and takes it back", {}, async (world) => {
    const folder = join(world.desktop.env.XDG_CONFIG_HOME!, "autostart");
    const entries = () => (existsSync(folder) ? readdirSync(folder) : []);
    const app = await world.open(["ozbrain:team:offices"]);
    const page = await app.page();
    await page.isAt(/topic=offices/);
    await page.isThere();
    assert.deepEqual(entries(), []);
    await page.click("link", /^Settings/);
    await page.click("checkbox", /Start OzBrain when I log in/);
    const [entry] = await until("the entry is there", () => entries().length > 0 && entries());
    const text = readFileSync(join(folder, entry!), "utf8");
    const [, command] = /^Exec=(.*)$/m.exec(text) ?? [];
    assert.match(command ?? "", / --hidden$/);
    assert.ok(command?.includes(process.env.OZBRAIN_DESKTOP_BIN!), command);
    await page.click("checkbox", /Start OzBrain when I log in/);
    await until("the entry is gone", () => entries().length === 0);
  });
});
