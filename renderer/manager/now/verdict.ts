// Verdict on the screen in one line: turns what is known about playback into a sentence and a tone.

import type {
  NowV2,
  TakeoverV2,
  WhyV2,
} from "../../../server/contract/v2/v2-screen.ts";
import { texts } from "../texts/texts.ts";

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
  const { verdict: messages, verdictHelp: help } = texts.now;
  if (now === undefined)
    return isUnanswered
      ? {
          tone: "fault",
          sentence: messages.unknown,
          help: texts.manager.screenContinues,
        }
      : { tone: "plain", sentence: messages.starting, help: null };
  const { showing } = now;
  if (showing === null)
    return isManagerOnly
      ? { tone: "plain", sentence: messages.manager, help: help.manager }
      : { tone: "plain", sentence: messages.starting, help: null };
  if (showing.reason === "takeover" && takeover?.blank)
    return { tone: "waiting", sentence: messages.hidden, help: help.takeover };
  const since = Date.parse(showing.since);
  const { verdict: seen } = showing;
  // The manager window itself covers the screen: no fault to report.
  if (seen === "wrong" && isInFront)
    return { tone: "waiting", sentence: messages.inFront, help: help.inFront };
  if (seen === "blank" || seen === "frozen" || seen === "wrong") {
    const seenSince = Date.parse(showing.verdict_since ?? showing.since);
    return {
      tone: "fault",
      sentence: messages[seen](seenSince),
      help: help[seen],
    };
  }
  if (showing.reason === "takeover")
    return {
      tone: takeover?.is_drill ? "waiting" : "takeover",
      sentence: takeover?.is_drill
        ? messages.drill(since)
        : messages.takeover(since),
      help: help.takeover,
    };
  if (now.paused_until !== null)
    return {
      tone: "waiting",
      sentence: messages.paused(Date.parse(now.paused_until)),
      help: null,
    };
  if (showing.reason === "nothing-due" || showing.reason === "not-ready")
    return {
      tone: showing.reason === "not-ready" ? "fault" : "waiting",
      sentence: messages.fallback(
        since,
        why ? whyNothing(why) : showing.explanation,
      ),
      help: help.fallback,
    };
  const isSeen = seen === "verified";
  const isByHand = showing.reason === "command";
  return {
    tone: isSeen ? "good" : "plain",
    sentence: isByHand
      ? isSeen
        ? messages.byHand
        : messages.byHandUnseen
      : isSeen
        ? messages.verified
        : messages.planned,
    help: isSeen ? help.verified : help.planned,
  };
}

type Candidate = WhyV2["candidates"][number];

/** From almost playing to never intended to play: the first of these is reported as the obstacle. */
const reasonOrder: readonly Candidate["reason"][] = [
  ...(["quarantined", "not-on-disk", "playlist-empty"] as const),
  ...(["predicate-false", "outside-hours", "outside-dates"] as const),
  ...(["disabled", "other-groups", "outranked", "plays"] as const),
];

/** "playlist Lunch is empty (and 3 more)". */
function whyNothing({ candidates }: WhyV2): string {
  const relevant = candidates.filter(
    // An asset that only follows its playlist has no reason of its own.
    ({ kind, id }) => kind === "asset" || id !== "local",
  );
  const [first] = [...relevant].sort(
    (a, b) => rankOf(a) - rankOf(b) || kindRank(a) - kindRank(b),
  );
  if (!first) return texts.now.explanation.nothingAtAll;
  const name =
    first.kind === "playlist"
      ? texts.now.thePlaylist(first.name)
      : texts.now.theAsset(first.name);
  const sentence = texts.now.explanation[first.reason](name);
  const others = relevant.filter(
    ({ kind, reason }) => kind === first.kind && reason === first.reason,
  ).length;
  return others > 1 ? texts.now.andMore(sentence, others - 1) : sentence;
}

function rankOf({ reason }: Candidate): number {
  return reasonOrder.indexOf(reason);
}

function kindRank({ kind }: Candidate): number {
  return kind === "playlist" ? 0 : 1;
}
