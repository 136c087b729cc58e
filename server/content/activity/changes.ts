// Fields that differ, as an entry of the activity log shows them: a bounded number, of bounded length, without secrets (V4-382).

import type { ActivityChangeV3 } from "../../contract/v3/v3-activity.ts";
import {
  shownName,
  shownValue,
  withoutSecrets,
  type LogValue,
} from "../../core/log-values.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** Of one entry. */
export const maxChanges = 20;
const hidden = "(hidden)";

/** Values of headers, scripts that sign in, addresses of receivers: whatever is in them may be a secret. */
const hiddenField =
  /^(headers|js_injection|webhook|webhook_url|address)$|password|secret|token|credential|hash|authorization|api_?key|cookie|recovery|totp/i;
const address = /[a-z][a-z0-9+.-]{0,30}:\/\/[^\s"'<>\\]+/gi;

/** The fields of `after` that differ from `before`; null: there was none, or is none any more. */
export function changesBetween(
  before: Fields | null,
  after: Fields | null,
  names: readonly string[] = Object.keys(after ?? before ?? {}),
): readonly ActivityChangeV3[] {
  return names
    .filter((name) => textOf(before?.[name]) !== textOf(after?.[name]))
    .slice(0, maxChanges)
    .map((field) => ({
      field,
      before: shownField(field, before?.[field]),
      after: shownField(field, after?.[field]),
    }));
}

export function isHiddenField(name: string): boolean {
  return hiddenField.test(name);
}

/** A value that is not to be seen at all, such as a password. */
export function hiddenChange(field: string): ActivityChangeV3 {
  return { field, before: hidden, after: hidden };
}

export function shownField(field: string, value: unknown): LogValue {
  if (value === null || value === undefined || value === "")
    return value === "" ? "" : null;
  if (isHiddenField(field)) return hidden;
  return shownValue(withoutSecretParts(value));
}

function withoutSecretParts(value: unknown): unknown {
  if (typeof value === "string")
    return shownName(value.replace(address, withoutSecrets));
  if (typeof value === "bigint") return Number(value);
  if (Array.isArray(value)) return value.map(withoutSecretParts);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      isHiddenField(name) ? hidden : withoutSecretParts(each),
    ]),
  );
}

function textOf(value: unknown): string {
  return JSON.stringify(value ?? null, (_name, each: unknown) =>
    typeof each === "bigint" ? Number(each) : each,
  );
}
