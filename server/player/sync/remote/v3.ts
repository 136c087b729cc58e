// A cloud that speaks version 3: whole lists of assets, groups and screens, and each playlist by itself.

import PQueue from "p-queue";
import type {
  ScreenPart,
  ItemFailure,
} from "../../../core/sync-plan/sync-state.ts";
import type { DesiredState } from "../../../core/sync-connection/progress.ts";
import {
  idIn,
  rowsIn,
  textIn,
  type Cloud,
  type Row,
  playlistOf,
  rowsOf,
} from "./remote.ts";
import type { CloudHttp } from "./remote-http.ts";
import { createRemoteRowMapper } from "./map-remote-rows.ts";
import { nameOf, readPlaylistV3 } from "./read-rows.ts";
import { RemoteError } from "./remote-error.ts";

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

  async function pollDesiredState(
    part: ScreenPart,
  ): Promise<DesiredState | null> {
    const digests: string[] = [JSON.stringify(part)];
    const request = async (path: string): Promise<unknown> => {
      const { body, digest } = await http.request(at + path);
      digests.push(`${path} ${digest}`);
      return body;
    };
    const assets = rowsOf(await request("/assets/"), "assets");
    const listed = rowsOf(
      await request("/playlists/"),
      "playlists of version 3",
    );
    const mapper = createRemoteRowMapper({
      isListedAlone: part.assetGroups.length > 0,
      ...{ addressOf, hasApps: false },
    });
    const itemFailures: ItemFailure[] = [];
    if (part.assetGroups.length > 0) {
      const folders = new Set(part.assetGroups);
      for (const row of assets)
        if (folders.has(textIn(row, "folder_name")))
          mapper.add(withStatus(row));
    } else {
      const { ids, missing } = await groupsOf(part, request);
      itemFailures.push(...missing);
      const chosen = [...listed.entries()].filter(([, row]) =>
        rowsIn(row, "groups").some((group) => ids.has(groupId(group))),
      );
      const queue = new PQueue({ concurrency: questionsAtOnce });
      const playlists = await queue.addAll(
        chosen.map(([place, row]) => async () => {
          const read = await playlistBehind(row, request);
          if (read instanceof RemoteError)
            digests.push(`${textIn(row, "id")} ${read.message}`);
          return { place, row, read };
        }),
      );
      const used = new Set(
        playlists.flatMap(({ read }) =>
          read instanceof RemoteError
            ? []
            : rowsIn(read, "assets").map((item) => idIn(item)),
        ),
      );
      for (const row of assets)
        if (used.has(idIn(row))) mapper.add(withStatus(row));
      // The place among all that are listed: what one that fails leaves out moves no other.
      for (const { place, row, read } of playlists)
        mapper.addPlaylist(
          read instanceof RemoteError
            ? unansweredPlaylist(row, read)
            : readPlaylistV3(read, place, mapper.secondsOf),
        );
    }
    // Version 3 answers whole lists: what they say together is what may be unchanged.
    const digest = digests.sort().join();
    if (digest === lastDigest) return null;
    lastDigest = digest;
    return mapper.desiredState(itemFailures);
  }

  return {
    pollDesiredState,
    forget: () => {
      lastDigest = null;
    },
  };
}

type RequestPath = (path: string) => Promise<unknown>;

/** What goes wrong with one playlist is about that one alone (V2-544); throws what ends a look. */
async function playlistBehind(
  row: Row,
  request: RequestPath,
): Promise<Row | RemoteError> {
  const id = textIn(row, "id");
  try {
    return playlistOf(
      await request(`/playlists/${encodeURIComponent(id)}/`),
      id,
    );
  } catch (error) {
    if (error instanceof RemoteError && isOfOneThing(error)) return error;
    throw error;
  }
}

/** The service answers, and not for this: nothing is said of whether the rest of it is well. */
function isOfOneThing({ code, status, waitMs }: RemoteError): boolean {
  if (code === "malformed") return true;
  if (status === null || waitMs !== null || isBusy(status)) return false;
  // An error page of the service's own server, that is.
  if (code === "portal") return status >= 400;
  return code === "refused" || code === "unavailable";
}

/** It is asked of everybody to come later. */
function isBusy(status: number): boolean {
  return [408, 425, 429, 503].includes(status);
}

function unansweredPlaylist(
  row: Row,
  { message }: RemoteError,
): ItemFailure | null {
  const remoteId = idIn(row);
  if (remoteId === null) return null;
  return {
    ...{ remoteId, name: nameOf(row, remoteId), isGivenUp: false },
    reason: `The cloud does not tell what is in it. ${message}`,
  };
}

const allScreens = "all-screens";

/** The built-in group is known by its identifier, which is written in two ways; its name may be any other group's, too (V2-543). */
function groupId(row: Row): string {
  return (idIn(row) ?? "").replace(/^all_screens$/, allScreens);
}

/** Those of these names, those a paired screen is in, and the one that every screen is in. */
async function groupsOf(
  part: ScreenPart,
  request: RequestPath,
): Promise<{
  readonly ids: ReadonlySet<string>;
  readonly missing: readonly ItemFailure[];
}> {
  const groups = rowsOf(await request("/groups/"), "groups of version 3");
  const ids = new Set([allScreens]);
  const names = new Set(part.labels);
  const seen = new Set<string>();
  for (const row of groups) {
    const name = textIn(row, "name");
    seen.add(name).add(groupId(row));
    const hasScreen = rowsIn(row, "screens").some(
      (screen) => part.screenId !== null && idIn(screen) === part.screenId,
    );
    if (hasScreen || names.has(name) || names.has(groupId(row)))
      ids.add(groupId(row));
  }
  // A playlist may be for one screen alone: then its own identifier stands among the groups.
  if (part.screenId !== null) ids.add(part.screenId);
  const missing = part.labels
    .filter((name) => !seen.has(name))
    .map((name): ItemFailure => ({
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
