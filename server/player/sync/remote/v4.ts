// Content service client for version 4: labels with their playlists, items and assets in one request; or selected asset groups; and
// how much the service has.

import { connectionSentences } from "../../../contract/sentences/connection-sentences.ts";
import type {
  CloudVersion,
  ScreenPart,
} from "../../../core/sync-plan/sync-state.ts";
import { createAppPoll, type PolledApps } from "../edge-apps/poll-apps.ts";
import type { DesiredState } from "../../../core/sync-connection/plan-progress.ts";
import {
  idIn,
  readPlaylistV4,
  rowsIn,
  textIn,
  type Row,
} from "../../../contract/service-rows/read-rows.ts";
import {
  rowsOf,
  type ListName,
  type CloudHttp,
  type Validator,
  readPages,
  readRows,
} from "./remote-http.ts";
import {
  createRemoteRowMapper,
  missing,
  type RemoteRowMapper,
} from "./map-remote-rows.ts";
import {
  maxUnusedLabels,
  type ContentCounts,
} from "../../../core/sync-plan/unused-content.ts";

/** All columns of a playlist; unknown fields are carried along and ignored. */
const fullSelect = "*,playlists(*,playlist_items(*,assets(*)))";
const allAssets = "*";
/** Every known service returns a list this long in one response. */
const labelsPerPage = 100;
const assetsPerPage = 500;
/** This many identifiers fit into a URL that every server accepts. */
const idsPerQuestion = 100;

interface LastRequest {
  readonly key: string;
  readonly validator: Validator;
  /** Of the list of all assets, if that was requested; null: it had several pages. */
  readonly allAssets: Validator | null;
}

export function createCloudV4(
  http: CloudHttp,
  baseUrl: string,
  prefix: string,
  version: Exclude<CloudVersion, "v3">,
  token: string,
) {
  const at = `${prefix}/${version}`;
  const pollApps = createAppPoll({ http, baseUrl, prefix, at, token });
  const addressOf = (remoteId: string): string =>
    `${baseUrl}${at}/assets?id=eq.${remoteId}`;
  let last: LastRequest | null = null;
  let lastApps: PolledApps | null = null;
  let lastPages = { documents: [] as readonly string[], text: "[]" };

  /** Reads a list page by page; the validator is kept only if it was a single page. */
  async function pages(
    [what, path, perPage]: readonly [ListName, string, number],
    seen: (rows: readonly Row[]) => void,
    before: Validator | null = null,
  ): Promise<Validator | null | "unchanged"> {
    let first: Validator | null = null;
    const read = await readPages({
      ...{ key: "id", seen },
      page: async (after) => {
        const behind = after === "" ? "" : `&id=gt.${after}`;
        const answer = await http.request(
          `${at}/${path}&order=id.asc&limit=${perPage}${behind}`,
          after === "" ? before : null,
        );
        if (answer.isUnchanged) return "unchanged";
        const { etag, digest } = answer;
        if (after === "") first = { etag, digest };
        return { ...answer, rows: rowsOf(answer.body, what) };
      },
    });
    if (read === "unchanged") return read;
    return read.pages === 1 ? first : null;
  }

  async function pollLabels(part: ScreenPart): Promise<DesiredState | null> {
    const screenLabels = await labelsOfScreen(part.screenId);
    const path = `labels?select=${fullSelect}&or=(${labelFilter(part, screenLabels)})`;
    const key = `${part.allAssets} ${path}`;
    const before = last?.key === key ? last.validator : null;
    const mapper = createRemoteRowMapper({
      ...{ isListedAlone: false, addressOf, hasApps: true },
      hasAllAssets: part.allAssets !== "off",
    });
    const names = new Set<string>();
    const validator = await pages(
      ["labels", path, labelsPerPage],
      (labels) => {
        for (const label of labels) {
          names.add(textIn(label, "name"));
          names.add(textIn(label, "human_name"));
          for (const row of rowsIn(label, "playlists"))
            for (const item of rowsIn(row, "playlist_items"))
              for (const asset of rowsIn(item, "assets")) mapper.add(asset);
          for (const row of rowsIn(label, "playlists"))
            mapper.addPlaylist(readPlaylistV4(row, mapper.secondsOf));
        }
      },
      before,
    );
    if (validator === "unchanged")
      return (await areAllAssetsTheSame(part))
        ? pollLinkedRows(part)
        : pollAgain(part);
    const allAssets =
      part.allAssets === "off" ? null : await addAllAssets(part, mapper);
    await addParts(mapper);
    last = validator && { key, validator, allAssets };
    return mapper.desiredState(
      part.labels
        .filter((name) => !names.has(name))
        .map((name) => missing(name, connectionSentences["label-unknown"])),
    );
  }

  const allAssetsPath = `assets?select=${allAssets}&${wholeAssets}`;

  /** After those of the playlists for this screen, which count as they are in there. */
  async function addAllAssets(
    part: ScreenPart,
    mapper: RemoteRowMapper,
  ): Promise<Validator | null> {
    const validator = await pages(
      ["assets", allAssetsPath, assetsPerPage],
      (rows) =>
        rows.forEach((row) => mapper.add(row, part.allAssets === "rotation")),
    );
    return validator === "unchanged" ? null : validator;
  }

  async function areAllAssetsTheSame(part: ScreenPart): Promise<boolean> {
    if (part.allAssets === "off") return true;
    const before = last?.allAssets ?? null;
    if (!before) return false;
    const read = await pages(
      ["assets", allAssetsPath, assetsPerPage],
      () => undefined,
      before,
    );
    return read === "unchanged";
  }

  /** The labels assigned to a paired screen; its own label has its own identifier. */
  async function labelsOfScreen(id: string | null): Promise<readonly string[]> {
    if (id === null) return [];
    const rows = await readRows(
      http,
      [
        "labels of the screen",
        `${at}/labels/screens?select=label_id&screen_id=eq.${id}&order=label_id.asc`,
      ],
      "label_id",
    );
    return [id, ...rows.flatMap((row) => idIn(row, "label_id") ?? [])];
  }

  /** Which pages of documents are shown, and their orientation; version 4.0 has no field for it. */
  async function pagesOf(
    documents: readonly string[],
  ): Promise<readonly Row[]> {
    const all: Row[] = [];
    if (version === "v4") return all;
    for (let from = 0; from < documents.length; from += idsPerQuestion) {
      const ids = documents.slice(from, from + idsPerQuestion).join();
      await pages(
        [
          "pages of documents",
          `assets?select=id,pdf_asset_id,pdf_page_number,pdf_page_enabled,pdf_page_rotation&pdf_asset_id=in.(${ids})`,
          assetsPerPage,
        ],
        (rows) => all.push(...rows),
      );
    }
    return all;
  }

  async function addParts(mapper: RemoteRowMapper): Promise<void> {
    const installations = mapper.installations();
    lastApps = installations.length > 0 ? await pollApps(installations) : null;
    if (lastApps) mapper.addApps(lastApps.apps);
    const documents = mapper.documents();
    const rows = await pagesOf(documents);
    mapper.addDocumentPages(rows);
    lastPages = { documents, text: JSON.stringify(rows) };
  }

  /** A list of assets does not cover document pages, app revisions and app settings: they are requested separately. */
  async function arePartsTheSame(): Promise<boolean> {
    return (
      (await arePagesTheSame()) && (lastApps === null || lastApps.isSame())
    );
  }

  async function arePagesTheSame(): Promise<boolean> {
    const { documents, text } = lastPages;
    return JSON.stringify(await pagesOf(documents)) === text;
  }

  /** The list is unchanged; the rows that it links to may not be. */
  async function pollLinkedRows(
    part: ScreenPart,
  ): Promise<DesiredState | null> {
    return (await arePartsTheSame()) ? null : pollAgain(part);
  }

  function pollAgain(part: ScreenPart): Promise<DesiredState | null> {
    last = null;
    return pollDesiredState(part);
  }

  function pollDesiredState(part: ScreenPart): Promise<DesiredState | null> {
    return part.assetGroups.length > 0 ? pollGroups(part) : pollLabels(part);
  }

  async function pollGroups(part: ScreenPart): Promise<DesiredState | null> {
    const groups = new Map<string, string>();
    const allGroups = ["asset groups", "asset-groups?select=*"] as const;
    await pages([...allGroups, assetsPerPage], (rows) => {
      for (const row of rows) {
        const id = idIn(row);
        if (id !== null) groups.set(id, textIn(row, "title"));
      }
    });
    const groupNames = new Set(part.assetGroups);
    const ids = [...groups]
      .filter(([id, title]) => groupNames.has(id) || groupNames.has(title))
      .map(([id]) => id);
    const known = new Set([...groups].flat());
    const itemFailures = part.assetGroups
      .filter((name) => !known.has(name))
      .map((name) => missing(name, connectionSentences["asset-group-unknown"]));
    const mapper = createRemoteRowMapper({
      ...{ isListedAlone: true, addressOf, hasApps: true },
    });
    const path = `assets?select=${allAssets}&type=neq.pdf-page&asset_group_id=in.(${ids.join()})`;
    const before = last?.key === path ? last.validator : null;
    if (ids.length === 0) return mapper.desiredState(itemFailures);
    const validator = await pages(
      ["assets", path, assetsPerPage],
      (rows) => rows.forEach((row) => mapper.add(row)),
      before,
    );
    if (validator === "unchanged") return pollLinkedRows(part);
    await addParts(mapper);
    last = validator && { key: path, validator, allAssets: null };
    return mapper.desiredState(itemFailures);
  }

  return {
    /** Null: nothing has changed since the last poll. Throws a RemoteError. */
    pollDesiredState,
    /** What the service has, whatever is meant for this screen (V2-741). Throws a RemoteError. */
    countContent: () => countContentV4(http, at),
    /** The next poll is a complete one with fresh file addresses. */
    forget: () => {
      last = null;
    },
  };
}

/** By its own identifier, by name, and the label that every screen has. */
function labelFilter(part: ScreenPart, ids: readonly string[]): string {
  const names = part.labels.map(quoted).join();
  return [
    "type.eq.all-screens",
    ...(ids.length > 0 ? [`id.in.(${ids.join()})`] : []),
    ...(names === "" ? [] : [`name.in.(${names})`, `human_name.in.(${names})`]),
  ].join();
}

/** Quotes a value for a list, whatever it contains. */
function quoted(name: string): string {
  const escaped = name.replace(/[\\"]/g, (letter) => `\\${letter}`);
  return encodeURIComponent(`"${escaped}"`);
}
/** Pages of documents and files of apps are parts of other assets; what is new may have no type yet. */
const wholeAssets = "or=(type.is.null,type.not.in.(pdf-page,edge-app-file))";

async function countContentV4(
  http: CloudHttp,
  at: string,
): Promise<ContentCounts> {
  const countOf = async (path: string): Promise<number | null> => {
    const answer = await http.request(
      `${at}/${path}&order=id.asc&limit=1`,
      null,
      { isCounted: true },
    );
    return answer.total;
  };
  const assets = await countOf(`assets?select=id&${wholeAssets}`);
  const processing =
    assets === 0
      ? 0
      : await countOf(
          `assets?select=id&${wholeAssets}&status=not.in.(finished,error)`,
        );
  const playlists = await countOf("playlists?select=id");
  const labels = playlists === 0 ? [] : await labelsWithPlaylists(http, at);
  return { assets, processing, playlists, labels };
}

/** Without labels that belong to one screen, and the one that every screen has: nobody chooses those. */
async function labelsWithPlaylists(
  http: CloudHttp,
  at: string,
): Promise<readonly string[]> {
  const { body } = await http.request(
    `${at}/labels?select=id,name,human_name,type,playlists(id)&playlists.limit=1&type=not.in.(screen,all-screens)&order=id.asc&limit=500`,
  );
  return rowsOf(body, "anything")
    .filter((row) => rowsIn(row, "playlists").length > 0)
    .map((row) => textIn(row, "human_name") || textIn(row, "name"))
    .filter((name) => name !== "")
    .sort()
    .slice(0, maxUnusedLabels);
}
