import { expect, test } from "vitest";
import { describe } from "./failure";

const refused = (code: string, message: string) => Object.assign(new Error(message), { code });

test("a refusal is told in the screens' words by its code", () => {
  const said = describe(refused("unknown_unit", "There is no unit `A015S938CRP2`. Call `search` to find it."));
  expect(said).toEqual({ code: "unknown_unit", message: "This is not here any more." });
  for (const code of ["unknown_brain", "unknown_unit", "not_allowed", "ambiguous", "conflicted", "busy", "gone"])
    expect(describe(refused(code, "Call `search`.")).message, code).not.toContain("search");
});

test("what a code does not say stands in the server's words", () => {
  expect(describe(refused("invalid", "fresh_for_days is 1 to 3650.")).message).toBe("fresh_for_days is 1 to 3650.");
  expect(describe(refused("http_500", "Internal Server Error")).message).toBe("Internal Server Error");
});
