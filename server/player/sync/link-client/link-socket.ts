// WebSocket of one link session, on which the service pushes news; while there is none, the session polls (L-44 to L-46).

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
import type { Log } from "../../../platform/log.ts";
import { waitOf } from "../remote/remote-error.ts";
import { parseUntrustedJson } from "../remote/remote-text.ts";

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
  /** The service was reached again after it was not: opening is worth another try. */
  allowAgain(): void;
  stop(): void;
}

export interface LinkSocketOptions {
  readonly connectionId: string;
  readonly connect: ConnectSocket;
  readonly monotonic: () => number;
  readonly now: () => number;
  readonly log: Log;
  /** The service has shown that it is there. */
  readonly onContact: () => void;
}

/** What the other side answers without knowing sockets: a service of an earlier version, or a proxy that forwards none. */
const unsupportedRetryMs = 3_600_000;
/** Anything else may be over sooner; polling works meanwhile. */
const failedRetryMs = 300_000;
const openMs = 10_000;
/** The service pings every 30 seconds: two of them are missing. */
const silenceMs = 75_000;
const maxMessageBytes = 1024 * 1024;
/** More than that is nothing a service sends at once. */
const maxQueued = 100;
const longestReconnectMs = 60_000;
const quickMs = 30_000;
const maxQuickLosses = 3;

export function createLinkSocket(options: LinkSocketOptions): LinkSocket {
  const { connectionId, connect, monotonic, log } = options;
  const stopped = new AbortController();
  let socket: OpenWebSocket | null = null;
  let queue: NewsLink[] = [];
  let screen: NewsLink["screen"] | null = null;
  let retryAt = -Infinity;
  let reconnectMs = 0;
  let heartbeatMs = 0;
  let openedAt = -Infinity;
  let quickLosses = 0;
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

  function putOff(ms: number, why: unknown): void {
    retryAt = Math.max(retryAt, monotonic() + ms);
    log.info("link.socket-not-used", { connection: connectionId, error: why });
  }

  /** A service that sends anything else is polled instead. */
  async function receive(from: OpenWebSocket, text: string): Promise<void> {
    const news = await newsIn(text, screen);
    if (socket !== from) return;
    if (!news || queue.length >= maxQueued) {
      lose();
      putOff(unsupportedRetryMs, new Error("its messages are not valid"));
      return;
    }
    const { reconnect_within_seconds: seconds, ...pushed } = news;
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

  /** Something between the two may close every socket soon after it was opened. */
  function noteLoss(): void {
    lose();
    quickLosses = monotonic() - openedAt < quickMs ? quickLosses + 1 : 0;
    if (quickLosses < maxQuickLosses) return;
    quickLosses = 0;
    putOff(failedRetryMs, new Error("it was closed soon, several times"));
  }

  return {
    isOpen: () => socket !== null,
    ensure: async () => {
      if (socket || stopped.signal.aborted || monotonic() < retryAt) return;
      try {
        await open();
      } catch (error) {
        lose();
        if (stopped.signal.aborted) return;
        putOff(retryMsAfter(error, options.now()), error);
      }
    },
    next: async (signal) => {
      while (socket && queue.length === 0 && !signal.aborted)
        await woken(signal);
      return signal.aborted ? null : (queue.shift() ?? null);
    },
    ...{ heartbeatMs: () => heartbeatMs, reconnectMs: () => reconnectMs },
    allowAgain: () => {
      retryAt = -Infinity;
    },
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

function retryMsAfter(error: unknown, now: number): number {
  if (!(error instanceof NotUpgraded)) return failedRetryMs;
  const { status, retryAfter } = error;
  if (status === 429 || status >= 500)
    return waitOf(retryAfter, now) ?? failedRetryMs;
  // The next heartbeat shows what became of the screen.
  if ([401, 403, 410].includes(status)) return failedRetryMs;
  return unsupportedRetryMs;
}
