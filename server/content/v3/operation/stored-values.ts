// Conversions between values of version 3 and their stored form in both databases.

import type { Texts } from "../../../contract/v3/v3-values.ts";
import { writeJson, type Json } from "../../../platform/text/json-text.ts";
import type { Dialect } from "../../v4/sql/dialect.ts";
import { sql, type Sql } from "../../sql.ts";

export function dialectFlag({ kind }: Dialect, value: boolean): Sql {
  return kind === "sqlite" ? sql`${value ? 1 : 0}` : sql`${value}::boolean`;
}

/** A value stored by version 4 is kept when it is sent back as the text it was shown as (V3-17). */
export function jsonOfTexts(
  texts: Texts,
  before: ReadonlyMap<string, Json>,
): string {
  return writeJson(
    new Map(
      [...texts].map(([key, text]) => {
        const stored = before.get(key);
        const isSame = stored !== undefined && shownAs(stored) === text;
        return [key, isSame ? stored : text] as const;
      }),
    ),
  );
}

/** Shows values that are not texts as the views do. */
function shownAs(json: Json): string {
  return typeof json === "string" ? json : writeJson(json);
}

/** For a JSON column that may be NULL. */
export function textOfJson(value: unknown): string {
  return typeof value === "string" ? value : "{}";
}
