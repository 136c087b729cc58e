// A row of a content service as the manager reads it, whatever the collection calls its name.

import type { SyncChangeV2 } from "../../../../server/contract/v2/v2-sync-outbox.ts";
import { t } from "../../../locales/messages.ts";

export const collections = [
  ...(["playlists", "assets", "labels", "groups", "screens"] as const),
] as const;
export type Collection = (typeof collections)[number];
/** Collections that can be edited from here; screens are managed by the service itself. */
export type Edited = Exclude<Collection, "screens">;

export type Row = Readonly<Record<string, unknown>>;

export function nameField(collection: Collection): "name" | "title" {
  return collection === "labels" || collection === "screens" ? "name" : "title";
}

export function nameOf(collection: Collection, row: Row): string {
  const name = row[nameField(collection)];
  return typeof name === "string" && name !== ""
    ? name
    : t("remoteEditing.untitled");
}

export function idOf(row: Row): string {
  return typeof row["id"] === "string" ? row["id"] : "";
}

/** Name of the changed row: its new name, or else its previous one. */
export function nameOfChange(change: SyncChangeV2): string {
  const { collection, fields, base } = change;
  const field = nameField(collection);
  const title = fields[field] ?? base?.[field];
  return typeof title === "string" ? title : t("remoteEditing.untitled");
}

/** Queued values of a row: the content service still shows the previous ones. */
export function queuedFieldsOf(
  changes: readonly SyncChangeV2[],
  collection: Collection,
  row: Row,
): Row {
  const pending = changes.filter(
    (change) => change.collection === collection && change.id === idOf(row),
  );
  return Object.assign({}, ...pending.map(({ fields }) => fields)) as Row;
}
