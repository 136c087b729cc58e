// Detects when a change has been painted on the screen.

/** Animation frames stop while a display sleeps; playback continues nevertheless. */
const longestWaitMs = 500;

/** Resolves in the animation frame that paints what was changed before the call. */
export function frameBegun(): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, longestWaitMs);
    requestAnimationFrame(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Resolves when what was changed before the call has been painted: the second frame follows the first one's paint. */
export function framePainted(): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, longestWaitMs);
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        clearTimeout(timer);
        resolve();
      }),
    );
  });
}
