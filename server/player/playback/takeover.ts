// Takeover: an asset, a message or a page takes over the screen, until a moment or until stopped.

import * as z from "zod";
import { playerSentences } from "../../contract/sentences/player-sentences.ts";
import { notAPage } from "../../contract/v2/v2-screen.ts";
import { sentenceFor } from "../../contract/field-error.ts";
import { isHere, type Asset } from "../../core/asset.ts";
import { Failure, fieldFailure } from "../../core/failure.ts";
import type { Log } from "../../platform/log.ts";
import type { Sqlite } from "../../platform/sqlite/sqlite.ts";
import { createAnnouncement } from "../event-emitter.ts";
import { createWriteQueue } from "./write-queue.ts";
import type { Library } from "../library/library.ts";
import type { Clock } from "../../platform/clock.ts";

const shown = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("asset"), assetId: z.string() }),
  z.object({ kind: z.literal("text"), text: z.string() }),
  z.object({ kind: z.literal("page"), url: z.string() }),
  z.object({ kind: z.literal("blank") }),
]);

/** As it is stored. */
const takeover = z.object({
  id: z.string(),
  shown,
  /** A test: it ends soon by itself, and is reported as a test. */
  isDrill: z.boolean().default(false),
  /** Given by the client that began it. */
  reason: z.string().nullable(),
  /** Milliseconds since 1970, UTC. */
  startedAt: z.number(),
  /** Null: until stopped. Adjusted when the wall clock is set (V2-662). */
  until: z.number().nullable(),
});

export type Takeover = Readonly<z.infer<typeof takeover>>;
export type TakeoverInput = Pick<Takeover, "shown" | "reason" | "until"> & {
  readonly isDrill?: boolean;
  /** Measured with the monotonic clock, whatever the wall clock does; it ends at `until` all the same. */
  readonly durationMs?: number | undefined;
};

export interface Takeovers {
  /** The active one; null when there is none. */
  current(): Takeover | null;
  /** Replaces an earlier one. Throws `invalid` on `asset_id`, `url` or `until`. */
  begin(input: TakeoverInput): Takeover;
  /** Returns whether there was one. */
  clear(): boolean;
  /** Ends the active takeover, else begins one with this asset until stopped; a failure is only logged. */
  toggle(assetId: string): void;
  onChanged(listener: () => void): () => void;
  /** What the player's own database has not accepted yet is stored in the one that the next start opens (V2-752). */
  storeIn(next: NextStore, open: () => Sqlite): void;
  stop(): void;
}

/** `own`: with what the player itself has. `another`: one that the player gives way to. */
export type NextStore = "own" | "another";

export interface TakeoversOptions {
  readonly database: Sqlite;
  readonly library: Library;
  readonly clock: Clock;
  readonly makeId: () => string;
  readonly log: Log;
}

/** Long enough to check, too short to be mistaken for the real thing by many people (V2-293). */
const maxDrillMs = 60_000;

/** After a restart the screen depends on it, and it is one row: no longer pauses, however long the disk rejects it (V2-749). */
const storeRetryMs = 2000;

/** A wall clock that differs this much from the monotonic one was set. */
const jumpMs = 500;

type Ending = "cleared" | "duration reached" | "replaced" | "asset deleted";

export function createTakeovers(options: TakeoversOptions): Takeovers {
  const { database, library, clock, makeId, log } = options;
  const changed = createAnnouncement();
  const writeTo = preparedWrite(database);
  /** The database contains something else than what was shown or ended last. */
  let isUnstored = false;
  let hasAnotherIt = false;
  const writes = createWriteQueue({
    ...{ database, clock, log, maxRetryMs: storeRetryMs },
  });
  let stored = read();
  /** The monotonic moment at which a takeover with a duration ends. */
  let endsAt: number | null = null;
  /** The end that the operator requested, in wall-clock milliseconds. */
  let requestedUntil: number | null = stored?.until ?? null;
  if (stored && isKnown(stored)) log.info("takeover.resumed", linesOf(stored));
  const stopListening = library.onChanged(() => {
    if (stored && !isKnown(stored)) end("asset deleted");
  });
  if (stored && !isKnown(stored)) end("asset deleted");

  function read(): Takeover | null {
    const row = database
      .prepare<[], string>("SELECT value FROM takeover")
      .pluck()
      .get();
    if (row === undefined) return null;
    return takeover.safeParse(JSON.parse(row)).data ?? null;
  }

  function isKnown({ shown }: Takeover): boolean {
    return shown.kind !== "asset" || library.has(shown.assetId);
  }

  function current(): Takeover | null {
    if (stored?.until == null) return stored;
    const until = Math.round(untilNow() ?? stored.until);
    const wasClockSet = Math.abs(until - stored.until) > jumpMs;
    const ends = wasClockSet ? until : stored.until;
    if (ends <= clock.now()) end("duration reached");
    else if (wasClockSet) {
      stored = { ...stored, until };
      changed.emit();
      keep();
    }
    return stored;
  }

  /** When it ends, by the wall clock as it is set now. */
  function untilNow(): number | null {
    const after =
      endsAt === null ? null : clock.now() + endsAt - clock.monotonic();
    if (after === null || requestedUntil === null)
      return after ?? requestedUntil;
    return Math.min(after, requestedUntil);
  }

  /** Shown first, then stored: a write that a full disk or another program prevents is retried later (V2-453). */
  function keep(): void {
    isUnstored = true;
    writes.put(() => {
      if (!isUnstored) return;
      writeTo(stored);
      isUnstored = false;
    }, "takeover");
  }

  function storeIn(next: NextStore, open: () => Sqlite): void {
    // One that has ended here is not the one that another database may have had before.
    const isDue =
      next === "own" ? isUnstored : current() !== null || hasAnotherIt;
    if (!isDue) return;
    try {
      const other = open();
      try {
        preparedWrite(other)(stored);
        isUnstored = false;
        hasAnotherIt = next === "another";
      } finally {
        other.close();
      }
    } catch (error) {
      log.warn("takeover.not-stored", { error });
    }
  }

  function end(because: Ending): void {
    if (!stored) return;
    const ended = stored;
    stored = null;
    log.info("takeover.ended", { ...linesOf(ended), because });
    if (because === "replaced") return;
    changed.emit();
    keep();
  }

  function begin(input: TakeoverInput): Takeover {
    if (input.shown.kind === "asset")
      assertPlayable(library.find(input.shown.assetId));
    if (input.shown.kind === "page" && !URL.canParse(input.shown.url))
      throw fieldFailure("url", sentenceFor("url", notAPage));
    const startedAt = clock.now();
    if (input.until !== null && input.until <= startedAt)
      throw fieldFailure("until", playerSentences["until-past"]);
    const { shown, reason, isDrill = false, durationMs = Infinity } = input;
    const lastsMs = Math.min(durationMs, isDrill ? maxDrillMs : Infinity);
    end("replaced");
    endsAt = lastsMs === Infinity ? null : clock.monotonic() + lastsMs;
    requestedUntil = input.until;
    const until = Math.min(requestedUntil ?? Infinity, startedAt + lastsMs);
    const begun: Takeover = {
      ...{ id: makeId(), shown, isDrill, reason, startedAt },
      until: until === Infinity ? null : until,
    };
    stored = begun;
    log.info("takeover.started", linesOf(begun));
    changed.emit();
    keep();
    return begun;
  }

  function clear(): boolean {
    const isOn = current() !== null;
    end("cleared");
    return isOn;
  }

  function toggle(assetId: string): void {
    if (clear()) return;
    try {
      begin({
        shown: { kind: "asset", assetId },
        ...{ reason: null, until: null },
      });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      log.warn("takeover.refused", { asset: assetId, reason: error.message });
    }
  }

  return {
    current,
    begin,
    clear,
    toggle,
    storeIn,
    onChanged: changed.on,
    stop: () => {
      stopListening();
      writes.stop();
    },
  };
}

function preparedWrite(database: Sqlite): (takeover: Takeover | null) => void {
  const write = database.prepare<[string]>(
    "INSERT OR REPLACE INTO takeover (one, value) VALUES (1, ?)",
  );
  const erase = database.prepare("DELETE FROM takeover");
  return (shown) => {
    if (shown) write.run(JSON.stringify(shown));
    else erase.run();
  };
}

/** Disabled assets and those outside their dates are accepted: a takeover is often the only use an asset is kept for. */
function assertPlayable(asset: Asset | undefined): void {
  if (!asset) throw fieldFailure("asset_id", playerSentences["asset-unknown"]);
  if (!isHere(asset))
    throw fieldFailure("asset_id", playerSentences["asset-file-pending"]);
  const problem = asset.file?.problem;
  if (problem) throw fieldFailure("asset_id", problem);
}

/** Without text and address: they may contain private information. */
function linesOf({ id, shown, until }: Takeover) {
  const asset = shown.kind === "asset" ? shown.assetId : null;
  return { takeover: id, kind: shown.kind, asset, until };
}
