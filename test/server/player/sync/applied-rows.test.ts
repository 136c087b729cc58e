// Rows written by an applied plan are read again, and nothing else of a possibly large library.

import { expect, it } from "vitest";
import {
  cloudImage,
  serveFaultyCloud,
} from "../../../support/faulty-service/faulty-service.ts";
import { startSync } from "../../../support/sync/start-sync.ts";

const [red, green, blue, grey] = [
  cloudImage("red", [255, 0, 0]),
  cloudImage("green", [0, 255, 0]),
  cloudImage("blue", [0, 0, 255]),
  cloudImage("grey", [128, 128, 128]),
];

it("an applied plan leaves the cached rows it does not touch as they were", async () => {
  const cloud = await serveFaultyCloud();
  // One after the other: of two at once, the one whose file arrives first is applied first.
  cloud.playlists = [{ id: "P1", assets: [red, green] }];
  const running = await startSync();
  const connection = await running.connect({ baseUrl: cloud.address });
  cloud.playlists = [
    { id: "P1", assets: [red, green] },
    { id: "P2", assets: [blue] },
  ];
  await running.syncNow();
  const held = () => {
    const { assets, playlists } =
      running.player.forSync.library.held(connection);
    const factsOf = (
      list: readonly {
        readonly remoteId: string;
        readonly now: object | null;
      }[],
    ) => new Map(list.map(({ remoteId, now }) => [remoteId, now]));
    return { assets: factsOf(assets), playlists: factsOf(playlists) };
  };
  const before = held();
  cloud.playlists = [
    { id: "P1", assets: [grey, red] },
    { id: "P2", assets: [blue] },
  ];
  await running.syncNow();
  const after = held();
  expect([...after.assets.keys()].toSorted()).toEqual(["blue", "grey", "red"]);
  for (const id of ["red", "blue"])
    expect(after.assets.get(id)).toBe(before.assets.get(id));
  expect(after.playlists.get("P2")).toBe(before.playlists.get("P2"));
  expect(after.playlists.get("P1")).not.toEqual(before.playlists.get("P1"));
  // Reading everything gives the same, in the same order.
  const listed = await running.list();
  await running.stopSync();
  await running.player.stop();
  const { dataDir } = running;
  const again = await startSync({ player: { dataDir } });
  expect(await again.list()).toEqual(listed);
  expect(again.player.forSync.library.held(connection).playlists).toEqual(
    [...after.playlists].map(([remoteId, now]) =>
      expect.objectContaining({ remoteId, now }),
    ),
  );
});
