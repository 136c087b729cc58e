// Content service client for version 4: labels with their playlists, items and assets in one request; or selected asset groups.

import { connectionSentences } from "../../../contract/sentences/connection-sentences.ts";
import type {
  CloudVersion,
  ScreenPart,
  ItemFailure,
} from "../../../core/sync-plan/sync-state.ts";
import { createAppPoll } from "../edge-apps/poll-apps.ts";
import type { DesiredState } from "../../../core/sync-connection/plan-progress.ts";
import {
  idIn,
  readPlaylistV4,
  rowsIn,
  textIn,
  type Row,
} from "../../../contract/service-rows/read-rows.ts";
import { rowsOf, type ListName } from "./requested-rows.ts";
import { type CloudHttp, type Validator, readPages } from "./remote-http.ts";
import {
  createRemoteRowMapper,
  type RemoteRowMapper,
} from "./map-remote-rows.ts";
import { countContentV4, wholeAssets } from "./count-v4.ts";

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
  const apps = createAppPoll({ http, baseUrl, prefix, at, token });
  const addressOf = (remoteId: string): string =>
    `${baseUrl}${at}/assets?id=eq.${remoteId}`;
  let last: LastRequest | null = null;
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
    const missing = part.labels.filter((name) => !names.has(name));
    return mapper.desiredState(missing.map((name) => noLabel(name)));
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
    const ids: (string | null)[] = [id];
    await readPages({
      key: "label_id",
      page: async (after) => {
        const behind = after === "" ? "" : `&label_id=gt.${after}`;
        const answer = await http.request(
          `${at}/labels/screens?select=label_id&screen_id=eq.${id}&order=label_id.asc${behind}`,
        );
        return {
          ...answer,
          rows: rowsOf(answer.body, "labels of the screen"),
        };
      },
      seen: (rows) => ids.push(...rows.map((row) => idIn(row, "label_id"))),
    });
    return ids.filter((one) => one !== null);
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
    mapper.addApps(await apps.poll(mapper.installations()));
    const documents = mapper.documents();
    const rows = await pagesOf(documents);
    mapper.addDocumentPages(rows);
    lastPages = { documents, text: JSON.stringify(rows) };
  }

  /** A list of assets does not cover document pages, app revisions and app settings: they are requested separately. */
  async function arePartsTheSame(): Promise<boolean> {
    return (await arePagesTheSame()) && (await apps.isSame());
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
      .map((name) => noGroup(name));
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

function noLabel(name: string): ItemFailure {
  return {
    ...{ remoteId: name, name, isGivenUp: true },
    reason: connectionSentences["label-unknown"],
  };
}

function noGroup(name: string): ItemFailure {
  return {
    ...{ remoteId: name, name, isGivenUp: true },
    reason: connectionSentences["asset-group-unknown"],
  };
}
