/** A unit's fields as text: shown in one line, and typed. */
import type { Content, Field } from "../api/types";
import { visible } from "./safe-text";

/** The fields beside the body, in the order in which they are shown. */
export const BESIDE_BODY: readonly Field[] = ["title", "topic", "source", "tags", "fresh_for_days"];

/** The title that stands for a unit: its topic where it has none. */
export function titleOf(unit: { title?: string | undefined; topic: string }): string {
  return visible(unit.title ?? unit.topic);
}

/** A field in one line. "" where it is empty. */
export function asText(content: Content, field: Field): string {
  const value = content[field];
  return Array.isArray(value) ? value.join(", ") : value === undefined ? "" : String(value);
}

/** Tags as they are typed: separated by commas. */
export function splitTags(typed: string): string[] {
  return [...new Set(typed.split(",").map((tag) => tag.trim()))].filter(Boolean);
}
