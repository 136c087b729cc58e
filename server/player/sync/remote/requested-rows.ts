// The rows of a list that a content service was asked for, in version 4 or 3.

import * as z from "zod";
import { connectionSentences } from "../../../contract/sentences/connection-sentences.ts";
import { type Row } from "../../../contract/service-rows/read-rows.ts";
import { RemoteError } from "./remote-error.ts";

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
      ? connectionSentences["unexpected-row"]
      : connectionSentences["not-a-list"],
  );
}

const playlistV3 = z.looseObject({ id, assets: z.array(withId) });

/** A playlist of version 3 in a response of its own. Throws `malformed` for anything else, including another playlist. */
export function playlistOf(body: unknown, playlistId: string): Row {
  const reading = playlistV3.safeParse(body);
  if (reading.success && reading.data.id === playlistId) return reading.data;
  throw new RemoteError("malformed", connectionSentences["not-a-playlist"]);
}
