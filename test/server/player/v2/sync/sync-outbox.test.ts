// API v2: pairing, outbox and offline bundles: what is rejected, with which messages, and what is never returned.

import { readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { SyncV2 } from "../../../../../server/contract/v2/v2-sync.ts";
import { contentKey } from "../../../../support/content/start-content.ts";
import {
  startFullSync,
  type RunningFullSync,
} from "../../../../support/sync/start-full-sync.ts";
import { startPlayer } from "../../../../support/player/start-player.ts";
import { serveWeb, silence } from "../../../../support/http/web-server.ts";

/** A connection to a service that never answers: what is queued stays. */
async function withConnection(): Promise<{
  running: RunningFullSync;
  at: string;
}> {
  const running = await startFullSync();
  const { body } = await running.send("POST", "/sync/accounts", {
    base_url: "http://127.0.0.1:9",
    token: contentKey,
    version: "v4.1",
    is_enabled: false,
  });
  return { running, at: `/sync/accounts/${body.account_id}` };
}

const label = {
  collection: "labels",
  action: "create",
  fields: { name: "Lobby" },
};

it("[V2-300] [V2-310] [V2-320] a player without sync says that it has none", async () => {
  const { request, send } = await startPlayer();
  for (const at of [
    "/sync/pairing",
    "/sync/links",
    "/sync/accounts/a/changes",
    "/sync/accounts/a/cloud/labels",
    "/sync/keys",
  ])
    expect([at, (await request(at)).status]).toEqual([at, 503]);
  expect(
    (await send("POST", "/sync/pairing", { base_url: "http://example.org" }))
      .status,
  ).toBe(503);
  expect((await send("POST", "/sync/export", {})).status).toBe(503);
});

describe("a change", () => {
  it("[V2-311] [V2-318] is rejected by field, whatever is wrong with it", async () => {
    const { running, at } = await withConnection();
    const cases: readonly (readonly [string, object, readonly string[]])[] = [
      ["no body", {}, ["collection", "action"]],
      [
        "an unknown collection",
        { ...label, collection: "screens" },
        ["collection"],
      ],
      ["an unknown action", { ...label, action: "read" }, ["action"]],
      [
        "an unknown field",
        { ...label, fields: { name: "A", colour: "red" } },
        ["fields.colour"],
      ],
      ["no name", { ...label, fields: {} }, ["fields.name"]],
      [
        "a name that is none",
        { ...label, fields: { name: " " } },
        ["fields.name"],
      ],
      ["fields that are none", { ...label, fields: "[]" }, ["fields"]],
      ["an identifier of what is new", { ...label, id: "L1" }, ["id"]],
      [
        "an identifier with a path",
        { ...label, action: "delete", id: "../x", base: {} },
        ["id"],
      ],
      [
        "no identifier",
        { ...label, action: "change", base: { name: "A" } },
        ["id"],
      ],
      ["no base", { ...label, action: "change", id: "L1" }, ["base"]],
      [
        "a deletion without a base",
        { collection: "labels", action: "delete", id: "L1" },
        ["base"],
      ],
      [
        "nothing to change",
        {
          collection: "labels",
          action: "change",
          id: "L1",
          fields: {},
          base: {},
        },
        ["fields"],
      ],
      [
        "a file and an address",
        {
          collection: "assets",
          action: "create",
          fields: {
            title: "A",
            source_url: "http://a/",
            file: `upload:${"0".repeat(32)}`,
          },
        },
        ["fields.file"],
      ],
      [
        "neither a file nor an address",
        { collection: "assets", action: "create", fields: { title: "A" } },
        ["fields.file"],
      ],
      [
        "an upload that is not there",
        {
          collection: "assets",
          action: "create",
          fields: { title: "A", file: `upload:${"0".repeat(32)}` },
        },
        ["fields.file"],
      ],
      [
        "an address of this machine",
        {
          collection: "assets",
          action: "create",
          fields: { title: "A", source_url: "file:///etc/passwd" },
        },
        ["fields.source_url"],
      ],
      [
        "a predicate that is none",
        {
          collection: "playlists",
          action: "create",
          fields: { title: "A", predicate: "$NEVER" },
        },
        ["fields.predicate"],
      ],
      [
        "items that are none",
        {
          collection: "playlists",
          action: "create",
          fields: { title: "A", items: [{ asset: "x" }] },
        },
        ["fields.items"],
      ],
      [
        "a length that is none",
        {
          collection: "playlists",
          action: "create",
          fields: { title: "A", items: [{ asset_id: "x", duration: -1 }] },
        },
        ["fields.items"],
      ],
      [
        "a header of two lines",
        {
          collection: "assets",
          action: "create",
          fields: {
            title: "A",
            source_url: "http://a/",
            headers: { A: "b\r\nc" },
          },
        },
        ["fields.headers"],
      ],
    ];
    for (const [name, body, fields] of cases) {
      const answer = await running.send("POST", `${at}/changes`, body);
      expect([name, answer.status, Object.keys(answer.body as object)]).toEqual(
        [name, 400, fields],
      );
    }
    expect(await (await running.request(`${at}/changes`)).json()).toEqual([]);
  });

  it("[V2-315] [V2-316] is 404 when it does not exist, and invalid requests are rejected", async () => {
    const { running, at } = await withConnection();
    const { body } = await running.send("POST", `${at}/changes`, label);
    const one = `${at}/changes/${body.change_id}`;
    expect(
      await running.send("POST", `${one}/retry`, { choose: "mine" }),
    ).toMatchObject({ status: 409 });
    expect(
      await running.send("POST", `${one}/retry`, { choose: "both" }),
    ).toMatchObject({ status: 400 });
    for (const [method, path] of [
      ["POST", `${at}/changes/none/retry`],
      ["DELETE", `${at}/changes/none`],
      ["GET", "/sync/accounts/00000000/changes"],
      ["GET", `${at}/cloud/teams`],
    ] as const)
      expect([path, (await running.request(path, { method })).status]).toEqual([
        path,
        404,
      ]);
    for (const query of ["limit=0", "limit=501", "limit=x", "after=../x"])
      expect([
        query,
        (await running.request(`${at}/cloud/labels?${query}`)).status,
      ]).toEqual([query, 400]);
    expect((await running.request(`${at}/cloud/labels`)).status).toBe(503);
    expect((await running.request(one, { method: "DELETE" })).status).toBe(204);
    expect(
      (await running.request(`${at}/changes`, { method: "PUT" })).status,
    ).toBe(405);
  });

  it("[V2-386] is counted with its connection, until the service has it", async () => {
    const { running, at } = await withConnection();
    const counts = async () => {
      const { accounts } = (await (
        await running.request("/sync")
      ).json()) as SyncV2;
      return accounts.map((one) => [
        one.kind,
        one.changes_waiting,
        one.changes_stuck,
      ]);
    };
    expect(await counts()).toEqual([["cloud", 0, 0]]);
    await running.send("POST", `${at}/changes`, label);
    expect(await counts()).toEqual([["cloud", 1, 0]]);
    const [change] = (await (
      await running.request(`${at}/changes`)
    ).json()) as {
      change_id: string;
    }[];
    await running.request(`${at}/changes/${change?.change_id}`, {
      method: "DELETE",
    });
    expect(await counts()).toEqual([["cloud", 0, 0]]);
  });

  it("[V2-310] keeps its file, is in no backup, and is removed with its connection", async () => {
    const { running, at } = await withConnection();
    const asset = await running.add({ name: "Spring" });
    await running.send("POST", `${at}/changes`, {
      collection: "assets",
      action: "create",
      fields: { title: "Spring", file: `asset:${asset.asset_id}` },
    });
    await running.request(`/assets/${asset.asset_id}`, { method: "DELETE" });
    const { extensionRows } = running.player.forSync;
    const [connectionId = ""] = extensionRows.connectionsWithChanges();
    const hash = extensionRows.changes(connectionId)[0]?.fileHash ?? "";
    expect(extensionRows.pathOfFile(hash)).not.toBeNull();
    const backup = await running.request("/backup?stream=1", {
      method: "POST",
    });
    const form = new FormData();
    form.set(
      "backup_upload",
      new Blob([await backup.arrayBuffer()]),
      "b.tar.gz",
    );
    const far = await startFullSync();
    expect(
      (await far.request("/recover", { method: "POST", body: form })).status,
    ).toBe(200);
    expect(far.player.forSync.extensionRows.connectionsWithChanges()).toEqual(
      [],
    );
    expect((await running.request(at, { method: "DELETE" })).status).toBe(204);
    expect((await running.request(`${at}/changes`)).status).toBe(404);
  });
});

it("[V2-302] [V2-321] exposes no credential and no key in a response or an address", async () => {
  const web = await serveWeb({});
  web.answers.set("/link/v1/players", (response) => {
    response.writeHead(201, { "Content-Type": "application/json" });
    response.end(
      JSON.stringify({
        player_id: "p",
        credential: "vitrine-screen-SECRET",
        pin: "ABC234",
        expires_at: "2030-01-01T00:00:00Z",
        expires_in_seconds: 900,
      }),
    );
  });
  web.answers.set("/link/v1/player", silence);
  const running = await startFullSync();
  const paired = await running.send("POST", "/sync/pairing", {
    base_url: web.address,
  });
  expect(paired).toMatchObject({ status: 201, body: { pin: "ABC234" } });
  const { own } = (await (await running.request("/sync/keys")).json()) as {
    own: string;
  };
  const key = await readFile(
    path.join(running.dataDir, "sync", "tokens", "plan-key.token"),
    "utf8",
  );
  const reported = [
    JSON.stringify(paired.body),
    own,
    await (await running.request("/sync/pairing")).text(),
  ].join();
  expect(reported).not.toContain("SECRET");
  expect(reported).not.toContain(key.slice("plain:".length, 60));
  for (const { url } of web.requests) expect(url).not.toContain("SECRET");
});
