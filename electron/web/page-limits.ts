// What a web page may use of the machine: messages, memory and, before it is ready, processor time. Pure decisions.

/** Moments are steady milliseconds, whatever they count from. */
export interface PageUse {
  /** What it may still send at once. */
  readonly allowance: number;
  readonly atMs: number;
}

export type PageEvent =
  /** It wrote to the console (a refused dialog does), changed its title or its address. */
  | { readonly kind: "message" }
  /** What its processes use now. */
  | {
      readonly kind: "measured";
      readonly memoryBytes: number;
      readonly processorSeconds: number;
      readonly isReady: boolean;
    };

export interface PageStep {
  readonly state: PageUse;
  /** In a sentence: it is to be cut off. */
  readonly excess: string | null;
}

/** Each message is work for the main process, which everything else waits for. */
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
    excess: allowance < 0 ? "The page floods the player with messages." : null,
  };
}

function excessOf({
  memoryBytes,
  processorSeconds,
  isReady,
}: PageEvent & { readonly kind: "measured" }): string | null {
  const most = isReady ? maxMemoryBytes.onceReady : maxMemoryBytes.beforeReady;
  if (memoryBytes > most)
    return `The page takes more than ${most / gibibyte} GiB of memory.`;
  if (!isReady && processorSeconds > maxProcessorSeconds)
    return `The page took ${maxProcessorSeconds} seconds of processor time and was not ready.`;
  return null;
}
