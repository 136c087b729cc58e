// What the stage's own frame callbacks tell of its changes: exact to the frame, and blind to what lies over the stage.

import type { AskedApp } from "../../support/asked-app.ts";

export interface FrameWatch {
  /** Of each change between two of the stage's layers: milliseconds beyond the nominal from the old to the new. */
  end(): Promise<{
    readonly gapsMs: readonly number[];
    readonly mediaElements: number;
  }>;
}

/**
 * A picture that stands gives way in the next frame: so long is nominal from the order to the frame that paints the new one.
 * A film gives way when its last frame has had its time: that is nominal from the frame in which it was handed to the screen.
 */
export async function watchFrames(app: AskedApp): Promise<FrameWatch> {
  // It is run inside the page, so all it needs is in it.
  await app.ask(() => {
    const tickMs = 1000 / 60;
    const filmFrameMs = 1000 / 30;
    const gapsMs: number[] = [];
    Object.assign(window, { gapsMs });
    const handedOver = new Map<Element, number>();
    for (const film of document.querySelectorAll("video")) {
      const hear: VideoFrameRequestCallback = (_now, { presentationTime }) => {
        handedOver.set(film, presentationTime);
        film.requestVideoFrameCallback(hear);
      };
      film.requestVideoFrameCallback(hear);
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
      const lastMs = film && handedOver.get(film);
      requestAnimationFrame((frameMs) => {
        delete coming.dataset.seen;
        if (lastMs === undefined || lastMs === null) {
          gapsMs.push(frameMs - orderedMs - tickMs);
          return;
        }
        // Frames begin at the ticks of one clock; it was handed over in the course of one of them.
        const ticks = Math.ceil((frameMs - lastMs) / tickMs);
        gapsMs.push(ticks * tickMs - filmFrameMs);
      });
    });
    const stage = document.querySelector(".stage");
    if (stage)
      observer.observe(stage, {
        ...{ subtree: true, attributes: true },
        attributeFilter: ["class"],
      });
  });
  return {
    end: () =>
      app.ask(() => ({
        gapsMs: (window as unknown as { gapsMs: number[] }).gapsMs,
        mediaElements: document.querySelectorAll("video, audio").length,
      })),
  };
}
