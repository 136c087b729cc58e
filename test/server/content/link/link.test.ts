// Pairing and link: a player becomes a screen and stays in touch, over real sockets, on both databases.

import { describe, expect, it } from "vitest";
import { playerLink } from "../../../../server/contract/link/link.ts";
import { screenListV3, screenV3 } from "../../../../server/contract/v3/v3.ts";
import { eachV3 } from "../../../support/content/each-v3.ts";
import {
  claimedPlayer,
  playbackOf,
  registerPlayer,
  stableRevision,
} from "../../../support/content/linked-player.ts";
import { png } from "../../../support/media/media.ts";
import { openConnection } from "../../../support/http/raw-request.ts";
import { serveSources } from "../../../support/http/sources.ts";

eachV3((service) => {
  describe("a waiting player", () => {
    it("[L-1] [L-2] [L-3] [L-5] shows a PIN, waits, and becomes the screen it was claimed as", async () => {
      const client = await service.client();
      const facts = { name: "Till", mac: "02:00:00:00:00:01" };
      const player = await registerPlayer(service.address(), facts);
      expect(player.pin).toMatch(/^[A-HJKMNP-TV-Z2-9]{6}$/);
      const state = async (query = "") =>
        playerLink.parse(
          await (
            await player.request("GET", `/api/link/v1/player/${query}`)
          ).json(),
        );
      expect(await state()).toMatchObject({
        ...{ status: "waiting", pin: player.pin },
      });
      const waiting = state("?wait=20");
      const typed = ` ${player.pin.slice(0, 3).toLowerCase()}-${player.pin.slice(3)} `;
      const screen = screenV3.parse(
        await client.make("/screens/", { pin: typed }),
      );
      expect(screen).toMatchObject({
        ...{ name: "Till", status: "Offline", type: "hardware" },
        ...{ mac: "02:00:00:00:00:01", in_sync: false },
        hostname: expect.stringMatching(/^srly-[a-z0-9]{15}$/) as string,
      });
      const claimed = await waiting;
      expect(claimed).toMatchObject({
        status: "claimed",
        screen: {
          ...{ id: screen.id, team_id: screen.team, timezone: "UTC" },
          labels: expect.arrayContaining([
            expect.objectContaining({ id: screen.id, type: "screen" }),
            expect.objectContaining({ type: "all-screens" }),
          ]) as unknown,
        },
      });
      const again = await client.call("POST", "/screens", {
        pin: player.pin,
      });
      expect([again.status, Object.keys(again.json as object)]).toEqual([
        ...[400, ["pin"]],
      ]);
    });

    it("[L-4] gets a new PIN, which invalidates the one before", async () => {
      const client = await service.client();
      const player = await registerPlayer(service.address());
      const renewed = await player.request("POST", "/link/v1/pin");
      const { pin } = (await renewed.json()) as { pin: string };
      expect([renewed.status, pin === player.pin]).toEqual([201, false]);
      const old = { pin: player.pin };
      expect((await client.call("POST", "/screens/", old)).status).toBe(400);
      await client.make("/screens/", { pin });
      expect((await player.request("POST", "/link/v1/pin")).status).toBe(409);
    });

    it("[L-16] is denied what only a screen may do", async () => {
      const player = await registerPlayer(service.address());
      for (const [method, path] of [
        ...[["POST", "heartbeat"] as const, ["GET", "news"] as const],
        ...[["POST", "playbacks"] as const, ["PUT", "screenshot"] as const],
      ])
        expect((await player.request(method, `/link/v1/${path}`)).status).toBe(
          403,
        );
      const nobody = await fetch(`${service.address()}/link/v1/news`, {
        headers: { Authorization: "Bearer vitrine-screen-nobody" },
      });
      expect([nobody.status, await nobody.json()]).toEqual([
        ...[401, { detail: expect.any(String) as string }],
      ]);
    });
  });

  describe("a screen", () => {
    it("[L-8] [V4-38] stays in its own label and All Screens, and joins no other screen's own label", async () => {
      const client = await service.client();
      const [one, two] = [
        await claimedPlayer(client, "One"),
        await claimedPlayer(client, "Two"),
      ];
      const labelsOf = async ({ screenId, beat }: typeof one) => {
        const { labels } = (await beat()).screen;
        return [labels.map(({ type }) => type), labels.at(-1)?.id === screenId];
      };
      const builtIn = await client.rows("/v4.1/labels?select=id,type");
      for (const label of builtIn)
        for (const { screenId } of [one, two]) {
          const gone = await client.call(
            "DELETE",
            `/v4.1/labels/screens?label_id=eq.${label.id}&screen_id=eq.${screenId}`,
          );
          const isTheirs =
            label["type"] === "all-screens" || label.id === screenId;
          expect(gone.status).toBe(isTheirs ? 403 : 204);
          const added = await client.call("POST", "/v4.1/labels/screens", {
            ...{ label_id: label.id, screen_id: screenId },
          });
          expect([added.status, added.json.code]).toEqual(
            isTheirs ? [409, "23505"] : [403, "42501"],
          );
        }
      for (const player of [one, two])
        expect(await labelsOf(player)).toEqual([
          ...[["all-screens", "screen"], true],
        ]);
    });

    it("[L-6] [L-8] reports its status, and both versions return it", async () => {
      const client = await service.client();
      const player = await claimedPlayer(client);
      const news = await player.beat({
        sync: "syncing",
        facts: { uptime: 4711, load_avg: "0.1", software_version: "1.2" },
      });
      expect(news).toMatchObject({
        ...{ heartbeat_in_seconds: 30, commands: [] },
        screen: { id: player.screenId, name: "Window" },
      });
      const read = () => client.get(`/screens/${player.screenId}/`);
      expect(await read()).toMatchObject({
        ...{ status: "Syncing", in_sync: false, uptime: "4711" },
        ...{ load_avg: "0.1", software_version: "1.2" },
        ...{ last_ip: expect.stringContaining("127.0.0.1") as string },
      });
      await player.beat();
      expect(await read()).toMatchObject({
        status: "In Sync",
        in_sync: true,
      });
      await player.beat({ sync: "out-of-sync" });
      expect(await read()).toMatchObject({ status: "Out Of Sync" });
      const [row] = await client.rows(
        `/v4.1/screens?id=eq.${player.screenId}&select=status,uptime,report:screen_reports(client_version)`,
      );
      expect(row).toEqual({
        ...{ status: "Out Of Sync", uptime: 4711 },
        report: { client_version: "1.2" },
      });
    });

    it("[L-33] [V3-80] [V4-311] reports how many of its items are here and failed, and both versions return it", async () => {
      const client = await service.client();
      const player = await claimedPlayer(client);
      const read = async () =>
        screenV3.parse(await client.get(`/screens/${player.screenId}/`));
      const lacking = () =>
        client.rows(
          "/v4.1/screens?item_counts->failed=gt.0&select=id,item_counts",
        );
      expect(await read()).toMatchObject({ item_counts: null });
      const item_counts = { wanted: 2, here: 1, failed: 1 };
      await player.beat({ sync: "out-of-sync", item_counts });
      expect(await read()).toMatchObject({ in_sync: false, item_counts });
      expect(await lacking()).toEqual([{ id: player.screenId, item_counts }]);
      const [listed] = (await client.get("/screens/")) as unknown[];
      expect(screenListV3.parse(listed)).not.toHaveProperty("item_counts");
      const complete = { wanted: 2, here: 2, failed: 0 };
      await player.beat({ item_counts: complete });
      expect(await read()).toMatchObject({
        in_sync: true,
        item_counts: complete,
      });
      expect(await lacking()).toEqual([]);
      // Like players before this version.
      await player.beat();
      expect(await read()).toMatchObject({ in_sync: true, item_counts: null });
    });

    it.each([
      { wanted: 2, here: 1, failed: 1 },
      { wanted: 2, here: 1, failed: 0 },
      { wanted: 2, here: 2, failed: 1 },
    ])(
      "[L-34] is not in sync with %j, whatever else it reports",
      async (item_counts) => {
        const client = await service.client();
        const player = await claimedPlayer(client);
        const shown = () => client.get(`/screens/${player.screenId}/`);
        await player.beat({ item_counts });
        expect(await shown()).toMatchObject({
          ...{ status: "Out Of Sync", in_sync: false, item_counts },
        });
        await player.beat({ sync: "syncing", item_counts });
        expect(await shown()).toMatchObject({
          ...{ status: "Syncing", in_sync: false, item_counts },
        });
      },
    );

    it.each([
      ["failed", { wanted: 2, here: 1 }],
      ["failed", { wanted: 2, here: 1, failed: -1 }],
      ["here", { wanted: 2, here: 0.5, failed: 0 }],
    ])(
      "[L-33] has an invalid count rejected: %s of %j",
      async (name, counts) => {
        const client = await service.client();
        const player = await claimedPlayer(client);
        const answer = await player.request("POST", "/link/v1/heartbeat", {
          ...{ sync: "in-sync", item_counts: counts },
        });
        expect([
          answer.status,
          Object.keys((await answer.json()) as object),
        ]).toEqual([...[400, [`item_counts.${name}`]]]);
      },
    );

    it("[L-9] [L-10] is notified at once of content changes, and not of heartbeats", async () => {
      const client = await service.client();
      const player = await claimedPlayer(client);
      const first = await stableRevision(player);
      // Of another team, and waiting since before: it is not notified before its wait is over.
      const stranger = await claimedPlayer(await service.client());
      let isOver = false;
      const strangers = stranger.news(
        `revision=${await stableRevision(stranger)}&wait=30`,
      );
      void strangers.then(
        () => (isOver = true),
        () => (isOver = true),
      );
      const waiting = player.news(`revision=${first}&wait=30`);
      await expect
        .poll(() => client.get(`/screens/${player.screenId}/`))
        .toMatchObject({ ws_open: true });
      await player.beat();
      await player.send([playbackOf("A")]);
      await client.make("/playlists/", { title: "New" });
      const news = await waiting;
      expect(news.revision).not.toBe(first);
      // Otherwise it would have been notified at the end of its wait.
      expect(isOver).toBe(false);
      const { revision } = await player.news(`revision=${news.revision}`);
      expect(revision).toBe(news.revision);
    });

    it("[L-10] is notified of what ingest finished", async () => {
      const client = await service.client();
      const player = await claimedPlayer(client);
      let hand = (): void => undefined;
      const requests = new Promise<void>((resolve) => (hand = resolve));
      let give = (): void => undefined;
      const source = await serveSources({
        "/p.png": (_request, response) => {
          give = () => response.end(png([200, 30, 30]));
          hand();
        },
      });
      await client.make("/assets/", {
        ...{ title: "p.png", source_url: `${source.address}/p.png` },
      });
      await requests;
      const before = await stableRevision(player);
      const waiting = player.news(`revision=${before}&wait=30`);
      give();
      const { revision } = await waiting;
      expect(Number(revision)).toBeGreaterThan(Number(before));
      const [asset] = await client.rows("/v4.1/assets?select=status");
      expect(asset).toEqual({ status: "finished" });
    });

    it("[L-10] is notified of writes for a client that had disconnected by then", async () => {
      const client = await service.client();
      const player = await claimedPlayer(client);
      const before = await stableRevision(player);
      // The first request is the write, which waits; ingest waits for ever, and so notifies nothing.
      const requests: (() => void)[] = [];
      const source = await serveSources({
        "/page": (_request, response) => {
          requests.push(() => response.end());
        },
      });
      const body = JSON.stringify({ source_url: `${source.address}/page` });
      const gone = await openConnection(
        service.address(),
        [
          ...["POST /v4/assets HTTP/1.1", "Host: localhost"],
          ...[`Authorization: Token ${client.key}`],
          ...["Content-Type: application/json"],
          ...[`Content-Length: ${body.length}`, "", body],
        ].join("\r\n"),
      );
      await expect.poll(() => requests).toHaveLength(1);
      gone.destroy();
      await expect
        .poll(async () => (await client.request("/metrics")).text())
        .toContain("_requests_under_way 0\n");
      requests[0]?.();
      const { revision } = await player.news(`revision=${before}&wait=20`);
      expect(Number(revision)).toBeGreaterThan(Number(before));
      expect(await client.rows("/v4/assets")).toHaveLength(1);
    });

    it("[L-11] [L-17] [V3-46] receives a command until it reports it as done", async () => {
      const client = await service.client();
      const player = await claimedPlayer(client);
      const { revision } = { revision: await stableRevision(player) };
      const waiting = player.news(`revision=${revision}&wait=30`);
      const path = `/screens/${player.screenId}/commands/`;
      const ordered = await client.make(path, { kind: "screenshot" });
      const news = await waiting;
      const { id, kind, created_at, expires_at } = ordered;
      const listed = { id, kind, created_at, expires_at, arguments: {} };
      expect([news.revision, news.commands]).toEqual([...[revision, [listed]]]);
      expect((await player.beat()).commands).toEqual([listed]);
      const done = [{ id: ordered.id as string, is_done: true }];
      expect((await player.beat({ done })).commands).toEqual([]);
      const odd = await client.call("POST", path, { kind: "dance" });
      expect([odd.status, Object.keys(odd.json as object)]).toEqual([
        ...[400, ["kind"]],
      ]);
    });

    it("[L-13] sends a screenshot, which the team can open", async () => {
      const client = await service.client();
      const player = await claimedPlayer(client);
      const send = (bytes: Buffer): Promise<Response> =>
        fetch(`${client.address}/link/v1/screenshot`, {
          ...{ method: "PUT", body: new Uint8Array(bytes) },
          headers: { Authorization: `Bearer ${player.credential}` },
        });
      expect((await send(Buffer.from("no image"))).status).toBe(400);
      const screenshot = png([200, 30, 30]);
      expect((await send(screenshot)).status).toBe(204);
      const screen = await client.get(`/screens/${player.screenId}/`);
      const shown = await fetch(screen.last_screenshot as string);
      expect([
        shown.headers.get("content-type"),
        Buffer.from(await shown.arrayBuffer()).equals(screenshot),
      ]).toEqual(["image/png", true]);
      expect(screen.last_screenshot_time).not.toBeNull();
    });

    it("[L-15] reads what its team can read, and changes nothing", async () => {
      const client = await service.client();
      const player = await claimedPlayer(client);
      await client.make("/playlists/", { title: "Ours" });
      for (const path of ["/api/v3/playlists/", "/v4.1/playlists"]) {
        const rows = await (await player.request("GET", path)).json();
        expect(rows).toMatchObject([{ title: "Ours" }]);
      }
      const write = await player.request("POST", "/api/v3/playlists/", {
        title: "Mine",
      });
      expect(write.status).toBe(403);
    });

    it("[L-16] is notified when it was deleted, in either version", async () => {
      const client = await service.client();
      const player = await claimedPlayer(client);
      const gone = client.call("DELETE", `/screens/${player.screenId}/`);
      expect((await gone).status).toBe(200);
      expect((await player.request("GET", "/link/v1/news")).status).toBe(410);
      expect((await player.request("GET", "/link/v1/player")).status).toBe(410);
      for (const path of ["/api/v3/playlists/", "/v4/assets"])
        expect((await player.request("GET", path)).status).toBe(401);
      expect(await client.rows("/v4.1/labels?type=eq.screen")).toEqual([]);
    });
  });

  describe("playbacks", () => {
    it("[L-12] are stored exactly once, however often and in whatever batch they are sent", async () => {
      const client = await service.client();
      const player = await claimedPlayer(client);
      const many = Array.from({ length: 700 }, () => playbackOf("A1"));
      const stored = async (of: typeof many) =>
        ((await (await player.send(of)).json()) as { stored: number }).stored;
      const answers = await Promise.all([
        ...[stored(many), stored(many.slice(0, 300))],
        ...[
          stored(many.slice(200)),
          stored([...many.slice(0, 5), ...many.slice(0, 5)]),
        ],
      ]);
      expect(answers.reduce((sum, each) => sum + each, 0)).toBe(700);
      expect(await client.get("/playbacks?limit=10000")).toHaveLength(700);
      expect(await stored(many)).toBe(0);
      const other = await claimedPlayer(client, "Other");
      const same = await other.send(many.slice(0, 2));
      expect(await same.json()).toEqual({ stored: 2 });
    });

    it("[L-12] that are invalid reject the whole request and are named", async () => {
      const client = await service.client();
      const player = await claimedPlayer(client);
      const late = { ended_at: "2026-05-01T09:00:00Z" };
      const answer = await player.send([
        ...[playbackOf("A"), playbackOf("B", late)],
      ]);
      expect([answer.status, await answer.json()]).toEqual([
        ...[
          400,
          {
            "playbacks.1.ended_at": [
              "playbacks.1.ended_at must not be before started_at",
            ],
          },
        ],
      ]);
      expect(await client.get("/playbacks")).toEqual([]);
    });
  });
});
