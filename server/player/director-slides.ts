// Slides for what is wanted: a turn of the lineup, a takeover, the house card.

import { plainWebOptions, type Asset } from "../core/asset.ts";
import {
  houseCardSlide,
  slideOf,
  type HouseCard,
  type Manner,
  type Slide,
  type SlideContent,
} from "../core/slide.ts";
import type { Target } from "./director-wish.ts";
import type { Staged } from "./staged.ts";
import type { Takeover } from "./takeover.ts";

const nothing = { asset: null, turn: null, place: null, takeover: null };

export function stagedCard(card: HouseCard, id: string): Staged {
  return { ...nothing, slide: houseCardSlide(card, id) };
}

export function stagedTurn(
  { turn, place, isExtra }: Target,
  id: string,
  manner: Manner,
): Staged {
  return {
    slide: slideOf(turn, id, manner),
    ...{ asset: turn.asset, turn, takeover: null },
    place: isExtra ? null : place,
  };
}

/** Its asset, when it shows one, as it stands now. */
export function stagedTakeover(
  takeover: Takeover,
  asset: Asset | null,
  id: string,
  manner: Manner,
): Staged {
  return {
    ...{ ...nothing, asset, takeover },
    slide: {
      ...(asset
        ? assetSlide(asset, id, manner)
        : messageSlide(takeover.shown, id, manner)),
      // It goes when the takeover does.
      ...{ durationSeconds: null, transition: "cut" },
    },
  };
}

function assetSlide(asset: Asset, id: string, manner: Manner): Slide {
  const slide = slideOf(
    { asset, durationSeconds: null, transition: null },
    id,
    manner,
  );
  const { content } = slide;
  // What has an end of its own begins again, however long it is usually shown.
  return content.kind === "video" || content.kind === "audio"
    ? { ...slide, content: { ...content, loop: true } }
    : slide;
}

function messageSlide(
  shown: Takeover["shown"],
  id: string,
  { sound }: Manner,
): Slide {
  const common = {
    ...{ id, assetId: null, durationSeconds: null },
    transition: "cut",
  } as const;
  if (shown.kind === "page") {
    const { url } = shown;
    const content: SlideContent = {
      ...{ kind: "webpage", url, noCache: false },
      ...{ web: plainWebOptions, sound },
    };
    return { ...common, name: url, content };
  }
  const text = shown.kind === "text" ? shown.text : "";
  return { ...common, name: text, content: { kind: "text", text } };
}
