// A slow walk around the middle, so that nothing burns in on a display that shows the same for long.

const stepMs = 60_000;

/** One small step a minute, at once: drawn smoothly, it would keep the processor busy for seconds. The style sheet leaves it out for those who asked for rest. */
export function drift(element: HTMLElement, moment: number): void {
  const step = Math.floor(moment / stepMs);
  element.style.setProperty("--x", Math.sin(step / 5).toFixed(3));
  element.style.setProperty("--y", Math.sin(step / 7).toFixed(3));
}

/** Calls back now and at every full minute; the answer calls it off. */
export function everyMinute(callback: (moment: number) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tick = () => {
    const now = Date.now();
    callback(now);
    // A breath past the full minute, as timers may come early.
    timer = setTimeout(tick, stepMs - (now % stepMs) + 20);
  };
  tick();
  return () => clearTimeout(timer);
}

/** Without its font a card still reads well: longer than this nobody waits for letters. */
const fontWaitMs = 1000;

export async function lettersReady(): Promise<void> {
  await Promise.race([
    document.fonts.ready,
    new Promise((resolve) => setTimeout(resolve, fontWaitMs)),
  ]);
}
