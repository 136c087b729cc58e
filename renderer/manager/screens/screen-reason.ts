// Why a screen is in its state, and what it shows, in a sentence of the operator's language; composed from what its player reported.

import type { ScreenView } from "../../../server/contract/ipc/ipc-screens.ts";
import type { ScreenReport } from "../../../server/contract/link/screen-report.ts";
import { messageFor, t } from "../../locales/messages.ts";
import { problemText } from "../api/problem-text.ts";
import { timeHere } from "./screen-times.ts";

type Showing = NonNullable<ScreenReport["showing"]>;

/** One sentence; the service's own, in English, only where the report does not tell. */
export function reasonOfState(screen: ScreenView): string {
  switch (screen.state) {
    case "right":
      return screen.report?.showing?.verdict_since == null
        ? t("screens.why.right")
        : t("screens.why.rightSince", {
            time: timeHere(screen.report.showing.verdict_since),
          });
    case "unverified":
      return whyUnverified(screen);
    case "wrong":
      return whyWrong(screen);
    case "incomplete":
      return whyIncomplete(screen);
    case "offline":
      if (screen.adopted?.problem != null)
        return problemText(screen.adopted.problem);
      return screen.last_ping === null
        ? (screen.reason ?? t("screens.why.offline"))
        : t("screens.why.offlineSince", { time: timeHere(screen.last_ping) });
    case "dark":
      return screen.is_enabled
        ? screen.adopted === undefined
          ? t("screens.why.blanked")
          : t("screens.adopted.displayOff")
        : t("screens.why.disabled");
    case "never-seen":
      return screen.adopted?.problem == null
        ? t("screens.why.neverSeen")
        : problemText(screen.adopted.problem);
  }
}

function whyUnverified({ report, adopted }: ScreenView): string {
  if (adopted !== undefined) return t("screens.adopted.notVerified");
  if (report === null) return t("screens.why.noReport");
  return report.showing === null
    ? t("screens.why.starting")
    : t("screens.why.notVerified");
}

function whyWrong({ report, reason, state_since }: ScreenView): string {
  const showing = report?.showing ?? null;
  if (showing === null) return reason ?? t("screens.why.notPlanned");
  const { verdict, name } = showing;
  if (verdict === "blank" || verdict === "frozen" || verdict === "wrong") {
    const since = showing.verdict_since ?? state_since ?? showing.since;
    return t(`screens.why.${verdict}`, { name, time: timeHere(since) });
  }
  if (showing.reason === "not-ready") {
    const [missing] = report?.missing ?? [];
    return missing === undefined
      ? t("screens.why.notReady")
      : t("screens.why.notReadyMissing", {
          name: missing.name,
          reason: problemText(missing.reason),
        });
  }
  return reason ?? t("screens.why.notPlanned");
}

function whyIncomplete({ item_counts, report, reason }: ScreenView): string {
  const name = report?.missing[0]?.name ?? null;
  if (item_counts === null)
    return name === null
      ? (reason ?? t("screens.why.notInSync"))
      : t("screens.why.missing", { name });
  const { wanted, here, failed } = item_counts;
  const count = failed > 0 ? failed : Math.max(wanted - here, 0);
  if (count === 0) return reason ?? t("screens.why.notInSync");
  const text =
    failed > 0
      ? t("screens.why.itemsFailed", { count, wanted })
      : t("screens.why.itemsMissing", { count, wanted });
  if (name === null) return text;
  return count === 1
    ? t("screens.why.withOnlyName", { text, name })
    : t("screens.why.withName", { text, name });
}

/** What is on the screen, with its playlist; null where it is unknown. */
export function showingText({ report }: ScreenView): string | null {
  const showing = report?.showing ?? null;
  if (showing === null) return null;
  if (showing.kind === "card") return t("screens.idleScreen");
  return showing.playlist === null || showing.playlist === showing.name
    ? showing.name
    : t("screens.showingFrom", {
        name: showing.name,
        playlist: showing.playlist,
      });
}

/** Why this is shown; the player's own sentence, in English, for a reason that this version does not know. */
export function reasonOfShowing({ reason, explanation }: Showing): string {
  return messageFor("screens.showingReasons", reason) ?? explanation;
}
