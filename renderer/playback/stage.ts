// Two layers: the hidden one loads, then they swap.

import type { Slide, SlideReport } from "../../server/contract/ipc.ts";
import { createLayer, type Layer } from "./layer.ts";
import { framePainted } from "./frame.ts";

export interface Stage {
  /** Loads a slide out of sight; it takes the place of one prepared but not shown. */
  prepare(slide: Slide): Promise<void>;
  /** Swaps the prepared slide in. Any other slide is a page's view that covers the stage: rest beneath it. */
  show(slideId: string): Promise<void>;
}

export function createStage(
  root: HTMLElement,
  report: (value: SlideReport) => void,
): Stage {
  let front = createLayer();
  let back = createLayer();
  root.append(back.element, front.element);
  front.element.classList.add("front");

  /** Counts prepare and show orders: what finishes under an earlier count came too late. */
  let turn = 0;
  let preparedId: string | null = null;
  let released = Promise.resolve();

  async function prepare(slide: Slide): Promise<void> {
    const mine = ++turn;
    preparedId = null;
    await released;
    if (mine !== turn) return;
    try {
      await back.load(slide.content);
      // Painted beneath the other layer once, so that showing it is a mere swap; before the first slide nothing is spared by it.
      if (!front.isEmpty()) await framePainted();
      if (mine !== turn) return;
      preparedId = slide.id;
      report({ outcome: "ready", slideId: slide.id });
    } catch (error) {
      if (mine !== turn) return;
      back.release();
      report({
        outcome: "failed",
        slideId: slide.id,
        reason: sentenceOf(error),
      });
    }
  }

  async function show(slideId: string): Promise<void> {
    turn++;
    await released;
    if (slideId !== preparedId) {
      preparedId = null;
      back.release();
      // What it holds stays as a still: should the page be lost, the glass is not black.
      front.rest();
      return;
    }
    preparedId = null;
    [front, back] = [back, front];
    released = swap(front, back, slideId);
    await released;
    report({ outcome: "shown", slideId });
  }

  async function swap(
    coming: Layer,
    going: Layer,
    slideId: string,
  ): Promise<void> {
    coming.element.classList.add("coming");
    await coming.surface();
    coming.element.classList.replace("coming", "front");
    coming.start({
      onEnded: () => report({ outcome: "ended", slideId }),
      onFailed: (reason) => report({ outcome: "failed", slideId, reason }),
    });
    going.element.classList.remove("front");
    going.rest();
    // The compositor still holds the old picture for a frame: taking it away now would show.
    await framePainted();
    going.release();
  }

  return { prepare, show };
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
