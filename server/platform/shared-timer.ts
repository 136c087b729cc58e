// One timer for all that is to be done now and then: a process that rests wakes up for all of it at once.
// In Electron each wake-up costs some ten thread switches, and as many again for each `setTimeout` at another moment.

const intervalMs = 1000;
/** What is due within half a period comes now: on the whole neither earlier nor later than asked for. */
const slackMs = intervalMs / 2;

const callbacks = new Set<() => void>();
let timer: NodeJS.Timeout | undefined;

/** Calls back every second, in the same moment as all others. The answer calls it off. It keeps no process alive. */
export function everySecond(callback: () => void): () => void {
  // The same function may be given twice.
  const mine = (): void => callback();
  callbacks.add(mine);
  timer ??= setInterval(callAll, intervalMs).unref();
  return () => {
    callbacks.delete(mine);
    if (callbacks.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** Calls back once, on the millisecond. The answer calls it off. */
export function after(ms: number, callback: () => void): () => void {
  const timer = setTimeout(callback, Math.max(0, ms));
  return () => clearTimeout(timer);
}

/** Calls back once, half a second early or late at most; what is due sooner than in a second and a half, on the millisecond. */
export function afterAbout(ms: number, callback: () => void): () => void {
  const earlyMs = earlyMsOf(ms);
  if (earlyMs === 0) return after(ms, callback);
  const dueMs = performance.now() + ms - earlyMs;
  const stop = everySecond(() => {
    if (performance.now() < dueMs) return;
    stop();
    callback();
  });
  return stop;
}

/**
 * Calls back once at a steady moment (milliseconds), and tells it: this one, or a later one where it comes late.
 * Only a deadline is kept to the millisecond. The answer calls it off.
 */
export function atMoment(
  dueMs: number,
  isDeadline: boolean,
  callback: (nowMs: number) => void,
): () => void {
  // A timer counts whole milliseconds, and one that comes early would come twice.
  const inMs = Math.ceil(dueMs - performance.now());
  return (isDeadline ? after : afterAbout)(inMs, () =>
    callback(Math.max(dueMs, performance.now())),
  );
}

/** By how much at most what is due in so many milliseconds comes early: what is due soon does not. */
export function earlyMsOf(ms: number): number {
  return ms < intervalMs + slackMs ? 0 : slackMs;
}

/** Calls back again and again, with all others; what is due sooner than in a second and a half, by itself. It keeps no process alive. */
export function everyAbout(ms: number, callback: () => void): () => void {
  const earlyMs = earlyMsOf(ms);
  if (earlyMs === 0) {
    const exact = setInterval(callback, ms).unref();
    return () => clearInterval(exact);
  }
  let dueMs = performance.now() + ms - earlyMs;
  return everySecond(() => {
    const nowMs = performance.now();
    if (nowMs < dueMs) return;
    // After a machine that slept, once and not for each time that was missed.
    dueMs = Math.max(dueMs, nowMs - ms) + ms;
    callback();
  });
}

/** What one throws holds up no other. */
function callAll(): void {
  for (const callback of [...callbacks]) {
    // Called off by one before it.
    if (!callbacks.has(callback)) continue;
    try {
      callback();
    } catch (error) {
      queueMicrotask(() => {
        throw error;
      });
    }
  }
}
