// Adopted players by the real service, over real sockets, on both databases: a fake Anthias with its deviations, and Vitrine's own
// player, which serves the same interface.

import { describe, expect, it, vi } from "vitest";
import { createAnthiasClient } from "../../../../server/content/adopted/anthias-client.ts";
import type { ContentOptions } from "../../../../server/content/content.ts";
import {
  screenStateV3,
  type ScreenStateV3,
} from "../../../../server/contract/v3/v3-screens.ts";
import {
  screenCommandStateV3,
  type ScreenCommandStateV3,
} from "../../../../server/contract/v3/v3-screens.ts";
import { briefEntriesOf } from "../../../support/content/activity.ts";
import { eachContent } from "../../../support/content/each-content.ts";
import { clientV3, type ClientV3 } from "../../../support/content/each-v3.ts";
import {
  fakeAnthias,
  type FakeAnthias,
} from "../../../support/content/fake-anthias.ts";
import { waitUntilProcessed } from "../../../support/content/ingest-asset.ts";
import { secondConnection } from "../../../support/content/second-connection.ts";
import {
  contentKey,
  startContent,
} from "../../../support/content/start-content.ts";
import { png } from "../../../support/media/media.ts";
import { startPlayer } from "../../../support/player/start-player.ts";

const quick = { adoptedPollMs: 40 };
const poll = { interval: 20 };

const stateOf = async (
  client: ClientV3,
  id: string,
): Promise<ScreenStateV3 | undefined> =>
  screenStateV3
    .array()
    .parse(await client.get("/screens/states/"))
    .find((screen) => screen.id === id);

const stateWhere = (
  client: ClientV3,
  id: string,
  isIt: (screen: ScreenStateV3) => boolean,
): Promise<ScreenStateV3> =>
  vi.waitUntil(async () => {
    const screen = await stateOf(client, id);
    return screen && isIt(screen) && screen;
  }, poll);

const adopt = async (
  client: ClientV3,
  fake: Pick<FakeAnthias, "address">,
  more: object = {},
): Promise<string> => {
  const { address } = fake;
  const { id } = await client.make("/screens/adopted/", { address, ...more });
  return id as string;
};

const image = async (
  client: ClientV3,
  title: string,
  colour: readonly [number, number, number],
): Promise<string> => {
  const answer = await client.upload(png(colour), { title });
  const [row] = (await answer.json()) as { readonly id: string }[];
  const { id } = row ?? { id: "" };
  await waitUntilProcessed(client, id);
  return id;
};

const playlist = async (
  client: ClientV3,
  ids: readonly string[],
  more: object = {},
): Promise<string> => {
  const { id } = await client.make("/playlists/", {
    ...{ title: "Menu", predicate: "TRUE", groups: [{ id: "all-screens" }] },
    assets: ids.map((asset) => ({ id: asset, duration: 7 })),
    ...more,
  });
  return id as string;
};

const ended = (
  client: ClientV3,
  id: string,
  command: object,
): Promise<ScreenCommandStateV3> =>
  (async () => {
    const sent = (await client.make(`/screens/${id}/commands/`, command)) as {
      readonly id: string;
    };
    return vi.waitUntil(async () => {
      const [now] = screenCommandStateV3
        .array()
        .parse(await client.get(`/screens/commands/?id=${sent.id}`));
      return now && /done|failed/.test(now.state) && now;
    }, poll);
  })();

const refusalOf = async (client: ClientV3, body: object) => {
  const { status, json } = await client.call(
    ...(["POST", "/screens/adopted/", body] as const),
  );
  return [status, json];
};

eachContent(({ kind, ground, start }) => {
  /** Faults of players are the same for each database. */
  const isOnce = kind === "sqlite";

  const startClient = async (options: Partial<ContentOptions> = {}) => {
    const content = await start({ ...quick, ...options });
    return clientV3(content.address, contentKey);
  };

  describe("an adopted player", () => {
    it("[V3-110] [V3-112] [V3-113] is a screen with what its interface reports", async () => {
      const [client, fake] = [await startClient(), await fakeAnthias()];
      fake.shown = fake.own("Opening hours").asset_id;
      const id = await adopt(client, { address: `${fake.address}/` });
      const screen = await stateWhere(
        client,
        id,
        ({ report }) => report?.showing != null,
      );
      expect(screen).toMatchObject({
        ...{ name: "127.0.0.1", state: "unverified" },
        reason: "Nothing has verified what the screen shows.",
        ...{ software_version: "master@1a2b3c4" },
        item_counts: { wanted: 0, here: 0, failed: 0 },
        report: { showing: { name: "Opening hours", asset_id: null } },
        adopted: {
          ...{ address: fake.address, username: null, problem: null },
          kept_assets: 1,
          facts: {
            ...{ version: "master@1a2b3c4", free_space: "12G" },
            ...{ load_average: 0.25, display_power: "on" },
            ...{ uptime_seconds: 185_400 },
            model: "Raspberry Pi 4 Model B Rev 1.4",
          },
        },
      });
      fake.info = { ...fake.info, display_power: "False" };
      await stateWhere(client, id, ({ state }) => state === "dark");
      fake.info = null;
      const silent = await stateWhere(
        client,
        id,
        ({ state }) => state === "unverified",
      );
      expect(Object.values(silent.adopted?.facts ?? {})).toEqual(
        Array(6).fill(null),
      );
      expect(await refusalOf(client, { address: fake.address })).toEqual([
        400,
        { address: ["A screen with this address already exists."] },
      ]);
    });

    it("[V4-380] [V4-381] [V4-382] is added, moved and removed in the activity log, without its password", async () => {
      const [client, fake] = [await startClient(), await fakeAnthias()];
      const id = await adopt(client, fake, { name: "Till" });
      const path = `/screens/adopted/${id}/`;
      const other = await fakeAnthias();
      const login = { username: "pi", password: "secret1" };
      for (const body of [
        { address: fake.address },
        { address: other.address },
        login,
        { password: "secret2" },
      ]) {
        const { status, text } = await client.call("PATCH", path, body);
        expect(status, text).toBe(200);
      }
      await client.call("DELETE", `/screens/${id}/`);
      const hidden = {
        ...{ field: "password", before: "(hidden)", after: "(hidden)" },
      };
      const of = { kind: "screen", what: "changed", name: "Till" };
      expect(await briefEntriesOf(client, "screen")).toEqual([
        { ...of, what: "added", changes: [] },
        {
          ...of,
          changes: [
            { field: "address", before: fake.address, after: other.address },
          ],
        },
        {
          ...of,
          changes: [{ field: "username", before: null, after: "pi" }, hidden],
        },
        { ...of, changes: [hidden] },
        { ...of, what: "removed", changes: [] },
      ]);
    });

    it("[V3-114] [V3-115] [V3-116] gets the files, pages and order of its playlists, and keeps what is its own", async () => {
      const [client, fake] = [await startClient(), await fakeAnthias()];
      const [first, second] = [fake.own("Theirs"), fake.own("Also theirs")];
      [first.play_order, second.play_order] = [1, 0];
      const before = structuredClone(fake.assets);
      const [red, blue] = [
        await image(client, "Theirs", [200, 0, 0]),
        await image(client, "Blue", [0, 0, 200]),
      ];
      const list = await playlist(client, [red, blue, red]);
      const id = await adopt(client, fake);
      const isComplete = ({ item_counts: counts }: ScreenStateV3) =>
        counts?.wanted === 3 && counts.here === 3;
      await stateWhere(client, id, isComplete);
      // Named like one of its own, and in the order of the playlist, whatever the player made of it at each creation.
      await vi.waitFor(() =>
        expect(fake.playing()).toEqual([
          ...["Also theirs", "Theirs", "Theirs-1", "Blue", "Theirs-2"],
        ]),
      );
      expect([...fake.files.values()][0]).toEqual(png([200, 0, 0]));
      expect(fake.assets.slice(2).map(({ duration }) => duration)).toEqual([
        ...[7, 7, 7],
      ]);
      await client.call("PATCH", `/playlists/${list}/`, {
        assets: [{ id: blue, duration: 9 }],
      });
      await vi.waitFor(() => {
        expect(fake.playing()).toEqual(["Also theirs", "Theirs", "Blue"]);
        expect(fake.assets.at(-1)?.duration).toBe(9);
      }, poll);
      // Deleted by hand on the player: what the playlist needs is sent again.
      fake.assets = fake.assets.filter(({ name }) => name !== "Blue");
      await vi.waitFor(
        () => expect(fake.playing()).toEqual(["Also theirs", "Theirs", "Blue"]),
        poll,
      );
      // A disabled screen shows nothing of the service.
      await client.call("PATCH", `/screens/${id}/`, { is_enabled: false });
      await vi.waitFor(
        () => expect(fake.playing()).toEqual(["Also theirs", "Theirs"]),
        poll,
      );
      await client.call("DELETE", `/screens/${id}/`);
      await vi.waitFor(() => expect(fake.assets).toHaveLength(2), poll);
      const plain = ({ play_order: _, ...asset }: (typeof before)[number]) =>
        asset;
      expect(fake.assets.map(plain)).toEqual(before.map(plain));
    });

    it("[V3-119] is ordered next, previous, show and reboot, and reports what it cannot do", async () => {
      const [client, fake] = [await startClient(), await fakeAnthias()];
      const red = await image(client, "Red", [200, 0, 0]);
      await playlist(client, [red]);
      const id = await adopt(client, fake);
      await stateWhere(client, id, (one) => one.item_counts?.here === 1);
      const remote = fake.assets[0]?.asset_id ?? "";
      fake.requests.length = 0;
      const order = async (kind: string, more: object = {}) => {
        const { state, message } = await ended(client, id, {
          ...{ kind, arguments: more },
        });
        return [state, message];
      };
      expect(await order("next")).toEqual(["done", null]);
      expect(await order("previous")).toEqual(["done", null]);
      expect(await order("show", { asset_id: red })).toEqual(["done", null]);
      expect(await order("reboot")).toEqual(["done", null]);
      expect(await order("look")).toEqual(["done", null]);
      expect(await order("identify")).toEqual([
        ...["failed", "Anthias players cannot do this."],
      ]);
      const other = await image(client, "Not there", [0, 99, 0]);
      expect((await order("show", { asset_id: other }))[0]).toBe("failed");
      expect(fake.requests).toEqual([
        "GET /api/v2/assets/control/next",
        "GET /api/v2/assets/control/previous",
        `GET /api/v2/assets/control/asset&${remote}`,
        "POST /api/v2/reboot",
      ]);
    });

    it("[V3-111] [V3-113] a login is required, kept encrypted, and can be corrected", async () => {
      const place = await ground();
      const content = await startContent(place.dataDir, {
        ...{ ...quick, databaseUrl: place.databaseUrl },
        secretsKey: "k".repeat(40),
      });
      const client = clientV3(content.address, contentKey);
      const fake = await fakeAnthias();
      fake.login = { username: "admin", password: "pass:word" };
      expect(await refusalOf(client, { address: fake.address })).toEqual([
        400,
        { username: ["The player requires a user name and password."] },
      ]);
      const wrong = { username: "admin", password: "no" };
      const { address } = fake;
      expect((await refusalOf(client, { address, ...wrong }))[1]).toEqual({
        username: ["The player does not accept the user name and password."],
      });
      const id = await adopt(client, fake, fake.login);
      await stateWhere(client, id, ({ state }) => state === "unverified");
      fake.login = { username: "admin", password: "changed" };
      const refused = await stateWhere(
        client,
        id,
        ({ adopted }) => adopted?.problem != null,
      );
      expect(refused.adopted).toMatchObject({
        problem: "The player does not accept the user name and password.",
        username: "admin",
      });
      expect(JSON.stringify(refused)).not.toContain("pass:word");
      const text = "SELECT password FROM adopted_players";
      const stored = await secondConnection(place).read({ text, values: [] });
      expect(stored).toEqual([
        { password: expect.stringMatching(/^sealed:1:/) as string },
      ]);
      const { status } = await client.call("PATCH", `/screens/adopted/${id}/`, {
        password: "changed",
      });
      expect(status).toBe(200);
      await stateWhere(client, id, ({ adopted }) => adopted?.problem === null);
    });
  });

  describe.runIf(isOnce)("faults", () => {
    it("[V3-110] [V3-117] an address where no player answers is rejected with the reason", async () => {
      const [client, fake] = [await startClient(), await fakeAnthias()];
      const reasonAt = async (address: string) => {
        const [status, json] = await refusalOf(client, { address });
        return [status, (json as { address?: string[] }).address?.[0]];
      };
      // The service itself.
      expect(await reasonAt(client.address)).toEqual([
        400,
        expect.stringMatching(/a sign-in method other than/),
      ]);
      fake.fault = "html";
      expect((await reasonAt(fake.address))[1]).toMatch(/not an Anthias/);
      fake.fault = "broken";
      expect((await reasonAt(fake.address))[1]).toMatch(/cannot list/);
      await fake.close();
      expect((await reasonAt(fake.address))[1]).toMatch(/refused/);
      for (const address of [
        ...["ftp://192.168.1.2", "http://192.168.1.2/path", "", "http://a:b@c"],
        ...["169.254.169.254", "[fe80::1]", "http://0.0.0.0:80", "x y"],
      ])
        expect((await reasonAt(address))[0], address).toBe(400);
    });

    it("[V3-113] is offline with the reason when it stops answering, and back when it answers", async () => {
      const client = await startClient({ offlineAfterMs: 600 });
      const fake = await fakeAnthias();
      const id = await adopt(client, fake);
      await stateWhere(client, id, ({ state }) => state === "unverified");
      fake.fault = "broken";
      const offline = await stateWhere(
        client,
        id,
        ({ state }) => state === "offline",
      );
      expect(offline.reason).toMatch(/^The player cannot list its assets/);
      fake.fault = null;
      await stateWhere(client, id, ({ state }) => state === "unverified");
    });

    it("[V3-115] a creation whose response was lost is found again, and a full disk is named", async () => {
      const [client, fake] = [await startClient(), await fakeAnthias()];
      const [red, blue] = [
        await image(client, "Red", [200, 0, 0]),
        await image(client, "Blue", [0, 0, 200]),
      ];
      const list = await playlist(client, [red]);
      fake.fault = "lose-creation";
      const id = await adopt(client, fake);
      await stateWhere(client, id, (one) => one.item_counts?.here === 1);
      expect(fake.playing()).toEqual(["Red"]);
      fake.fault = "full";
      await client.call("PATCH", `/playlists/${list}/`, {
        assets: [{ id: red }, { id: blue }],
      });
      const full = await stateWhere(
        client,
        id,
        ({ state }) => state === "incomplete",
      );
      expect(full.report?.missing).toEqual([
        { name: "Blue", reason: "The player's disk is full." },
      ]);
      expect(fake.playing()).toEqual(["Red"]);
    });

    it("[V3-116] two services on one player leave each other's assets and settle on an order", async () => {
      const [one, other] = [await startClient(), await startClient()];
      const fake = await fakeAnthias();
      fake.own("Theirs");
      await playlist(one, [await image(one, "One", [200, 0, 0])]);
      await playlist(other, [await image(other, "Other", [0, 0, 200])]);
      const ids = [await adopt(one, fake), await adopt(other, fake)] as const;
      await stateWhere(one, ids[0], (it) => it.item_counts?.here === 1);
      await stateWhere(other, ids[1], (it) => it.item_counts?.here === 1);
      expect([...fake.playing()].sort()).toEqual(["One", "Other", "Theirs"]);
      const screens = () =>
        Promise.all([stateOf(one, ids[0]), stateOf(other, ids[1])]);
      // Each counts those of the other among those it keeps.
      await vi.waitFor(
        async () =>
          expect(
            (await screens()).map((it) => it?.adopted?.kept_assets),
          ).toEqual([2, 2]),
        poll,
      );
      fake.requests.length = 0;
      // Several contacts of both.
      for (const [client, id] of [
        [one, ids[0]],
        [other, ids[1]],
        [one, ids[0]],
      ] as const)
        await ended(client, id, { kind: "look" });
      expect(fake.requests).toEqual([]);
    });
  });

  it.runIf(isOnce)(
    "[V3-112] [V3-114] [V3-116] Vitrine's own player is adopted like any other",
    async () => {
      const client = await startClient();
      const running = await startPlayer();
      await running.add({ name: "Its own" });
      const [red, blue] = [
        await image(client, "Red", [200, 0, 0]),
        await image(client, "Blue", [0, 0, 200]),
      ];
      await playlist(client, [blue, red]);
      const id = await adopt(client, { address: running.player.apiAddress });
      await stateWhere(client, id, (one) => one.item_counts?.here === 2);
      const names = async () =>
        [...(await running.list())]
          .filter(({ is_enabled }) => is_enabled)
          .sort((one, other) => one.play_order - other.play_order)
          .map(({ name }) => name);
      await vi.waitFor(
        async () => expect(await names()).toEqual(["Its own", "Blue", "Red"]),
        poll,
      );
      expect((await ended(client, id, { kind: "next" })).state).toBe("done");
      await client.call("DELETE", `/screens/${id}/`);
      await vi.waitFor(
        async () => expect(await names()).toEqual(["Its own"]),
        poll,
      );
    },
  );
});

it("[V3-112] [V3-117] a player that answers slowly, at endless length or with a redirect is not waited for", async () => {
  const fake = await fakeAnthias();
  const client = createAnthiasClient({
    ...{ origin: fake.address, login: null, mayConnect: () => true },
    ...{ signal: new AbortController().signal, deadlineMs: 300 },
  });
  fake.fault = "trickle";
  await expect(client.assets()).rejects.toThrow(/did not respond in time/);
  fake.fault = "endless";
  await expect(client.assets()).rejects.toThrow(/in time|larger than/);
  fake.fault = "moved";
  await expect(client.assets()).rejects.toThrow(/redirects elsewhere/);
  expect(fake.requests).toEqual([]);
});
