// API documentation, compared with the real server's routes and responses.

import { describe, expect, it } from "vitest";
import type { OpenApi } from "../../../../server/contract/openapi.ts";
import { schemaViolationOf } from "../../../support/http/openapi-schema.ts";
import { png } from "../../../support/media/media.ts";
import {
  expectSelfContained,
  expectComplete,
} from "../../../support/http/reference-page.ts";
import { startFullSync } from "../../../support/sync/start-full-sync.ts";
import { rawRequest } from "../../../support/http/raw-request.ts";
import {
  answerOf,
  startPlayer,
  type RunningPlayer,
} from "../../../support/player/start-player.ts";

async function descriptionOf({ request }: RunningPlayer): Promise<OpenApi> {
  return (await request("/openapi.json")).json() as Promise<OpenApi>;
}

describe("[V2-91] openapi.json", () => {
  it("describes exactly the methods of each path", async () => {
    const running = await startPlayer();
    const api = await descriptionOf(running);
    for (const [path, methods] of Object.entries(api.paths)) {
      const known = Object.keys(methods).map((method) => method.toUpperCase());
      const answer = await rawRequest(running.player.apiAddress + path, {
        method: "OPTIONS",
      });
      const { methods: there } = answer.body as { methods: string[] };
      const own = there.filter((one) => !["HEAD", "OPTIONS"].includes(one));
      expect([path, own.sort()]).toEqual([path, known.sort()]);
    }
  });

  it("describes every response exactly", async () => {
    const running = await startFullSync();
    const api = await descriptionOf(running);
    const requests = new Set<string>();
    for await (const { id, answer } of tour(running)) {
      requests.add(id);
      const operation = Object.values(api.paths)
        .flatMap((methods) => Object.values(methods))
        .find(({ operationId }) => operationId === id);
      const response = operation?.responses[answer.status] as
        | { content?: Record<string, { schema?: Record<string, unknown> }> }
        | undefined;
      expect(response, `${id} ${answer.status}`).toBeDefined();
      const type = answer.headers.get("content-type")?.split(";")[0];
      const types = Object.keys(response?.content ?? {});
      // A stored file has a type of its own.
      if (types[0] !== "*/*")
        expect([id, type ?? "none"]).toEqual([id, types[0] ?? "none"]);
      const schema = response?.content?.["application/json"]?.schema;
      if (schema)
        expect([
          id,
          schemaViolationOf(api, schema, await answer.json()),
        ]).toEqual([id, null]);
      else await answer.body?.cancel();
    }
    const all = Object.values(api.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    );
    expect([...requests].sort()).toEqual(all.sort());
  });
});

/** One call of every operation, most with more than one outcome. */
async function* tour(
  running: RunningPlayer,
): AsyncGenerator<{ id: string; answer: Response }> {
  const { request, add, send, player } = running;
  const json = (method: string, body: unknown): RequestInit => ({
    method,
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const file = (field: string, bytes: Uint8Array, headers = {}) => {
    const form = new FormData();
    form.set(field, new Blob([new Uint8Array(bytes)]), "file");
    return { method: "POST", body: form, headers };
  };
  const post = { method: "POST" };
  const own = await add();
  const page = {
    ...{ name: "Page", uri: "https://example.org/", duration: 5 },
    ...{ start_date: "2020-01-01", end_date: "2030-01-01T12:00+02:00" },
    ...{ mimetype: "webpage", is_enabled: 1, skip_asset_check: true },
  };
  const created = await send("POST", "/assets", page);
  await send("PATCH", "/device_settings", { is_active_as: "boolean" });
  const at = `/assets/${created.body.asset_id as string}`;
  const lunch = {
    ...{ name: "Lunch", predicate: "$TIME > 1", priority: 2, shuffle: null },
    ...{ transition: "cut", groups: ["lobby"] },
    items: [{ asset_id: own.asset_id, duration: 5 }, own.asset_id],
  };
  const fresh = await send("POST", "/playlists", lunch);
  const list = `/playlists/${fresh.body.playlist_id as string}`;
  const bytes = png([4, 5, 6]);
  const half = { "Content-Range": `bytes 0-9/${bytes.length}` };
  const upload = `/file_asset/${"4".repeat(32)}`;
  const token = await send("POST", "/tokens", { name: "desk" });
  const cloud = { base_url: "http://127.0.0.1:9", token: "t", is_enabled: 0 };
  const connection = await send("POST", "/sync/accounts", cloud);
  const clouds = `/sync/accounts/${connection.body.account_id as string}`;
  const label = { collection: "labels", fields: { name: "Lobby" } };
  const fields = { ...label, action: "create" };
  const change = await send("POST", `${clouds}/changes`, fields);
  const queued = `${clouds}/changes/${change.body.change_id as string}`;
  const key = `/sync/keys/${"0".repeat(64)}`;
  const archive = (await (await request("/backup", post)).json()) as string;
  const stored = await (await request(`/backups/${archive}`)).arrayBuffer();

  const calls: readonly (readonly [id: string, path: string, RequestInit?])[] =
    [
      ["listAssets", "/assets"],
      ["createAsset", "/assets", json("POST", page)],
      ["createAsset", "/assets", json("POST", { name: 7 })],
      [
        "addAsset",
        "/assets/add",
        json("POST", { uri: page.uri, skip_asset_check: true }),
      ],
      ["addAsset", "/assets/add", json("POST", { folder: "Menus" })],
      ["readFile", `/files/${own.stored.file?.sha256}`],
      ["readFile", "/files/nobody"],
      ["readAsset", at],
      ["readAsset", "/assets/nobody"],
      ["changeAsset", at, json("PATCH", { duration: 7 })],
      ["changeAsset", at, json("PATCH", [])],
      ["updateAsset", at, json("PUT", page)],
      ["updateAsset", at, json("PUT", {})],
      ["readContent", `${at}/content`],
      ["readContent", `/assets/${own.asset_id}/content`],
      ["controlPlayback", "/assets/control/next"],
      ["controlPlayback", "/assets/control/sideways"],
      ["orderAssets", "/assets/order", json("POST", { ids: [own.asset_id] })],
      ["orderAssets", "/assets/order", json("POST", { ids: 7 })],
      ["orderAssets", "/assets/order", { ...post, body: "text" }],
      ["uploadFile", "/file_asset", file("file_upload", bytes)],
      [
        "uploadFile",
        "/file_asset",
        file("file_upload", bytes.subarray(0, 10), half),
      ],
      ["uploadFile", "/file_asset", file("other", bytes)],
      ["uploadFile", "/file_asset", post],
      ["beginUpload", upload, json("PUT", { total: 40 })],
      ["beginUpload", upload, json("PUT", { total: 41 })],
      ["beginUpload", upload, json("PUT", { total: 0 })],
      ["beginUpload", "/file_asset/nobody", json("PUT", { total: 40 })],
      ["readUpload", upload],
      ["readUpload", "/file_asset/nobody"],
      ["cancelUpload", upload, { method: "DELETE" }],
      ["cancelUpload", upload, { method: "DELETE" }],
      ["makeBackup", "/backup", post],
      ["makeBackup", "/backup?stream=1", post],
      ["listBackups", "/backups"],
      ["fetchBackup", `/backups/${archive}`],
      ["fetchBackup", "/backups/none.tar.gz"],
      [
        "fetchBackupAsPeer",
        `/../../static_with_mime/${archive}?mime=application/x-tgz`,
      ],
      ["examineBackup", `/backups/${archive}/contents`],
      ["examineBackup", "/backups/none.tar.gz/contents"],
      [
        "examineArchive",
        "/backups/contents",
        file("backup_upload", new Uint8Array(stored)),
      ],
      ["examineArchive", "/backups/contents", file("backup_upload", bytes)],
      ["restoreBackup", `/backups/${archive}/recover`, post],
      ["restoreBackup", "/backups/none.tar.gz/recover", post],
      ["deleteBackup", `/backups/${archive}`, { method: "DELETE" }],
      [
        "recoverBackup",
        "/recover",
        file("backup_upload", new Uint8Array(stored)),
      ],
      ["recoverBackup", "/recover", file("backup_upload", bytes)],
      ["listPlaylists", "/playlists"],
      ["createPlaylist", "/playlists", json("POST", lunch)],
      ["createPlaylist", "/playlists", json("POST", { predicate: "X" })],
      ["readPlaylist", list],
      ["readPlaylist", "/playlists/nobody"],
      ["changePlaylist", list, json("PATCH", { priority: 3 })],
      ["changePlaylist", list, json("PATCH", { items: ["nobody"] })],
      [
        "changePlaylist",
        list,
        json("PATCH", { items: [], items_revision: "of long ago" }),
      ],
      [
        "appendPlaylistItems",
        `${list}/items`,
        json("POST", { items: lunch.items }),
      ],
      [
        "appendPlaylistItems",
        `${list}/items`,
        json("POST", { items: ["nobody"] }),
      ],
      ["updatePlaylist", list, json("PUT", { name: "Dinner" })],
      ["updatePlaylist", list, json("PUT", {})],
      ["deletePlaylist", list, { method: "DELETE" }],
      ["deletePlaylist", list, { method: "DELETE" }],
      [
        "moveToTrash",
        "/trash",
        json("POST", { asset_ids: [at.split("/")[2]] }),
      ],
      ["moveToTrash", "/trash", json("POST", { asset_ids: ["nobody"] })],
      ["listTrash", "/trash"],
      [
        "restoreFromTrash",
        "/trash/restore",
        json("POST", { asset_ids: [at.split("/")[2]] }),
      ],
      ["restoreFromTrash", "/trash/restore", json("POST", { asset_ids: 1 })],
      ["deleteFromTrash", "/trash/nobody", { method: "DELETE" }],
      ["emptyTrash", "/trash", { method: "DELETE" }],
      ["listActivity", "/activity"],
      ["listActivity", "/activity?limit=0"],
      ["listPlaybacks", "/playbacks"],
      ["reportPlaybacks", "/playbacks/report"],
      ["replaceSource", `${at}/source`, json("POST", {})],
      ["pausePlayback", "/pause", json("POST", { seconds: 5 })],
      ["pausePlayback", "/pause", json("POST", { seconds: "x" })],
      ["resumePlayback", "/pause", { method: "DELETE" }],
      ["deleteAsset", at, { method: "DELETE" }],
      ["deleteAsset", "/assets/nobody", { method: "DELETE" }],
      ["reboot", "/reboot", post],
      ["shutdown", "/shutdown", post],
      ["readSettings", "/device_settings"],
      [
        "changeSettings",
        "/device_settings",
        json("PATCH", { timezone: "UTC" }),
      ],
      ["changeSettings", "/device_settings", json("PATCH", { timezone: 7 })],
      ["readScreenshot", "/screenshot"],
      ["readNow", "/now"],
      ["readWhy", "/why?at=2027-01-01"],
      ["readWhy", "/why?at=soon"],
      ["readTakeover", "/takeover"],
      ["takeOver", "/takeover", json("POST", { text: "Out", seconds: 5 })],
      ["takeOver", "/takeover", json("POST", {})],
      ["readTakeover", "/takeover"],
      ["readNow", "/now"],
      ["readWhy", "/why"],
      ["controlPlayback", "/assets/control/next"],
      ["endTakeover", "/takeover", { method: "DELETE" }],
      ["readInfo", "/info"],
      ["readIntegrations", "/integrations"],
      ["streamEvents", "/events"],
      ["readMetrics", "/metrics"],
      ["listTokens", "/tokens"],
      ["createToken", "/tokens", json("POST", { name: "script" })],
      ["createToken", "/tokens", json("POST", { name: "script" })],
      ["readSession", "/session"],
      [
        "signIn",
        "/session",
        {
          ...json("POST", { token: token.body.token as string }),
          headers: {
            ...{ "Content-Type": "application/json" },
            "X-Vitrine-Manager": "1",
          },
        },
      ],
      ["setPassword", "/password", json("PUT", { password: "long enough" })],
      ["setPassword", "/password", json("PUT", { password: "short" })],
      ["readPassword", "/password"],
      ["removePassword", "/password", { method: "DELETE" }],
      ["signOut", "/session", { method: "DELETE" }],
      ["signOutEverywhere", "/sessions", { method: "DELETE" }],
      [
        "revokeToken",
        `/tokens/${token.body.id as string}`,
        { method: "DELETE" },
      ],
      ["revokeToken", "/tokens/nobody", { method: "DELETE" }],
      ["readDescription", "/openapi.json"],
      ["readSync", "/sync"],
      ["runSync", "/sync/run", post],
      ["runSync", "/sync/run", json("POST", { account_id: "00000000" })],
      ["readSyncPlan", "/sync/plan"],
      ["applySync", "/sync/apply", post],
      ["holdSync", "/sync/hold", post],
      ["rollBackSync", "/sync/rollback", post],
      ["listSyncAccounts", "/sync/accounts"],
      ["createSyncAccount", "/sync/accounts", json("POST", cloud)],
      ["createSyncAccount", "/sync/accounts", json("POST", {})],
      ["readSyncAccount", clouds],
      ["changeSyncAccount", clouds, json("PATCH", { download_from: "22:00" })],
      ["changeSyncAccount", clouds, json("PATCH", { mode: "tonight" })],
      ["readPairing", "/sync/pairing"],
      ["beginPairing", "/sync/pairing", json("POST", {})],
      ["beginPairing", "/sync/pairing", json("POST", cloud)],
      ["endPairing", "/sync/pairing", { method: "DELETE" }],
      ["listSyncOrigins", "/sync/origins"],
      ["listLocalChanges", "/sync/local-changes"],
      ["discardLocalChanges", "/sync/local-changes/x", { method: "DELETE" }],
      ["discardAllLocalChanges", "/sync/local-changes", { method: "DELETE" }],
      [
        "discardAllLocalChanges",
        "/sync/local-changes?account_id=00000000",
        { method: "DELETE" },
      ],
      ["listSyncLinks", "/sync/links"],
      ["createSyncChange", `${clouds}/changes`, json("POST", fields)],
      ["createSyncChange", `${clouds}/changes`, json("POST", label)],
      ["listSyncChanges", `${clouds}/changes`],
      ["retrySyncChange", `${queued}/retry`, post],
      ["retrySyncChange", `${queued}/retry`, json("POST", { choose: "mine" })],
      ["deleteSyncChange", queued, { method: "DELETE" }],
      ["deleteSyncChange", queued, { method: "DELETE" }],
      ["listServiceContent", `${clouds}/cloud/labels`],
      ["listServiceContent", `${clouds}/cloud/nothing`],
      ["exportPlan", "/sync/export", post],
      ["importPlan", "/sync/import", file("plan_upload", bytes)],
      ["listPlanKeys", "/sync/keys"],
      ["distrustPlanKey", key, { method: "DELETE" }],
      ["deleteSyncAccount", clouds, { method: "DELETE" }],
      ["readSyncAccount", clouds],
    ];
  for (const [id, path, init] of calls)
    yield { id, answer: await request(path, init) };
  const docs = `${player.apiAddress}/api/docs`;
  yield { id: "readDocumentation", answer: await fetch(docs) };
}

describe("[V2-92] the documentation page", () => {
  it("has every operation, every schema and a command line to try it at this very address", async () => {
    const running = await startPlayer();
    const api = await descriptionOf(running);
    const address = running.player.apiAddress;
    const page = await (await fetch(`${address}/api/docs`)).text();
    expectComplete(page, api);
    expect(page).toContain(`curl ${address}/api/v2/assets<`);
  });

  it("loads nothing from elsewhere and allows no other script", async () => {
    const { player } = await startPlayer();
    const answer = await fetch(`${player.apiAddress}/api/docs`);
    const page = await answer.text();
    const links = expectSelfContained(page, answer.headers);
    expect(links).toEqual(["/api/v2/openapi.json"]);
  });

  it("is not served under another host name", async () => {
    const { player } = await startPlayer();
    const { status, body } = await rawRequest(`${player.apiAddress}/api/docs`, {
      headers: { Host: '"><script>alert(1)</script>' },
    });
    expect(status).toBe(403);
    expect(JSON.stringify(body)).not.toContain("script");
    const unknown = await fetch(`${player.apiAddress}/api/docs/more`);
    expect((await answerOf(unknown)).status).toBe(404);
  });
});
