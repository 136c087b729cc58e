// What the stage's own frame callbacks report of its changes: exact to the frame, but without what lies above the stage.

import type { InspectedApp } from "../../support/app/inspected-app.ts";
import type { Change } from "./changes.ts";

/** One layer of the stage was replaced by another. */
export interface Swap {
  /** Wall clock milliseconds. */
  readonly atMs: number;
  /** From the old to the new, minus the nominal time. */
  readonly gapMs: number;
}

export interface FrameWatch {
  /** Number of changes observed so far. */
  count(): Promise<number>;
  end(): Promise<{
    readonly swaps: readonly Swap[];
    readonly mediaElements: number;
  }>;
}

/** Far less than any showing lasts, and more than a busy sampler is late. */
const togetherMs = 400;

/** The swap that was this change; none where a page appeared or disappeared, which the stage does not know of. */
export function swapOf(
  change: Change,
  swaps: readonly Swap[],
): Swap | undefined {
  if (/^webpage /.test(change.from) || /^webpage /.test(change.to))
    return undefined;
  return swaps.find(({ atMs }) => Math.abs(atMs - change.atMs) < togetherMs);
}

/**
 * A still image is replaced in the next frame: from the command to the frame that paints the new one is nominal.
 * A video is replaced once its last frame has been shown for its duration: that is nominal from the frame in which it was
 * presented. The page receives the callback for such a frame after it was presented, and that for the last one often after the
 * change: so the callbacks are read a little later.
 */
export async function watchFrames(app: InspectedApp): Promise<FrameWatch> {
  // Runs inside the page, so it contains everything it needs.
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
          // Frames begin at the ticks of one clock; it was presented during one of them.
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
