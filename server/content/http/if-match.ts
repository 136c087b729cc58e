// ETag and If-Match of single rows: a change or deletion is carried out only while the row is as the client has read it (V3-150, V4-390).

import { hash } from "node:crypto";
import { serviceSentences } from "../../contract/sentences/service-sentences.ts";
import { fieldFailure } from "../../core/failure.ts";
import { mark } from "../files/signed-addresses.ts";
import { Refusal } from "./v4-errors.ts";

/** Strong tags of which one must be the row's; "any": the row must exist. */
export type Condition = "any" | ReadonlySet<string>;

/** Of a row's JSON, as it is stored: an address of a file in it has the same tag in every hour and in every process. */
export function tagOfRow(body: string): string {
  return `"${hash("sha256", body.replaceAll(mark, ""), "base64url")}"`;
}

const listed = /[ \t]*(?:(W\/)?("[\x21\x23-\x7e\x80-\xff]*")[ \t]*)?(?:,|$)/y;

/** Null without the header. Throws `invalid` for a malformed one: a condition that can't be read is never taken for none. */
export function conditionOf(header: string | undefined): Condition | null {
  if (header === undefined) return null;
  if (header.trim() === "*") return "any";
  const tags = new Set<string>();
  let count = 0;
  listed.lastIndex = 0;
  while (listed.lastIndex < header.length) {
    const match = listed.exec(header);
    if (!match) throw malformed();
    const [, weak, tag] = match;
    if (tag === undefined) continue;
    count += 1;
    // The comparison is the strong one: a weak tag is never the same.
    if (weak === undefined) tags.add(tag);
  }
  if (count === 0) throw malformed();
  return tags;
}

function malformed(): Error {
  return fieldFailure(
    "If-Match",
    'If-Match must be "*" or entity tags in double quotes, separated by commas.',
  );
}

/** `tag` is the row's; null where there is none, or more than one. Throws 412, with the present tag. */
export function requireMatch(condition: Condition, tag: string | null): void {
  if (tag !== null && (condition === "any" || condition.has(tag))) return;
  throw new Refusal(412, "55000", serviceSentences["row-changed"], {
    hint: "Read it again and repeat the change with its current ETag",
    headers: tag === null ? {} : { ETag: tag },
  });
}
