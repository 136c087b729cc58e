// State of the contact with an adopted player over time: when it is due again, and what a contact tells the service about its screen
// (V3-112, V3-113).

import type { HeartbeatLink } from "../../contract/link/link.ts";
import {
  maxReportBytes,
  type ScreenReport,
} from "../../contract/link/screen-report.ts";
import type { PlayerFactsV3 } from "../../contract/v3/v3-adopted.ts";
import { cutText } from "../../core/text-limit.ts";

export interface Contact {
  /** Contacts that failed in a row. */
  readonly failures: number;
  /** Why the last one failed. */
  readonly problem: string | null;
  readonly dueAt: number;
}

export type ContactResult =
  | {
      readonly isReached: true;
      /** What is due on the screen changes then; null: not as planned. */
      readonly changesAt: number | null;
      /** Something is left to send. */
      readonly isUnfinished: boolean;
    }
  | { readonly isReached: false; readonly problem: string };

export interface ContactTiming {
  readonly now: number;
  readonly pollMs: number;
}

/** A player that was switched on again is noticed within this time. */
const longestPauseMs = 300_000;

export function contactAfter(
  before: Pick<Contact, "failures">,
  result: ContactResult,
  { now, pollMs }: ContactTiming,
): Contact {
  if (!result.isReached) {
    const pauseMs = Math.min(pollMs * 2 ** before.failures, longestPauseMs);
    return {
      failures: before.failures + 1,
      ...{ problem: result.problem, dueAt: now + Math.max(pauseMs, pollMs) },
    };
  }
  const dueAt = result.isUnfinished ? now : now + pollMs;
  return {
    ...{ failures: 0, problem: null },
    dueAt: Math.max(now, Math.min(dueAt, result.changesAt ?? Infinity)),
  };
}

/** What the player shows, as far as it tells. */
export interface Shown {
  readonly remoteId: string;
  readonly name: string;
  readonly mimetype: string;
  /** The service's asset; null for one that it did not create. */
  readonly assetId: string | null;
  /** When the service saw it there first. */
  readonly since: number;
}

export interface ContactReport {
  readonly shown: Shown | null;
  readonly facts: PlayerFactsV3;
  readonly wanted: number;
  readonly here: number;
  /** What cannot be on the player, or was rejected by it. */
  readonly missing: readonly {
    readonly name: string;
    readonly reason: string;
  }[];
}

const maxMissing = 3;

/** A contact counts as a heartbeat that the player does not send itself: states, outages and alerts follow from it (L-40). */
export function heartbeatOf(report: ContactReport): HeartbeatLink {
  const { facts, wanted, here, missing } = report;
  const failed = Math.min(missing.length, wanted - here);
  return {
    sync: failed > 0 ? "out-of-sync" : here < wanted ? "syncing" : "in-sync",
    item_counts: { wanted, here, failed },
    facts: {
      ...(facts.version !== null && { software_version: facts.version }),
      ...(facts.model !== null && { hardware_version: facts.model }),
      ...(facts.load_average !== null && {
        load_avg: String(facts.load_average),
      }),
    },
    report: screenReportOf(report),
  };
}

function screenReportOf({
  shown,
  facts,
  missing,
}: ContactReport): ScreenReport {
  const report: ScreenReport = {
    showing: shown && {
      ...{ asset_id: shown.assetId, name: cutText(shown.name, 100) },
      ...{ kind: kindOf(shown.mimetype), reason: "reported" },
      explanation: "The player reports that it is playing this.",
      ...{ playlist: null, since: new Date(shown.since).toISOString() },
      ...{ until: null, verdict: null, verdict_since: null },
    },
    ...{ next: null, paused_until: null, displays: [], storage: null },
    ...{ is_dark: facts.display_power === "off", clock_skew_ms: null },
    missing: missing.slice(0, maxMissing).map(({ name, reason }) => ({
      ...{ name: cutText(name, 60), reason: cutText(reason, 150) },
    })),
  };
  return shortened(report);
}

/** In some scripts each character has several bytes. */
function shortened(report: ScreenReport): ScreenReport {
  const isShort = Buffer.byteLength(JSON.stringify(report)) <= maxReportBytes;
  return isShort || report.missing.length === 0
    ? report
    : shortened({ ...report, missing: report.missing.slice(0, -1) });
}

function kindOf(mimetype: string): string {
  if (/image/i.test(mimetype)) return "image";
  if (/stream/i.test(mimetype)) return "stream";
  return /video/i.test(mimetype) ? "video" : "webpage";
}
