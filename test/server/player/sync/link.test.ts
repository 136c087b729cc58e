// Pairing and link: a player becomes a screen of a content service and stays in touch with it, over real sockets and interruptions.

import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it, vi } from "vitest";
import {
  oneService,
  type TeamsService,
} from "../../../support/content/one-service.ts";
import { openFaultyPath } from "../../../support/http/faulty-path.ts";
import { temporaryFolder } from "../../../support/folder.ts";
import { png } from "../../../support/media/media.ts";
import {
  claimed,
  linksOf,
  pair,
  pairingOf,
} from "../../../support/sync/pairing.ts";
import {
  startFullSync,
  type FullSyncOptions,
  type RunningFullSync,
} from "../../../support/sync/start-full-sync.ts";
import { pollOptions } from "../../../support/sync/outbox.ts";

const startService = oneService();

async function made(service: TeamsService, title: string): Promise<string> {
  const answer = await service.upload(png([title.length, 2, 3]), { title });
  const [row] = (await answer.json()) as { id: string }[];
  const id = row?.id ?? "";
  await vi.waitUntil(async () => {
    const [one] = await service.rows(
      `/v4.1/assets?id=eq.${id}&select=id,status`,
    );
    return one?.["status"] === "finished";
  }, pollOptions);
  return id;
}

describe("a player that waits for pairing", () => {
  it("[V2-300] [V2-301] [V2-302] shows a PIN on its idle screen, and is a screen with a connection once the PIN is entered", async () => {
    const service = await startService();
    const running = await startFullSync();
    expect(await pairingOf(running)).toBeNull();
    const pairing = await pair(running, `${service.address}/`);
    expect(pairing).toMatchObject({
      base_url: service.address,
      state: "waiting",
      account_id: null,
      problem: null,
    });
    expect(pairing.pin).toMatch(/^[A-Z2-9]{6}$/);
    expect(Date.parse(pairing.expires ?? "") - Date.now()).toBeGreaterThan(
      600_000,
    );
    await vi.waitUntil(() => {
      const content = running.stage.visible()?.content;
      return (
        content?.kind === "card" &&
        content.idleScreen.pairing?.pin === pairing.pin
      );
    }, pollOptions);
    const { id } = (await service.v3.make("/screens/", {
      pin: pairing.pin,
    })) as { id: string };
    await vi.waitUntil(
      async () => (await pairingOf(running))?.state === "claimed",
      pollOptions,
    );
    const connections = running.sync.connections();
    expect(connections).toMatchObject([
      { baseUrl: service.address, screenId: id, tokenKept: "file" },
    ]);
    // A screen only reads: changes that would be rejected later are rejected now [V2-385].
    const [connection] = connections;
    expect(connection?.kind).toBe("screen");
    expect(
      await running.send("POST", `/sync/accounts/${connection?.id}/changes`, {
        collection: "labels",
        action: "create",
        fields: { name: "Lobby" },
      }),
    ).toMatchObject({ status: 409 });
    expect(await pairingOf(running)).toMatchObject({
      pin: null,
      account_id: connections[0]?.id,
    });
    // The credential is stored with the tokens and nowhere else.
    const [credential = ""] =
      /vitrine-screen-\S+/.exec(
        await readFile(
          path.join(
            running.dataDir,
            "sync",
            "tokens",
            `${connections[0]?.id}.token`,
          ),
          "utf8",
        ),
      ) ?? [];
    expect(credential).not.toBe("");
    for (const name of ["vitrine.db", "vitrine.db-wal"])
      expect(
        (await readFile(path.join(running.dataDir, name))).includes(credential),
      ).toBe(false);
    // The pairing's own credential is deleted once the claim is stored.
    await expect
      .poll(() => readdir(path.join(running.dataDir, "sync", "tokens")))
      .toEqual([`${connections[0]?.id}.token`]);
    await vi.waitUntil(async () => {
      const screen = (await service.v3.get(`/screens/${id}/`)) as Record<
        string,
        unknown
      >;
      return (
        screen["status"] === "In Sync" &&
        String(screen["software_version"]).startsWith("Vitrine")
      );
    }, pollOptions);
  });

  it("[V2-302] finds its connection again when the claim was stored twice", async () => {
    const service = await startService();
    const running = await startFullSync();
    const path = await openFaultyPath(service.address);
    const { pin } = await pair(running, path.address);
    let isLost = true;
    // The response that reports the claim is lost the first time.
    path.decide(({ url }) =>
      url.includes("/link/v1/player") && isLost ? "unheard" : "arrives",
    );
    await service.v3.make("/screens/", { pin });
    await vi.waitUntil(
      async () => (await pairingOf(running))?.problem !== null,
      pollOptions,
    );
    isLost = false;
    await vi.waitUntil(
      async () => (await pairingOf(running))?.state === "claimed",
      pollOptions,
    );
    expect(running.sync.connections()).toHaveLength(1);
  });

  it("[V2-301] waits with the same PIN after a restart", async () => {
    const service = await startService();
    const dataDir = await temporaryFolder();
    const first = await startFullSync({ player: { dataDir } });
    const { pin } = await pair(first, service.address);
    await first.stopAll();
    const again = await startFullSync({ player: { dataDir } });
    expect(await pairingOf(again)).toMatchObject({ state: "waiting", pin });
    await service.v3.make("/screens/", { pin });
    await vi.waitUntil(
      async () => (await pairingOf(again))?.state === "claimed",
      pollOptions,
    );
    expect(again.sync.connections()).toHaveLength(1);
  });

  it("[V2-303] is rejected with a clear message where pairing is not offered", async () => {
    const running = await startFullSync();
    expect(
      await running.send("POST", "/sync/pairing", { base_url: "nowhere" }),
    ).toMatchObject({
      status: 400,
      body: { base_url: [expect.any(String)] },
    });
    expect(await running.send("POST", "/sync/pairing", {})).toMatchObject({
      status: 400,
    });
    const other = running.player.apiAddress;
    expect(
      await running.send("POST", "/sync/pairing", { base_url: other }),
    ).toMatchObject({ status: 503 });
    expect(
      await running.send("POST", "/sync/pairing", {
        base_url: "http://127.0.0.1:9",
      }),
    ).toMatchObject({
      status: 503,
      body: { detail: expect.stringContaining("the connection was refused") },
    });
    expect(await pairingOf(running)).toBeNull();
    expect(
      (await running.request("/sync/pairing", { method: "DELETE" })).status,
    ).toBe(204);
  });
});

describe("a paired screen", () => {
  const orders: string[] = [];
  const options: FullSyncOptions = {
    actions: {
      screenshot: () => Promise.resolve(png([1, 2, 3])),
      restart: () => void orders.push("restart"),
    },
    wrapPlayback: (playback) => ({
      ...playback,
      step: (direction) => void orders.push(direction),
    }),
  };

  it("[V2-304] [V2-306] executes each command once, sends its screenshot, and polls when something changed", async () => {
    const service = await startService();
    const running = await startFullSync(options);
    const path = await openFaultyPath(service.address);
    const { screenId, connectionId } = await claimed(
      running,
      path.address,
      service.v3,
    );
    let isLost = true;
    // The heartbeat that reports the result is lost the first two times.
    let losses = 0;
    path.decide(({ url, body }) => {
      if (!isLost || !url.endsWith("/heartbeat") || !body.includes('"is_done"'))
        return "arrives";
      losses += 1;
      return losses > 2 ? "arrives" : losses === 1 ? "unheard" : "lost";
    });
    for (const kind of ["next", "screenshot", "reboot", "restart"])
      await service.v3.make(`/screens/${screenId}/commands/`, { kind });
    await vi.waitUntil(async () => {
      const screen = (await service.v3.get(`/screens/${screenId}/`)) as Record<
        string,
        unknown
      >;
      return (
        screen["last_screenshot_time"] !== null && orders.includes("restart")
      );
    }, pollOptions);
    isLost = false;
    expect(orders).toEqual(["next", "restart"]);
    expect(losses).toBeGreaterThanOrEqual(2);
    const answered = path.passed.filter(({ body }) =>
      body.includes("does not support this command"),
    );
    expect(answered.length).toBeGreaterThan(0);
    // Added to the playlist in the service: the player is notified and polls.
    const asset = await made(service, "Spring");
    await service.v3.make("/playlists/", {
      title: "Shop",
      predicate: "TRUE",
      assets: [{ id: asset, duration: 10 }],
      groups: [{ id: "all-screens" }],
    });
    await vi.waitUntil(
      async () => (await running.list()).some(({ name }) => name === "Spring"),
      pollOptions,
    );
    expect(await linksOf(running)).toMatchObject([
      {
        account_id: connectionId,
        screen_id: screenId,
        screen_name: "Window",
        is_connected: true,
        problem: null,
      },
    ]);
  });

  it("[V2-580] passes its identity at the service to pages, as soon as that changes, and while the service is unreachable", async () => {
    const service = await startService();
    const dataDir = await temporaryFolder();
    const running = await startFullSync({ player: { dataDir } });
    const own = running.player.pageContext().screen;
    let changes = 0;
    running.player.onPageContextChanged(() => (changes += 1));
    const { screenId } = await claimed(running, service.address, service.v3);
    const { id } = (await service.v3.make("/groups/", { name: "Lobby" })) as {
      id: string;
    };
    const { status } = await service.v3.call("PATCH", `/screens/${screenId}/`, {
      ...{ name: "Till 3", location: "Back room", coords: [52.5, 13.4] },
      groups: [{ id }],
    });
    expect(status).toBe(200);
    const { hostname } = (await service.v3.get(`/screens/${screenId}/`)) as {
      hostname: string;
    };
    const expected = {
      ...{ ...own, hostname, screenName: "Till 3", location: "Back room" },
      coordinates: [52.5, 13.4],
      groups: ["All Screens", "Lobby"],
    };
    await expect
      .poll(() => running.player.pageContext().screen, pollOptions)
      .toEqual(expected);
    expect(changes).toBeGreaterThan(0);
    await running.stopAll();
    const again = await startFullSync({ player: { dataDir } });
    expect(again.player.pageContext().screen).toEqual(expected);
  });

  it("[V2-305] reports each playback exactly once, though responses are lost and it restarts in between", async () => {
    const service = await startService();
    const path = await openFaultyPath(service.address);
    const [one, two] = [
      await made(service, "One"),
      await made(service, "Other"),
    ];
    const playlist = (await service.v3.make("/playlists/", {
      title: "Shop",
      predicate: "TRUE",
      assets: [
        { id: one, duration: 600 },
        { id: two, duration: 600 },
      ],
      groups: [{ id: "all-screens" }],
    })) as { id: string };
    const dataDir = await temporaryFolder();
    const first = await startFullSync({ player: { dataDir } });
    const { screenId } = await claimed(first, path.address, service.v3);
    let fates: readonly string[] = [];
    let isAway = true;
    path.decide(({ url }) => {
      if (!url.endsWith("/playbacks"))
        return isAway && url.includes("/link/") ? "lost" : "arrives";
      const [delivery, ...others] = fates;
      fates = others;
      return isAway
        ? "lost"
        : delivery === "lost"
          ? "lost"
          : delivery === "unheard"
            ? "unheard"
            : "arrives";
    });
    const show = async (
      running: RunningFullSync,
      times: number,
    ): Promise<void> => {
      await vi.waitUntil(
        () => ["One", "Other"].includes(running.stage.shown.at(-1) ?? ""),
        pollOptions,
      );
      for (let time = 0; time < times; time += 1) {
        const before = running.stage.shown.length;
        running.player.step("next");
        await vi.waitUntil(
          () => running.stage.shown.length > before,
          pollOptions,
        );
      }
    };
    await show(first, 5);
    const waiting = (await linksOf(first))[0]?.playbacks_waiting ?? 0;
    expect(waiting).toBeGreaterThanOrEqual(5);
    await first.stopAll();
    const again = await startFullSync({ player: { dataDir } });
    fates = ["unheard", "lost", "unheard"];
    isAway = false;
    await show(again, 4);
    const playbacks = (await (await again.request("/playbacks")).json()) as {
      playback_id: string;
    }[];
    // The newest may still be visible: it is reported when another follows it.
    const reported = playbacks.length - 1;
    const rows = async () =>
      (await service.v3.get(`/playbacks?screen_id=${screenId}`)) as {
        asset_id: string;
        playlist_id: string;
      }[];
    await vi.waitUntil(
      async () => (await rows()).length >= reported,
      pollOptions,
    );
    await vi.waitUntil(() => fates.length === 0, pollOptions);
    await vi.waitUntil(
      async () => ((await linksOf(again))[0]?.playbacks_waiting ?? 9) <= 1,
      pollOptions,
    );
    const kept = await rows();
    expect(kept).toHaveLength(reported);
    expect(new Set(kept.map((row) => row.asset_id))).toEqual(
      new Set([one, two]),
    );
    expect(new Set(kept.map((row) => row.playlist_id))).toEqual(
      new Set([playlist.id]),
    );
  });

  it("[L-16] [V2-530] stays a screen after a gateway's 401, and after one of the service itself that soon passes", async () => {
    const service = await startService();
    const running = await startFullSync();
    const path = await openFaultyPath(service.address);
    const { connectionId } = await claimed(running, path.address, service.v3);
    const isContacted = () =>
      vi.waitUntil(
        async () => (await linksOf(running))[0]?.is_connected === true,
        pollOptions,
      );
    await isContacted();
    const plain = { status: 401, type: "text/plain", body: "Unauthorized" };
    const own = {
      ...{ status: 401, type: "application/json" },
      body: '{"detail":"Who is that?"}',
    };
    for (const [delivery, times] of [
      [plain, 3],
      [own, 1],
    ] as const) {
      let met = 0;
      path.decide(({ url }) => {
        if (!/\/(news|heartbeat)/.test(url) || met >= times) return "arrives";
        met += 1;
        return delivery;
      });
      // The waiting request for news gets the error, and is sent again.
      await service.v3.make("/groups/", {
        name: `Lobby ${delivery.body.length}`,
      });
      await vi.waitUntil(() => met === times, pollOptions);
      const { length } = path.passed;
      await vi.waitUntil(
        () =>
          path.passed.slice(length).some(({ url }) => /heartbeat/.test(url)),
        pollOptions,
      );
      await isContacted();
    }
    expect(await pairingOf(running)).toMatchObject({
      state: "claimed",
      account_id: connectionId,
    });
    expect(running.sync.connections()).toMatchObject([
      { id: connectionId, tokenKept: "file" },
    ]);
  });

  it("[V2-551] reports why while its credential cannot be opened, blocks no other connection, and is linked once it can", async () => {
    const service = await startService();
    const dataDir = await temporaryFolder();
    const first = await startFullSync({ player: { dataDir } });
    const ids: string[] = [];
    for (let number = 0; number < 2; number += 1)
      ids.push(
        (await claimed(first, service.address, service.v3)).connectionId,
      );
    await first.stopAll();
    let isBroken = true;
    const again = await startFullSync({
      player: { dataDir },
      breakRows: (rows) => ({
        ...rows,
        memory: (id) => {
          if (isBroken && id === ids[0])
            throw Object.assign(new Error("disk I/O error"), {
              code: "SQLITE_IOERR",
            });
          return rows.memory(id);
        },
      }),
    });
    const linkOf = async (id: string | undefined) =>
      (await linksOf(again)).find((one) => one.account_id === id);
    await vi.waitUntil(
      async () => (await linkOf(ids[1]))?.is_connected === true,
      pollOptions,
    );
    expect(await linkOf(ids[0])).toMatchObject({
      is_connected: false,
      problem: "The player's folder cannot be written to.",
    });
    isBroken = false;
    await vi.waitUntil(
      async () => (await linkOf(ids[0]))?.is_connected === true,
      pollOptions,
    );
    expect(await linkOf(ids[0])).toMatchObject({ problem: null });
  });

  it("[V2-307] waits to be claimed again when its screen was deleted, and keeps its connection", async () => {
    const service = await startService();
    const running = await startFullSync();
    const { screenId, connectionId } = await claimed(
      running,
      service.address,
      service.v3,
    );
    await vi.waitUntil(
      async () => (await linksOf(running))[0]?.is_connected === true,
      pollOptions,
    );
    await service.v3.call("DELETE", `/screens/${screenId}/`);
    const pin = await vi.waitUntil(async () => {
      const now = await pairingOf(running);
      return now?.state === "waiting" && now.account_id === connectionId
        ? now.pin
        : null;
    }, pollOptions);
    const screen = (await service.v3.make("/screens/", {
      pin,
      name: "Anew",
    })) as { id: string };
    await vi.waitUntil(
      async () =>
        (await linksOf(running)).some(
          (link) => link.screen_id === screen.id && link.is_connected,
        ),
      pollOptions,
    );
    expect(running.sync.connections()).toMatchObject([
      { id: connectionId, screenId: screen.id },
    ]);
  });
});
