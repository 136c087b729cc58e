// Live pictures of screens that somebody is looking at: a lease that ends by itself, and the latest picture of each screen (L-66,
// L-67, V3-130). In the database, so that the player, and those who look, may each be connected to another instance.

import { hash as hashOf } from "node:crypto";
import type { Readable } from "node:stream";
import type { Kysely } from "kysely";
import { composeSentence } from "../../contract/sentence-templates.ts";
import { serviceSentences } from "../../contract/sentences/service-sentences.ts";
import {
  livePictureLimits,
  type LinkWatched,
} from "../../contract/link/link.ts";
import type { ScreenLiveV3 } from "../../contract/v3/v3-screens.ts";
import { Failure } from "../../core/failure.ts";
import type { Database } from "../../platform/database/database.ts";
import { Refusal } from "../http/v4-errors.ts";
import type { ContentTables } from "../tables.ts";

export interface LivePictures {
  /**
   * Somebody looks at an existing screen: extends its lease. Throws a 429 where too many others are watched. `isNew`: its player
   * is to be asked to begin, which has been noted for the next announcement.
   */
  watch(
    screen: { readonly id: string; readonly teamId: string },
    knownHash: string | undefined,
  ): Promise<{ readonly live: ScreenLiveV3; readonly isNew: boolean }>;
  /** The player sends a picture, or none while it is unchanged. Returns for how many seconds somebody is looking. */
  receive(screenId: string, picture: Readable): Promise<number>;
  /** By screen. */
  watchedOf(teamId: string): Promise<ReadonlyMap<string, LinkWatched>>;
  /** Deletes what nobody looks at any more. */
  forget(): Promise<void>;
}

export interface LivePicturesOptions {
  readonly database: Database<ContentTables>;
  readonly now: () => number;
}

/** After the last request of those who look. */
const leaseMs = 6_000;
/** One that is as good as new is not written again: the disk has other work. */
const renewBelowMs = 4_000;
/** A player that sends nothing is asked again. */
const requestAgainMs = 10_000;
/** Confirmed by the player within this time. */
const liveMs = 5_000;
/** In a service: each writes up to 60 KiB a second. */
export const maxWatched = 50;
/** Anything faster is ignored, whatever a player sends. */
const shortestIntervalMs = 400;

export function createLivePictures({
  database,
  now,
}: LivePicturesOptions): LivePictures {
  const { kysely } = database;

  /** A lease that ends later than any can was made before the database's clock was set back. */
  const isRunning = (until: number, moment: number): boolean =>
    until > moment && until <= moment + leaseMs;

  async function find(of: Kysely<ContentTables>, screenId: string) {
    const row = await of
      .selectFrom("live_pictures")
      .selectAll()
      .where("screen_id", "=", screenId)
      .executeTakeFirst();
    if (!row) return null;
    const moments = {
      beganAt: Number(row.began_at),
      watchedUntil: Number(row.watched_until),
      seenAt: row.seen_at === null ? null : Number(row.seen_at),
      takenAt: row.taken_at === null ? null : Number(row.taken_at),
    };
    return { ...moments, hash: row.hash, picture: row.picture };
  }

  /** True if the player is to be asked to begin. */
  function renew({
    id,
    teamId,
  }: {
    readonly id: string;
    readonly teamId: string;
  }): Promise<boolean> {
    return database.transaction(async (transaction) => {
      const moment = now();
      const row = await find(transaction, id);
      const isCurrent = row !== null && isRunning(row.watchedUntil, moment);
      if (!isCurrent) await assertCapacity(transaction, moment);
      const lastSign = Math.max(row?.beganAt ?? 0, row?.seenAt ?? 0);
      const isNew = !isCurrent || moment - lastSign > requestAgainMs;
      const lease = {
        watched_until: moment + leaseMs,
        began_at: isNew || !row ? moment : row.beganAt,
        ...(!isCurrent && {
          ...{ seen_at: null, taken_at: null, hash: null, picture: null },
        }),
      };
      await transaction
        .insertInto("live_pictures")
        .values({
          ...{ screen_id: id, team_id: teamId, seen_at: null, taken_at: null },
          ...{ hash: null, picture: null, ...lease },
        })
        .onConflict((on) => on.column("screen_id").doUpdateSet(lease))
        .execute();
      if (isNew)
        await transaction
          .insertInto("pending_changes")
          .values({ team_id: teamId, is_call: true })
          .onConflict((on) => on.doNothing())
          .execute();
      return isNew;
    });
  }

  async function assertCapacity(
    transaction: Kysely<ContentTables>,
    moment: number,
  ): Promise<void> {
    const { count } = await transaction
      .selectFrom("live_pictures")
      .select((eb) => eb.fn.countAll().as("count"))
      .where("watched_until", ">", moment)
      .where("watched_until", "<=", moment + leaseMs)
      .executeTakeFirstOrThrow();
    if (Number(count) < maxWatched) return;
    const seconds = leaseMs / 1000;
    throw new Refusal(
      429,
      "53400",
      composeSentence(serviceSentences["watched-limit"], {
        limit: maxWatched,
        seconds,
      }),
      { headers: { "Retry-After": String(seconds) } },
    );
  }

  return {
    watch: async (screen, knownHash) => {
      const before = await find(kysely, screen.id);
      const moment = now();
      const isFresh =
        before !== null &&
        isRunning(before.watchedUntil, moment) &&
        before.watchedUntil - moment > renewBelowMs;
      const isNew = isFresh ? false : await renew(screen);
      const row = isFresh ? before : await find(kysely, screen.id);
      const { seenAt = null, takenAt = null } = row ?? {};
      return {
        isNew,
        live: {
          is_live: seenAt !== null && Math.abs(moment - seenAt) < liveMs,
          taken_at: takenAt === null ? null : new Date(takenAt).toISOString(),
          hash: row?.hash ?? null,
          picture:
            row?.picture == null || row.hash === knownHash
              ? null
              : `data:image/webp;base64,${row.picture}`,
        },
      };
    },
    receive: async (screenId, source) => {
      const picture = await pictureIn(source);
      const moment = now();
      const row = await find(kysely, screenId);
      if (!row || !isRunning(row.watchedUntil, moment)) return 0;
      const sinceMs = moment - (row.takenAt ?? -Infinity);
      const isTooSoon = sinceMs >= 0 && sinceMs < shortestIntervalMs;
      const isTaken = picture !== null && !isTooSoon;
      await kysely
        .updateTable("live_pictures")
        .set({
          seen_at: moment,
          ...(isTaken && {
            taken_at: moment,
            hash: hashOf("sha256", picture, "base64url"),
            picture: picture.toString("base64"),
          }),
        })
        .where("screen_id", "=", screenId)
        .execute();
      return Math.ceil((row.watchedUntil - moment) / 1000);
    },
    watchedOf: async (teamId) => {
      const moment = now();
      const rows = await kysely
        .selectFrom("live_pictures")
        .select(["screen_id", "began_at", "watched_until"])
        .where("team_id", "=", teamId)
        .where("watched_until", ">", moment)
        .where("watched_until", "<=", moment + leaseMs)
        .execute();
      return new Map(
        rows.map(({ screen_id, began_at, watched_until: until }) => {
          const seconds = Math.ceil((Number(until) - moment) / 1000);
          return [screen_id, { id: String(began_at), seconds }];
        }),
      );
    },
    forget: async () => {
      const moment = now();
      await kysely
        .deleteFrom("live_pictures")
        .where((eb) =>
          eb.or([
            eb("watched_until", "<=", moment),
            eb("watched_until", ">", moment + leaseMs),
          ]),
        )
        .execute();
    },
  };
}

/** Null for an empty body: the picture is unchanged. Only what a manager shows without a doubt is accepted. */
async function pictureIn(source: Readable): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  // Not destroyed when it is too large: the response still has to be sent.
  const parts = source.iterator({ destroyOnReturn: false });
  for await (const chunk of parts as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length;
    if (sizeBytes > livePictureLimits.bytes)
      throw new Failure(
        "too-large",
        `A live picture has at most ${livePictureLimits.bytes} bytes.`,
      );
    chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks);
  if (bytes.length === 0) return null;
  const name = (from: number): string =>
    bytes.toString("latin1", from, from + 4);
  if (name(0) === "RIFF" && name(8) === "WEBP") return bytes;
  throw new Failure("invalid", "A live picture must be a WebP image.");
}
