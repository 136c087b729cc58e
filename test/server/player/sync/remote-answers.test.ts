// Unusual responses of a version 4 service, too large, malformed or from something else: what is applied, and what is reported.

import path from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { openSqlite } from "../../../../server/platform/sqlite/sqlite.ts";
import {
  cloudImage,
  sendJson,
  type Answer,
} from "../../../support/faulty-service/faulty-service.ts";
import {
  red,
  startConnectedPlayer,
} from "../../../support/sync/connected-player.ts";
import {
  hurried,
  old,
  rest,
  startSyncedPlayer,
} from "../../../support/sync/synced-player.ts";

const [one, two, three] = [
  cloudImage("one", [255, 0, 0]),
  cloudImage("two", [0, 255, 0]),
  cloudImage("three", [0, 0, 255]),
];

const answering =
  (status: number, type: string, body: string): Answer =>
  (_request, response) =>
    void response.writeHead(status, { "Content-Type": type }).end(body);

const playlistNames = async (running: {
  readonly request: (path: string) => Promise<Response>;
}): Promise<readonly string[]> => {
  const all = (await (await running.request("/playlists")).json()) as readonly {
    readonly name: string;
  }[];
  return all.map(({ name }) => name);
};

describe("a version 4 response", () => {
  it("[V2-540] that does not contain the requested rows removes nothing", async () => {
    const running = await startSyncedPlayer();
    const label = { id: "L1", type: "all-screens", name: "all-screens" };
    for (const body of [
      [null],
      [label],
      [{ ...label, playlists: null }],
      [{ ...label, playlists: [{ id: "P1", title: "P1" }] }],
      [{ ...label, playlists: [{ title: "P1", playlist_items: [] }] }],
      [{ ...label, playlists: [{ id: "P1", playlist_items: [7] }] }],
    ]) {
      running.cloud.list = (_request, response) => sendJson(response, body);
      const status = await rest(running);
      expect([body, status.problem?.code]).toEqual([body, "malformed"]);
      await running.assertUndisturbed();
    }
    running.cloud.list = null;
    expect(await rest(running)).toMatchObject({
      problem: null,
      isInSync: true,
    });
  });

  it("[V2-545] [V2-546] with an invalid predicate keeps that playlist as it was, named, until it is valid or gone", async () => {
    const running = await startConnectedPlayer(
      {},
      { sync: { clock: hurried } },
    );
    running.cloud.playlists = [
      { id: "P1", assets: [red, one, two] },
      { id: "P2", assets: [three] },
    ];
    expect(await running.syncNow()).toMatchObject({ isInSync: true });
    running.cloud.playlists = [
      { id: "P1", assets: [red, one], row: { title: "Renamed" } },
      { id: "P2", assets: [three], row: { predicate: "$NOBODY = 1" } },
    ];
    expect(await running.syncNow()).toMatchObject({
      ...{ isInSync: false, problem: null, hold: null },
      itemFailures: [{ remoteId: "P2", name: "P2" }],
    });
    expect(await playlistNames(running)).toEqual(["Renamed", "P2"]);
    expect((await running.names()).toSorted()).toEqual(["one", "red", "three"]);
    running.cloud.playlists = running.cloud.playlists.slice(0, 1);
    expect(await running.syncNow()).toMatchObject({
      isInSync: true,
      itemFailures: [],
    });
    expect(await playlistNames(running)).toEqual(["Renamed"]);
  });

  it("[V2-548] with an emoji across the length limit of a title is cut before it, follows the next title, and blocks no second connection", async () => {
    const running = await startConnectedPlayer(
      {},
      { sync: { clock: hurried } },
    );
    const title = `${"x".repeat(999)}😀😀`;
    const withTitle = (text: string, name: string): void => {
      running.cloud.playlists = [
        {
          ...{ id: "P1", row: { title: name } },
          assets: [{ ...red, row: { title: text } }],
        },
      ];
    };
    withTitle(title, title);
    expect(await running.syncNow()).toMatchObject({
      ...{ isInSync: true, itemFailures: [{ remoteId: "red" }] },
    });
    const cut = `${"x".repeat(999)}😀`;
    expect(await running.names()).toEqual([cut]);
    await running.connect({ baseUrl: running.cloud.address, name: "Again" });
    expect(running.sync.status()).toMatchObject([
      { isInSync: true, problem: null },
      { isInSync: true, problem: null },
    ]);
    withTitle("Short", "Brief");
    running.sync.run();
    await running.until(
      ({ phase, nextPollAt }) => phase === "idle" && nextPollAt !== null,
    );
    await expect
      .poll(async () => (await running.names()).toSorted())
      .toEqual(["Short", "Short-1"]);
    await expect
      .poll(async () => (await playlistNames(running)).toSorted())
      .toEqual(["Brief", "Brief-1"]);
  });

  it("[V2-548] with lone surrogates anywhere is stored without them, and is not a local change", async () => {
    const running = await startConnectedPlayer(
      {},
      { sync: { clock: hurried } },
    );
    const row = {
      ...{ title: "A\ud83dB", headers: { "X-One": "1" } },
      metadata: { "k\ude00": ["\ud83d"] },
      js_injection: "log('\ud83d')",
    };
    const page = (title: string) => ({ id: "page", row: { ...row, title } });
    running.cloud.playlists = [{ id: "P1", assets: [red, page("A\ud83dB")] }];
    expect(await running.syncNow()).toMatchObject({ isInSync: true });
    expect(await running.list()).toMatchObject([
      { name: "red" },
      { name: "AB", js_injection: "log('')", metadata: { k: [""] } },
    ]);
    running.cloud.playlists = [{ id: "P1", assets: [red, page("C\ude00")] }];
    await running.syncNow();
    expect(await running.names()).toEqual(["red", "C"]);
  });

  it("[V2-548] with values that the player does not accept keeps the valid ones, and reports which are left out", async () => {
    const running = await startConnectedPlayer(
      {},
      { sync: { clock: hurried } },
    );
    const script = "/* long */".repeat(50_000);
    running.cloud.playlists = [
      {
        id: "P1",
        assets: [
          red,
          {
            id: "page",
            row: {
              headers: { "X-Good": "1", "bad name": "2", Host: "3", "X-N": 4 },
              metadata: { note: "m".repeat(60_000) },
              js_injection: script,
            },
          },
          { id: "large", row: { metadata: { note: "m".repeat(70_000) } } },
        ],
      },
    ];
    const status = await running.syncNow();
    expect(status).toMatchObject({ isInSync: true });
    expect(
      status.itemFailures.map(({ remoteId }) => remoteId).toSorted(),
    ).toEqual(["large", "page"]);
    const reported = status.itemFailures.map(({ reason }) => reason).join(" ");
    expect(reported).toContain(
      'headers must not contain the header "bad name"',
    );
    expect(reported).toContain('headers must not contain the header "Host"');
    expect(reported).toContain(
      "headers must have ASCII text as the value of X-N",
    );
    expect(reported).toContain(
      "metadata must have at most 65536 characters as JSON",
    );
    const [page] = (await running.list()).filter(({ name }) => name === "page");
    expect(page).toMatchObject({
      custom_headers: { "X-Good": "1" },
      js_injection: script,
      metadata: { note: "m".repeat(60_000) },
    });
  });

  it("[V2-549] that is larger than any list when decompressed is rejected, and the player continues", async () => {
    const running = await startSyncedPlayer();
    const bomb = gzipSync(Buffer.alloc(80 * 1024 * 1024, "[{},{},"));
    expect(bomb.length).toBeLessThan(500_000);
    running.cloud.list = (_request, response) =>
      void response
        .writeHead(200, {
          ...{ "Content-Type": "application/json" },
          "Content-Encoding": "gzip",
        })
        .end(bomb);
    expect((await rest(running)).problem).toMatchObject({ code: "malformed" });
    const many = gzipSync(`[${"{},".repeat(4_000_000)}{}]`);
    running.cloud.list = (_request, response) =>
      void response
        .writeHead(200, {
          ...{ "Content-Type": "application/json" },
          "Content-Encoding": "gzip",
        })
        .end(many);
    expect((await rest(running)).problem).toMatchObject({ code: "malformed" });
    await running.assertUndisturbed();
    running.cloud.list = null;
    expect(await rest(running)).toMatchObject({ problem: null });
  });

  it.each<[string, number, string, string]>([
    ["404", 404, "text/plain", "404 page not found"],
    ["401", 401, "text/plain", "Unauthorized"],
    ["403", 403, "application/json", '{"error":"denied"}'],
    ["a page's 404", 404, "text/html", "<html>nginx</html>"],
  ])(
    "[V2-542] that is a gateway's %s changes neither the version nor the content here",
    async (_, status, type, body) => {
      const running = await startSyncedPlayer();
      running.cloud.list = answering(status, type, body);
      running.cloud.opening = answering(status, type, body);
      const during = await rest(running);
      expect(during).toMatchObject({ version: "v4.1" });
      expect(during.problem?.code).toMatch(/^(unavailable|portal)$/);
      await running.assertUndisturbed();
      running.cloud.list = null;
      running.cloud.opening = null;
      running.cloud.playlists = [
        { id: "P1", assets: [old], row: { title: "Now" } },
      ];
      expect(await rest(running)).toMatchObject({
        ...{ version: "v4.1", problem: null, isInSync: true },
      });
      expect(await playlistNames(running)).toEqual(["Now"]);
    },
  );

  it("[V2-550] with one row that the database rejects is applied in everything else, and that one is named", async () => {
    const running = await startConnectedPlayer(
      {},
      { sync: { clock: hurried } },
    );
    const database = openSqlite(path.join(running.dataDir, "vitrine.db"));
    for (const table of ["assets", "playlists"])
      database.exec(
        `CREATE TRIGGER no_bad_${table} BEFORE UPDATE ON ${table} WHEN NEW.name = 'bad'
         BEGIN SELECT RAISE(ABORT, 'never'); END`,
      );
    database.close();
    const renamed = (asset: typeof red, title: string) => ({
      ...asset,
      row: { title },
    });
    running.cloud.playlists = [
      { id: "P1", assets: [renamed(red, "bad"), one], row: { title: "bad" } },
      { id: "P2", assets: [renamed(two, "fine")] },
    ];
    expect(await running.syncNow()).toMatchObject({
      ...{ problem: null, isInSync: false, hold: null },
      itemFailures: [
        { remoteId: "red", name: "bad" },
        { remoteId: "P1", name: "bad" },
      ],
    });
    expect((await running.names()).toSorted()).toEqual(["fine", "one", "red"]);
    expect(await playlistNames(running)).toEqual(["P1", "P2"]);
    running.cloud.playlists = [
      { id: "P1", assets: [renamed(red, "good"), one], row: { title: "good" } },
    ];
    expect(await running.syncNow()).toMatchObject({
      isInSync: true,
      itemFailures: [],
    });
    expect((await running.names()).toSorted()).toEqual(["good", "one"]);
    expect(await playlistNames(running)).toEqual(["good"]);
  });
});
