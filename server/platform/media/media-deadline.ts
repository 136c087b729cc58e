// Deadline of a process that reads a file, by its processor time: on a machine that is busy with other things, a good file is not
// taken for one that takes too long.

/** A process that waits for something itself uses no processor time, and is given up after this many times its deadline. */
const maxRounds = 6;

export interface MediaDeadline {
  cancel(): void;
}

/**
 * Calls `onLate` once the process has had the processor for half of `timeoutMs`, and as long as that has passed at least; or after
 * `maxRounds` times `timeoutMs` in any case. Where its processor time is unknown (null), after `timeoutMs`.
 */
export function startMediaDeadline(
  timeoutMs: number,
  processorMs: () => number | null,
  onLate: () => void,
): MediaDeadline {
  const usedBefore = processorMs() ?? 0;
  let rounds = 0;
  let timer = setTimeout(check, timeoutMs);
  function check(): void {
    rounds += 1;
    const used = processorMs();
    const hasHadTime = used === null || used - usedBefore >= timeoutMs / 2;
    if (hasHadTime || rounds >= maxRounds) return onLate();
    timer = setTimeout(check, timeoutMs);
  }
  return { cancel: () => clearTimeout(timer) };
}
