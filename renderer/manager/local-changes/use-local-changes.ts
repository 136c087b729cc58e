// Local changes to the content of a content service: reading and discarding them (V2-560, V2-561).

import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import type { LocalChangesV2 } from "../../../server/contract/v2/v2-sync.ts";
import {
  changesAnswered,
  keyOf,
  operate,
  useAnswer,
} from "../api/operations.ts";
import { messageFor } from "../../locales/messages.ts";

/** Another file or address in an asset (V2-564). */
const sourceField = "source";

/** Local changes of one existing asset or playlist; null where nothing of it was changed. */
export function useLocalChanges(
  kind: LocalChangesV2["kind"],
  id: string | undefined,
): LocalChangesV2 | null {
  const isEnabled = id !== undefined;
  const all = useAnswer("listLocalChanges", {}, { isEnabled }).data;
  const found = all?.find((one) => one.kind === kind && one.id === id);
  return found && found.fields.length > 0 && !found.is_deleted ? found : null;
}

const listIntervalMs = 5_000;

/** Local changes of a whole connection; what another client discards is seen a moment later. */
export function useLocalChangesOf(
  connectionId: string,
): readonly LocalChangesV2[] {
  const all = useAnswer(
    "listLocalChanges",
    {},
    { intervalMs: listIntervalMs },
  ).data;
  return (all ?? []).filter(({ account_id: id }) => id === connectionId);
}

/** Call after discarding: where that changed nothing else, the player sends no event. */
export function useRefetchChanges(): () => Promise<void> {
  const client = useQueryClient();
  return useCallback(
    () => client.invalidateQueries({ queryKey: keyOf("listLocalChanges") }),
    [client],
  );
}

/** Whether the local values can be set again after discarding: a file, and values set before a deletion, cannot. */
export function canBeSetAgain(changes: LocalChangesV2): boolean {
  return changes.is_deleted
    ? changes.fields.length === 0
    : !hasLocalSource(changes);
}

export function hasLocalSource({ fields }: LocalChangesV2): boolean {
  return fields.includes(sourceField);
}

/**
 * The changed fields once all earlier changes are answered: the value typed last is discarded, too. A file that was added since was
 * not part of the confirmation, and stays.
 */
export async function fieldsToDiscard(
  seen: LocalChangesV2,
): Promise<readonly string[]> {
  await changesAnswered();
  const all = await operate("listLocalChanges", {});
  const now = all.find(({ kind, id }) => kind === seen.kind && id === seen.id);
  const fields = now?.fields ?? [];
  return hasLocalSource(seen)
    ? fields
    : fields.filter((field) => field !== sourceField);
}

/** The locally changed fields by id; null if the query fails. */
async function changedFields(
  kind: LocalChangesV2["kind"],
): Promise<ReadonlyMap<string, readonly string[]> | null> {
  const all = await operate("listLocalChanges", {}).catch(() => null);
  return (
    all &&
    new Map(
      all
        .filter((one) => one.kind === kind)
        .map(({ id, fields }) => [id, fields]),
    )
  );
}

/**
 * Call before an action. Returns a function that lists which of the given fields had no local change then, so that a local change
 * of them comes from this action alone.
 */
export async function unchangedFields(
  kind: LocalChangesV2["kind"],
): Promise<(id: string, fields: readonly string[]) => readonly string[]> {
  const before = await changedFields(kind);
  return (id, fields) =>
    before === null
      ? []
      : fields.filter((field) => !before.get(id)?.includes(field));
}

/** Discards the local changes of these fields; returns what `read` reads before and after. */
export async function discardFields<Value>(
  id: string,
  fields: readonly string[],
  read: () => Promise<Value>,
): Promise<{ readonly before: Value; readonly after: Value }> {
  const before = await read();
  if (fields.length === 0) return { before, after: before };
  const parameters = { id, fields: fields.join() };
  await operate("discardLocalChanges", { parameters });
  return { before, after: await read() };
}

/**
 * After an action is undone, discards the local changes that it alone had made, so that they are none any more, whatever the
 * service wants by now (V2-721). Returns the discarded fields.
 */
export async function discardAgain(
  kind: LocalChangesV2["kind"],
  id: string,
  fields: readonly string[],
): Promise<readonly string[]> {
  if (fields.length === 0) return [];
  const now = (await changedFields(kind))?.get(id) ?? [];
  const made = fields.filter((field) => now.includes(field));
  if (made.length > 0)
    await operate("discardLocalChanges", {
      parameters: { id, fields: made.join() },
    });
  return made;
}

const fieldOrder = [
  "name",
  "source",
  "address",
  "start_date",
  "end_date",
  "duration",
  "is_enabled",
  "playlist_only",
  "metadata",
  "fit",
  "volume",
  "muted",
  "pages",
  "rotation",
  "custom_headers",
  "user_agent",
  "zoom_level",
  "js_injection",
  "refresh_interval_s",
  "send_metadata",
  "player_side_render",
  "screenshot_cache_seconds",
  "skip_ssl_verify",
  "predicate",
  "priority",
  "items",
  "transition",
  "shuffle",
];

/** Field names as used in a sentence, in the order of the form; an asset with an address has no other file. */
export function namesOf(
  fields: readonly string[],
  isAddress: boolean,
): readonly string[] {
  return fields
    .map((field) => (field === sourceField && isAddress ? "address" : field))
    .toSorted(
      (one, other) => fieldOrder.indexOf(one) - fieldOrder.indexOf(other),
    )
    .map((field) => messageFor("localChanges.fields", field) ?? field);
}
