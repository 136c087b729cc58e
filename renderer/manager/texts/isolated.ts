// Isolates for the texts that are not in the message catalogues yet.

import { isolate } from "../../locales/isolate.ts";

/** These go into names, files and commands, where invisible characters do not belong. */
const writtenElsewhere = new Set([
  ...["fileName", "copyOf", "defaultName", "newText", "drillText", "usual"],
  ...["showPrefix", "thisPlayer", "addressHint", "newName", "keys", "plural"],
  ...["unit", "command"],
  // Shortened to their first letters.
  "dayNames",
]);

/** Keeps full stops at the end of their sentences, and "2.5 GB" in its order. */
export function isolated<Thing>(value: Thing): Thing {
  return isolatedPart(value) as Thing;
}

function isolatedPart(value: unknown): unknown {
  if (typeof value === "string") return value === "" ? value : isolate(value);
  if (typeof value === "function")
    return (...given: unknown[]): unknown =>
      isolatedPart((value as (...given: unknown[]) => unknown)(...given));
  if (Array.isArray(value)) return value.map(isolatedPart);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]: [string, unknown]) => [
      name,
      writtenElsewhere.has(name) ? part : isolatedPart(part),
    ]),
  );
}
