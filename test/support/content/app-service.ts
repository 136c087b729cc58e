// Apps of the real content service: deployed, installed, shown on every screen; behind a faulty path that records the requests.

import { beforeAll, vi } from "vitest";
import { createLog } from "../../../server/platform/log.ts";
import { clientV3, type ClientV3 } from "./each-v3.ts";
import { openFaultyPath, type FaultyPath } from "../http/faulty-path.ts";
import { temporaryFolder, untilAllHaveRun } from "../folder.ts";
import {
  startContent,
  type Row,
  type StartedContent,
} from "./start-content.ts";

export interface AppService {
  readonly client: ClientV3;
  /** All requests take this path, those for files too. */
  readonly path: FaultyPath;
  /** Its store is below this folder. */
  readonly dataDir: string;
  /** Addresses of files requested since the last call of either of these. */
  fileRequests(): readonly string[];
  /** Of everything else. */
  questions(): readonly string[];
}

/** One service for a whole file of tests; the returned function creates a new team, and a path that loses nothing yet. */
export function oneAppService(): () => Promise<AppService> {
  let running: (StartedContent & { readonly path: FaultyPath }) | null = null;
  let dataDir = "";
  let teams = 0;
  beforeAll(() =>
    untilAllHaveRun(async (atEnd) => {
      dataDir = await temporaryFolder(atEnd);
      // Each needs the other's address: the path is opened first, and leads somewhere once the service has started.
      let port = 0;
      const path = await openFaultyPath(() => `http://127.0.0.1:${port}`);
      atEnd(path.close);
      const log = createLog({ toStandardOutput: false });
      const content = await startContent(dataDir, {
        publicUrl: path.address,
        // It reports its port nowhere else: its public address is the path's.
        log: {
          ...log,
          info: (event, fields) => {
            if (event === "content.started") port = Number(fields?.["port"]);
          },
        },
      });
      atEnd(content.stop);
      running = { ...content, path };
    }),
  );
  return async () => {
    if (!running) throw new Error("the service is not up");
    const { address, path, keys } = running;
    path.decide(() => "arrives");
    const key = await keys.add({ name: "test", team: `Team ${(teams += 1)}` });
    let seen = path.passed.length;
    const requests = (matches: (url: string) => boolean): readonly string[] => {
      const urls = path.passed.slice(seen).map(({ url }) => url);
      seen = path.passed.length;
      return urls.filter(matches);
    };
    const isFile = (url: string): boolean => url.startsWith("/files/");
    return {
      ...{ client: clientV3(address, key), path, dataDir },
      fileRequests: () => requests(isFile),
      questions: () => requests((url) => !isFile(url)),
    };
  };
}

export interface InstalledApp {
  readonly appId: string;
  readonly installation: string;
  /** The one that playlists name. */
  readonly assetId: string;
}

/** Uploads the files, and makes them the next revision. */
export async function deploy(
  client: ClientV3,
  appId: string,
  files: Readonly<Record<string, string | Buffer>>,
  manifest: object = {},
): Promise<void> {
  const file_tree: Record<string, string> = {};
  for (const [title, content] of Object.entries(files)) {
    const bytes = Buffer.from(content);
    const answer = await client.upload(bytes, { title, app_id: appId });
    const [row] = (await answer.json()) as Row[];
    const done = await vi.waitUntil(
      async () => {
        const [one] = await client.rows(
          `/v4/assets?select=signature,status&id=eq.${row?.id}`,
        );
        return one?.["status"] === "finished" && one;
      },
      { interval: 10 },
    );
    file_tree[title] = String(done["signature"]);
  }
  const answer = await client.call("POST", `/v3/edge-apps/${appId}/deploy`, {
    manifest: { syntax: "manifest_v1", ...manifest },
    ...{ file_tree, delete_missing_settings: false },
  });
  if (answer.status !== 200) throw new Error(answer.text);
}

/** Uploads each file by its base name and publishes the next revision, with the requests that the vendor's own client sends. */
export async function publish(
  client: ClientV3,
  appId: string,
  files: Readonly<Record<string, string>>,
  isReadyBySignal = false,
): Promise<void> {
  const [version] = await client.add("/v4/edge-apps/versions?select=revision", {
    ...{ app_id: appId, ready_signal: isReadyBySignal },
  });
  const revision = Number(version?.["revision"]);
  const tree: Record<string, string> = {};
  for (const [path, content] of Object.entries(files)) {
    const title = path.split("/").at(-1) ?? "";
    const answer = await client.upload(Buffer.from(content), {
      ...{ title, app_id: appId, app_revision: String(revision) },
    });
    const [row] = (await answer.json()) as Row[];
    const one = `/v4/assets?select=signature,status&id=eq.${row?.id}`;
    const done = await vi.waitUntil(async () => {
      const [file] = await client.rows(one);
      return file?.["status"] === "finished" && file;
    });
    tree[path] = String(done["signature"]);
  }
  const ofApp = `app_id=eq.${appId}`;
  await send(
    ...([client, "PATCH"] as const),
    `/v4/edge-apps/versions?${ofApp}&revision=eq.${revision}`,
    { file_tree: tree },
  );
  await send(
    ...([client, "PATCH"] as const),
    `/v4/edge-apps/channels?${ofApp}&channel=eq.stable`,
    { app_revision: revision },
  );
}

export async function newApp(client: ClientV3): Promise<string> {
  const [app] = await client.add("/v4/edge-apps?select=id", { name: "Board" });
  return app?.id ?? "";
}

export async function install(
  client: ClientV3,
  appId: string,
  name: string,
): Promise<InstalledApp> {
  const [made] = await client.add("/v4.1/edge-apps/installations?select=id", {
    ...{ app_id: appId, name },
  });
  const installation = made?.id ?? "";
  const [asset] = await client.rows(
    `/v4.1/assets?select=id&app_installation_id=eq.${installation}`,
  );
  return { appId, installation, assetId: asset?.id ?? "" };
}

/** In one playlist, on all screens. */
export async function showEverywhere(
  client: ClientV3,
  assets: readonly string[],
): Promise<void> {
  await client.make("/playlists/", {
    ...{ title: "Everywhere", predicate: "TRUE" },
    assets: assets.map((id) => ({ id, duration: 600 })),
    groups: [{ id: "all-screens" }],
  });
}

/** A value for one installation. */
export async function set(
  client: ClientV3,
  { installation }: InstalledApp,
  kind: "settings" | "secrets",
  name: string,
  value: string,
): Promise<void> {
  await send(client, "POST", `/v4.1/edge-apps/${kind}/values`, {
    ...{ installation_id: installation, name, value },
  });
}

/** Throws when the request is rejected. */
export async function send(
  client: ClientV3,
  method: string,
  at: string,
  body: unknown,
): Promise<void> {
  const { status, text } = await client.call(method, at, body);
  if (status >= 300) throw new Error(`${status} ${text}`);
}
