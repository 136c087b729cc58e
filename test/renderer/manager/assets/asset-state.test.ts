// Asset state in the library: always consistent with the schedule.

import { expect, it } from "vitest";
import type { AssetView } from "../../../../renderer/manager/api/asset-view.ts";
import { assetStateAt } from "../../../../renderer/manager/assets/asset-state.ts";

const asset = (more: Partial<AssetView>): AssetView => ({
  ...{ id: "a", name: "A", uri: "", kind: "image", mimetype: "image" },
  ...{ startsAt: null, endsAt: null, durationSeconds: 10, sizeBytes: 1 },
  ...{ isEnabled: true, isActive: false, isProcessing: false, playOrder: 0 },
  ...{
    fileUrl: null,
    problem: null,
    folder: "",
    isPlaylistOnly: false,
    hours: null,
  },
  ...{ lengthSeconds: null, ...more },
});

const hour = 3_600_000;
/** Mondays to Fridays from 20:00 to 22:00. */
const evenings = {
  ...{ days: [1, 2, 3, 4, 5], fromMs: 20 * hour, untilMs: 22 * hour },
};
const dated = { startsAt: 0, endsAt: Date.UTC(2100, 0) };
/** A Thursday, the first of 1970, in UTC. */
const early = 5;
const inTime = 20 * hour;

it.each([
  ["without dates, in no playlist", {}, early, "in-none", "undated"],
  [
    "that follows playlists, in none",
    { isPlaylistOnly: true },
    early,
    "in-none",
    "undated",
  ],
  [
    "that follows playlists",
    { isPlaylistOnly: true },
    early,
    "due",
    "in-playlists",
  ],
  ["without dates, in a playlist", {}, early, "due", "in-playlists"],
  ["of a playlist that is not due", {}, early, "not-due", "not-due"],
  [
    "for playlists alone, with dates, in none",
    { ...dated, isPlaylistOnly: true },
    early,
    "in-none",
    "not-due",
  ],
  [
    "of a playlist, with its start ahead",
    { startsAt: 9 },
    early,
    "due",
    "not-yet",
  ],
  [
    "of a playlist, with its end behind it",
    { endsAt: 5 },
    early,
    "due",
    "expired",
  ],
  ["of a playlist, disabled", { isEnabled: false }, early, "due", "disabled"],
  ["inside its dates", dated, early, "not-due", "active"],
  ["before its dates", { startsAt: 6, endsAt: 9 }, early, "in-none", "not-yet"],
  ["behind its dates", { startsAt: 0, endsAt: 5 }, early, "in-none", "expired"],
  [
    "outside its hours",
    { ...dated, hours: evenings },
    early,
    "due",
    "outside-hours",
  ],
  [
    "inside its hours",
    { ...dated, hours: evenings },
    inTime,
    "in-none",
    "active",
  ],
  [
    "outside its weekdays",
    { ...dated, hours: evenings },
    inTime + 48 * hour,
    "in-none",
    "outside-hours",
  ],
] as const)(
  "reports the state of an asset %s",
  (_which, more, moment, listed, state) => {
    const one = asset(more);
    expect(assetStateAt(one, false, moment, listed, "UTC")).toBe(state);
    expect(assetStateAt(one, true, moment, listed, "UTC")).toBe("playing");
  },
);
