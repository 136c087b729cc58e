// Asks before a change of a playlist at a content service is sent with which screens show something else (V3-100, V3-197). A
// player has no screens to ask about.

import {
  whatIfV3,
  type WhatIfV3,
} from "../../../server/contract/v3/v3-what-if.ts";
import { playlistFieldsToV3 } from "../../../server/contract/service-rows/playlist-from-row.ts";
import type { PlaylistV2 } from "../../../server/contract/v2/v2-playlists.ts";
import { t } from "../../locales/messages.ts";
import { ChangeCanceled } from "../api/change-canceled.ts";
import { Refusal } from "../api/refusal.ts";
import { isHeldBack } from "../fleet/what-if-text.ts";
import { can } from "../place/abilities.ts";
import { askAboutChange } from "../service-requests/change-question.ts";
import { requestService } from "../service-requests/service-requests.ts";

interface Change {
  readonly id: string;
  readonly name: string;
  readonly before: Partial<PlaylistV2>;
  readonly after: Partial<PlaylistV2>;
}

/** What decides when and where it plays. */
const asked = ["is_enabled", "predicate", "priority", "groups"] as const;

/** Throws ChangeCanceled if the person doesn't want it. */
export async function confirmChange(change: Change): Promise<void> {
  if (can("player")) return;
  const { id, name, before, after } = change;
  const fields = Object.fromEntries(
    asked.flatMap((field) => (field in after ? [[field, after[field]]] : [])),
  );
  const isEmptied =
    after.items?.length === 0 && (before.items?.length ?? 0) > 0;
  const proposed = playlistFieldsToV3(
    { ...fields, ...(isEmptied && { items: [] }) },
    [],
  );
  if (Object.keys(proposed).length === 0) return;
  await confirm({ id, ...proposed }, ...wordsOf(name, after));
}

function wordsOf(
  name: string,
  { is_enabled: isEnabled }: Change["after"],
): readonly [question: string, apply: string] {
  if (isEnabled === undefined)
    return [t("whatIf.changeQuestion", { name }), t("whatIf.change")];
  return isEnabled
    ? [t("whatIf.enableQuestion", { name }), t("whatIf.enable")]
    : [t("whatIf.disableQuestion", { name }), t("whatIf.disable")];
}

/** The same before a deletion. */
export async function confirmRemoval({
  playlist_id: id,
  name,
}: PlaylistV2): Promise<void> {
  if (can("player")) return;
  await confirm(
    { id, is_removed: true },
    t("playlists.service.deleteQuestion", { name }),
    t("playlists.service.delete"),
  );
}

async function confirm(
  proposed: object,
  question: string,
  apply: string,
): Promise<void> {
  const whatIf = await preview(proposed);
  if (whatIf === null || whatIf.screens.changed === 0) return;
  // The person is asked when the service has held it back.
  if (isHeldBack(whatIf.assertions)) return;
  if (!(await askAboutChange({ question, apply }, whatIf)))
    throw new ChangeCanceled();
}

/** Null where the service can't tell: the change is possible all the same. */
async function preview(proposed: object): Promise<WhatIfV3 | null> {
  try {
    const answer = await requestService<unknown>("POST", "/what-if/", {
      playlists: [proposed],
    });
    return whatIfV3.parse(answer);
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}
