// State of a screen: what an operator can act on, from its contact, its settings and what its player reports (L-40, L-43).

import type { HeartbeatLink } from "../../contract/link/link.ts";
import {
  outageStates,
  type OutageState,
  type ScreenReport,
  type ScreenState,
} from "../../contract/link/screen-report.ts";

export interface ScreenCircumstances {
  /** `silent`: offline by L-7. */
  readonly contact: "never" | "silent" | "recent";
  readonly isEnabled: boolean;
  readonly sync: HeartbeatLink["sync"];
  readonly counts: HeartbeatLink["item_counts"];
  /** The last one received; null where the player sends none. */
  readonly report: ScreenReport | null;
}

export interface JudgedState {
  readonly state: ScreenState;
  /** Why it is not right, as a sentence; null when it is. */
  readonly reason: string | null;
}

export const silentReason = "The player does not respond.";
export const neverSeenReason = "The player has not connected yet.";

/** The first that applies, in the order of L-40. */
export function stateOf(screen: ScreenCircumstances): JudgedState {
  const { contact, isEnabled, report } = screen;
  if (contact === "never")
    return { state: "never-seen", reason: neverSeenReason };
  if (contact === "silent") return { state: "offline", reason: silentReason };
  const showing = report?.showing ?? null;
  const verdict = showing?.verdict ?? null;
  const isMeantDark = !isEnabled || report?.is_dark === true;
  if (isMeantDark && (verdict === null || verdict === "verified"))
    return {
      state: "dark",
      reason: isEnabled ? "The screen was blanked." : "The screen is disabled.",
    };
  const wrongReason = report && wrongReasonOf(report);
  if (wrongReason) return { state: "wrong", reason: wrongReason };
  const missingReason = missingReasonOf(screen);
  if (missingReason) return { state: "incomplete", reason: missingReason };
  // Everything is there, and yet nothing that is due can be shown.
  if (report && isNotReady(report))
    return {
      state: "wrong",
      reason: withFirst("Nothing that is due can be shown", report.missing),
    };
  if (verdict === "verified") return { state: "right", reason: null };
  return {
    state: "unverified",
    reason: report
      ? "Nothing has verified what the screen shows."
      : "The player does not report what the screen shows.",
  };
}

export function isOutage(state: ScreenState): state is OutageState {
  return outageStates.some((each) => each === state);
}

function isNotReady({ showing }: ScreenReport): boolean {
  return showing?.reason === "not-ready";
}

function wrongReasonOf({ showing }: ScreenReport): string | null {
  if (!showing) return null;
  const planned = showing.name === "" ? "its content" : quoted(showing.name);
  switch (showing.verdict) {
    case "blank":
      return `The screen is blank instead of showing ${planned}.`;
    case "frozen":
      return `The screen is frozen instead of showing ${planned}.`;
    case "wrong":
      return `The screen shows something other than ${planned}.`;
    default:
      return null;
  }
}

/** Items that are only on their way are not missing (L-34), unless there is nothing else to show. */
function missingReasonOf({
  sync,
  counts,
  report,
}: ScreenCircumstances): string | null {
  if (!counts) return null;
  const { wanted, here, failed } = counts;
  const missing = report?.missing ?? [];
  if (failed > 0)
    return withFirst(`${itemsOf(failed, wanted)} failed`, missing);
  const isOnTheWay = sync === "syncing" && !(report && isNotReady(report));
  return here < wanted && !isOnTheWay
    ? withFirst(
        `${itemsOf(wanted - here, wanted)} ${wanted - here === 1 ? "is" : "are"} missing`,
        missing,
      )
    : null;
}

function itemsOf(count: number, wanted: number): string {
  return `${count} of ${wanted} items`;
}

/** `3 of 12 items failed: “Menu”: The disk is full.` */
function withFirst(what: string, missing: ScreenReport["missing"]): string {
  const [first] = missing;
  return first
    ? `${what}: ${quoted(first.name)}: ${first.reason.replace(/\.$/, "")}.`
    : `${what}.`;
}

function quoted(name: string): string {
  return `“${name}”`;
}
