// What a command grants: --role and --labels, apart from the flags that configure the service (V4-360, V4-362).

import { Failure } from "../core/failure.ts";
import { roles, type Role } from "../core/role.ts";

export interface Grant {
  readonly role?: Role;
  /** Names or ids. */
  readonly labels?: readonly string[];
}

/** Throws `malformed` for a role that does not exist, and for a flag without a value. */
export function grantAmong(words: readonly string[]): {
  readonly grant: Grant;
  readonly flags: readonly string[];
} {
  const values = new Map<string, string>();
  const flags: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    const [, flag, rest] = /^--(role|labels)(?:=(.*))?$/s.exec(word) ?? [];
    if (flag === undefined) {
      flags.push(word);
      continue;
    }
    const value = rest ?? words[(at += 1)] ?? "";
    if (value === "" || (rest === undefined && value.startsWith("--")))
      throw new Failure("malformed", `--${flag} requires a value.`);
    values.set(flag, value);
  }
  const given = values.get("role");
  const role = roles.find((one) => one === given);
  if (given !== undefined && role === undefined)
    throw new Failure(
      "malformed",
      `--role is "${given}"; expected one of ${roles.join(", ")}.`,
    );
  const labels = values
    .get("labels")
    ?.split(",")
    .map((label) => label.trim())
    .filter((label) => label !== "");
  return { grant: { ...(role && { role }), ...(labels && { labels }) }, flags };
}
