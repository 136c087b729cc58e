// Ends the process once everything it runs has stopped, or after a deadline.

/** Service managers kill after ten seconds: the process ends by itself before that. */
const maxStopMs = 8_000;

/** Exit code 0 when everything stopped, 1 when something did not. */
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
    // There is no one left to receive the error.
    .catch(() => undefined);
}
