// Random libraries, zones and times, and the complete comparison of a schedule with its oracle.

import fc from "fast-check";
import { expect } from "vitest";
import type { Asset } from "../../../server/core/asset.ts";
import {
  compileSchedule,
  type Candidate,
  type LineupEntry,
} from "../../../server/core/schedule/schedule.ts";
import { partsOf, sentenceNear, truthOf } from "./predicate-oracle.ts";
import { verdictAt, type OracleInput } from "./schedule-oracle.ts";
import { hourMs, someAsset, somePlaylist } from "./schedules.ts";
import { oddZones, shownBy } from "./wall-clock-oracle.ts";

const minuteMs = 60_000;

export interface ScheduleCase extends OracleInput {
  readonly from: number;
  readonly until: number;
}

/** A little more than a day, often around a change to or from summer time. */
export const scheduleCase: fc.Arbitrary<ScheduleCase> = fc
  .constantFrom(...oddZones)
  .chain(({ zone, near }) =>
    fc.record({
      zone: fc.constant(zone),
      from: fc.oneof(
        { arbitrary: nearOne(near), weight: 3 },
        {
          arbitrary: fc
            .integer({ min: 18_000_000, max: 36_000_000 })
            .map((minute) => minute * minuteMs),
          weight: 1,
        },
      ),
    }),
  )
  .chain(({ zone, from }) => caseFrom(zone, from));

function nearOne(near: readonly string[]): fc.Arbitrary<number> {
  return fc
    .tuple(fc.constantFrom(...near), fc.integer({ min: 0, max: 24 * 60 }))
    .map(([text, before]) => Date.parse(text) - before * minuteMs);
}

function caseFrom(zone: string, from: number): fc.Arbitrary<ScheduleCase> {
  const until = from + 26 * hourMs;
  const middle = from + 13 * hourMs;
  const names = ["a", "b", "c", "d"];
  return fc
    .record({
      assets: fc.tuple(...names.map((name) => assetNear(name, middle))),
      playlists: fc.array(playlistNear([...names, "gone"], middle), {
        maxLength: 4,
      }),
      groups: fc.subarray(["lobby", "canteen"]),
      quarantine: fc.array(
        fc.tuple(
          fc.constantFrom(...names),
          fc.option(minuteNear(middle), { nil: null }),
        ),
        { maxLength: 1 },
      ),
    })
    .map(({ assets, playlists, groups, quarantine }) => {
      const named = playlists.map(({ fields, sentence }, index) => ({
        sentence,
        playlist: somePlaylist(`p${index}`, "", fields),
      }));
      const input = {
        ...{ assets, zone, groups, quarantine: new Map(quarantine) },
        playlists: named.map(({ playlist }) => playlist),
      };
      return { input, playlists: named, from, until };
    });
}

function minuteNear(moment: number): fc.Arbitrary<number> {
  const minute = Math.floor(moment / minuteMs);
  return fc
    .integer({ min: minute - 900, max: minute + 900 })
    .map((one) => one * minuteMs);
}

function assetNear(id: string, moment: number): fc.Arbitrary<Asset> {
  const edge = (nothing: number): fc.Arbitrary<number | null> =>
    fc.oneof(
      { arbitrary: fc.constant(nothing), weight: 4 },
      { arbitrary: minuteNear(moment), weight: 2 },
      { arbitrary: fc.constant(null), weight: 1 },
    );
  const time = fc.option(
    fc.integer({ min: 0, max: 1440 }).map((minute) => minute * minuteMs),
    { nil: null, freq: 6 },
  );
  const hours = fc.record({
    days: fc.subarray([1, 2, 3, 4, 5, 6, 7], { minLength: 1 }),
    ...{ fromMs: time, untilMs: time },
  });
  const rarely = fc.integer({ min: 0, max: 7 }).map((one) => one === 0);
  return fc
    .record({
      ...{ startsAt: edge(0), endsAt: edge(1e14) },
      hours: fc.option(hours, { nil: null, freq: 2 }),
      isEnabled: rarely.map((is) => !is),
      ...{ isProcessing: rarely, isPlaylistOnly: rarely },
      playOrder: fc.integer({ min: 0, max: 3 }),
    })
    .map((fields) => someAsset(id, fields));
}

function playlistNear(assetIds: readonly string[], moment: number) {
  return fc
    .record({
      sentence: sentenceNear(moment),
      priority: fc.constantFrom(0, 0, 0, 1, 2, -1),
      isEnabled: fc.constantFrom(true, true, true, true, false),
      groups: fc.constantFrom([], [], ["lobby"], ["all-screens", "x"], ["x"]),
      createdAt: fc.integer({ min: 0, max: 2 }),
      shown: fc.array(fc.constantFrom(...assetIds), { maxLength: 4 }),
    })
    .map(({ sentence, shown, ...fields }) => ({
      sentence,
      fields: {
        ...fields,
        predicate: sentence.text,
        items: shown.map((assetId, index) => ({
          ...{ id: `i${index}`, assetId, durationSeconds: null },
        })),
      },
    }));
}

/** At every minute, and a millisecond before and after it: no edge is anywhere else. */
export function compare(given: ScheduleCase): void {
  const { from, until } = given;
  const schedule = compileSchedule(given.input);
  const moments: number[] = [];
  for (let minute = from; minute < until; minute += minuteMs)
    moments.push(minute - 1, minute, minute + 1);
  moments.shift();
  const expected = moments.map((moment) => verdictAt(given, moment));

  const spans = schedule.timeline(from, until);
  expect(spans[0]?.from).toBe(from);
  expect(spans.at(-1)?.until).toBe(until);
  let span = 0;
  let lineup = schedule.lineupAt(from);
  let requestedAt = from;
  let count = 0;
  for (const [index, moment] of moments.entries()) {
    const { due, reasons } = expected[index] as (typeof expected)[number];
    while ((spans[span]?.until ?? Infinity) <= moment) {
      expect(spans[span + 1]?.from).toBe(spans[span]?.until);
      expect(spans[span + 1]?.playlists).not.toEqual(spans[span]?.playlists);
      span += 1;
    }
    if (lineup.changesAt !== null && lineup.changesAt <= moment) {
      requestedAt = lineup.changesAt;
      count += 1;
      lineup = schedule.lineupAt(requestedAt);
    }
    const reported = dueOf(lineup.entries);
    if (reported.join() !== due.join())
      expect({ moment, requestedAt, due: reported }).toEqual({
        moment,
        requestedAt,
        due,
      });
    const inSpan = spans[span]?.playlists.flatMap(({ entries }) => entries);
    if (dueOf(inSpan ?? []).join() !== due.join())
      expect({ moment, due: dueOf(inSpan ?? []) }).toEqual({ moment, due });
    if (index % 97 === 0) compareReasons(given, moment, reasons);
  }
  // An unnecessary check is allowed, a storm of them is not.
  expect(count).toBeLessThanOrEqual(spans.length + 2);

  function compareReasons(
    of: ScheduleCase,
    moment: number,
    reasons: readonly string[],
  ): void {
    const candidates = schedule.candidatesAt(moment);
    expect(dueOf(schedule.lineupAt(moment).entries)).toEqual(
      verdictAt(of, moment).due,
    );
    expect(candidates.map(reasonText)).toEqual(reasons);
    for (const candidate of candidates) comparePart(of, candidate, moment);
  }
}

function dueOf(entries: readonly LineupEntry[]): readonly string[] {
  return entries.map(
    ({ id, asset, playlistId }) => `${playlistId ?? "local"} ${id} ${asset.id}`,
  );
}

function reasonText(candidate: Candidate): string {
  const { kind, id, playlistId, reason } = candidate;
  const who = kind === "playlist" ? id : `${playlistId ?? "local"} ${id}`;
  switch (reason.code) {
    case "playlist-empty":
      return `${who}: playlist-empty ${reason.items}`;
    case "outranked":
      return `${who}: loses ${reason.name}`;
    case "quarantined":
      return `${who}: quarantined ${String(reason.until)}`;
    case "plays":
    case "predicate-false":
    case "disabled":
    case "outside-dates":
    case "outside-hours":
    case "other-groups":
    case "not-on-disk":
      return `${who}: ${reason.code}`;
  }
}

/** The named part is at its stated position, and is false by itself. */
function comparePart(
  { playlists, input }: ScheduleCase,
  { playlistId, reason }: Candidate,
  moment: number,
): void {
  if (reason.code !== "predicate-false") return;
  const owner = playlists.find(({ playlist }) => playlist.id === playlistId);
  if (!owner) throw new Error("The local playlist has no false predicate.");
  const { part, from, to } = reason;
  expect(owner.sentence.text.slice(from, to)).toBe(part);
  const named = partsOf(owner.sentence).find(({ text }) => text === part);
  if (!named) throw new Error(`"${part}" is no part of the predicate.`);
  expect(truthOf(named, shownBy(input.zone, moment))).toBe(false);
}
