// The report about the screen in a heartbeat: its size, its validity, what is worth a heartbeat of its own, and the clock skew.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyCharacter } from "../../../support/fuzz/any-character.ts";
import {
  maxReportBytes,
  screenReport,
  type ScreenReport,
} from "../../../../server/contract/link/screen-report.ts";
import type { SyncStatus } from "../../../../server/core/sync-plan/sync-state.ts";
import { wellFormed } from "../../../../server/core/text-limit.ts";
import type { ShowingStatus } from "../../../../server/player/playback/showing-status.ts";
import {
  isAboutToBeVerified,
  isMissingNews,
  isReportNews,
  screenReportOf,
  sizeOf,
  type ReportInputs,
} from "../../../../server/player/sync/link-client/screen-report.ts";
import { createServiceClock } from "../../../../server/player/sync/link-client/service-clock.ts";
import { runSettings } from "../../../support/fuzz/run-settings.ts";

const connectionId = "c1";
const at = Date.UTC(2026, 2, 1, 12);

const status: SyncStatus = {
  ...{ connectionId, name: "Cloud", phase: "idle", version: "v4.1" },
  ...{ hold: null, problem: null, lastContactAt: at, lastAppliedAt: at },
  ...{ nextPollAt: at, isInSync: true, assets: 1, playlists: 1 },
  items: { wanted: 1, here: 1, failed: 0 },
  ...{ itemFailures: [], unused: null, site: null, kept: [] },
  progress: {
    ...{ connectionId, phase: "idle", filesDone: 0, filesTotal: 0 },
    ...{ receivedBytes: 0, totalBytes: 0, bytesPerSecond: 0 },
    ...{ secondsLeft: null, files: [] },
  },
};

function showing(change: Partial<ShowingStatus> = {}): ShowingStatus {
  return {
    showing: {
      ...{ id: "s-1", assetId: "c1-a1", name: "Spring sale" },
      content: { kind: "text", text: "" },
      ...{ transition: "cut", durationSeconds: 10 },
    },
    ...{ reason: "schedule", playlistId: "c1-p1", takeoverId: null },
    ...{ sinceMs: at, untilMs: at + 10_003.4, coveredSinceMs: null },
    verdict: {
      ...{ showingId: "s-1", verdict: "verified", at, steady: 0, since: at },
    },
    ...change,
  };
}

const inputs: ReportInputs = {
  connectionId,
  screen: {
    showing: showing(),
    ...{ playlistName: "Shop", nextName: "Winter sale" },
    unplayable: [],
    ...{ pausedUntilMs: null, isDark: false },
  },
  explanation: "Scheduled in the playlist Shop.",
  status,
  displays: [{ width: 1920, height: 1080, rotation: 0, is_playback: true }],
  storage: { freeBytes: 250 * 1024 ** 2, totalBytes: 1024 ** 3 },
  clockSkewMs: 500,
};

const report = (change: Partial<ReportInputs> = {}): ScreenReport =>
  screenReportOf({ ...inputs, ...change });

const reportOf = (change: Partial<ShowingStatus>): ScreenReport =>
  report({ screen: { ...inputs.screen, showing: showing(change) } });

describe("the report about the screen", () => {
  it("[L-38] names the asset by the service's identifier, and everything as a person reads it", () => {
    expect(report()).toEqual({
      showing: {
        ...{ asset_id: "a1", name: "Spring sale", kind: "text" },
        ...{ reason: "schedule", playlist: "Shop" },
        explanation: "Scheduled in the playlist Shop.",
        since: "2026-03-01T12:00:00.000Z",
        until: "2026-03-01T12:00:10.000Z",
        ...{ verdict: "verified", verdict_since: "2026-03-01T12:00:00.000Z" },
      },
      ...{ next: "Winter sale", paused_until: null, is_dark: false },
      ...{ missing: [], displays: inputs.displays },
      storage: { free_bytes: 200 * 1024 ** 2, total_bytes: 1024 ** 3 },
      clock_skew_ms: 500,
    });
    const other = showing({
      showing: { ...showing().showing, assetId: "c12-a1" },
    });
    expect(
      report({ screen: { ...inputs.screen, showing: other } }).showing,
    ).toMatchObject({ asset_id: null, name: "Spring sale" });
  });

  it("[L-38] reports why items are missing: the first three that failed, or else what the others wait for", () => {
    const items = { wanted: 9, here: 4, failed: 4 };
    const itemFailures = ["One", "Two", "", "Four"].map((name, number) => ({
      ...{ remoteId: `r${number}`, name, reason: `HTTP 404 (${number})` },
      isGivenUp: true,
    }));
    const missing = (change: Partial<SyncStatus>) =>
      report({ status: { ...status, items, ...change } }).missing;
    expect(missing({ itemFailures })).toEqual([
      { name: "One", reason: "HTTP 404 (0)" },
      { name: "Two", reason: "HTTP 404 (1)" },
      { name: "r2", reason: "HTTP 404 (2)" },
    ]);
    const problem = { code: "no-space", message: "Full.", since: at } as const;
    expect(missing({ problem })).toEqual([
      { name: "5 items", reason: "Full." },
    ]);
    expect(missing({ hold: "ask", phase: "held" })).toEqual([
      { name: "5 items", reason: "Waiting for approval on this player." },
    ]);
    expect(missing({ phase: "waiting-for-hours" })).toHaveLength(1);
    expect(missing({ phase: "downloading" })).toEqual([]);
    expect(report({ status: { ...status, problem } }).missing).toEqual([]);
  });

  it("[L-38] reports what fails to play while nothing that is due can be shown, after what failed to arrive", () => {
    const itemFailures = [
      { remoteId: "a9", name: "Film", reason: "404", isGivenUp: false },
    ];
    const unplayable = [
      { name: "Menu", reason: "The connection was refused." },
      { name: "Clip", reason: "It cannot be decoded." },
      { name: "Page", reason: "It is blank." },
    ];
    const { missing } = report({
      screen: { ...inputs.screen, unplayable },
      status: { ...status, itemFailures },
    });
    expect(missing).toEqual([
      { name: "Film", reason: "404" },
      ...unplayable.slice(0, 2),
    ]);
  });

  it("[L-38] is valid and at most 2 KiB whatever it is about, and cuts no character in half", () => {
    const text = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 400 }),
      fc.string({ unit: "grapheme", minLength: 90, maxLength: 320 }),
      fc
        .constantFrom("\u0001", "\ud83d", '"', "😀", "e\u0301", " ")
        .chain((one) => fc.nat(900).map((count) => one.repeat(count))),
    );
    const moment = fc.oneof(
      fc.double({ noNaN: true, min: -8e15, max: 8e15 }),
      fc.constant(at),
    );
    const display = fc.record({
      ...{ width: fc.integer({ min: 1 }), height: fc.integer({ min: 1 }) },
      ...{ rotation: fc.integer(), is_playback: fc.boolean() },
    });
    fc.assert(
      fc.property(
        fc.array(text, { minLength: 8, maxLength: 8 }),
        ...([moment, moment] as const),
        fc.array(display, { maxLength: 12 }),
        fc.maxSafeInteger(),
        (texts, since, until, displays, clockSkewMs) => {
          const [id = "", name = "", playlistName = "", nextName = ""] = texts;
          const failures = texts.slice(4, 8).map((one, number) => ({
            ...{ remoteId: id, name: one, reason: texts[number] ?? "" },
            isGivenUp: false,
          }));
          const built = report({
            screen: {
              ...inputs.screen,
              ...{ playlistName, nextName, pausedUntilMs: until },
              showing: showing({
                showing: { ...showing().showing, assetId: `c1-${id}`, name },
                ...{ sinceMs: since, untilMs: until },
              }),
            },
            explanation: texts.join(""),
            status: { ...status, itemFailures: failures },
            ...{ displays, clockSkewMs },
          });
          expect(screenReport.safeParse(built).error).toBeUndefined();
          expect(sizeOf(built)).toBeLessThanOrEqual(maxReportBytes);
          const { asset_id: _, ...shown } = built.showing ?? {};
          const all = JSON.stringify({ ...built, showing: shown });
          expect(all).not.toMatch(/\\ud[89a-f]/i);
          expect(wellFormed(all)).toBe(all);
        },
      ),
      runSettings,
    );
  });

  it("[L-38] shortens texts no more than needed, and marks where", () => {
    const explanation = "sentence ".repeat(30);
    expect(report({ explanation }).showing?.explanation).toBe(
      explanation.trim(),
    );
    const long = report({ explanation: "x".repeat(500) }).showing;
    expect(long?.explanation).toBe(`${"x".repeat(299)}…`);
  });
});

describe("a change of the report", () => {
  const before = report();

  it("[L-39] is sent immediately when the screen becomes wrong or right, or is shown for another reason", () => {
    const verdict = (value: "verified" | "blank") => ({
      ...{ showingId: "s-1", verdict: value, at, steady: 0, since: at },
    });
    const blank = reportOf({ verdict: verdict("blank") });
    expect(isReportNews(before, null)).toBe(true);
    expect(isReportNews(blank, before)).toBe(true);
    expect(isReportNews(before, blank)).toBe(true);
    expect(isReportNews(before, reportOf({ verdict: null }))).toBe(true);
    const taken = reportOf({ reason: "takeover", takeoverId: "t1" });
    expect(isReportNews(taken, before)).toBe(true);
    const again = reportOf({ reason: "takeover", sinceMs: at + 1 });
    expect(isReportNews(again, taken)).toBe(true);
    expect(isReportNews({ ...before, is_dark: true }, before)).toBe(true);
    const paused_until = "2026-03-01T13:00:00Z";
    expect(isReportNews({ ...before, paused_until }, before)).toBe(true);
  });

  it("[L-39] waits for the next heartbeat when one item follows another, verified or not yet", () => {
    const next = { showing: { ...showing().showing, name: "Other" } };
    expect(isReportNews(reportOf({ ...next, sinceMs: at + 9 }), before)).toBe(
      false,
    );
    const unverified = reportOf({ ...next, sinceMs: at + 9, verdict: null });
    expect(isReportNews(unverified, before)).toBe(false);
    expect(isAboutToBeVerified(unverified, before, at + 1000)).toBe(true);
    expect(isAboutToBeVerified(unverified, before, at + 9000)).toBe(false);
    expect(isAboutToBeVerified(reportOf({}), before, at + 1000)).toBe(false);
    expect(isAboutToBeVerified(unverified, null, at + 1000)).toBe(false);
  });

  it("[L-39] is sent immediately when other items are missing, not when a reason is worded otherwise", () => {
    const missing = (name: string, reason: string): ScreenReport => ({
      ...before,
      missing: [{ name, reason }],
    });
    expect(isMissingNews(missing("One", "404"), before)).toBe(true);
    expect(isMissingNews(missing("One", "404"), missing("Two", "404"))).toBe(
      true,
    );
    expect(isMissingNews(missing("One", "404"), missing("One", "403"))).toBe(
      false,
    );
    expect(isMissingNews(before, before)).toBe(false);
  });
});

describe("the clock skew", () => {
  const header = (ms: number) => ({ date: new Date(ms).toUTCString() });

  it("[L-38] is null without a measurement, 0 while the clocks agree, and otherwise known to half a second", () => {
    const clock = createServiceClock();
    expect(clock.skewMs()).toBeNull();
    expect(clock.correctionMs()).toBe(0);
    clock.note({}, at, at);
    clock.note({ date: "yesterday" }, at, at);
    expect(clock.skewMs()).toBeNull();
    clock.note(header(at), at + 10, at + 60);
    expect(clock.skewMs()).toBe(0);
    // Set to an hour ahead.
    const ahead = 3_600_000;
    for (const ms of [0, 300, 700, 950])
      clock.note(header(at + ms), at + ms + ahead, at + ms + ahead + 20);
    expect(clock.skewMs()).toBe(ahead);
    expect(Math.abs(clock.correctionMs() - ahead)).toBeLessThan(100);
  });
});
