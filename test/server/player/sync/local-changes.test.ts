// Local changes: what a person changed here of what a content service brought, kept until discarded.

import { rm } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { openSqlite } from "../../../../server/platform/sqlite/sqlite.ts";
import {
  cloudImage,
  serveFaultyCloud,
  type CloudPlaylist,
} from "../../../support/faulty-service/faulty-service.ts";
import { sha256 } from "../../../support/player/archives.ts";
import { png } from "../../../support/media/media.ts";
import {
  blue,
  both,
  green,
  red,
  startConnectedPlayer,
  type ConnectedPlayer,
} from "../../../support/sync/connected-player.ts";
import { startSync } from "../../../support/sync/start-sync.ts";

const three = [{ id: "P1", assets: [red, green, blue] }];

async function startWith(
  playlists: readonly CloudPlaylist[] = both,
): Promise<ConnectedPlayer & { readonly here: (remoteId: string) => string }> {
  const running = await startConnectedPlayer();
  running.cloud.playlists = playlists;
  await running.syncNow();
  return { ...running, here: (remoteId) => `${running.id}-${remoteId}` };
}

const titled = (one: typeof red, title: string): typeof red => ({
  ...one,
  row: { title },
});

async function playlistIn({ request }: ConnectedPlayer): Promise<{
  readonly is_enabled: boolean;
  readonly name: string;
  readonly items: readonly { readonly asset_id: string }[];
}> {
  const [one] = (await (await request("/playlists")).json()) as never[];
  if (!one) throw new Error("There is no playlist.");
  return one;
}

describe("[V2-562] an asset restored from the trash", () => {
  it("follows the service as before, with what changed meanwhile, as does its playlist", async () => {
    const running = await startWith();
    const { cloud, send, syncNow, names, here } = running;
    await send("POST", "/trash", { asset_ids: [here("green")] });
    cloud.playlists = [
      { id: "P1", assets: [titled(green, "Moss"), red, blue] },
    ];
    expect(await syncNow()).toMatchObject({ isInSync: true });
    expect((await names()).toSorted()).toEqual(["blue", "red"]);

    await send("POST", "/trash/restore", { asset_ids: [here("green")] });
    await expect
      .poll(async () => (await names()).toSorted())
      .toEqual([...["Moss", "blue", "red"]]);
    const items = async (): Promise<readonly string[]> =>
      (await playlistIn(running)).items.map(({ asset_id: id }) => id);
    expect(await items()).toEqual(["green", "red", "blue"].map(here));
    cloud.playlists = [{ id: "P1", assets: [blue, titled(green, "Fern")] }];
    expect(await syncNow()).toMatchObject({ isInSync: true });
    expect(await items()).toEqual(["blue", "green"].map(here));
    expect((await names()).toSorted()).toEqual(["Fern", "blue"]);
  });

  it("[V2-563] belongs to this player where it is no longer in the desired state, and to the service again when it is", async () => {
    const { cloud, send, syncNow, names, here, sync, id, request } =
      await startWith(three);
    await send("POST", "/trash", { asset_ids: [here("green")] });
    cloud.playlists = [{ id: "P1", assets: [red, blue] }];
    await syncNow();
    await send("POST", "/trash/restore", { asset_ids: [here("green")] });
    expect(await syncNow()).toMatchObject({ isInSync: true });
    expect((await names()).toSorted()).toEqual(["blue", "green", "red"]);
    const origins = async (): Promise<unknown> =>
      (await request("/sync/origins")).json();
    expect(await origins()).toMatchObject([
      { assets: ["blue", "red"].map(here) },
    ]);

    cloud.playlists = [{ id: "P1", assets: [red, titled(green, "Moss")] }];
    expect(await syncNow()).toMatchObject({ isInSync: true });
    expect((await names()).toSorted()).toEqual(["Moss", "red"]);

    await send("POST", "/trash", { asset_ids: [here("green")] });
    cloud.playlists = [{ id: "P1", assets: [red] }];
    await syncNow();
    await send("POST", "/trash/restore", { asset_ids: [here("green")] });
    await sync.removeConnection(id, false);
    expect(await names()).toEqual(["Moss"]);
  });
});

describe("[V2-836] what was restored as this player's own", () => {
  it("stays so when the version before is restored, whose playlist shows it", async () => {
    const running = await startWith(three);
    const { cloud, send, syncNow, names, here, sync, id, request } = running;
    await send("POST", "/trash", { asset_ids: [here("green")] });
    cloud.playlists = [{ id: "P1", assets: [red, blue] }];
    await syncNow();
    await send("POST", "/trash/restore", { asset_ids: [here("green")] });
    await send("PATCH", `/assets/${here("green")}`, { name: "Moss" });
    await sync.back(id);
    expect((await names()).toSorted()).toEqual(["Moss", "blue", "red"]);
    expect(await (await request("/sync/origins")).json()).toMatchObject([
      { assets: ["blue", "red"].map(here) },
    ]);
    const { items } = await playlistIn(running);
    expect(items.map(({ asset_id: one }) => one)).toEqual(
      ["red", "green", "blue"].map(here),
    );
    // What it was is no change that a person made to the playlist.
    expect(await (await request("/sync/local-changes")).json()).toEqual([]);

    cloud.playlists = [{ id: "P1", assets: [red] }];
    expect(await syncNow()).toMatchObject({ isInSync: true });
    expect((await names()).toSorted()).toEqual(["Moss", "red"]);
    await sync.removeConnection(id, false);
    expect(await names()).toEqual(["Moss"]);
  });

  it("stays so as a playlist, too", async () => {
    const running = await startWith([
      ...three,
      { id: "P2", assets: [red], row: { title: "Evening" } },
    ]);
    const { cloud, send, syncNow, here, sync, id, request } = running;
    await send("POST", "/trash", { playlist_ids: [here("P2")] });
    cloud.playlists = three;
    await syncNow();
    await send("POST", "/trash/restore", { playlist_ids: [here("P2")] });
    await sync.back(id);
    expect(await (await request("/sync/origins")).json()).toMatchObject([
      { playlists: [here("P1")] },
    ]);
    await sync.removeConnection(id, false);
    expect(await playlistIn(running)).toMatchObject({ name: "Evening" });
  });
});

describe("[V2-562] what was deleted here", () => {
  it("stays deleted when the version before is restored, and when the service adds it again", async () => {
    const { cloud, request, syncNow, names, here, sync } =
      await startWith(three);
    await request(`/assets/${here("green")}`, { method: "DELETE" });
    cloud.playlists = [{ id: "P1", assets: [red, blue] }];
    await syncNow();
    await sync.back();
    expect((await names()).toSorted()).toEqual(["blue", "red"]);
    cloud.playlists = [{ id: "P1", assets: [red, green] }];
    expect(await syncNow()).toMatchObject({ isInSync: true });
    expect(await names()).toEqual(["red"]);
  });

  it("does not reserve its name", async () => {
    const { cloud, request, syncNow, names, here } = await startWith([
      { id: "P1", assets: [titled(green, "t1"), titled(red, "t2")] },
    ]);
    await request(`/assets/${here("green")}`, { method: "DELETE" });
    cloud.playlists = [
      { id: "P1", assets: [titled(green, "t1"), titled(red, "t1")] },
    ];
    expect(await syncNow()).toMatchObject({ isInSync: true });
    expect(await names()).toEqual(["t1"]);
  });
});

describe("[V2-560] a local change", () => {
  it("stays when the desired state equals it for a while", async () => {
    const running = await startWith();
    const { cloud, send, syncNow, here } = running;
    const list = `/playlists/${here("P1")}`;
    await send("PATCH", list, { is_enabled: false });
    for (const is_enabled of [false, true]) {
      cloud.playlists = [
        { id: "P1", assets: [red, green], row: { is_enabled } },
      ];
      expect(await syncNow()).toMatchObject({ isInSync: true });
      expect(await playlistIn(running)).toMatchObject({ is_enabled: false });
    }
  });

  it("stays when the service removes the playlist and adds it again, and all else follows", async () => {
    const running = await startWith();
    const { cloud, send, syncNow, here } = running;
    const list = `/playlists/${here("P1")}`;
    await send("PATCH", list, {
      name: "Ours",
      items: [{ asset_id: here("green"), duration: 5 }],
    });
    const other = { id: "P2", assets: [red, green] };
    cloud.playlists = [other];
    expect(await syncNow()).toMatchObject({ isInSync: true });
    expect(await playlistIn(running)).toMatchObject({ name: "P2" });
    const predicate = "$WEEKDAY IN {1}";
    cloud.playlists = [{ id: "P1", assets: [red, green], row: { predicate } }];
    expect(await syncNow()).toMatchObject({ isInSync: true });
    expect(await playlistIn(running)).toMatchObject({
      ...{ name: "Ours", predicate },
      items: [{ asset_id: here("green"), duration: 5 }],
    });
  });

  it("[V2-561] ends once the value is set back to the desired one", async () => {
    const { cloud, send, syncNow, names, here, request } = await startWith();
    await send("PATCH", `/assets/${here("red")}`, { name: "Ours" });
    await send("PATCH", `/assets/${here("red")}`, { name: "red" });
    expect(await (await request("/sync/local-changes")).json()).toEqual([]);
    cloud.playlists = [{ id: "P1", assets: [titled(red, "Rose"), green] }];
    await syncNow();
    expect((await names()).toSorted()).toEqual(["Rose", "green"]);
  });

  it("[V2-561] is listed, and discarded field by field or as a whole, at once and without the service", async () => {
    const { cloud, send, syncNow, request, list, here, id } = await startWith();
    const red1 = `/assets/${here("red")}`;
    await send("PATCH", red1, { name: "Ours", duration: 77, muted: true });
    await request(`/assets/${here("green")}`, { method: "DELETE" });
    const changes = async (): Promise<unknown> =>
      (await request("/sync/local-changes")).json();
    const ofGreen = {
      ...{ account_id: id, kind: "asset", id: here("green") },
      ...{ name: "green", is_deleted: true, fields: [] },
    };
    const ofRed = {
      ...{ ...ofGreen, id: here("red"), name: "Ours", is_deleted: false },
    };
    expect(await changes()).toEqual([
      ofGreen,
      { ...ofRed, fields: ["duration", "name", "muted"] },
    ]);
    expect(await syncNow()).toMatchObject({ isInSync: true });
    await cloud.goAway();
    const giveUp = async (remoteId: string, query = ""): Promise<number> => {
      const at = `/sync/local-changes/${here(remoteId)}${query}`;
      return (await request(at, { method: "DELETE" })).status;
    };
    expect(await giveUp("red", "?fields=duration,is_enabled")).toBe(204);
    expect(await list()).toMatchObject([
      { name: "Ours", duration: 10, muted: true },
    ]);
    expect(await giveUp("red", "?fields=duration")).toBe(404);
    expect(await giveUp("red")).toBe(204);
    expect(await giveUp("green")).toBe(204);
    expect(await list()).toMatchObject([
      { name: "red", muted: false },
      { name: "green" },
    ]);
    expect(await changes()).toEqual([]);
    await cloud.comeBack();
    expect(await syncNow()).toMatchObject({ isInSync: true, itemFailures: [] });
  });
});

describe("[V2-721] a local change that equals the desired state by now", () => {
  it("ends when it is discarded, though no value changes, and not when it is set again", async () => {
    const { cloud, send, syncNow, names, request, here } = await startWith();
    const list = async () => (await request("/sync/local-changes")).json();
    await send("PATCH", `/assets/${here("red")}`, { name: "Rose" });
    cloud.playlists = [{ id: "P1", assets: [titled(red, "Rose"), green] }];
    await syncNow();
    await send("PATCH", `/assets/${here("red")}`, { name: "Rose" });
    expect(await list()).toMatchObject([{ name: "Rose", fields: ["name"] }]);
    const at = `/sync/local-changes/${here("red")}?fields=name`;
    expect((await request(at, { method: "DELETE" })).status).toBe(204);
    expect(await list()).toEqual([]);
    cloud.playlists = [{ id: "P1", assets: [titled(red, "Tulip"), green] }];
    expect(await syncNow()).toMatchObject({ isInSync: true });
    expect((await names()).toSorted()).toEqual(["Tulip", "green"]);
  });
});

describe("[V2-657] a discarded local change of an item in the trash", () => {
  it("restores it when it is in the desired state, and leaves it in the trash where it no longer is", async () => {
    const { cloud, send, request, syncNow, names, here, id } =
      await startWith(three);
    const list = here("P1");
    await send("POST", "/trash", { asset_ids: [here("red"), here("blue")] });
    await send("POST", "/trash", { playlist_ids: [list] });
    cloud.playlists = [{ id: "P1", assets: [red, green] }];
    await syncNow();
    const at = `/sync/local-changes?account_id=${id}`;
    expect((await request(at, { method: "DELETE" })).status).toBe(204);
    expect((await names()).toSorted()).toEqual(["green", "red"]);
    const deleted = (await (await request("/trash")).json()) as {
      id: string;
    }[];
    expect(deleted.map((entry) => entry.id)).toEqual([here("blue")]);
    await send("POST", "/trash", { playlist_ids: [list] });
    await send("POST", "/trash/restore", { playlist_ids: [list] });
    const again = await (await request(`/playlists/${list}`)).json();
    expect(again).toMatchObject({
      items: [{ asset_id: here("red") }, { asset_id: here("green") }],
    });
  });
});

describe("[V2-682] an item discarded out of the trash", () => {
  it("is in its folder again, at its hours, and otherwise as in the desired state", async () => {
    const { send, request, list, here } = await startWith();
    const own = {
      ...{ folder: "Shop/Window", play_days: [1, 2] },
      ...{ play_time_from: "09:00:00", play_time_to: "17:00:00" },
    };
    const red1 = async (): Promise<unknown> =>
      (await list()).find(({ name }) => name === "red");
    await send("PATCH", `/assets/${here("red")}`, { ...own, muted: true });
    expect(await red1()).toMatchObject({ ...own, muted: true });
    await send("POST", "/trash", { asset_ids: [here("red")] });
    const at = `/sync/local-changes/${here("red")}`;
    expect((await request(at, { method: "DELETE" })).status).toBe(204);
    expect(await red1()).toMatchObject({ ...own, muted: false });
  });
});

describe("[V2-655] the list of local changes", () => {
  it("names each item as it is called here, else as the service does, and has no name for what neither has", async () => {
    const { cloud, send, syncNow, request, here } = await startWith(three);
    const named = async (): Promise<unknown> => {
      const all = await (await request("/sync/local-changes")).json();
      return (all as { kind: string; id: string; name: string | null }[]).map(
        ({ kind, id, name }) => [kind, id, name],
      );
    };
    await send("PATCH", `/assets/${here("red")}`, { name: "Ours" });
    await request(`/assets/${here("green")}`, { method: "DELETE" });
    await send("PATCH", `/assets/${here("blue")}`, { name: "Sea" });
    await send("POST", "/trash", { asset_ids: [here("blue")] });
    await send("PATCH", `/playlists/${here("P1")}`, { name: "Shop" });
    const [blueOne, greenOne, redOne] = [
      ["asset", here("blue"), "Sea"],
      ["asset", here("green"), "green"],
      ["asset", here("red"), "Ours"],
    ];
    const list = ["playlist", here("P1"), "Shop"];
    expect(await named()).toEqual([blueOne, greenOne, redOne, list]);
    cloud.playlists = [{ id: "P1", assets: [blue] }];
    expect(await syncNow()).toMatchObject({ isInSync: true });
    expect(await named()).toEqual([
      ...[blueOne, ["asset", here("green"), null]],
      ...[["asset", here("red"), null], list],
    ]);
  });
});

describe("[V2-656] all local changes of a connection", () => {
  it("are discarded at once, and those of another stay", async () => {
    const { cloud, send, request, list, here, syncNow, connect } =
      await startWith();
    const other = await serveFaultyCloud();
    other.playlists = [{ id: "P9", assets: [blue] }];
    const otherId = await connect({ baseUrl: other.address });
    await expect.poll(async () => (await list()).length).toBe(3);
    await send("PATCH", `/assets/${here("red")}`, { name: "Ours", volume: 5 });
    await request(`/assets/${here("green")}`, { method: "DELETE" });
    await send("PATCH", `/playlists/${here("P1")}`, { is_enabled: false });
    await send("PATCH", `/assets/${otherId}-blue`, { name: "Sea" });
    const at = `/sync/local-changes?account_id=${here("").slice(0, -1)}`;
    const giveUp = async (): Promise<number> =>
      (await request(at, { method: "DELETE" })).status;
    await cloud.goAway();
    expect(await giveUp()).toBe(204);
    const names = (await list()).map(({ name }) => String(name)).toSorted();
    expect(names).toEqual(["Sea", "green", "red"]);
    const changes = await (await request("/sync/local-changes")).json();
    expect(changes).toMatchObject([{ account_id: otherId, name: "Sea" }]);
    expect(await giveUp()).toBe(404);
    await cloud.comeBack();
    expect(await syncNow()).toMatchObject({ isInSync: true, itemFailures: [] });
  });
});

describe("[V2-564] a file that was replaced here", () => {
  it("stays whatever the service changes, and is the service's again once it is discarded", async () => {
    const running = await startWith();
    const { cloud, send, syncNow, upload, here, dataDir, request } = running;
    const bytes = png([7, 7, 7]);
    const { body } = await upload(bytes);
    await send("POST", `/assets/${here("red")}/source`, { uri: body.uri });
    const shown = (): unknown => {
      const database = openSqlite(path.join(dataDir, "vitrine.db"));
      const row = database
        .prepare("SELECT file_hash FROM assets WHERE id = ?")
        .pluck();
      const hash = row.get(here("red"));
      database.close();
      return hash;
    };
    const next = cloudImage("red", [1, 99, 1]);
    for (const assets of [
      [red, titled(green, "Moss")],
      [titled(next, "Rose"), green],
    ]) {
      cloud.playlists = [{ id: "P1", assets }];
      expect(await syncNow()).toMatchObject({ isInSync: true });
      expect(shown()).toBe(sha256(bytes));
    }
    // Files that are not shown are not needed.
    expect(cloud.fileRequests("red")).toHaveLength(1);
    const at = `/sync/local-changes/${here("red")}`;
    await request(at, { method: "DELETE" });
    await expect.poll(shown).toBe(sha256(next.bytes ?? bytes));
    expect(await syncNow()).toMatchObject({ isInSync: true });
  });
});

describe("[V2-832] the file of an asset that was replaced here", () => {
  it("is deleted when the service's file takes its place again, without waiting for the next plan", async () => {
    const running = await startWith();
    const { send, upload, here, dataDir, request } = running;
    const bytes = png([7, 7, 7]);
    const { body } = await upload(bytes);
    await send("POST", `/assets/${here("red")}/source`, { uri: body.uri });
    const stored = (): readonly unknown[] => {
      const database = openSqlite(path.join(dataDir, "vitrine.db"));
      const hashes = database.prepare("SELECT hash FROM files").pluck().all();
      database.close();
      return hashes;
    };
    expect(stored()).toContain(sha256(bytes));
    const at = `/sync/local-changes/${here("red")}`;
    await request(at, { method: "DELETE" });
    await expect.poll(stored).not.toContain(sha256(bytes));
    expect(stored()).toContain(sha256(red.bytes ?? bytes));
  });
});

describe("[V2-565] a file that vanished from the disk", () => {
  it("is downloaded again with the next poll, although the service has no changes", async () => {
    const { cloud, syncNow, dataDir } = await startWith();
    const hash = sha256(red.bytes ?? Buffer.alloc(0));
    const file = path.join(dataDir, "files", "kept", hash.slice(0, 2), hash);
    await rm(file);
    expect(await syncNow()).toMatchObject({ isInSync: true, itemFailures: [] });
    expect(cloud.fileRequests("red")).toHaveLength(2);
    await expect(rm(file)).resolves.toBeUndefined();
  });
});

describe("[V2-566] a store from before local changes were recorded", () => {
  it("records those that it shows, from the first start on", async () => {
    const running = await startWith(three);
    const { cloud, send, request, here, dataDir, player, stopSync } = running;
    await send("PATCH", `/assets/${here("red")}`, { name: "Ours", volume: 5 });
    await request(`/assets/${here("green")}`, { method: "DELETE" });
    const list = `/playlists/${here("P1")}`;
    await send("PATCH", list, { is_enabled: false });
    await stopSync();
    await player.stop();
    const database = openSqlite(path.join(dataDir, "vitrine.db"));
    database.exec(`DELETE FROM sync_local_changes;
      UPDATE sync_assets SET knows_changes = 0; UPDATE sync_playlists SET knows_changes = 0`);
    database.close();
    const again = await startSync({ player: { dataDir } });
    cloud.playlists = [
      { id: "P1", assets: [titled(red, "Rose"), green, titled(blue, "Sky")] },
    ];
    await again.syncNow();
    const changes = await again.request("/sync/local-changes");
    expect(await changes.json()).toMatchObject([
      { id: here("green"), is_deleted: true, fields: [] },
      { id: here("red"), is_deleted: false, fields: ["name", "volume"] },
      { id: here("P1"), is_deleted: false, fields: ["is_enabled"] },
    ]);
    expect(await again.list()).toMatchObject([
      { name: "Ours", volume: 5 },
      { name: "Sky" },
    ]);
  });
});
