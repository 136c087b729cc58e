// Shared timer for periodic tasks: an idle process wakes up once for all of them. In Electron each wake-up costs some ten thread
// switches, and as many again for each `setTimeout` at another moment.

const intervalMs = 1000;
/** Tasks due within half a period run now: on average neither earlier nor later than requested. */
const slackMs = intervalMs / 2;

const callbacks = new Set<() => void>();
let timer: NodeJS.Timeout | undefined;

/**
 * Calls back every second, at the same moment as all others. The returned function cancels it. It does not keep the process
 * running.
 */
export function everySecond(callback: () => void): () => void {
  // The same function may be passed twice.
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

/** Calls back once, to the millisecond. The returned function cancels it. */
export function after(ms: number, callback: () => void): () => void {
  const timer = setTimeout(callback, Math.max(0, ms));
  return () => clearTimeout(timer);
}

/** Calls back once, at most half a second early or late; to the millisecond when it is due in less than a second and a half. */
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
 * Calls back once at a monotonic moment (milliseconds), and passes it on: this one, or a later one when the call is late. Only a
 * deadline is kept to the millisecond. The returned function cancels it.
 */
export function atMoment(
  dueMs: number,
  isDeadline: boolean,
  callback: (nowMs: number) => void,
): () => void {
  // A timer counts whole milliseconds, and one that fires early would fire twice.
  const inMs = Math.ceil(dueMs - performance.now());
  return (isDeadline ? after : afterAbout)(inMs, () =>
    callback(Math.max(dueMs, performance.now())),
  );
}

/** How early a task that is due in this many milliseconds may run: not at all when it is due soon. */
export function earlyMsOf(ms: number): number {
  return ms < intervalMs + slackMs ? 0 : slackMs;
}

/**
 * Calls back repeatedly, together with all others; with a timer of its own when the interval is less than a second and a half. It
 * does not keep the process running.
 */
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
    // After the machine slept: once, and not for each call that was missed.
    dueMs = Math.max(dueMs, nowMs - ms) + ms;
    callback();
  });
}

/** An exception in one callback does not affect the others. */
function callAll(): void {
  for (const callback of [...callbacks]) {
    // Cancelled by an earlier callback.
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
