// Verdict on the screen in one line: turns what is known about playback into a sentence and a tone.

import type {
  NowV2,
  TakeoverV2,
  WhyV2,
} from "../../../server/contract/v2/v2-screen.ts";
import { formats } from "../../locales/language.ts";
import { t } from "../../locales/messages.ts";

/** Good only for what was verified on the screen; waiting needs somebody; fault is broken. */
export type Tone = "good" | "plain" | "waiting" | "fault" | "takeover";

export interface Verdict {
  readonly tone: Tone;
  readonly sentence: string;
  /** What the screen does meanwhile, or the next step. */
  readonly help: string | null;
}

export interface VerdictFacts {
  /** Undefined until the player has answered. */
  readonly now: NowV2 | undefined;
  readonly isUnanswered: boolean;
  readonly why: WhyV2 | undefined;
  readonly takeover: TakeoverV2 | null | undefined;
  /** This PC plays nothing; the content prepared here plays elsewhere. */
  readonly isManagerOnly: boolean;
  /** This window is on the same display as the playback window, and so in front of it. */
  readonly isInFront: boolean;
}

export function verdictOf({
  now,
  isUnanswered,
  why,
  takeover,
  isManagerOnly,
  isInFront,
}: VerdictFacts): Verdict {
  if (now === undefined)
    return isUnanswered
      ? {
          tone: "fault",
          sentence: t("now.verdict.noResponse"),
          help: t("manager.screenContinues"),
        }
      : { tone: "plain", sentence: t("now.verdict.starting"), help: null };
  const { showing } = now;
  if (showing === null)
    return isManagerOnly
      ? {
          tone: "plain",
          sentence: t("now.verdict.managerOnly"),
          help: t("now.verdictHelp.managerOnly", {
            keys: formats.keys("Ctrl+K"),
          }),
        }
      : { tone: "plain", sentence: t("now.verdict.starting"), help: null };
  if (showing.reason === "takeover" && takeover?.blank)
    return {
      tone: "waiting",
      sentence: t("now.verdict.blanked"),
      help: t("now.verdictHelp.takeover"),
    };
  const time = formats.clock(Date.parse(showing.since));
  const { verdict: seen } = showing;
  // The manager window itself covers the screen: no fault to report.
  if (seen === "wrong" && isInFront)
    return {
      tone: "waiting",
      sentence: t("now.verdict.behindManager"),
      help: t("now.verdictHelp.behindManager"),
    };
  if (seen === "blank" || seen === "frozen" || seen === "wrong") {
    const seenSince = Date.parse(showing.verdict_since ?? showing.since);
    return {
      tone: "fault",
      sentence: t(`now.verdict.${seen}`, { time: formats.clock(seenSince) }),
      help: t(`now.verdictHelp.${seen}`),
    };
  }
  if (showing.reason === "takeover")
    return {
      tone: takeover?.is_drill ? "waiting" : "takeover",
      sentence: takeover?.is_drill
        ? t("now.verdict.drill", { time })
        : t("now.verdict.takeover", { time }),
      help: t("now.verdictHelp.takeover"),
    };
  if (now.paused_until !== null)
    return {
      tone: "waiting",
      sentence: t("now.verdict.paused", {
        time: formats.clock(Date.parse(now.paused_until)),
      }),
      help: null,
    };
  if (showing.reason === "nothing-due" || showing.reason === "not-ready")
    return {
      tone: showing.reason === "not-ready" ? "fault" : "waiting",
      sentence: t("now.verdict.fallback", {
        time,
        reason: why ? whyNothing(why) : showing.explanation,
      }),
      help: t("now.verdictHelp.fallback"),
    };
  const isSeen = seen === "verified";
  const isByHand = showing.reason === "command";
  return {
    tone: isSeen ? "good" : "plain",
    sentence: isByHand
      ? isSeen
        ? t("now.verdict.manualVerified")
        : t("now.verdict.manual")
      : isSeen
        ? t("now.verdict.verified")
        : t("now.verdict.planned"),
    help: isSeen ? t("now.verdictHelp.verified") : t("now.verdictHelp.planned"),
  };
}

type Candidate = WhyV2["candidates"][number];

/** From almost playing to never intended to play: the first of these is reported as the obstacle. */
const reasonOrder: readonly Candidate["reason"][] = [
  ...(["quarantined", "not-on-disk", "playlist-empty"] as const),
  ...(["predicate-false", "outside-hours", "outside-dates"] as const),
  ...(["disabled", "other-groups", "outranked", "plays"] as const),
];

/** "“Lunch” is empty (and 3 more)". */
function whyNothing({ candidates }: WhyV2): string {
  const relevant = candidates.filter(
    // An asset that only follows its playlist has no reason of its own.
    ({ kind, id }) => kind === "asset" || id !== "local",
  );
  const [first] = [...relevant].sort(
    (a, b) => rankOf(a) - rankOf(b) || kindRank(a) - kindRank(b),
  );
  if (!first) return t("now.fallbackReason.noContent");
  const reason = t(`now.fallbackReason.${first.reason}`, { name: first.name });
  const others = relevant.filter(
    (other) => other.kind === first.kind && other.reason === first.reason,
  ).length;
  return others > 1
    ? t("now.fallbackReason.andMore", { reason, count: others - 1 })
    : reason;
}

function rankOf({ reason }: Candidate): number {
  return reasonOrder.indexOf(reason);
}

function kindRank({ kind }: Candidate): number {
  return kind === "playlist" ? 0 : 1;
}
