import { platform } from "../platform";
import { OutsideLink } from "./outside-link";
import { sourceParts, visible } from "./safe-text";

/** Where to ask again: text, in which addresses can be opened. */
export function Source({ text }: { text: string }) {
  return sourceParts(text).map((part, place) =>
    part.href === undefined ? (
      <span key={place}>{visible(part.text)}</span>
    ) : (
      <OutsideLink key={place} className="link" href={part.href}>
        {visible(part.text)}
      </OutsideLink>
    ),
  );
}

/** Whether a source has an address that can be opened. */
export function canOpen(source: string | undefined): boolean {
  return sourceParts(source ?? "").some((one) => one.href !== undefined);
}

/** Opens the first address of a source. False where it has none. */
export function openSource(source: string | undefined): boolean {
  const part = sourceParts(source ?? "").find((one) => one.href !== undefined);
  if (part?.href) platform.openLink(part.href);
  return part !== undefined;
}
