// Plans that are shown before, held, put off, applied at night and gone back from; changes made here; accounts.

import { readFile, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../../server/platform/clock.ts";
import type { SyncAccountWish } from "../../../server/core/sync-state.ts";
import { manualClock } from "../../support/clock.ts";
import {
  cloudPicture,
  serveFaultyCloud,
  type FaultyCloud,
} from "../../support/faulty-cloud.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { backup, recover } from "../../support/recover.ts";
import {
  startSync,
  type RunningSync,
  type SyncWish,
} from "../../support/start-sync.ts";

const [red, green, blue] = [
  cloudPicture("red", [255, 0, 0]),
  cloudPicture("green", [0, 255, 0]),
  cloudPicture("blue", [0, 0, 255]),
];

const megabyte = 1024 * 1024;
const large = cloudPicture("large", [9, 9, 9], 3 * megabyte);

interface Trial extends RunningSync {
  readonly cloud: FaultyCloud;
  readonly id: string;
  names(): Promise<readonly string[]>;
}

async function startTrial(
  account: Partial<SyncAccountWish> = {},
  wish: SyncWish & { cloud?: FaultyCloud } = {},
): Promise<Trial> {
  const cloud = wish.cloud ?? (await serveFaultyCloud());
  cloud.playlists = [{ id: "P1", assets: [red] }];
  const running = await startSync(wish);
  const id = await running.connect({ baseUrl: cloud.address, ...account });
  const names = async (): Promise<readonly string[]> =>
    (await running.list()).map(({ name }) => String(name));
  return { ...running, cloud, id, names };
}

const both = [{ id: "P1", assets: [red, green] }];

describe("[V2-206] mode ask", () => {
  it("shows the plan, fetches its files, and applies it when it is told to", async () => {
    const { cloud, sync, look, names, until, ask, send } = await startTrial({
      mode: "ask",
    });
    expect(await names()).toEqual([]);
    expect(sync.plans()).toMatchObject([{ hold: "ask", adds: 2, bytes: 0 }]);
    expect(cloud.filesAsked("red").length).toBe(1);
    expect((await send("POST", "/sync/apply", {})).status).toBe(202);
    await until(({ isInSync }) => isInSync === true);
    expect(await names()).toEqual(["red"]);
    cloud.playlists = both;
    expect(await look()).toMatchObject({ hold: "ask", phase: "held" });
    const plans = (await (await ask("/sync/plan")).json()) as {
      entries: { deed: string; name: string }[];
    }[];
    expect(plans[0]?.entries.map(({ deed, name }) => [deed, name])).toEqual([
      ["add", "green"],
      ["change", "P1"],
    ]);
    expect(await names()).toEqual(["red"]);
    expect((await send("POST", "/sync/apply", {})).status).toBe(202);
    await until(({ isInSync }) => isInSync === true);
    expect(await names()).toEqual(["red", "green"]);
    expect((await send("POST", "/sync/apply", {})).status).toBe(409);
  });

  it("[V2-207] puts a plan off until the cloud says something else, over a restart too", async () => {
    const dataDir = await temporaryFolder();
    const first = await startTrial({ mode: "ask" }, { player: { dataDir } });
    first.sync.apply();
    await first.until(({ isInSync }) => isInSync === true);
    first.cloud.playlists = both;
    await first.look();
    first.sync.hold();
    expect(await first.look()).toMatchObject({ hold: "put-off" });
    await first.stopSync();
    await first.player.stop();
    const second = await startSync({ player: { dataDir } });
    await second.until(({ hold }) => hold === "put-off");
    first.cloud.playlists = [{ id: "P1", assets: [red, blue] }];
    expect(await second.look()).toMatchObject({ hold: "ask" });
    second.sync.apply();
    await second.until(({ isInSync }) => isInSync === true);
    expect((await second.list()).map(({ name }) => name)).toEqual([
      "red",
      "blue",
    ]);
  });
});

describe("[V2-206] mode tonight", () => {
  it("applies at its hour, whether the cloud is there or not", async () => {
    const time = manualClock(Date.parse("2026-05-05T20:00:00Z"));
    // The waiting of a day passes at once; everything else in its own time.
    const clock = {
      ...systemClock,
      now: time.now,
      after: (ms: number, act: () => void) =>
        ms > 600_000 ? time.after(ms, act) : systemClock.after(ms, act),
    };
    const trial = await startTrial(
      { mode: "tonight", applyAtMs: 3 * 3_600_000, pollSeconds: 86_400 },
      { sync: { clock, zone: () => "UTC" } },
    );
    expect(trial.sync.status()).toMatchObject([{ hold: "tonight" }]);
    await trial.cloud.goAway();
    await time.advance(6 * 3_600_000);
    expect(await trial.names()).toEqual([]);
    await time.advance(1.1 * 3_600_000);
    await trial.until(({ assets }) => assets === 1);
    expect(await trial.names()).toEqual(["red"]);
  });
});

describe("[V2-208] going back", () => {
  it("puts the plan before back in one step, without the cloud, and stays there", async () => {
    const { cloud, names, look, send, sync, until } = await startTrial();
    cloud.playlists = [{ id: "P1", assets: [green] }];
    await look();
    sync.apply();
    await until(({ isInSync }) => isInSync === true);
    expect(await names()).toEqual(["green"]);
    const filesBefore = cloud.filesAsked("red").length;
    await cloud.goAway();
    const { status, body } = await send("POST", "/sync/back", {});
    expect(status).toBe(200);
    expect(body).toMatchObject([{ is_current: true }, { is_current: false }]);
    expect(await names()).toEqual(["red"]);
    await cloud.comeBack();
    expect(await look()).toMatchObject({ hold: "put-off", problem: null });
    expect(await names()).toEqual(["red"]);
    expect(cloud.filesAsked("red").length).toBe(filesBefore);
    expect((await send("POST", "/sync/back", {})).status).toBe(200);
    expect(await names()).toEqual(["green"]);
  });

  it("is refused where there is nothing to go back to", async () => {
    const { send } = await startTrial();
    expect((await send("POST", "/sync/back", {})).status).toBe(409);
  });
});

describe("[V2-214] what was changed here", () => {
  it("stays, and the cloud says the rest; what was made here is never touched", async () => {
    const { cloud, look, list, send, add, names, ask } = await startTrial();
    const own = await add({ name: "Own" });
    const [synced] = await list();
    const at = `/assets/${synced?.asset_id}`;
    await send("PATCH", at, { name: "Crimson", volume: 40 });
    cloud.playlists = [
      { id: "P1", assets: [{ ...red, row: { title: "scarlet" } }, green] },
    ];
    expect(await look()).toMatchObject({ isInSync: true });
    expect(await names()).toEqual(["Crimson", "Own", "green"]);
    expect(await (await ask(at)).json()).toMatchObject({ volume: 40 });
    cloud.playlists = [{ id: "P1", assets: [green] }];
    await look();
    expect(await names()).toEqual(["Own", "green"]);
    expect(await (await ask(`/assets/${own.asset_id}`)).json()).toEqual(own);
  });

  it("stays away when it was deleted here", async () => {
    const { cloud, look, list, ask, names } = await startTrial();
    cloud.playlists = both;
    await look();
    const [first] = await list();
    await ask(`/assets/${first?.asset_id}`, { method: "DELETE" });
    cloud.playlists = [{ id: "P1", assets: [red, green, blue] }];
    expect(await look()).toMatchObject({ isInSync: true });
    expect(await names()).toEqual(["green", "blue"]);
  });

  it("[V2-280] is the cloud's again when it comes back from the bin and the cloud has it anew", async () => {
    const { cloud, look, send, ask } = await startTrial();
    const more = { id: "P2", assets: [red] };
    cloud.playlists = [{ id: "P1", assets: [red] }, more];
    await look();
    const playlists = async () =>
      (await (await ask("/playlists")).json()) as Record<string, string>[];
    const [, second] = await playlists();
    const inBin = { playlist_ids: [second?.playlist_id] };
    await send("POST", "/bin", inBin);
    cloud.playlists = [{ id: "P1", assets: [red] }];
    await look();
    expect((await send("POST", "/bin/restore", inBin)).status).toBe(200);
    cloud.playlists = [{ id: "P1", assets: [red] }, more];
    expect(await look()).toMatchObject({
      ...{ isInSync: true, problem: null, playlists: 2 },
    });
    expect(await playlists()).toHaveLength(2);
  });
});

describe("a file that vanished from the disk", () => {
  it("is fetched again at the next start", async () => {
    const dataDir = await temporaryFolder();
    const first = await startTrial({}, { player: { dataDir } });
    await first.stopSync();
    await first.player.stop();
    await rm(path.join(dataDir, "files", "kept"), { recursive: true });
    const second = await startSync({ player: { dataDir } });
    await second.until(({ isInSync }) => isInSync === true);
    expect(first.cloud.filesAsked("red").length).toBe(2);
    const [asset] = await second.list();
    const content = await second.ask(`/assets/${asset?.asset_id}/content`);
    expect(content.status).toBe(200);
  });
});

describe("[V2-200] accounts", () => {
  it("[V2-201] keep the token out of every answer, in a file for its owner alone", async () => {
    const { dataDir, ask, id, send } = await startTrial();
    const secret = "a-very-secret-token";
    await send("PATCH", `/sync/accounts/${id}`, { token: secret });
    for (const where of ["/sync/accounts", `/sync/accounts/${id}`, "/sync"])
      expect(await (await ask(where)).text()).not.toContain(secret);
    expect(await (await ask(`/sync/accounts/${id}`)).json()).toMatchObject({
      token_kept: "file",
    });
    const file = path.join(dataDir, "sync", "tokens", `${id}.token`);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(file, "utf8")).toContain(secret);
    const archive = await (
      await ask("/backup?stream=1", { method: "POST" })
    ).arrayBuffer();
    expect(Buffer.from(archive).includes(secret)).toBe(false);
  });

  it("[V2-202] want another token for another host, and refuse odd addresses", async () => {
    const { send, id } = await startTrial();
    const at = `/sync/accounts/${id}`;
    const elsewhere = { base_url: "https://elsewhere.example" };
    expect((await send("PATCH", at, elsewhere)).body).toHaveProperty("token");
    for (const base_url of ["ftp://x", "https://u:p@x", "https://x/?a", "x", 7])
      expect(
        (await send("POST", "/sync/accounts", { base_url, token: "t" })).body,
      ).toHaveProperty("base_url");
    for (const token of ["", "a b", "ä", "a\nb"])
      expect(
        (await send("POST", "/sync/accounts", { ...elsewhere, token })).body,
      ).toHaveProperty("token");
  });

  it("[V2-202] tell their token to no host but its own, also where a recovery brings an older address back", async () => {
    const trial = await startTrial();
    const { cloud, sync, id, look, until } = trial;
    const archive = await backup(trial);
    const other = await serveFaultyCloud();
    await sync.changeAccount(id, { baseUrl: other.address }, "another");
    await until(({ lastAppliedAt }) => lastAppliedAt !== null);
    const before = cloud.asked.length;
    expect((await recover(trial, archive)).status).toBe(200);
    await expect.poll(() => sync.account(id).baseUrl).toBe(cloud.address);
    expect(sync.account(id).tokenKept).toBeNull();
    await look();
    const told = cloud.asked.slice(before).map((one) => one.rawHeaders.join());
    expect(told.join()).not.toContain("another");
    await sync.changeAccount(id, {}, "once more");
    expect(sync.account(id).tokenKept).toBe("file");
  });

  it("[V2-202] keep a token that was written before hosts were noted", async () => {
    const { id, dataDir, player, stopSync } = await startTrial();
    await stopSync();
    await player.stop();
    const file = path.join(dataDir, "sync", "tokens", `${id}.token`);
    await writeFile(file, "plain:old");
    const again = await startSync({ player: { dataDir } });
    expect(again.sync.account(id).tokenKept).toBe("file");
    expect(await readFile(file, "utf8")).toMatch(/"origin":.*"token":"old"/);
  });

  it("[V2-203] take with them what they brought, or leave it", async () => {
    for (const keep of [true, false]) {
      const { ask, id, names, dataDir } = await startTrial();
      const at = `/sync/accounts/${id}${keep ? "?keep=1" : ""}`;
      expect((await ask(at, { method: "DELETE" })).status).toBe(204);
      expect(await names()).toEqual(keep ? ["red"] : []);
      const file = path.join(dataDir, "sync", "tokens", `${id}.token`);
      await expect(stat(file)).rejects.toThrow();
    }
  });

  it("of two clouds share nothing but the glass", async () => {
    const { cloud, connect, names, sync, look } = await startTrial();
    const other = await serveFaultyCloud();
    other.playlists = [{ id: "P1", assets: [{ ...red }, blue] }];
    const second = await connect({ baseUrl: other.address });
    expect(await names()).toEqual(["red", "blue", "red-1"]);
    await sync.removeAccount(second, false);
    expect(await names()).toEqual(["red"]);
    cloud.playlists = both;
    await look();
    expect(await names()).toEqual(["red", "green"]);
  });

  it("[V2-217] fetch outside their hours nothing, and what is here already goes on", async () => {
    const { cloud, look, sync, id, until, names } = await startTrial();
    const now = Date.now() % 86_400_000;
    const day = 86_400_000;
    await sync.changeAccount(id, {
      fetchFromMs: (now + 2 * 3_600_000) % day,
      fetchUntilMs: (now + 3 * 3_600_000) % day,
    });
    cloud.playlists = both;
    expect(await look()).toMatchObject({
      phase: "waiting-for-hours",
      isInSync: false,
    });
    expect(cloud.filesAsked("green").length).toBe(0);
    expect(await names()).toEqual(["red"]);
    await sync.changeAccount(id, { fetchFromMs: null, fetchUntilMs: null });
    await until(({ isInSync }) => isInSync === true);
    expect(await names()).toEqual(["red", "green"]);
  });

  it.each([
    ["V2-217", { rateLimit: 6 * megabyte }, Infinity],
    ["V2-337", {}, 6 * megabyte],
    ["V2-337", { rateLimit: 100 * megabyte }, 6 * megabyte],
  ])(
    "[%s] bring in no more a second than they (%o) and the glass beside them (%d) allow",
    async (_rule, account, mostBytesPerSecond) => {
      const trial = await startTrial(account, { sync: { mostBytesPerSecond } });
      const { cloud, look, names } = trial;
      cloud.playlists = [{ id: "P1", assets: [red, large] }];
      const startedAt = performance.now();
      await look();
      expect(await names()).toEqual(["red", "large"]);
      // Half a second's worth, of which a fifth of a second may be made up for.
      expect(performance.now() - startedAt).toBeGreaterThan(290);
    },
  );

  it("[V2-212] show a playlist whole or as it was, while another goes on", async () => {
    const { cloud, look, ask } = await startTrial();
    cloud.playlists = [
      { id: "P1", assets: [red, green], row: { priority: true } },
      { id: "P2", assets: [blue, red] },
    ];
    const { address } = cloud;
    cloud.files.set("green", (_request, response) =>
      response.writeHead(302, { Location: `${address}/files/none` }).end(),
    );
    expect(await look()).toMatchObject({ isInSync: false, playlists: 2 });
    const lists = (await (await ask("/playlists")).json()) as {
      priority: number;
      items: unknown[];
    }[];
    expect(
      lists.map(({ priority, items }) => [priority, items.length]),
    ).toEqual([
      [0, 1],
      [0, 2],
    ]);
    cloud.files.clear();
    expect(await look()).toMatchObject({ isInSync: true, troubles: [] });
  });
});
