// Back-off of a link's socket: when it is opened again after it could not be opened, or was lost soon several times (L-47).

/** Named by the service, so that it can slow its players down without an update of theirs. */
export interface RetryRange {
  readonly firstSeconds: number;
  readonly longestSeconds: number;
}

export interface SocketRetry {
  readonly range: RetryRange;
  /** Attempts in a row that failed; a socket that lasts ends the row. */
  readonly failures: number;
  /** Sockets in a row that were lost soon after they were opened. */
  readonly quickLosses: number;
  /** Monotonic milliseconds; no attempt before. */
  readonly retryAt: number;
  /** The service asked for exactly this pause, because too many came at once. */
  readonly isBusy: boolean;
}

export type SocketEvent =
  | { readonly kind: "range-named"; readonly range: RetryRange }
  | {
      readonly kind: "failed";
      readonly at: number;
      /** Of the service; null if it named none. */
      readonly retryAfterMs: number | null;
      /** From 0 up to but not including 1. */
      readonly random: number;
    }
  /** The other side knows no sockets: a service of an earlier version, or a proxy that forwards none. */
  | { readonly kind: "not-supported"; readonly at: number }
  | {
      readonly kind: "lost";
      readonly at: number;
      readonly openedAt: number;
      readonly random: number;
    }
  /** The service was reached again after it was not: opening is worth another try. */
  | { readonly kind: "reached-again" };

/** Of services that name none. */
const defaultRetryRange: RetryRange = {
  firstSeconds: 15,
  longestSeconds: 300,
};
/** Whatever a service names. */
const limits = { firstSeconds: 1, longestSeconds: 3600 };
const notSupportedMs = 3_600_000;
const lastedMs = 30_000;
/** Something between the two may close every socket soon after it was opened. */
const maxQuickLosses = 3;
/** A longer pause is not waited for without polling. */
const longestBusyMs = 60_000;

export const newSocketRetry: SocketRetry = {
  ...{ range: defaultRetryRange, failures: 0, quickLosses: 0 },
  ...{ retryAt: -Infinity, isBusy: false },
};

export function afterSocketEvent(
  before: SocketRetry,
  event: SocketEvent,
): SocketRetry {
  switch (event.kind) {
    case "range-named":
      return { ...before, range: withinLimits(event.range) };
    case "failed":
      return failed(before, event);
    case "not-supported":
      return {
        ...before,
        ...{ retryAt: event.at + notSupportedMs, isBusy: false },
      };
    case "lost": {
      const { at, openedAt, random } = event;
      if (at - openedAt >= lastedMs)
        return { ...before, failures: 0, quickLosses: 0 };
      const quickLosses = before.quickLosses + 1;
      return quickLosses < maxQuickLosses
        ? { ...before, quickLosses }
        : failed(
            { ...before, quickLosses: 0 },
            { at, random, retryAfterMs: null },
          );
    }
    case "reached-again":
      return { ...before, retryAt: -Infinity, isBusy: false };
  }
}

function failed(
  before: SocketRetry,
  event: {
    readonly at: number;
    readonly retryAfterMs: number | null;
    readonly random: number;
  },
): SocketRetry {
  const { at, retryAfterMs, random } = event;
  // A busy service has its own queue: its pause neither grows nor counts as a failure.
  if (retryAfterMs !== null)
    return {
      ...before,
      // Not a moment earlier than requested.
      retryAt: at + retryAfterMs * (1 + random / 10),
      isBusy: retryAfterMs <= longestBusyMs,
    };
  return {
    ...before,
    failures: before.failures + 1,
    // A socket that was closed because its messages are not valid fails to open as well.
    retryAt: Math.max(
      before.retryAt,
      at + grownMs(before) * (0.75 + random / 2),
    ),
    isBusy: false,
  };
}

/** 15, 30, 60, … 300 seconds. */
function grownMs({ range, failures }: SocketRetry): number {
  const { firstSeconds, longestSeconds } = range;
  return 1000 * Math.min(longestSeconds, firstSeconds * 2 ** failures);
}

function withinLimits({
  firstSeconds,
  longestSeconds,
}: RetryRange): RetryRange {
  const within = (seconds: number): number =>
    Math.min(limits.longestSeconds, Math.max(limits.firstSeconds, seconds));
  const first = within(firstSeconds);
  return {
    firstSeconds: first,
    longestSeconds: Math.max(first, within(longestSeconds)),
  };
}
