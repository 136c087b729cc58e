// Ends the process once what it runs has stopped, and after a deadline whatever still runs.

/** Service managers kill after ten seconds: by then it has ended by itself. */
const maxStopMs = 8_000;

/** Exit code 0 where all of it stopped, 1 where something did not. */
export function endAfter(
  stopped: Promise<void>,
  {
    timeoutMs = maxStopMs,
    exit = (code: number): void => process.exit(code),
  } = {},
): void {
  const deadline = setTimeout(() => exit(1), timeoutMs);
  stopped
    .then(
      () => 0,
      () => 1,
    )
    .then((code) => {
      clearTimeout(deadline);
      exit(code);
    })
    // Nothing is left to be told.
    .catch(() => undefined);
}
