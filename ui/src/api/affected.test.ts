import { expect, test } from "vitest";
import { affected, union } from "./affected";

const names = (change: Parameters<typeof affected>[0]) => union(affected(change)).map((key) => key.join("/"));

test("a write touches its unit and every list", () => {
  expect(names({ kind: "updated", unit: "A" })).toEqual(
    expect.arrayContaining(["state", "inbox", "unit/A", "units", "topics", "search", "review", "brains"]),
  );
  expect(names({ kind: "updated", unit: "A" })).not.toContain("clients");
});

test("a client that called, or lost its entry, touches clients and connections, and no unit", () => {
  for (const kind of ["client_connected", "client_disconnected", "client_called", "client_lost"] as const) {
    expect(names({ kind })).toEqual(expect.arrayContaining(["state", "inbox", "clients", "client-plan", "connections"]));
    expect(names({ kind })).not.toContain("units");
  }
});

test("putting away touches the Inbox alone", () => {
  expect(names({ kind: "dismissed" })).toEqual(["state", "inbox"]);
});

test("a setting touches no unit", () => {
  expect(names({ kind: "settings_changed" })).toEqual(["state", "inbox", "settings"]);
});

test("a grant changes what may be seen at all", () => {
  expect(names({ kind: "granted" })).toEqual(expect.arrayContaining(["brains", "connections", "unit"]));
});

test("a kind that this page does not know may touch anything", () => {
  expect(names({ kind: "of a newer server" as "updated", unit: "A" })).toEqual(expect.arrayContaining(["unit", "units", "revision"]));
});

test("a whole kind of query stands for each of them", () => {
  expect(union([["unit", "A"], ["unit"], ["state"], ["state"]])).toEqual([["unit"], ["state"]]);
});
