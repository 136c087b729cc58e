// What the activity log says about a thing of version 3 that was changed: the fields that were sent, before and after (V4-381).

import type { ActivityKindV3 } from "../../../contract/v3/v3-activity.ts";
import type { Note } from "../../activity/activity.ts";
import { changesBetween, type Fields } from "../../activity/changes.ts";
import { sql, type Sql } from "../../sql.ts";

/** None where nothing differs. Bodies are JSON, as version 3 shows them. */
export function notesOfChange(
  kind: ActivityKindV3,
  id: string,
  before: string | null,
  after: string | null,
  sent: object,
): readonly Note[] {
  const [was, is] = [fieldsFrom(before), fieldsFrom(after)];
  const changes = changesBetween(was, is, Object.keys(sent));
  if (changes.length === 0) return [];
  return [{ kind, what: "changed", id, name: nameOf(is), changes }];
}

export function noteOfAdded(
  kind: ActivityKindV3,
  id: string,
  name: string,
): Note {
  return { kind, what: "added", id, name };
}

export function noteOfRemoved(
  kind: ActivityKindV3,
  id: string,
  name: unknown,
): Note {
  return { kind, what: "removed", id, name: String(name) };
}

/** Found with the entry; several have none. */
export function nameOfScreen(id: string | null): string | Sql {
  return id === null
    ? ""
    : sql`coalesce((SELECT name FROM screens WHERE id = ${id}), '')`;
}

function nameOf({ title, name }: Fields): string {
  const shown = title ?? name;
  return typeof shown === "string" ? shown : "";
}

/** Lists of things are shown by their names. */
function fieldsFrom(body: string | null): Fields {
  const fields = JSON.parse(body ?? "{}") as Fields;
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      isThings(value) ? value.map(thingText).join(", ") : value,
    ]),
  );
}

function isThings(value: unknown): value is readonly Fields[] {
  return (
    Array.isArray(value) &&
    value.every(
      (each) => typeof each === "object" && each !== null && "id" in each,
    )
  );
}

function thingText({ title, name, id, duration }: Fields): string {
  const text = String(title ?? name ?? id);
  return typeof duration === "number" ? `${text} (${duration} s)` : text;
}
