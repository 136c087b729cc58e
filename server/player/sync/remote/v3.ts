// Content service client for version 3: complete lists of assets, groups and screens, and each playlist by itself.

import PQueue from "p-queue";
import { connectionSentences } from "../../../contract/sentences/connection-sentences.ts";
import { composeSentence } from "../../../contract/sentence-templates.ts";
import type {
  ScreenPart,
  ItemFailure,
} from "../../../core/sync-plan/sync-state.ts";
import {
  maxUnusedLabels,
  type ContentCounts,
} from "../../../core/sync-plan/unused-content.ts";
import type { DesiredState } from "../../../core/sync-connection/plan-progress.ts";
import {
  idIn,
  nameOf,
  readPlaylistV3,
  rowsIn,
  textIn,
  type Row,
} from "../../../contract/service-rows/read-rows.ts";
import { playlistOf, rowsOf, type CloudHttp } from "./remote-http.ts";
import { createRemoteRowMapper, missing } from "./map-remote-rows.ts";
import { RemoteError } from "./remote-error.ts";

/** Playlists are requested one by one; this many requests in parallel are no burden. */
const questionsAtOnce = 4;

export function createCloudV3(
  http: CloudHttp,
  baseUrl: string,
  prefix: string,
) {
  const at = `${prefix}/v3`;
  let lastDigest: string | null = null;
  /** Of the last poll: its lists are complete. */
  let counts: ContentCounts = noCounts;

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
    counts = {
      assets: assets.length,
      processing: assets.map(withStatus).filter(isProcessing).length,
      ...{ playlists: listed.length, labels: [] },
    };
    const mapper = createRemoteRowMapper({
      isListedAlone: part.assetGroups.length > 0,
      ...{ addressOf, hasApps: false },
      hasAllAssets: part.allAssets !== "off" && part.assetGroups.length === 0,
    });
    const itemFailures: ItemFailure[] = [];
    if (part.assetGroups.length > 0) {
      const folders = new Set(part.assetGroups);
      for (const row of assets)
        if (folders.has(textIn(row, "folder_name")))
          mapper.add(withStatus(row));
    } else {
      const { groups, ids, failures } = await groupsOf(part, request);
      counts = { ...counts, labels: groupsWithPlaylists(groups, listed) };
      itemFailures.push(...failures);
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
      if (part.allAssets !== "off")
        for (const row of assets)
          mapper.add(withStatus(row), part.allAssets === "rotation");
      // The position in the whole list: leaving out a playlist that failed does not shift the others.
      for (const { place, row, read } of playlists)
        mapper.addPlaylist(
          read instanceof RemoteError
            ? unansweredPlaylist(row, read)
            : readPlaylistV3(read, place, mapper.secondsOf),
          place,
        );
    }
    // Version 3 returns complete lists: together they show whether anything has changed.
    const digest = digests.sort().join();
    if (digest === lastDigest) return null;
    lastDigest = digest;
    return mapper.desiredState(itemFailures);
  }

  return {
    pollDesiredState,
    countContent: () => Promise.resolve(counts),
    forget: () => {
      lastDigest = null;
    },
  };
}

type RequestPath = (path: string) => Promise<unknown>;

/** An error with one playlist concerns only that one (V2-544); throws errors that end the poll. */
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

/** The service answered, but not for this: that says nothing about the rest. */
function isOfOneThing({ code, status, waitMs }: RemoteError): boolean {
  if (code === "malformed") return true;
  if (status === null || waitMs !== null || isBusy(status)) return false;
  // Only if it is an error page of the service's own server.
  if (code === "portal") return status >= 400;
  return code === "refused" || code === "unavailable";
}

/** A request to all clients to retry later. */
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
    reason: composeSentence(connectionSentences["items-missing"], {
      why: message,
    }),
  };
}

const noCounts: ContentCounts = {
  ...{ assets: null, processing: null, playlists: null, labels: [] },
};

function isProcessing(row: Row): boolean {
  return !["finished", "error"].includes(textIn(row, "status"));
}

function groupsWithPlaylists(
  groups: readonly Row[],
  playlists: readonly Row[],
): readonly string[] {
  const used = new Set(
    playlists.flatMap((row) => rowsIn(row, "groups").map(groupId)),
  );
  return groups
    .filter((row) => groupId(row) !== allScreens && used.has(groupId(row)))
    .map((row) => textIn(row, "name"))
    .filter((name) => name !== "")
    .sort()
    .slice(0, maxUnusedLabels);
}

const allScreens = "all-screens";

/** The built-in group is recognized by its identifier, which has two spellings; any other group may have its name, too (V2-543). */
function groupId(row: Row): string {
  return (idIn(row) ?? "").replace(/^all_screens$/, allScreens);
}

/** Groups with these names, groups of the paired screen, and the group that every screen is in. */
async function groupsOf(
  part: ScreenPart,
  request: RequestPath,
): Promise<{
  readonly groups: readonly Row[];
  readonly ids: ReadonlySet<string>;
  readonly failures: readonly ItemFailure[];
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
  // A playlist may target one screen only: then the screen's own identifier is among the groups.
  if (part.screenId !== null) ids.add(part.screenId);
  const failures = part.labels
    .filter((name) => !seen.has(name))
    .map((name) => missing(name, connectionSentences["group-unknown"]));
  return { groups, ids, failures };
}

/** Version 3 may leave out the status and mark a finished asset in another field. */
function withStatus(row: Row): Row {
  return textIn(row, "status") === "" && row["finalized"] === true
    ? { ...row, status: "finished" }
    : row;
}
