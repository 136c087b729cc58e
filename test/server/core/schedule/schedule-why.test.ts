// Reasons why something plays at a moment, or does not.

import { describe, expect, it } from "vitest";
import type {
  Reason,
  Schedule,
} from "../../../../server/core/schedule/schedule.ts";
import {
  hourMs,
  listed,
  noon,
  scheduleOf,
  someAsset,
  somePlaylist,
} from "../../../support/schedule/schedules.ts";

function reasonOf(schedule: Schedule, id: string): Reason {
  const match = schedule.candidatesAt(noon).find((one) => one.id === id);
  if (!match) throw new Error(`${id} is no candidate.`);
  return match.reason;
}

describe("the reasons", () => {
  const hours = { days: [4], fromMs: null, untilMs: null };
  const schedule = scheduleOf({
    assets: [
      someAsset("a"),
      ...listed("b"),
      ...listed("c", { isEnabled: false }),
      ...listed("d", { endsAt: noon }),
      ...listed("e", { hours }),
      ...listed("f", { isProcessing: true }),
      ...listed("gh"),
      someAsset("u", { startsAt: null, endsAt: null }),
    ],
    playlists: [
      somePlaylist("w", "bcdefghk", { priority: 1, name: "Winner" }),
      somePlaylist("off", "b", { isEnabled: false }),
      somePlaylist("far", "b", { groups: ["canteen"] }),
      somePlaylist("not", "bc", { predicate: "TRUE AND ($WEEKDAY = 0)" }),
      somePlaylist("none", ""),
      somePlaylist("sad", "c"),
    ],
    quarantine: new Map([
      ["g", noon + hourMs],
      ["h", null],
    ]),
  });
  const outranked: Reason = {
    ...{ code: "outranked", playlistId: "w", name: "Winner", priority: 1 },
  };
  const isFalse: Reason = {
    ...{ code: "predicate-false", part: "$WEEKDAY = 0", from: 10, to: 22 },
  };
  const over: Reason = { code: "outside-dates", startsAt: 0, endsAt: noon };
  const undated: Reason = {
    ...{ code: "outside-dates", startsAt: null, endsAt: null },
  };

  it.each<{ id: string; reason: Reason }>([
    { id: "local", reason: outranked },
    { id: "a", reason: outranked },
    { id: "u", reason: undated },
    { id: "w", reason: { code: "plays" } },
    { id: "w0", reason: { code: "plays" } },
    { id: "w1", reason: { code: "disabled" } },
    { id: "w2", reason: over },
    { id: "w3", reason: { code: "outside-hours", hours } },
    { id: "w4", reason: { code: "not-on-disk" } },
    { id: "w5", reason: { code: "quarantined", until: noon + hourMs } },
    { id: "w6", reason: { code: "quarantined", until: null } },
    { id: "w7", reason: { code: "not-on-disk" } },
    { id: "off", reason: { code: "disabled" } },
    { id: "off0", reason: { code: "disabled" } },
    { id: "far", reason: { code: "other-groups", groups: ["canteen"] } },
    { id: "not", reason: isFalse },
    { id: "not0", reason: isFalse },
    { id: "not1", reason: { code: "disabled" } },
    { id: "none", reason: { code: "playlist-empty", items: 0 } },
    { id: "sad", reason: { code: "playlist-empty", items: 1 } },
  ])("[V2-97] of $id is $reason.code", ({ id, reason }) => {
    expect(reasonOf(schedule, id)).toEqual(reason);
  });

  it("[V2-97] are given for every playlist and then its entries, in lineup order", () => {
    const reported = scheduleOf({
      assets: [someAsset("a"), ...listed("b")],
      playlists: [
        somePlaylist("q", "bb", { createdAt: 2 }),
        somePlaylist("p", "a?", { createdAt: 1 }),
      ],
    }).candidatesAt(noon);
    expect(
      reported.map(({ kind, id, name, playlistId, assetId }) =>
        [kind, id, name, playlistId, assetId].join(),
      ),
    ).toEqual([
      "playlist,local,local,,",
      "asset,a,a,,a",
      "playlist,p,Playlist p,p,",
      "asset,p0,a,p,a",
      "asset,p1,?,p,?",
      "playlist,q,Playlist q,q,",
      "asset,q0,b,q,b",
      "asset,q1,b,q,b",
    ]);
  });
});
