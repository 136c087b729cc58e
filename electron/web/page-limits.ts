// Limits for web pages: messages, memory and, before a page is ready, processor time. Pure decisions.

/** Times are in monotonic milliseconds from any origin. */
export interface PageUse {
  /** Messages it may still send in a burst. */
  readonly allowance: number;
  readonly atMs: number;
}

export type PageEvent =
  /** It wrote to the console (a blocked dialog does), changed its title or address, created a frame, or requested a permission. */
  | { readonly kind: "message" }
  /** Current usage of its processes. */
  | {
      readonly kind: "measured";
      readonly memoryBytes: number;
      readonly processorSeconds: number;
      readonly isReady: boolean;
    };

export interface PageStep {
  readonly state: PageUse;
  /** Why the page is to be ended, in a sentence. */
  readonly excess: string | null;
}

/** Each message is work for the main process, on which everything else depends. */
const messagesAtOnce = 3000;
const messagesEachSecond = 500;
const gibibyte = 2 ** 30;
const maxMemoryBytes = { beforeReady: gibibyte, onceReady: 2 * gibibyte };
/** On a slow machine a heavy page may take most of its thirty seconds. */
const maxProcessorSeconds = 20;

export function firstUse(nowMs: number): PageUse {
  return { allowance: messagesAtOnce, atMs: nowMs };
}

export function stepUse(
  state: PageUse,
  event: PageEvent,
  nowMs: number,
): PageStep {
  if (event.kind === "measured") return { state, excess: excessOf(event) };
  const earned = ((nowMs - state.atMs) / 1000) * messagesEachSecond;
  const allowance = Math.min(messagesAtOnce, state.allowance + earned) - 1;
  return {
    state: { allowance: Math.max(0, allowance), atMs: nowMs },
    excess:
      allowance < 0 ? "The page sends too many messages to the player." : null,
  };
}

function excessOf({
  memoryBytes,
  processorSeconds,
  isReady,
}: PageEvent & { readonly kind: "measured" }): string | null {
  const most = isReady ? maxMemoryBytes.onceReady : maxMemoryBytes.beforeReady;
  if (memoryBytes > most)
    return `The page uses more than ${most / gibibyte} GiB of memory.`;
  if (!isReady && processorSeconds > maxProcessorSeconds)
    return `The page used ${maxProcessorSeconds} seconds of CPU time without becoming ready.`;
  return null;
}
