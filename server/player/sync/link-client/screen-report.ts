// Builds the report about the screen for heartbeats (L-38), and decides which changes of it are sent immediately (L-39).

import { serviceSentences } from "../../../contract/sentences/service-sentences.ts";
import {
  maxReportBytes,
  type ScreenReport,
} from "../../../contract/link/screen-report.ts";
import type { SyncStatus } from "../../../core/sync-plan/sync-state.ts";
import { cutText, wellFormed } from "../../../core/text-limit.ts";
import type { DiskSpace } from "../../machine.ts";
import type { ScreenNow, Unplayable } from "./linked-playback.ts";

/** A display in physical pixels. */
export type ReportedDisplay = ScreenReport["displays"][number];

export interface ReportInputs {
  /** Identifiers of what came from its service begin with it. */
  readonly connectionId: string;
  readonly screen: ScreenNow;
  readonly explanation: string;
  /** Of the connection; undefined before there is one. */
  readonly status: SyncStatus | undefined;
  readonly displays: readonly ReportedDisplay[];
  readonly storage: DiskSpace | null;
  /** The player's clock minus the service's; null while not measured. */
  readonly clockSkewMs: number | null;
}

const maxName = 100;
const maxSentence = 300;
const maxIdentifier = 100;
/** Of a text that may be of any length; the rest is never sent. */
const maxSource = 2000;
const maxMissing = 3;
const maxDisplays = 8;
/** Free space changes all the time; a report is sent only when that means something. */
const storageStepBytes = 100 * 1024 ** 2;
const secondMs = 1000;

/** Valid by the schema whatever the inputs are, and not larger than a report may be. */
export function screenReportOf(inputs: ReportInputs): ScreenReport {
  const whole = withTexts(inputs, maxSentence);
  if (sizeOf(whole) <= maxReportBytes) return whole;
  let fits = 0;
  let tooLong = maxSentence;
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2);
    if (sizeOf(withTexts(inputs, middle)) <= maxReportBytes) fits = middle;
    else tooLong = middle;
  }
  return withTexts(inputs, fits);
}

export function sizeOf(report: ScreenReport): number {
  return Buffer.byteLength(JSON.stringify(report));
}

/** No text is longer than this many UTF-16 units, which is what the schema counts. */
function withTexts(inputs: ReportInputs, longest: number): ScreenReport {
  const { screen, status, storage, clockSkewMs } = inputs;
  const name = (text: string): string => cut(text, Math.min(longest, maxName));
  const sentence = (text: string): string => cut(text, longest);
  return {
    showing: showingOf(inputs, name, sentence),
    next: screen.nextName === null ? null : name(screen.nextName),
    paused_until:
      screen.pausedUntilMs === null ? null : momentOf(screen.pausedUntilMs),
    is_dark: screen.isDark,
    missing: missingOf(status, screen).map((one) => ({
      name: name(one.name),
      reason: sentence(one.reason),
    })),
    // A display that is being disconnected may have no size.
    displays: inputs.displays
      .filter(({ width, height }) => width > 0 && height > 0)
      .slice(0, maxDisplays),
    storage: storage && {
      free_bytes:
        Math.floor(storage.freeBytes / storageStepBytes) * storageStepBytes,
      total_bytes: storage.totalBytes,
    },
    clock_skew_ms: clockSkewMs,
  };
}

function showingOf(
  { connectionId, screen, explanation }: ReportInputs,
  name: (text: string) => string,
  sentence: (text: string) => string,
): ScreenReport["showing"] {
  if (!screen.showing) return null;
  const { showing, reason, sinceMs, untilMs, verdict } = screen.showing;
  return {
    asset_id: remoteIdOf(connectionId, showing.assetId),
    name: name(showing.name),
    kind: showing.content.kind,
    reason,
    explanation: sentence(explanation),
    playlist: screen.playlistName === null ? null : name(screen.playlistName),
    since: momentOf(sinceMs) ?? firstMoment,
    // The end of a showing is computed anew each time, and jitters by a few milliseconds.
    until:
      untilMs === null
        ? null
        : momentOf(Math.round(untilMs / secondMs) * secondMs),
    verdict: verdict?.verdict ?? null,
    verdict_since: verdict && momentOf(verdict.since),
  };
}

/** The service's own identifier; null for what did not come from it. */
function remoteIdOf(connectionId: string, id: string | null): string | null {
  const prefix = `${connectionId}-`;
  if (id === null || !id.startsWith(prefix)) return null;
  const remoteId = id.slice(prefix.length);
  return remoteId.length > maxIdentifier ? null : remoteId;
}

/** What failed; then what is here and fails to play; otherwise why what should be here is not here yet. */
function missingOf(
  status: SyncStatus | undefined,
  { unplayable }: ScreenNow,
): readonly Unplayable[] {
  const failed = status ? failedOf(status) : [];
  return [...failed, ...unplayable].slice(0, maxMissing);
}

function failedOf(status: SyncStatus): readonly Unplayable[] {
  const { itemFailures, items, problem, phase, hold } = status;
  if (itemFailures.length > 0)
    return itemFailures
      .slice(0, maxMissing)
      .map(({ name, remoteId, reason }) => ({
        name: name || remoteId,
        reason,
      }));
  const count = items.wanted - items.here;
  const reason = problem
    ? problem.message
    : phase === "waiting-for-hours"
      ? serviceSentences["waits-hours"]
      : hold === null
        ? null
        : holdTexts[hold];
  if (reason === null || (count <= 0 && hold === null)) return [];
  const name =
    count <= 0 ? "Changes" : count === 1 ? "1 item" : `${count} items`;
  return [{ name, reason }];
}

const holdTexts: Readonly<Record<NonNullable<SyncStatus["hold"]>, string>> = {
  ask: serviceSentences["waits-approval"],
  tonight: serviceSentences["waits-time"],
  "more-than-half": serviceSentences["waits-removal"],
  postponed: serviceSentences.postponed,
};

const firstMoment = new Date(0).toISOString();

/** Null outside the years that a timestamp can name. */
function momentOf(ms: number): string | null {
  const date = new Date(Math.round(ms));
  const year = date.getUTCFullYear();
  return year >= 0 && year <= 9999 ? date.toISOString() : null;
}

/** At most this many UTF-16 units, never half a character; what was cut off is marked. */
function cut(text: string, longest: number): string {
  const line = wellFormed(text.slice(0, maxSource)).replace(/\s+/g, " ").trim();
  if (line.length <= longest) return line;
  let points = 0;
  let units = 0;
  // One unit is left for the mark.
  for (const point of line) {
    units += point.length;
    if (units >= longest) break;
    points += 1;
  }
  return longest < 1 ? "" : `${cutText(line, points)}…`;
}

/** Whether this is worth a heartbeat of its own (L-39). */
export function isReportNews(
  now: ScreenReport,
  /** The last acknowledged one. */
  before: ScreenReport | null,
): boolean {
  if (!before) return true;
  if (now.is_dark !== before.is_dark) return true;
  if (now.paused_until !== before.paused_until) return true;
  return isShowingNews(now.showing, before.showing);
}

function isShowingNews(
  now: ScreenReport["showing"],
  before: ScreenReport["showing"],
): boolean {
  if (!now || !before) return now !== before;
  if (now.reason !== before.reason) return true;
  // One takeover replaced another, or one command followed another.
  const isOrdered = now.reason === "takeover" || now.reason === "command";
  if (isOrdered && now.since !== before.since) return true;
  // Each showing is unverified for a moment.
  return now.verdict !== null && now.verdict !== before.verdict;
}

/** Whether the missing items have changed (L-39). */
export function isMissingNews(
  now: ScreenReport,
  before: ScreenReport | null,
): boolean {
  const names = (report: ScreenReport | null): string =>
    JSON.stringify(report?.missing.map(({ name }) => name) ?? []);
  return names(now) !== names(before);
}

/**
 * Whether what is shown has followed in the ordinary way and is about to be verified: reported now, a screen that is right would
 * become unverified for a few seconds.
 */
export function isAboutToBeVerified(
  now: ScreenReport,
  before: ScreenReport | null,
  nowMs: number,
): boolean {
  if (!now.showing || before?.showing?.verdict !== "verified") return false;
  if (now.showing.verdict !== null) return false;
  if (now.showing.reason !== before.showing.reason) return false;
  const ageMs = nowMs - Date.parse(now.showing.since);
  return ageMs >= 0 && ageMs < verifiedWithinMs;
}

/** The first verification follows 1 to 3 s after a change (V2-191). */
const verifiedWithinMs = 5000;
