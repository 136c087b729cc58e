// A cloud that speaks version 3: whole lists of assets, groups and screens, and each playlist by itself.

import PQueue from "p-queue";
import type { ScreenPart, SyncTrouble } from "../../../core/sync-state.ts";
import {
  idIn,
  isRow,
  rowsIn,
  rowsOf,
  textIn,
  type Cloud,
  type Look,
  type Row,
} from "./remote.ts";
import type { CloudHttp } from "./remote-http.ts";
import { createGathering } from "./map-remote-rows.ts";
import { readPlaylistV3 } from "./playlist-rows.ts";

/** Playlists are asked for one by one; so many questions at once hurt nobody. */
const questionsAtOnce = 4;

export function createCloudV3(
  http: CloudHttp,
  baseUrl: string,
  prefix: string,
): Cloud {
  const at = `${prefix}/v3`;
  let lastDigest: string | null = null;

  const addressOf = (remoteId: string): string =>
    `${baseUrl}${at}/assets/${remoteId}/`;

  async function look(part: ScreenPart): Promise<Look | null> {
    const digests: string[] = [JSON.stringify(part)];
    const ask = async (path: string): Promise<unknown> => {
      const { body, digest } = await http.ask(at + path);
      digests.push(`${path} ${digest}`);
      return body;
    };
    const [assets, listed] = [
      rowsOf(await ask("/assets/")),
      rowsOf(await ask("/playlists/")),
    ];
    const gathering = createGathering({
      isListedAlone: part.assetGroups.length > 0,
      ...{ addressOf, hasApps: false },
    });
    const troubles: SyncTrouble[] = [];
    if (part.assetGroups.length > 0) {
      const folders = new Set(part.assetGroups);
      for (const row of assets)
        if (folders.has(textIn(row, "folder_name")))
          gathering.add(withStatus(row));
    } else {
      const { ids, missing } = await groupsOf(part, ask);
      troubles.push(...missing);
      const chosen = listed.filter((row) =>
        rowsIn(row, "groups").some((group) => ids.has(groupId(group))),
      );
      const queue = new PQueue({ concurrency: questionsAtOnce });
      const whole = await queue.addAll(
        chosen.map((row) => () => ask(`/playlists/${idIn(row) ?? ""}/`)),
      );
      const rows = whole.map((row) => (isRow(row) ? row : {}));
      const used = new Set(
        rows.flatMap((row) => rowsIn(row, "assets").map((item) => idIn(item))),
      );
      for (const row of assets)
        if (used.has(idIn(row))) gathering.add(withStatus(row));
      for (const [place, row] of rows.entries())
        gathering.addPlaylist(readPlaylistV3(row, place, gathering.secondsOf));
    }
    // Version 3 answers whole lists: what they say together is what may be unchanged.
    const digest = digests.sort().join();
    if (digest === lastDigest) return null;
    lastDigest = digest;
    return gathering.look(troubles);
  }

  return {
    look,
    forget: () => {
      lastDigest = null;
    },
  };
}

type Ask = (path: string) => Promise<unknown>;

const allScreens = "all-screens";

/** The built-in group is written in two ways. */
function groupId(row: Row): string {
  return (idIn(row) ?? "").replace(/^all_screens$/, allScreens);
}

/** Those of these names, those a paired screen is in, and the one that every screen is in. */
async function groupsOf(
  part: ScreenPart,
  ask: Ask,
): Promise<{
  readonly ids: ReadonlySet<string>;
  readonly missing: readonly SyncTrouble[];
}> {
  const groups = rowsOf(await ask("/groups/"));
  const ids = new Set([allScreens]);
  const names = new Set(part.labels);
  const known = new Set<string>();
  for (const row of groups) {
    const name = textIn(row, "name");
    known.add(name).add(groupId(row));
    const hasScreen = rowsIn(row, "screens").some(
      (screen) => part.screenId !== null && idIn(screen) === part.screenId,
    );
    const isBuiltIn = /^all.screens$/i.test(name);
    if (hasScreen || isBuiltIn || names.has(name) || names.has(groupId(row)))
      ids.add(groupId(row));
  }
  // A playlist may be for one screen alone: then its own identifier stands among the groups.
  if (part.screenId !== null) ids.add(part.screenId);
  const missing = part.labels
    .filter((name) => !known.has(name))
    .map((name): SyncTrouble => ({
      ...{ remoteId: name, name, isGivenUp: true },
      reason: "The cloud has no group of this name.",
    }));
  return { ids, missing };
}

/** Version 3 may leave the status out, and says in another field that an asset is finished. */
function withStatus(row: Row): Row {
  return textIn(row, "status") === "" && row["finalized"] === true
    ? { ...row, status: "finished" }
    : row;
}
