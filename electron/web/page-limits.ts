// Limits for web pages: messages, requests, memory and, before a page is ready, processor time. Pure decisions.

/** A token bucket. Times are in monotonic milliseconds from any origin. */
export interface Allowance {
  /** What may still be sent at once; below zero, how much waits. */
  readonly left: number;
  readonly atMs: number;
}

export interface PageUse {
  readonly messages: Allowance;
  readonly requests: Allowance;
}

export type PageEvent =
  /** It wrote to the console (a blocked dialog does), changed its title or address, created a frame, or requested a permission. */
  | { readonly kind: "message" }
  /** It requested something from the network. */
  | { readonly kind: "request" }
  /** Current usage of its processes. */
  | {
      readonly kind: "measured";
      readonly memoryBytes: number;
      readonly processorSeconds: number;
      readonly isReady: boolean;
    };

export interface PageStep {
  readonly state: PageUse;
  /** How long a request has to wait before it is sent. */
  readonly waitMs: number;
  /** Why the page is to be ended, in a sentence. */
  readonly excess: string | null;
}

export interface RequestStep {
  readonly state: Allowance;
  /** Null for one that is not sent at all, because too many wait already. */
  readonly waitMs: number | null;
}

interface Limit {
  readonly atOnce: number;
  readonly eachSecond: number;
}

/** Each message is work for the main process, on which everything else depends. */
const messageLimit: Limit = { atOnce: 3000, eachSecond: 500 };
/** So is each request, and more of it. A page of a thousand images, or a map, requests that many at once. */
const requestLimit: Limit = { atOnce: 1000, eachSecond: 100 };
/** A loop that requests without waiting for answers soon has more than that. */
const maxWaitingRequests = 1000;
const gibibyte = 2 ** 30;
const maxMemoryBytes = { beforeReady: gibibyte, onceReady: 2 * gibibyte };
/** On a slow machine a heavy page may take most of its thirty seconds. */
const maxProcessorSeconds = 20;

export function firstUse(nowMs: number): PageUse {
  return {
    messages: { left: messageLimit.atOnce, atMs: nowMs },
    requests: firstRequests(nowMs),
  };
}

export function firstRequests(nowMs: number): Allowance {
  return { left: requestLimit.atOnce, atMs: nowMs };
}

export function stepUse(
  state: PageUse,
  event: PageEvent,
  nowMs: number,
): PageStep {
  switch (event.kind) {
    case "measured":
      return { state, waitMs: 0, excess: excessOf(event) };
    case "message": {
      const left = earned(state.messages, messageLimit, nowMs) - 1;
      const messages = { left: Math.max(0, left), atMs: nowMs };
      return {
        ...{ state: { ...state, messages }, waitMs: 0 },
        excess:
          left < 0 ? "The page sends too many messages to the player." : null,
      };
    }
    case "request": {
      const step = stepRequests(state.requests, nowMs);
      return {
        state: { ...state, requests: step.state },
        waitMs: step.waitMs ?? 0,
        excess:
          step.waitMs === null ? "The page sends too many requests." : null,
      };
    }
  }
}

/** Spreads what exceeds the limit over time: a page that waits for its answers only becomes slower. */
export function stepRequests(state: Allowance, nowMs: number): RequestStep {
  const left = earned(state, requestLimit, nowMs) - 1;
  if (left < -maxWaitingRequests)
    return { state: { left: -maxWaitingRequests, atMs: nowMs }, waitMs: null };
  const waitMs = (Math.max(0, -left) / requestLimit.eachSecond) * 1000;
  return { state: { left, atMs: nowMs }, waitMs };
}

function earned(
  { left, atMs }: Allowance,
  { atOnce, eachSecond }: Limit,
  nowMs: number,
): number {
  return Math.min(atOnce, left + ((nowMs - atMs) / 1000) * eachSecond);
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
