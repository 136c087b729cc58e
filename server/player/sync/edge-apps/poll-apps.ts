// Polls the installed apps of a content service, and the rows of their files if they are not known yet.

import { connectionSentences } from "../../../contract/sentences/connection-sentences.ts";
import { composeSentence } from "../../../contract/sentence-templates.ts";
import {
  isCredential,
  appLink,
  linkPaths,
} from "../../../contract/link/link.ts";
import { maxAppFiles } from "../../../core/app-limits.ts";
import {
  readApp,
  type ReadApp,
  type RemoteApp,
  type FileTree,
} from "./map-app.ts";
import {
  type Row,
  idIn,
  isRow,
  numberIn,
  rowsIn,
  textIn,
} from "../../../contract/service-rows/read-rows.ts";
import {
  rowsOf,
  readPages,
  readRows,
  type CloudHttp,
  type Validator,
} from "../remote/remote-http.ts";
import { RemoteError } from "../remote/remote-error.ts";

export interface PolledApps {
  /** By installation; the reason for one that cannot be shown. */
  readonly apps: ReadonlyMap<string, ReadApp | string>;
  /** Checks whether they are still the same. */
  isSame(): Promise<boolean>;
}

/** Throws a RemoteError. */
export type PollApps = (
  installations: readonly string[],
) => Promise<PolledApps>;

export interface AppPollOptions extends FetchAppsOptions {
  readonly token: string;
}

const rowsPerPage = 500;
const fields = "id,title,signature,md5,source_md5,source_size,asset_url";

export function createAppPoll(options: AppPollOptions): PollApps {
  const { http, at, token } = options;
  const fetchApps = isCredential(token)
    ? fetchPairedApps(options)
    : fetchAppsByKey(options);
  /** Returns a sentence if the service does not list them. */
  async function fileRows(app: RemoteApp): Promise<readonly Row[] | string> {
    try {
      return await listFiles(app);
    } catch (error) {
      return whyNot(error);
    }
  }

  async function listFiles({
    appId,
    revision,
  }: RemoteApp): Promise<readonly Row[]> {
    if (revision === null) return [];
    const path = `${at}/assets?select=${fields}&type=eq.edge-app-file&app_id=eq.${appId}&app_revision=eq.${revision}&order=id.asc&limit=${rowsPerPage}`;
    // A list beyond the limit is rejected anyway and need not be read to its end.
    return readRows(http, ["files of an app", path], "id", maxAppFiles);
  }

  return async (installations) => {
    const fetched = await fetchApps(installations);
    const apps = new Map<string, ReadApp | string>();
    /** Apps that could not be read: the service may still be processing their files. */
    const unread = new Map<RemoteApp, readonly Row[] | string>();
    for (const [id, app] of fetched) {
      if (typeof app === "string") {
        apps.set(id, app);
        continue;
      }
      const rows = await fileRows(app);
      const read = typeof rows === "string" ? rows : readApp(app, rows, token);
      if (typeof read === "string") unread.set(app, rows);
      apps.set(id, read);
    }
    const text = JSON.stringify([...fetched]);
    const unreadText = JSON.stringify([...unread.values()]);
    return {
      apps,
      isSame: async () => {
        if (JSON.stringify([...(await fetchApps(installations))]) !== text)
          return false;
        const rows: (readonly Row[] | string)[] = [];
        for (const app of unread.keys()) rows.push(await fileRows(app));
        return JSON.stringify(rows) === unreadText;
      },
    };
  };
}

/** By installation; a sentence if the service does not provide it. */
export type RemoteApps = ReadonlyMap<string, RemoteApp | string>;

export type FetchApps = (
  installations: readonly string[],
) => Promise<RemoteApps>;

export interface FetchAppsOptions {
  readonly http: CloudHttp;
  readonly baseUrl: string;
  /** `/api` or empty. */
  readonly prefix: string;
  /** Base path of the collections. */
  readonly at: string;
}

/** This many identifiers fit into a URL that every server accepts. */
const idsPerQuestion = 100;

/** One request for each app; the result is cached while the response is unchanged. */
function fetchPairedApps(options: FetchAppsOptions): FetchApps {
  const { http, prefix } = options;
  const cache = new Map<string, { validator: Validator; app: RemoteApp }>();

  async function fetchApps(id: string): Promise<RemoteApp> {
    const before = cache.get(id);
    const { body, isUnchanged, etag, digest } = await http.request(
      `${prefix}${linkPaths.apps}/${id}`,
      before?.validator,
    );
    if (isUnchanged && before) return before.app;
    const reading = appLink.safeParse(body);
    if (!reading.success || idIn(reading.data, "app_id") === null)
      throw new RemoteError("malformed", connectionSentences["app-list"]);
    const fetched = reading.data;
    const plain = await plainNames(options, fetched.app_id);
    const isSecret = (name: string): boolean => !plain.has(name);
    const app: RemoteApp = {
      ...{ appId: fetched.app_id, revision: fetched.revision },
      ...{
        entry: fetched.entrypoint || null,
        waitsForSignal: fetched.ready_signal,
      },
      tree: { by: "id", files: fetched.files },
      settings: {
        ...chosen(fetched.settings, (name) => !isSecret(name)),
        screenly_oauth_tokens_url: `${options.baseUrl.replace(/\/api$/, "")}/api/v3/edge-apps/oauth/tokens/`,
      },
      secrets: {
        ...chosen(fetched.settings, isSecret),
        screenly_app_auth_token: fetched.app_auth_token,
      },
    };
    cache.set(id, { validator: { etag, digest }, app });
    return app;
  }

  return async (ids) => {
    const fetched = new Map<string, RemoteApp | string>();
    for (const id of ids) fetched.set(id, await fetchApps(id).catch(whyNot));
    for (const id of cache.keys()) if (!fetched.has(id)) cache.delete(id);
    return fetched;
  };
}

/** A setting that the service does not mark as plain is taken for a secret. */
async function plainNames(
  { http, at }: FetchAppsOptions,
  appId: string,
): Promise<ReadonlySet<string>> {
  const plain = new Set<string>();
  const path = `${at}/edge-apps/settings?select=name,type&app_id=eq.${appId}&order=name.asc`;
  await readPages({
    key: null,
    page: async (_, count) => {
      const answer = await http.request(
        count === 0 ? path : `${path}&offset=${count}`,
      );
      return { ...answer, rows: rowsOf(answer.body, "settings") };
    },
    seen: (rows) => {
      for (const row of rows)
        if (textIn(row, "type") === "string") plain.add(textIn(row, "name"));
    },
  }).catch(whyNot);
  return plain;
}

/** Four requests for all apps together; values of secrets are not available this way. */
function fetchAppsByKey({ http, at }: FetchAppsOptions): FetchApps {
  async function rows(
    collection: "installations" | "channels" | "versions" | "settings",
    [select, order]: readonly [select: string, order: string],
    [column, all]: readonly [column: string, values: readonly string[]],
    more: (part: readonly string[]) => string = () => "",
  ): Promise<readonly Row[]> {
    const values = [...new Set(all)];
    const rows: Row[] = [];
    for (let from = 0; from < values.length; from += idsPerQuestion) {
      const part = values.slice(from, from + idsPerQuestion);
      const path = `${at}/edge-apps/${collection}?select=${select}&${column}=in.(${part.join()})${more(part)}&order=${order}`;
      rows.push(...(await readRows(http, [collection, path], null)));
    }
    return rows;
  }

  async function fetchApps(ids: readonly string[]): Promise<RemoteApps> {
    const installations = await rows(
      "installations",
      ["id,app_id,app_channel", "id.asc"],
      ["id", ids],
    );
    const appIds = installations
      .map((row) => idIn(row, "app_id"))
      .filter((id) => id !== null);
    const channels = await rows(
      "channels",
      ["app_id,channel,app_revision", "app_id.asc,channel.asc"],
      ["app_id", appIds],
    );
    const revisionsOf = (apps: readonly string[]): readonly number[] =>
      channels
        .filter((row) => apps.includes(idIn(row, "app_id") ?? ""))
        .map((row) => numberIn(row, "app_revision"))
        .filter((revision) => revision !== null);
    const versions = await rows(
      "versions",
      [
        "app_id,revision,entrypoint,ready_signal,file_tree",
        "app_id.asc,revision.asc",
      ],
      ["app_id", appIds],
      (apps) => `&revision=in.(${[...new Set(revisionsOf(apps))].join()})`,
    );
    const settings = await rows(
      "settings",
      [
        "app_id,name,type,default_value,edge_app_setting_values(value,installation_id)",
        "app_id.asc,name.asc",
      ],
      ["app_id", appIds],
    );
    const of = (list: readonly Row[], appId: string): readonly Row[] =>
      list.filter((row) => idIn(row, "app_id") === appId);
    return new Map(
      ids.map((id): readonly [string, RemoteApp | string] => {
        const installation = installations.find((row) => idIn(row) === id);
        const appId = installation && idIn(installation, "app_id");
        if (!appId) return [id, connectionSentences["app-no-installation"]];
        const channel = textIn(installation, "app_channel") || defaultChannel;
        const revision = numberIn(
          of(channels, appId).find((row) => row["channel"] === channel) ?? {},
          "app_revision",
        );
        const version =
          of(versions, appId).find(
            (row) => numberIn(row, "revision") === revision,
          ) ?? {};
        const values = valuesOf(of(settings, appId), id);
        const entry =
          values["screenly_entrypoint"] ?? textIn(version, "entrypoint");
        return [
          id,
          {
            ...{ appId, revision, entry: entry || null },
            waitsForSignal: version["ready_signal"] === true,
            ...{ settings: values, secrets: {} },
            tree: treeOf(version["file_tree"]),
          },
        ];
      }),
    );
  }

  return async (ids) => {
    try {
      return await fetchApps(ids);
    } catch (error) {
      const why = whyNot(error);
      return new Map(ids.map((id) => [id, why]));
    }
  };
}

/** A revision without a file tree has its paths in the titles. */
function treeOf(value: unknown): FileTree | null {
  if (!isRow(value)) return null;
  const files = Object.entries(value).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  if (files.length === 0) return null;
  return { by: "signature", files: Object.fromEntries(files) };
}

const defaultChannel = "stable";

/** The installation's value, else the app's, else the default; settings without a value are left out. */
function valuesOf(
  settings: readonly Row[],
  installation: string,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    settings.toSorted(byName).flatMap((row) => {
      if (textIn(row, "type") !== "string") return [];
      const values = rowsIn(row, "edge_app_setting_values");
      const valueFor = (id: string | null): unknown =>
        values.find((one) => (one["installation_id"] ?? null) === id)?.[
          "value"
        ];
      const value =
        valueFor(installation) ?? valueFor(null) ?? row["default_value"];
      return typeof value === "string" ? [[textIn(row, "name"), value]] : [];
    }),
  );
}

function byName(a: Row, b: Row): number {
  return textIn(a, "name") < textIn(b, "name") ? -1 : 1;
}

function chosen(
  values: Readonly<Record<string, string>>,
  isChosen: (name: string) => boolean,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(values).filter(([name]) => isChosen(name)),
  );
}

/** Errors that may concern this request alone, since the list before it was answered; errors that end the poll are thrown. */
const ofOneApp = new Set<string>([
  ...["refused", "malformed", "unavailable", "portal", "unauthorized"],
]);

function whyNot(error: unknown): string {
  if (error instanceof RemoteError && ofOneApp.has(error.code))
    return composeSentence(connectionSentences["files-missing"], {
      why: error.message,
    });
  throw error;
}
