// Checks that several stories share.
import assert from "node:assert/strict";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";

/** A UTC time in RFC 3339 with `Z`, within the last two minutes. */
export function isRecent(time: string): void {
  assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
  const age = Date.now() - Date.parse(time);
  assert.ok(age > -2_000 && age < 120_000, `${time} is about now`);
}

export const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();

/** o200k tokens of a text. */
export const tokens = (text: string): number => countTokens(text);
