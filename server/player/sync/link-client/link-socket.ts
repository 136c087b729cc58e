// WebSocket of one link session, on which the service pushes news; while there is none, the session polls (L-44 to L-48).

import {
  linkPaths,
  pushedNewsLink,
  type NewsLink,
  type PushedNewsLink,
} from "../../../contract/link/link.ts";
import {
  NotUpgraded,
  type OpenWebSocket,
  type WebSocketOptions,
} from "../../../platform/http/web-socket.ts";
import {
  afterSocketEvent,
  newSocketRetry,
  type RetryRange,
  type SocketEvent,
} from "../../../core/sync-connection/socket-retry.ts";
import type { Log } from "../../../platform/log.ts";
import { waitOf } from "../remote/remote-error.ts";
import { parseUntrustedJson } from "../../../platform/text/untrusted-json.ts";

/** Connects to a path of the service; throws what `openWebSocket` throws. */
export type ConnectSocket = (
  path: string,
  options: Omit<WebSocketOptions, "headers" | "verifyTls" | "proxy">,
) => Promise<OpenWebSocket>;

export interface LinkSocket {
  isOpen(): boolean;
  /** Opens it unless it is open or was tried too short a time ago. Never throws; resolves when the first news has arrived. */
  ensure(): Promise<void>;
  /** The oldest news that was not taken yet; null once the signal aborts or the socket is lost. */
  next(signal: AbortSignal): Promise<NewsLink | null>;
  /** After which time a changed report is worth a heartbeat. */
  heartbeatMs(): number;
  /** How long the service asked players to spread their return, after the socket was lost. */
  reconnectMs(): number;
  /** Before this many milliseconds are over, `ensure` does nothing. */
  retryInMs(): number;
  /** The service is there, but asked to open the socket later: until then, it is spared other requests, too. */
  isServiceBusy(): boolean;
  /** The range of pauses that the service named with an answer (L-47). */
  noteRange(range: RetryRange): void;
  /** The service was reached again after it was not: opening is worth another try. */
  allowAgain(): void;
  stop(): void;
}

export interface LinkSocketOptions {
  readonly connectionId: string;
  readonly connect: ConnectSocket;
  readonly monotonic: () => number;
  readonly now: () => number;
  readonly random: () => number;
  readonly log: Log;
  /** The service has shown that it is there. */
  readonly onContact: () => void;
}

const openMs = 10_000;
/** The service pings every 30 seconds: two of them are missing. */
const silenceMs = 75_000;
const maxMessageBytes = 1024 * 1024;
/** More than that is nothing a service sends at once. */
const maxQueued = 100;
const longestReconnectMs = 60_000;

export function createLinkSocket(options: LinkSocketOptions): LinkSocket {
  const { connectionId, connect, monotonic, log } = options;
  const stopped = new AbortController();
  let socket: OpenWebSocket | null = null;
  let queue: NewsLink[] = [];
  let screen: NewsLink["screen"] | null = null;
  let retry = newSocketRetry;
  let reconnectMs = 0;
  let heartbeatMs = 0;
  let openedAt = -Infinity;
  /** Messages are taken in their order. */
  let receiving: Promise<void> = Promise.resolve();
  let wake = (): void => undefined;

  function lose(): void {
    socket?.close();
    socket = null;
    queue = [];
    screen = null;
    wake();
  }

  function note(event: SocketEvent): void {
    retry = afterSocketEvent(retry, event);
  }

  function putOff(event: SocketEvent, why: unknown): void {
    note(event);
    log.info("link.socket-not-used", { connection: connectionId, error: why });
  }

  /** A service that sends anything else is polled instead. */
  async function receive(from: OpenWebSocket, text: string): Promise<void> {
    const news = await newsIn(text, screen);
    if (socket !== from) return;
    if (!news || queue.length >= maxQueued) {
      lose();
      putOff(
        { kind: "not-supported", at: monotonic() },
        new Error("its messages are not valid"),
      );
      return;
    }
    const {
      reconnect_within_seconds: seconds,
      socket_retry_seconds: range,
      ...pushed
    } = news;
    if (range) note({ kind: "range-named", range: rangeFrom(range) });
    reconnectMs = Math.min(longestReconnectMs, seconds * 1000);
    heartbeatMs = pushed.heartbeat_in_seconds * 1000;
    ({ screen } = pushed);
    queue.push(pushed);
    options.onContact();
    wake();
  }

  function woken(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        signal.removeEventListener("abort", done);
        wake = () => undefined;
        resolve();
      };
      wake = done;
      if (signal.aborted) done();
      else signal.addEventListener("abort", done);
    });
  }

  async function open(): Promise<void> {
    let ready = (_isReady: boolean): void => undefined;
    const isReady = new Promise<boolean>((resolve) => {
      ready = resolve;
    });
    let opened: OpenWebSocket | null = null;
    let isClosed = false;
    const opening = connect(linkPaths.socket, {
      ...{ openMs, silenceMs, maxMessageBytes, signal: stopped.signal },
      onMessage: (text) => {
        receiving = receiving
          .then(async () => receive(await opening, text))
          .then(
            () => ready(true),
            () => ready(false),
          );
      },
      onPing: options.onContact,
      onClose: () => {
        isClosed = true;
        ready(false);
        if (opened !== null && socket === opened) noteLoss();
      },
    });
    opened = await opening;
    socket = opened;
    openedAt = monotonic();
    if (!(await isReady) || isClosed)
      throw new Error("it was closed before anything arrived");
  }

  function noteLoss(): void {
    lose();
    const before = retry;
    note({
      ...{ kind: "lost", at: monotonic(), openedAt },
      random: options.random(),
    });
    if (retry.failures > before.failures)
      log.info("link.socket-not-used", {
        connection: connectionId,
        error: new Error("it was closed soon after it opened, several times"),
      });
  }

  return {
    isOpen: () => socket !== null,
    ensure: async () => {
      if (socket || stopped.signal.aborted || monotonic() < retry.retryAt)
        return;
      try {
        await open();
      } catch (error) {
        lose();
        if (stopped.signal.aborted) return;
        putOff(
          eventAfter(error, {
            ...{ at: monotonic(), now: options.now() },
            random: options.random(),
          }),
          error,
        );
      }
    },
    next: async (signal) => {
      while (socket && queue.length === 0 && !signal.aborted)
        await woken(signal);
      return signal.aborted ? null : (queue.shift() ?? null);
    },
    ...{ heartbeatMs: () => heartbeatMs, reconnectMs: () => reconnectMs },
    retryInMs: () => Math.max(0, retry.retryAt - monotonic()),
    isServiceBusy: () => retry.isBusy && monotonic() < retry.retryAt,
    noteRange: (range) => note({ kind: "range-named", range }),
    allowAgain: () => note({ kind: "reached-again" }),
    stop: () => {
      stopped.abort();
      lose();
    },
  };
}

async function newsIn(
  text: string,
  screen: NewsLink["screen"] | null,
): Promise<(NewsLink & PushedNewsLink) | null> {
  const json = await parseUntrustedJson(text).catch(() => null);
  const reading = pushedNewsLink.safeParse(json);
  if (!reading.success) return null;
  const known = reading.data.screen ?? screen;
  return known && { ...reading.data, screen: known };
}

function eventAfter(
  error: unknown,
  {
    at,
    now,
    random,
  }: { readonly at: number; readonly now: number; readonly random: number },
): SocketEvent {
  const failed = { kind: "failed", at, random } as const;
  if (!(error instanceof NotUpgraded)) return { ...failed, retryAfterMs: null };
  const { status, retryAfter } = error;
  if (status === 429 || status >= 500)
    return { ...failed, retryAfterMs: waitOf(retryAfter, now) };
  // The next heartbeat shows what became of the screen.
  if ([401, 403, 410].includes(status))
    return { ...failed, retryAfterMs: null };
  return { kind: "not-supported", at };
}

/** As a message of the service names it (L-47). */
export function rangeFrom({
  first,
  longest,
}: NonNullable<NewsLink["socket_retry_seconds"]>): RetryRange {
  return { firstSeconds: first, longestSeconds: longest };
}
