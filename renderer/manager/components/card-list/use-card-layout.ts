// How many cards fit side by side in a list of cards or lines, and how high its rows are.

import { useLayoutEffect, useState, type RefObject } from "react";
import type { Layout } from "./selection.ts";

export interface CardSizes {
  /** One line per row, instead of cards side by side. */
  readonly isLines: boolean;
  readonly lineHeight: number;
  /** Minimum width of a card where this much is available; wider where there is space left in a row. */
  readonly cardWidth: (available: number) => number;
  /** Of what stands below the picture of a card, which is 16 by 9. */
  readonly wordsHeight: number;
}

/** Between two cards, as in the styles. */
const gap = 12;
/** On both sides of a card's picture, and above and below. */
const padding = 16;

/** As many columns as fit; a row is as high as its cards at that width. */
export function useCardLayout(
  list: RefObject<HTMLDivElement | null>,
  { isLines, lineHeight, cardWidth, wordsHeight }: CardSizes,
): Layout {
  const [size, setSize] = useState({ width: 800, height: 600 });
  useLayoutEffect(() => {
    const element = list.current;
    if (!element) return;
    const measure = (): void => {
      const { clientHeight: height } = element;
      // Without the padding on both sides of the rows.
      const width = element.firstElementChild?.clientWidth ?? 0;
      setSize((last) =>
        last.width === width && last.height === height
          ? last
          : { width, height },
      );
    };
    const watcher = new ResizeObserver(measure);
    watcher.observe(element);
    measure();
    return () => {
      watcher.disconnect();
    };
  }, [list]);
  const least = cardWidth(size.width);
  const columns = isLines
    ? 1
    : Math.max(1, Math.floor((size.width + gap) / (least + gap)));
  const width = (size.width - gap * (columns - 1)) / columns;
  const rowHeight = isLines
    ? lineHeight
    : Math.round(((width - padding) * 9) / 16 + padding + wordsHeight + gap);
  return {
    ...{ columns, rowHeight },
    visibleRows: Math.max(1, Math.floor(size.height / rowHeight)),
  };
}
