// What may change of a slide while it stays on the glass: its name, how long it stays, how it is heard.

import { soundOf, withSound, slideOf, type Manner } from "../core/slide.ts";
import type { Rotation } from "../core/rotation.ts";
import { stagedTakeover } from "./director-slides.ts";
import { turnNow } from "./director-wish.ts";
import type { OnGlass } from "./staged.ts";

/** The same where nothing of it changed. */
export function refreshed(
  current: OnGlass,
  rotation: Rotation,
  manner: Manner,
): OnGlass {
  const { turn, takeover, asset, slide } = current;
  const turnThen = turn && turnNow(rotation, turn);
  const now = turnThen
    ? slideOf(turnThen, "", manner)
    : takeover && stagedTakeover(takeover, asset, "", manner).slide;
  if (!now) return current;
  const { name, durationSeconds } = now;
  const content = withSound(slide.content, soundOf(now.content));
  return {
    ...current,
    ...(turnThen && { turn: turnThen, asset: turnThen.asset }),
    slide: { ...slide, name, durationSeconds, content },
  };
}
