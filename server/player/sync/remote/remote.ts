// Interface of a content service to its connection, whatever version it speaks, and the rows of its responses.

import type { DesiredState } from "../../../core/sync-connection/progress.ts";
import type { ContentCounts } from "../../../core/sync-plan/unused-content.ts";
import type { ScreenPart } from "../../../core/sync-plan/sync-state.ts";
import * as z from "zod";
import { RemoteError } from "./remote-error.ts";

export interface Cloud {
  /** Null: nothing has changed since the last poll. Throws a RemoteError. */
  pollDesiredState(part: ScreenPart): Promise<DesiredState | null>;
  /** What the service has, whatever is meant for this screen (V2-741). Throws a RemoteError. */
  countContent(): Promise<ContentCounts>;
  /** The next poll is a complete one with fresh file addresses. */
  forget(): void;
}

export type Row = Readonly<Record<string, unknown>>;

export function isRow(value: unknown): value is Row {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Rows embedded in a row; empty if it has no such list. */
export function rowsIn(row: Row, name: string): readonly Row[] {
  const value = row[name];
  if (Array.isArray(value)) return value.filter(isRow);
  return isRow(value) ? [value] : [];
}

export function textIn(row: Row, name: string): string {
  const value = row[name];
  return typeof value === "string" ? value : "";
}

export function numberIn(row: Row, name: string): number | null {
  const value = row[name];
  const number =
    typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : null;
}

/** Identifiers become parts of ours and of file names: letters, digits and dashes only. */
export function idIn(row: Row, name = "id"): string | null {
  const value = row[name];
  return typeof value === "string" && /^[\w-]{1,48}$/.test(value)
    ? value
    : null;
}

const id = z.string();
const row = z.looseObject({});
const withId = z.looseObject({ id });

/** An embedded relation; a single row if the relation leads to one. */
const assetsOfItem = z.union([withId, z.array(withId), z.null()]);

const playlistV4 = z.looseObject({
  id,
  playlist_items: z.array(
    z.looseObject({ asset_id: id.nullable(), assets: assetsOfItem.optional() }),
  ),
});

/** The row shape of each requested list, by a name for it. */
const rowShapes = {
  anything: row,
  assets: withId,
  "asset groups": withId,
  labels: z.looseObject({ id, playlists: z.array(playlistV4) }),
  "labels of the screen": z.looseObject({ label_id: id }),
  "pages of documents": z.looseObject({ id, pdf_asset_id: id }),
  "files of an app": withId,
  installations: withId,
  channels: z.looseObject({ app_id: id, channel: z.string() }),
  versions: z.looseObject({ app_id: id, revision: z.number() }),
  settings: z.looseObject({ name: z.string() }),
  "groups of version 3": withId,
  "playlists of version 3": z.looseObject({ id, groups: z.array(withId) }),
} as const;

export type ListName = keyof typeof rowShapes;

/** The rows of a list. Throws `malformed` for anything but a list of such rows. */
export function rowsOf(body: unknown, what: ListName): readonly Row[] {
  const reading = z.array(rowShapes[what]).safeParse(body);
  if (reading.success) return reading.data;
  throw new RemoteError(
    "malformed",
    Array.isArray(body)
      ? "The content service's response contains an unexpected row."
      : "The content service's response is not a list.",
  );
}

const playlistV3 = z.looseObject({ id, assets: z.array(withId) });

/** A playlist of version 3 in a response of its own. Throws `malformed` for anything else, including another playlist. */
export function playlistOf(body: unknown, playlistId: string): Row {
  const reading = playlistV3.safeParse(body);
  if (reading.success && reading.data.id === playlistId) return reading.data;
  throw new RemoteError(
    "malformed",
    "The content service's response is not a playlist.",
  );
}
