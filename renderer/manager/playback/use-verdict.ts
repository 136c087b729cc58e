// The current verdict, with the queries it needs.

import { useMachine, useNow } from "../api/api.ts";
import { useAnswer } from "../api/operations.ts";
import { useTakeover } from "../takeover/use-takeover.ts";
import { verdictOf, type Verdict } from "./verdict.ts";

export function useVerdict(): Verdict {
  const now = useNow();
  const reason = now.data?.showing?.reason;
  const why = useAnswer(
    "readWhy",
    { parameters: {} },
    { isEnabled: reason === "nothing-due" || reason === "not-ready" },
  );
  const takeover = useTakeover();
  const machine = useMachine().data;
  return verdictOf({
    now: now.data,
    isUnanswered: now.isError,
    why: why.data,
    takeover,
    isManagerOnly: machine?.role === "desk",
    isInFront:
      machine?.displays.some(
        (on) => on.isPlaybackDisplay && on.isManagerDisplay,
      ) === true,
  });
}
