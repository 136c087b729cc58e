// Repeats a request of an upload until it succeeds, or fails for a reason that does not pass.

import { Refusal } from "../api/refusal.ts";
import { isBrowser } from "../place/abilities.ts";
import { PlayerFault } from "../transport/resumable-upload.ts";
import { retryPause } from "../transport/retry-pause.ts";
import { Unreachable } from "../transport/unreachable.ts";

/** A player that fails at a request will do so again. */
const maxFaults = 4;

/** Calls back before each pause. Rejects with the reason of the signal. */
export async function retried<T>(
  act: () => Promise<T>,
  signal: AbortSignal,
  onFailure: (error: unknown) => void = () => undefined,
): Promise<T> {
  let faults = 0;
  for (let failures = 0; ; failures += 1) {
    signal.throwIfAborted();
    try {
      return await act();
    } catch (error) {
      signal.throwIfAborted();
      if (isFault(error)) faults += 1;
      if (!isPassing(error) || faults >= maxFaults) throw error;
      onFailure(error);
      await retryPause(failures, signal);
    }
  }
}

/** Whether it may succeed by itself. In a window, the player is in the same program. */
function isPassing(error: unknown): boolean {
  if (error instanceof Unreachable || isTimeout(error)) return true;
  if (!isBrowser || !(error instanceof Refusal)) return false;
  return (
    ["unavailable", "too-many", "unauthorized"].includes(error.code) ||
    isFault(error)
  );
}

/** The player failed, and may have carried out what was requested. */
export function isFault(error: unknown): boolean {
  return (
    error instanceof PlayerFault ||
    (error instanceof Refusal && error.code === "internal")
  );
}

/** Whether the player may have carried out what failed. */
export function mayHaveArrived(error: unknown): boolean {
  return isFault(error) || error instanceof Unreachable || isTimeout(error);
}

function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === "TimeoutError";
}
