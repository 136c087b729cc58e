// What the stage's own frame callbacks tell of its changes: exact to the frame, and blind to what lies over the stage.

import type { InspectedApp } from "../../support/app/inspected-app.ts";
import type { Change } from "./changes.ts";

/** One layer of the stage gave way to another. */
export interface Swap {
  /** Wall milliseconds. */
  readonly atMs: number;
  /** From the old to the new, beyond the nominal. */
  readonly gapMs: number;
}

export interface FrameWatch {
  /** How many changes it has seen so far. */
  count(): Promise<number>;
  end(): Promise<{
    readonly swaps: readonly Swap[];
    readonly mediaElements: number;
  }>;
}

/** Far less than anything stays, and more than a busy sampler is late. */
const togetherMs = 400;

/** The swap that was this change; none where a page came or went, which the stage knows nothing of. */
export function swapOf(
  change: Change,
  swaps: readonly Swap[],
): Swap | undefined {
  if (/^webpage /.test(change.from) || /^webpage /.test(change.to))
    return undefined;
  return swaps.find(({ atMs }) => Math.abs(atMs - change.atMs) < togetherMs);
}

/**
 * A picture that stands gives way in the next frame: so long is nominal from the order to the frame that paints the new one.
 * A film gives way when its last frame has had its time: that is nominal from the frame in which it was handed to the screen.
 * The page hears of such a frame after it was handed over, of the last one often after the change: so it is asked a little later.
 */
export async function watchFrames(app: InspectedApp): Promise<FrameWatch> {
  // It is run inside the page, so all it needs is in it.
  await app.evaluate(() => {
    const tickMs = 1000 / 60;
    const filmFrameMs = 1000 / 30;
    const audibleWithinMs = 150;
    const lastKept = 8;
    const swaps: Swap[] = [];
    const watching = new AbortController();
    Object.assign(window, { swaps, watching });
    const handedOver = new Map<Element | null, readonly number[]>();
    for (const film of document.querySelectorAll("video")) {
      const receive: VideoFrameRequestCallback = (
        _now,
        { presentationTime },
      ) => {
        if (watching.signal.aborted) return;
        const before = handedOver.get(film) ?? [];
        handedOver.set(film, [...before, presentationTime].slice(-lastKept));
        film.requestVideoFrameCallback(receive);
      };
      film.requestVideoFrameCallback(receive);
    }
    const isComing = ({ target }: MutationRecord): boolean =>
      target instanceof HTMLElement &&
      target.classList.contains("coming") &&
      target.dataset.seen === undefined;
    const observer = new MutationObserver((records) => {
      const coming = records.find(isComing)?.target as HTMLElement | undefined;
      if (!coming) return;
      coming.dataset.seen = "";
      const orderedMs = performance.now();
      const film = document.querySelector(".layer.front video.on");
      requestAnimationFrame((frameMs) => {
        delete coming.dataset.seen;
        const atMs = Date.now();
        const calledMs = performance.now();
        // Called so late that other frames were due meanwhile, it paints the last of them.
        const lateTicks = Math.floor((calledMs - frameMs) / tickMs);
        const beginMs = frameMs + lateTicks * tickMs;
        setTimeout(() => {
          const lastMs = handedOver
            .get(film)
            ?.findLast((each) => each <= calledMs);
          if (lastMs === undefined) {
            swaps.push({ atMs, gapMs: beginMs - orderedMs - tickMs });
            return;
          }
          // Frames begin at the ticks of one clock; it was handed over in the course of one of them.
          const ticks = Math.ceil((beginMs - lastMs) / tickMs);
          swaps.push({ atMs, gapMs: ticks * tickMs - filmFrameMs });
        }, audibleWithinMs);
      });
    });
    watching.signal.addEventListener("abort", () => observer.disconnect());
    const stage = document.querySelector(".stage");
    if (stage)
      observer.observe(stage, {
        ...{ subtree: true, attributes: true },
        attributeFilter: ["class"],
      });
  });
  return {
    count: () =>
      app.evaluate(() => (window as unknown as { swaps: Swap[] }).swaps.length),
    end: () =>
      app.evaluate(() => {
        const { swaps, watching } = window as unknown as {
          swaps: Swap[];
          watching: AbortController;
        };
        watching.abort();
        return {
          swaps,
          mediaElements: document.querySelectorAll("video, audio").length,
        };
      }),
  };
}
