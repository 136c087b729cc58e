// State of a screen: what an operator can act on, from its contact, its settings and what its player reports (L-40, L-43).

import { composeSentence } from "../../contract/sentence-templates.ts";
import type { HeartbeatLink } from "../../contract/link/link.ts";
import {
  outageStates,
  type OutageState,
  type ScreenReport,
  type ScreenState,
} from "../../contract/link/screen-report.ts";
import { firstItem, stateReasons, unnamedContent } from "./state-reasons.ts";

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

export const silentReason = stateReasons.silent;
export const neverSeenReason = stateReasons["never-seen"];

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
      reason: composeSentence(stateReasons["not-ready"], {
        first: firstOf(report.missing),
      }),
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
  const planned = showing.name === "" ? unnamedContent : quoted(showing.name);
  switch (showing.verdict) {
    case "blank":
    case "frozen":
    case "wrong":
      return composeSentence(stateReasons[showing.verdict], { planned });
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
  const first = firstOf(report?.missing ?? []);
  if (failed > 0)
    return composeSentence(stateReasons.failed, {
      ...{ count: failed, wanted, first },
    });
  const isOnTheWay = sync === "syncing" && !(report && isNotReady(report));
  if (here >= wanted || isOnTheWay) return null;
  const count = wanted - here;
  const code = count === 1 ? "one-missing" : "missing";
  return composeSentence(stateReasons[code], { count, wanted, first });
}

/** `: “Menu”: The disk is full`, without the full stop. */
function firstOf([first]: ScreenReport["missing"]): string {
  return first
    ? composeSentence(firstItem, {
        name: first.name,
        why: first.reason.replace(/\.$/, ""),
      })
    : "";
}

function quoted(name: string): string {
  return `“${name}”`;
}
