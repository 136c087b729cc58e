// Leases on assets being ingested: one worker at a time in any process, and another when it dies (V4-213).

import {
  sql,
  type ExpressionBuilder,
  type Kysely,
  type Selectable,
} from "kysely";
import type { Database, Statement } from "../../platform/database/database.ts";
import { moment } from "../../platform/database/database-now.ts";
import type { ContentTables } from "../tables.ts";
import { sendableHeaders } from "./headers.ts";

/** What a worker needs to know about an asset to ingest it. */
export interface Job {
  readonly id: string;
  readonly teamId: string;
  readonly title: string;
  readonly status: string;
  readonly sourceUrl: string | null;
  readonly sourceMd5: string | null;
  readonly sourceSize: number | null;
  readonly isVerified: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly userAgent: string | null;
  readonly appId: string | null;
  /** Bytes that are stored already: uploaded, or fetched before a restart. */
  readonly sourceHash: string | null;
  /** ETag or date with which a server confirms that a partial file is still part of the same content. */
  readonly validator: string | null;
  /** Attempts before this one. */
  readonly tries: number;
  /** Time spent fetching, over all previous attempts and the pauses between them. */
  readonly spentMs: number;
}

export interface Leases {
  /** Leases the next due asset that no worker holds; null when there is none. */
  take(criteria: LeaseCriteria): Promise<Job | null>;
  /** Returns those of these leases that are still ours. */
  renew(ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** Releases the lease; any worker may take the asset after this pause. */
  putDown(
    id: string,
    afterMs: number,
    spent: { readonly tries: number; readonly spentMs: number },
  ): Promise<void>;
  /** Runs this in a transaction if the asset still exists and the lease is ours; returns whether it was. */
  whileOurs(
    id: string,
    act: (transaction: Kysely<ContentTables>) => Promise<void>,
  ): Promise<boolean>;
}

export interface LeaseCriteria {
  /**
   * Excludes jobs running here: a process suspended for longer than a lease must not start a second worker for the same
   * asset.
   */
  readonly notAssets: readonly string[];
  readonly notTeams: readonly string[];
  /** Bytes that are stored, or a source that has to be fetched. */
  readonly hasBytes: boolean;
}

export interface LeaseOptions {
  readonly database: Database<ContentTables>;
  /** Identifies this process among all that work on the database. */
  readonly owner: string;
  readonly leaseMs: number;
}

/** Longer than any lease or pause ever set: a moment further ahead was written before the clock was set back (V4-329). */
const furthestMs = 10 * 60_000;

const areBytesHere = sql<boolean>`(asset_intakes.source_hash IS NOT NULL OR EXISTS (
  SELECT 1 FROM uploads WHERE uploads.asset_id = asset_intakes.asset_id
))`;

export function createLeases(options: LeaseOptions): Leases {
  const { database, owner, leaseMs } = options;
  const { kysely, kind } = database;
  const now = moment(kind);
  const until = sql<number>`${now} + ${sql.lit(leaseMs)}`;
  const isOver = (column: "due_at" | "lease_until") =>
    sql<boolean>`(${sql.ref(column)} <= ${now} OR ${sql.ref(column)} > ${now} + ${sql.lit(Math.max(furthestMs, 2 * leaseMs))})`;
  const isOurs = (eb: ExpressionBuilder<ContentTables, "asset_intakes">) =>
    eb("lease_owner", "=", owner);

  function takingOf({
    notAssets,
    notTeams,
    hasBytes,
  }: LeaseCriteria): Statement {
    const due = kysely
      .selectFrom("asset_intakes")
      .select("asset_id")
      .where("due_at", "is not", null)
      .where(isOver("due_at"))
      .where(isOver("lease_until"))
      .where(hasBytes ? areBytesHere : sql<boolean>`NOT ${areBytesHere}`)
      .$if(notAssets.length > 0, (query) =>
        query.where("asset_id", "not in", [...notAssets]),
      )
      .$if(notTeams.length > 0, (query) =>
        query.where((eb) =>
          eb.not(
            eb.exists(
              eb
                .selectFrom("assets")
                .select("assets.id")
                .whereRef("assets.id", "=", "asset_intakes.asset_id")
                .where("assets.team_id", "in", [...notTeams]),
            ),
          ),
        ),
      )
      .orderBy("due_at")
      .orderBy("asset_id")
      .limit(1)
      .$if(kind === "postgres", (query) => query.forUpdate().skipLocked());
    const { sql: text, parameters: values } = kysely
      .updateTable("asset_intakes")
      // Counted before the attempt: an asset that crashes the process must not do so for ever.
      .set((eb) => ({
        ...{ lease_owner: owner, lease_until: until },
        tries: eb("tries", "+", 1),
      }))
      .where("asset_id", "=", due)
      .returning(["asset_id", "source_hash", "validator", "tries", "spent_ms"])
      .compile();
    return { text, values };
  }

  // Queried often and mostly without a result: composed once.
  const nothing = { notAssets: [], notTeams: [] };
  const takingFirst = {
    here: takingOf({ ...nothing, hasBytes: true }),
    away: takingOf({ ...nothing, hasBytes: false }),
  };

  async function take(criteria: LeaseCriteria): Promise<Job | null> {
    const { notAssets, notTeams, hasBytes } = criteria;
    const isFirst = notAssets.length === 0 && notTeams.length === 0;
    const statement = isFirst
      ? takingFirst[hasBytes ? "here" : "away"]
      : takingOf(criteria);
    const [taken] = (await database.writeOne(statement)) as readonly Taken[];
    if (!taken) return null;
    const row = await kysely
      .selectFrom("assets")
      .leftJoin("uploads", "uploads.asset_id", "assets.id")
      .select([
        ...(["id", "team_id", "title", "status"] as const),
        ...(["source_url", "source_md5", "source_size", "headers"] as const),
        ...(["disable_verification", "user_agent", "app_id"] as const),
        "uploads.source_hash",
      ])
      .where("assets.id", "=", taken.asset_id)
      .executeTakeFirst();
    // Deleted in between: take the next one.
    if (!row) return take(criteria);
    return {
      id: row.id,
      teamId: row.team_id,
      title: row.title,
      status: row.status,
      sourceUrl: row.source_url,
      sourceMd5: row.source_md5,
      sourceSize: row.source_size === null ? null : Number(row.source_size),
      isVerified: !row.disable_verification,
      headers: sendableHeaders(parsed(row.headers)),
      userAgent: row.user_agent,
      appId: row.app_id,
      sourceHash: taken.source_hash ?? row.source_hash,
      validator: taken.validator,
      tries: Number(taken.tries) - 1,
      spentMs: Number(taken.spent_ms),
    };
  }

  return {
    take,
    renew: async (ids) => {
      if (ids.length === 0) return new Set();
      const rows = await kysely
        .updateTable("asset_intakes")
        .set({ lease_until: until })
        .where("asset_id", "in", [...ids])
        .where(isOurs)
        .returning("asset_id")
        .execute();
      return new Set(rows.map((row) => row.asset_id));
    },
    putDown: async (id, afterMs, { tries, spentMs }) => {
      await kysely
        .updateTable("asset_intakes")
        .set({
          ...{ tries, spent_ms: Math.round(spentMs) },
          ...{ lease_owner: null, lease_until: 0 },
          due_at: sql<number>`${now} + ${sql.lit(Math.round(afterMs))}`,
        })
        .where("asset_id", "=", id)
        .where(isOurs)
        .execute();
    },
    whileOurs: (id, act) =>
      database.transaction(async (transaction) => {
        // Locks in the order of a deletion; otherwise each would wait for the other.
        if (kind === "postgres")
          await transaction
            .selectFrom("assets")
            .select("id")
            .where("id", "=", id)
            .forNoKeyUpdate()
            .execute();
        // Leases end by the clock that started them: a process suspended for too long finds none of its own.
        const row = await transaction
          .selectFrom("asset_intakes")
          .select("asset_id")
          .where("asset_id", "=", id)
          .where(isOurs)
          .$if(kind === "postgres", (query) => query.forUpdate())
          .executeTakeFirst();
        if (!row) return false;
        await act(transaction);
        return true;
      }),
  };
}

type Taken = Pick<
  Selectable<ContentTables["asset_intakes"]>,
  "asset_id" | "source_hash" | "validator" | "tries" | "spent_ms"
>;

function parsed(json: unknown): unknown {
  return typeof json === "string" ? JSON.parse(json) : json;
}
