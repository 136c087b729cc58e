// Pictures of the screen for a service: once a second while somebody is looking, and otherwise every few minutes; none that the
// service has already (L-66 to L-69).

import {
  linkPaths,
  livePictureLink,
  type NewsLink,
} from "../../../contract/link/link.ts";
import { pause, type Clock } from "../../../platform/clock.ts";
import type { Log } from "../../../platform/log.ts";
import { RemoteError } from "../remote/remote-error.ts";
import type { Send } from "../remote/send-http.ts";
import { reasonIn } from "../../../contract/screens-client/response-reason.ts";

/** What the screen shows at a moment. */
export interface ScreenPicture {
  /** The same for pictures that look the same. */
  readonly mark: string;
  /** As WebP, within `livePictureLimits`. */
  readonly encode: () => Promise<Uint8Array>;
}

export interface LivePictures {
  /** What the service has sent last. */
  note(news: Pick<NewsLink, "watched" | "picture_in_seconds">): void;
  /** Of the last request to begin, for the next poll; null where no pictures can be taken. */
  watchedId(): string | null;
  stop(): Promise<void>;
}

export interface LivePicturesOptions {
  readonly connectionId: string;
  /** Without it, nothing is sent. */
  readonly take: (() => Promise<ScreenPicture>) | undefined;
  readonly send: Send;
  readonly isSocketOpen: () => boolean;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
}

const liveIntervalMs = 1_000;
/** Without a socket, a service has fewer connections to spare. */
const pollingIntervalMs = 3_000;
/** Whatever a service asks for. */
const longestLeaseMs = 30_000;
const shortestIntervalMs = 60_000;
const longestIntervalMs = 24 * 3_600_000;

export function createLivePictures(options: LivePicturesOptions): LivePictures {
  const { connectionId, take, send, clock, random, log } = options;
  const stopped = new AbortController();
  let watchedId = "";
  let watching: Promise<void> | null = null;
  let intervalMs: number | null = null;
  let stopTimer = (): void => undefined;
  let storing: Promise<void> | null = null;
  /** Of the last one sent on its own. */
  let storedMark: string | null = null;

  const stopping = new Promise<never>((_resolve, reject) => {
    stopped.signal.addEventListener("abort", () => {
      reject(new DOMException("called off", "AbortError"));
    });
  });
  stopping.catch(() => undefined);

  /** A screenshot may take seconds, which nobody waits for at the end. */
  const unlessStopped = <T>(work: Promise<T>): Promise<T> =>
    Promise.race([work, stopping]);

  function noteError(event: string, error: unknown): void {
    if (stopped.signal.aborted) return;
    const why = error instanceof Error ? error.message : String(error);
    log.info(event, { connection: connectionId, why });
  }

  /** Until nobody is looking any more, by the answers of the service; a lease that it does not extend ends by itself. */
  async function watch(
    takeOne: () => Promise<ScreenPicture>,
    seconds: number,
  ): Promise<void> {
    let until = clock.monotonic() + leaseMs(seconds);
    let sent: string | null = null;
    while (clock.monotonic() < until && !stopped.signal.aborted) {
      const begunAt = clock.monotonic();
      const { mark, encode } = await unlessStopped(takeOne());
      const content = mark === sent ? null : await unlessStopped(encode());
      const left = await sendLive(content);
      if (left === 0) return;
      sent = mark;
      until = clock.monotonic() + leaseMs(left);
      const everyMs = options.isSocketOpen()
        ? liveIntervalMs
        : pollingIntervalMs;
      const restMs = everyMs - (clock.monotonic() - begunAt);
      if (restMs > 0) await pause(clock, restMs, stopped.signal);
    }
  }

  async function sendLive(content: Uint8Array | null): Promise<number> {
    const answer = await send("PUT", linkPaths.livePicture, {
      body: bodyOf(content ?? new Uint8Array()),
      signal: AbortSignal.timeout(longestLeaseMs),
    });
    const reading = livePictureLink.safeParse(answer.json);
    if (answer.status !== 200 || !reading.success)
      throw new RemoteError("refused", reasonIn(answer));
    return reading.data.watched_seconds;
  }

  async function store(takeOne: () => Promise<ScreenPicture>): Promise<void> {
    const { mark, encode } = await unlessStopped(takeOne());
    if (mark === storedMark) return;
    const content = await unlessStopped(encode());
    const answer = await send("PUT", linkPaths.screenshot, {
      body: bodyOf(content),
    });
    if (answer.status >= 300)
      throw new RemoteError("refused", reasonIn(answer));
    storedMark = mark;
  }

  /** Spread over the interval, so that not all players send at once. */
  function plan(share: number): void {
    stopTimer();
    stopTimer = (): void => undefined;
    if (intervalMs === null || !take || stopped.signal.aborted) return;
    stopTimer = clock.after(intervalMs * share, () => {
      storing = store(take)
        .catch((error: unknown) => noteError("link.picture-not-sent", error))
        .finally(() => {
          storing = null;
          plan(0.75 + random() / 2);
        });
    });
  }

  return {
    note: ({ watched, picture_in_seconds: seconds }) => {
      if (!take || stopped.signal.aborted) return;
      const nextMs = seconds === undefined ? null : storeMs(seconds);
      if (nextMs !== intervalMs) {
        intervalMs = nextMs;
        if (!storing) plan(random());
      }
      if (!watched || watched.id === watchedId) return;
      watchedId = watched.id;
      // It continues by itself.
      if (watching) return;
      watching = watch(take, watched.seconds)
        // If the screen is still watched, the service asks again.
        .catch((error: unknown) => noteError("link.live-picture-ended", error))
        .finally(() => {
          watching = null;
        });
    },
    watchedId: () => (take ? watchedId : null),
    stop: async () => {
      stopped.abort();
      stopTimer();
      await watching;
      await storing;
    },
  };
}

const leaseMs = (seconds: number): number =>
  Math.min(seconds * 1000, longestLeaseMs);

const storeMs = (seconds: number): number =>
  Math.min(longestIntervalMs, Math.max(shortestIntervalMs, seconds * 1000));

function bodyOf(content: Uint8Array) {
  return { type: "image/webp", sizeBytes: content.length, content };
}
