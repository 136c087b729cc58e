// Changes of assets and playlists that wait to be written to the activity log: several of one thing by one actor become one entry.

import { extraFields } from "../../contract/v2/v2-extras.ts";
import type {
  ActivityActor,
  ActivityChange,
} from "../../contract/v2/v2-logs.ts";
import type { ActivityNote } from "./logs.ts";
import {
  shownName,
  shownValue,
  withoutSecrets,
} from "../../core/log-values.ts";

/** The fields that count, by name, read when the entry is written; null for a thing that does not exist. */
export type Marks = (() => Readonly<Record<string, unknown>>) | null;

export interface ThingNote {
  readonly id: string;
  readonly kind: "asset" | "playlist";
  readonly name: string;
  readonly before: Marks;
  readonly after: Marks;
  readonly extras: Partial<ActivityNote>;
}

export interface PendingNotes {
  add(happened: readonly ThingNote[], actor: ActivityActor | null): void;
  /** In the order of their changes. */
  take(): readonly ActivityNote[];
}

/** More changes of one kind by one actor than this are reported as one entry. */
const maxReported = 20;
const hidden = "(hidden)";

type Waiting = ThingNote & { readonly actor: ActivityActor | null };

export function createPendingNotes(): PendingNotes {
  let waiting: Waiting[] = [];
  /** The last one of each thing, by its identifier. */
  const places = new Map<string, number>();
  return {
    add: (happened, actor) => {
      for (const each of happened) {
        const at = places.get(each.id) ?? -1;
        const last = waiting[at];
        if (last && isSame(last.actor, actor))
          waiting[at] = { ...each, before: last.before, actor };
        else places.set(each.id, waiting.push({ ...each, actor }) - 1);
      }
    },
    take: () => {
      const taken = waiting;
      waiting = [];
      places.clear();
      return shortened(taken.flatMap(noteOf));
    },
  };
}

function noteOf(change: Waiting): readonly ActivityNote[] {
  const { kind, name, extras, actor } = change;
  const note = { kind, name, actor, ...extras };
  if (change.before === null)
    return change.after ? [{ ...note, what: "added" }] : [];
  if (change.after === null) return [{ ...note, what: "removed" }];
  const [before, after] = [change.before(), change.after()];
  const fields = Object.keys(after).filter(
    (field) => !isSame(before[field], after[field]),
  );
  if (fields.length === 0) return [];
  const says = fields
    .map((field) =>
      field === headersName
        ? `${field} (${changedHeaders(before[field], after[field])})`
        : field,
    )
    .join(", ");
  const changes = fields.map((field): ActivityChange => ({
    field,
    before: shownField(field, before[field]),
    after: shownField(field, after[field]),
  }));
  return [{ ...note, what: "changed", says, changes }];
}

/** Very many changes of one kind by one actor become their numbers. */
function shortened(notes: readonly ActivityNote[]): readonly ActivityNote[] {
  const groups = new Map<string, ActivityNote[]>();
  for (const note of notes) {
    const key = JSON.stringify([note.kind, note.actor]);
    const group = groups.get(key);
    if (group) group.push(note);
    else groups.set(key, [note]);
  }
  if ([...groups.values()].every((group) => group.length <= maxReported))
    return notes;
  return [...groups.values()].flatMap((group) =>
    group.length <= maxReported ? group : counted(group),
  );
}

function counted(group: readonly ActivityNote[]): readonly ActivityNote[] {
  const [first] = group;
  if (!first) return [];
  const { kind, actor = null } = first;
  return ["added", "changed", "removed"].flatMap((what) => {
    const count = group.filter((one) => one.what === what).length;
    return count === 0
      ? []
      : [{ kind, what, name: "", says: `${count}`, actor }];
  });
}

const headersName = extraFields.headers.wireName;

function shownField(field: string, value: unknown): ActivityChange["before"] {
  // Values of headers are secrets; addresses may have some in front of the host or in their query.
  if (field === headersName) return value ? hidden : null;
  if (typeof value !== "string") return shownValue(value);
  if (field === "uri") return shownValue(withoutSecrets(value));
  return shownValue(field === "name" ? shownName(value) : value);
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

/** Only the names of headers that were added, changed or removed: their values are secrets. */
function changedHeaders(before: unknown, after: unknown): string {
  const [was, is] = [headersOf(before), headersOf(after)];
  return [...new Set([...is.keys(), ...was.keys()])]
    .filter((name) => was.get(name) !== is.get(name))
    .join("; ");
}

function headersOf(headers: unknown): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(headers ?? {}));
}
