// Version 3 of a foreign or failing service: what is not a playlist removes none, and each item is judged by itself.

import { describe, expect, it } from "vitest";
import {
  cloudImage,
  sendJson,
} from "../../../support/faulty-service/faulty-service.ts";
import {
  allScreensGroup,
  serveFaultyCloudV3,
  type FaultyCloudV3,
} from "../../../support/faulty-service/faulty-service-v3.ts";
import { startSync } from "../../../support/sync/start-sync.ts";
import { hurried } from "../../../support/sync/synced-player.ts";

const [red, green, blue] = [
  cloudImage("red", [255, 0, 0]),
  cloudImage("green", [0, 255, 0]),
  cloudImage("blue", [0, 0, 255]),
];

/** A player that has two playlists of such a service. */
async function startRemoteV3() {
  const cloud = await serveFaultyCloudV3();
  cloud.playlists = [
    { id: "P1", assets: [red, blue] },
    { id: "P2", assets: [green] },
  ];
  const running = await startSync({ sync: { clock: hurried } });
  await running.connect({ baseUrl: cloud.address, pollSeconds: 86_400 });
  const playlists = async (): Promise<readonly string[]> => {
    const answer = await running.request("/playlists");
    const all = (await answer.json()) as readonly { readonly name: string }[];
    return all.map(({ name }) => name);
  };
  const assets = async (): Promise<readonly unknown[]> =>
    (await running.list()).map(({ name }) => name).sort();
  expect(running.sync.status()).toMatchObject([
    { version: "v3", isInSync: true, problem: null, itemFailures: [] },
  ]);
  return { ...running, cloud, playlists, assets };
}

function rename(cloud: FaultyCloudV3, id: string, title: string): void {
  cloud.playlists = cloud.playlists.map((playlist) =>
    playlist.id === id ? { ...playlist, row: { title } } : playlist,
  );
}

describe("a service of version 3", () => {
  it.each<[string, unknown]>([
    ["an error", { error: "Not now." }],
    ["null", null],
    ["an empty list", []],
    ["another playlist", { id: "P1", title: "P1", assets: [] }],
    ["one without its assets", { id: "P2", title: "P2" }],
  ])(
    "[V2-540] [V2-544] that answers %s in place of a playlist keeps it as it was, named, and the rest continues",
    async (_, body) => {
      const { cloud, syncNow, playlists, assets } = await startRemoteV3();
      cloud.answers.set("/playlists/P2/", (_request, response) =>
        sendJson(response, body),
      );
      rename(cloud, "P1", "Renamed");
      expect(await syncNow()).toMatchObject({
        ...{ problem: null, isInSync: false, hold: null },
        itemFailures: [{ remoteId: "P2", name: "P2", isGivenUp: false }],
      });
      expect(await playlists()).toEqual(["Renamed", "P2"]);
      expect(await assets()).toEqual(["blue", "green", "red"]);
      cloud.answers.clear();
      expect(await syncNow()).toMatchObject({
        isInSync: true,
        itemFailures: [],
      });
    },
  );

  it.each<[string, number, string, string]>([
    ["its own 404", 404, "application/json", '{"detail":"Not found."}'],
    ["a gateway's 404", 404, "text/plain", "404 page not found"],
    ["an error page", 500, "text/html", "<!doctype html><h1>Server Error</h1>"],
    ["500", 500, "application/json", "{}"],
  ])(
    "[V2-544] that answers %s for one playlist keeps it as it was, named, and the rest continues",
    async (_, status, type, body) => {
      const { cloud, syncNow, playlists, assets } = await startRemoteV3();
      cloud.answers.set("/playlists/P2/", (_request, response) => {
        response.writeHead(status, { "Content-Type": type }).end(body);
      });
      rename(cloud, "P1", "Renamed");
      for (let time = 0; time < 3; time += 1) {
        expect(await syncNow()).toMatchObject({
          ...{ problem: null, isInSync: false, version: "v3" },
          itemFailures: [{ remoteId: "P2", name: "P2" }],
        });
        expect(await playlists()).toEqual(["Renamed", "P2"]);
        expect(await assets()).toEqual(["blue", "green", "red"]);
      }
      // What it no longer lists is removed, whatever it answers for it.
      cloud.playlists = cloud.playlists.slice(0, 1);
      expect(await syncNow()).toMatchObject({
        hold: null,
        itemFailures: [],
        isInSync: true,
      });
      expect(await playlists()).toEqual(["Renamed"]);
    },
  );

  it("[V2-544] [V2-545] a playlist that can't be read has the place that the list gives it now", async () => {
    const { cloud, syncNow, playlists } = await startRemoteV3();
    cloud.answers.set("/playlists/P1/", (_request, response) => {
      response.writeHead(500, { "Content-Type": "application/json" }).end("{}");
    });
    cloud.playlists = cloud.playlists.toReversed();
    expect((await syncNow()).itemFailures).toHaveLength(1);
    expect(await playlists()).toEqual(["P2", "P1"]);
    cloud.answers.clear();
    cloud.playlists = cloud.playlists
      .toReversed()
      .map((one) =>
        one.id === "P2" ? { ...one, row: { predicate: "$TIDE" } } : one,
      );
    expect((await syncNow()).itemFailures).toHaveLength(1);
    expect(await playlists()).toEqual(["P1", "P2"]);
  });

  it("[V2-540] whose lists are malformed removes nothing", async () => {
    const { cloud, syncNow, playlists, assets } = await startRemoteV3();
    for (const path of ["/assets/", "/playlists/", "/groups/"])
      for (const body of [{ error: "no" }, null, [null], [{ title: "x" }]]) {
        cloud.answers.set(path, (_request, response) =>
          sendJson(response, body),
        );
        expect((await syncNow()).problem).toMatchObject({ code: "malformed" });
        expect(await playlists()).toEqual(["P1", "P2"]);
        expect(await assets()).toEqual(["blue", "green", "red"]);
        cloud.answers.delete(path);
      }
    expect(await syncNow()).toMatchObject({ isInSync: true, problem: null });
  });

  it("[V2-543] shows what is for its one group of all screens, and not what is for a group of the same name", async () => {
    const { cloud, syncNow, playlists } = await startRemoteV3();
    const likes = ["All_Screens", "all-screens", "All Screens"];
    cloud.groups = [
      allScreensGroup,
      ...likes.map((name, place) => ({ id: `G${place}`, name, screens: [] })),
    ];
    cloud.playlists = [
      { id: "P1", assets: [red, blue] },
      { id: "P2", assets: [green], groups: ["all_screens"] },
      ...likes.map((name, place) => ({
        ...{ id: `L${place}`, assets: [red], groups: [`G${place}`] },
      })),
    ];
    expect(await syncNow()).toMatchObject({ isInSync: true, itemFailures: [] });
    expect(await playlists()).toEqual(["P1", "P2"]);
  });

  it("[V2-110] whose playlists come over two connections plays them in the order in which they are listed", async () => {
    const { cloud, connect, playlists, request } = await startRemoteV3();
    for (let number = 0; number < 3; number += 1)
      await connect({ baseUrl: cloud.address, name: `Again ${number}` });
    const listed = await playlists();
    expect(listed).toHaveLength(8);
    const why = (await (await request("/why")).json()) as {
      readonly due: readonly { readonly playlist: { readonly name: string } }[];
    };
    const played = why.due.map(({ playlist }) => playlist.name);
    expect([...new Set(played)]).toEqual(listed);
  });
});
