// Burn-in protection: moves an element slowly around its centre on a display that shows the same content for long.

const stepMs = 60_000;

/**
 * One small step a minute, without animation: a smooth transition would keep the CPU busy for seconds. The style sheet skips it for
 * people who prefer reduced motion.
 */
export function drift(element: HTMLElement, moment: number): void {
  const step = Math.floor(moment / stepMs);
  element.style.setProperty("--x", Math.sin(step / 5).toFixed(3));
  element.style.setProperty("--y", Math.sin(step / 7).toFixed(3));
}

/** Calls back now and at every full minute; the returned function cancels it. */
export function everyMinute(callback: (moment: number) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tick = () => {
    const now = Date.now();
    callback(now);
    // Slightly after the full minute, because timers may fire early.
    timer = setTimeout(tick, stepMs - (now % stepMs) + 20);
  };
  tick();
  return () => clearTimeout(timer);
}

/** A card stays readable without its font: the font is waited for no longer than this. */
const fontWaitMs = 1000;

export async function lettersReady(): Promise<void> {
  await Promise.race([
    document.fonts.ready,
    new Promise((resolve) => setTimeout(resolve, fontWaitMs)),
  ]);
}
