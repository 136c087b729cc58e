// The missing files of one account, brought in within its hours and its rate.

import type { Fetch } from "../../../core/sync-plan.ts";
import type { SyncAccount } from "../../../core/sync-state.ts";
import { partsOfApps } from "../../../core/sync-wanted.ts";
import type { Look } from "../remote/remote.ts";
import type { SyncClock } from "../sync-clock.ts";
import { download, NotGiven, WrongBytes } from "../download/download.ts";
import {
  createFetching,
  type FetchingOptions,
  type Missed,
  type Tally,
} from "./download-batch.ts";
import { mayFetchAt } from "./hours.ts";
import type { SyncLibrary } from "../library.ts";
import type { Parts } from "../download/partial-files.ts";
import { createRate } from "../download/rate-limit.ts";
import { createRoom } from "../download/disk-space.ts";
import { createSpeed } from "../download/transfer-speed.ts";
import { CloudTrouble } from "../remote/remote-error.ts";

export interface Bringing {
  /** Throws a CloudTrouble, and whatever ended it from outside; when its hours are over it just ends. */
  bring(
    look: Look,
    fetches: readonly Fetch[],
    called: AbortSignal,
  ): Promise<void>;
  /** Null while nothing is brought. */
  tally(): (Tally & { readonly bytesPerSecond: number }) | null;
  /** The account's limit may be another by now. */
  limit(): void;
  /** Something has come in since this was asked last. */
  hasReceived(): boolean;
}

export interface BringingOptions {
  readonly account: () => SyncAccount;
  readonly token: () => Promise<string | null>;
  readonly library: Pick<SyncLibrary, "admit" | "admitPart" | "hasFile">;
  readonly parts: Parts;
  readonly clock: SyncClock;
  readonly chance: () => number;
  readonly zone: () => string;
  readonly reserveBytes: () => number;
  readonly silenceMs: number;
  /** Whatever the account allows. */
  readonly mostBytesPerSecond: number;
  readonly onCame: (md5: string) => void;
  readonly onMissed: (md5: string, missed: Missed) => void;
  /** Once a second; `hasArrived`: files have come in since the last time. */
  readonly onSecond: (
    hasArrived: boolean,
    called: AbortSignal,
  ) => Promise<void>;
}

const secondMs = 1000;

export function createBringing(options: BringingOptions): Bringing {
  const { account, clock, parts, zone } = options;
  const rate = createRate(clock);
  const room = createRoom(parts.dir, clock.monotonic);
  const speed = createSpeed(clock);
  let tally: (() => Tally) | null = null;
  let hasReceived = false;

  const limit = (): void => {
    const { rateLimit } = account();
    const most = Math.min(rateLimit ?? Infinity, options.mostBytesPerSecond);
    rate.limit(most === Infinity ? null : most);
  };

  async function bring(
    look: Look,
    fetches: readonly Fetch[],
    called: AbortSignal,
  ): Promise<void> {
    const { baseUrl, isCertificateSkipped, proxyUrl } = account();
    const names = new Map(
      look.wanted.assets.map(({ remoteId, facts }) => [remoteId, facts.name]),
    );
    const ofApps = partsOfApps(look.wanted);
    const token = await options.token();
    const hours = new AbortController();
    const signal = AbortSignal.any([called, hours.signal]);
    let hasArrived = false;
    limit();
    speed.begin();
    const fetching = createFetching(fetches, {
      ...{ clock, signal, chance: options.chance },
      nameOf: (remoteId) => names.get(remoteId) ?? remoteId,
      mostAtOnce: rate.mostAtOnce,
      alone: (md5, act) => parts.alone(md5, signal, act),
      isHere: options.library.hasFile,
      download: fromAny(look, (fetch, source, onBytes) => {
        const isOwn = isSameOrigin(source, baseUrl);
        return download(fetch, {
          ...{ source, signal, rate, room, proxyUrl, now: clock.now },
          ...{
            part: parts.part(fetch.md5),
            mayBePage: ofApps.has(fetch.md5),
          },
          token: isOwn ? token : null,
          isCertificateSkipped: isCertificateSkipped && isOwn,
          reserveBytes: options.reserveBytes(),
          silenceMs: options.silenceMs,
          onBytes: (received, total) => {
            hasReceived = true;
            onBytes(received, total);
          },
        });
      }),
      admit: async (aside, md5) => {
        if (ofApps.has(md5)) await options.library.admitPart(aside, md5);
        else await options.library.admit(aside, md5);
        // What its server knew it by is of no use any more.
        await parts.part(md5).done();
      },
      onArrived: ({ md5 }) => {
        hasArrived = true;
        options.onCame(md5);
      },
      onMissed: ({ md5 }, missed) => options.onMissed(md5, missed),
    });
    tally = fetching.tally;
    const stop = everySecond(clock, async () => {
      speed.note(fetching.tally().receivedBytes);
      if (!mayFetchAt(account(), clock.now(), zone())) hours.abort();
      const isNew = hasArrived;
      hasArrived = false;
      await options.onSecond(isNew, called);
    });
    try {
      await fetching.run();
    } catch (error) {
      if (!hours.signal.aborted || called.aborted) throw error;
    } finally {
      stop();
      tally = null;
    }
  }

  return {
    bring,
    limit,
    tally: () => tally && { ...tally(), bytesPerSecond: speed.perSecond() },
    hasReceived: () => {
      const has = hasReceived;
      hasReceived = false;
      return has;
    },
  };
}

type Download = FetchingOptions["download"];
type OnBytes = Parameters<Download>[1];

/** From the first address that gives it; throws what the last one said (V2-534). */
function fromAny(
  { sources }: Look,
  downloadFrom: (
    fetch: Fetch,
    source: string,
    onBytes: OnBytes,
  ) => ReturnType<Download>,
): Download {
  return async (fetch, onBytes) => {
    const [first, ...others] = sources.get(fetch.md5) ?? [];
    if (first === undefined) throw new Error("a file without a source");
    let coming = downloadFrom(fetch, first, onBytes);
    for (const other of others)
      coming = coming.catch((error: unknown) => {
        if (!isOfAddress(error)) throw error;
        return downloadFrom(fetch, other, onBytes);
      });
    return coming;
  };
}

/** Another address may give it all the same. */
function isOfAddress(error: unknown): boolean {
  return (
    error instanceof NotGiven ||
    (error instanceof WrongBytes && error.isWhole) ||
    (error instanceof CloudTrouble &&
      (error.code === "portal" || error.code === "unavailable"))
  );
}

function isSameOrigin(one: string, other: string): boolean {
  return new URL(one).origin === new URL(other).origin;
}

/** Each time a second after the last one was done; the answer ends it. */
function everySecond(clock: SyncClock, act: () => Promise<void>): () => void {
  let isOver = false;
  let stop = (): void => undefined;
  const wait = (): void => {
    stop = clock.after(secondMs, () => {
      const waitOn = (): void => {
        if (!isOver) wait();
      };
      // One that failed is looked at again a second later.
      act().then(waitOn, waitOn);
    });
  };
  wait();
  return () => {
    isOver = true;
    stop();
  };
}
