// Outbox of alerts: claims due deliveries by a lease, sends them, and retries with growing pauses for a day (V3-97).

import { sql } from "kysely";
import { serviceSentences } from "../../contract/sentences/service-sentences.ts";
import type { AlertMessage } from "../../contract/v3/v3-alerts.ts";
import { moment } from "../../platform/database/database-now.ts";
import type { Database } from "../../platform/database/database.ts";
import type { Log } from "../../platform/log.ts";
import type { ContentTables } from "../tables.ts";
import { DeliveryError } from "./delivery-error.ts";

export interface Delivery {
  readonly id: string;
  readonly ruleId: string;
  readonly target: "webhook" | "email";
  readonly address: string;
  readonly message: AlertMessage;
}

export interface OutboxOptions {
  readonly database: Database<ContentTables>;
  readonly log: Log;
  readonly now: () => number;
  /** Identifies this process among all that work on the database. */
  readonly owner: string;
  /** Returns how it went as a sentence; throws a DeliveryError. */
  readonly send: (delivery: Delivery, signal: AbortSignal) => Promise<string>;
  /** Pause after the first attempt; doubled after each. */
  readonly firstPauseMs?: number | undefined;
  readonly leaseMs?: number | undefined;
  /** How long `stop` waits for what is being sent. */
  readonly graceMs?: number | undefined;
}

export interface Outbox {
  /** Starts deliveries that are due, as far as there is room. */
  wake(): void;
  /** Waits for deliveries under way for a moment; the others are left to another instance, or to the next start. */
  stop(): Promise<void>;
}

/** Longer than any attempt takes: a delivery that is claimed for longer was left by a process that ended. */
const defaultLeaseMs = 60_000;
const defaultFirstPauseMs = 30_000;
const maxPauseMs = 3_600_000;
const givenUpAfterMs = 24 * 3_600_000;
const maxUnderWay = 16;
/** A message that has arrived is not sent again, if its receiver confirms it within this time (V3-156). */
const defaultGraceMs = 3_000;

export function createOutbox(options: OutboxOptions): Outbox {
  const { database, log, now, owner, send } = options;
  const { leaseMs = defaultLeaseMs, graceMs = defaultGraceMs } = options;
  const { firstPauseMs = defaultFirstPauseMs } = options;
  const { kysely, kind } = database;
  const clock = moment(kind);
  /** Nothing new is sent. */
  const stopped = new AbortController();
  const { signal } = stopped;
  /** Nor is what is being sent waited for. */
  const givenUp = new AbortController();
  /** By address: one delivery at a time to each. */
  const underWay = new Map<string, Promise<void>>();
  let claiming: Promise<void> | null = null;
  let isWokenAgain = false;

  /** Further ahead than ever set: written before the database's clock was set back. */
  const isOver = (column: "due_at" | "lease_until", longestMs: number) =>
    sql<boolean>`(${sql.ref(column)} <= ${clock} OR ${sql.ref(column)} > ${clock} + ${sql.lit(2 * longestMs)})`;

  const ours = (id: string) =>
    kysely
      .updateTable("alert_deliveries")
      .where("id", "=", id)
      .where("state", "=", "waiting")
      .where("lease_owner", "=", owner);

  async function claim() {
    const busy = [...underWay.keys()];
    const due = kysely
      .selectFrom("alert_deliveries")
      .select("id")
      .where("state", "=", "waiting")
      .where(isOver("due_at", maxPauseMs))
      .where(isOver("lease_until", leaseMs))
      .$if(busy.length > 0, (query) => query.where("address", "not in", busy))
      .orderBy("due_at")
      .orderBy("id")
      .limit(1)
      .$if(kind === "postgres", (query) => query.forUpdate().skipLocked());
    return (
      kysely
        .updateTable("alert_deliveries")
        // Counted before the attempt: one that ends the process must not do so for ever.
        .set((eb) => ({
          ...{ lease_owner: owner, tries: eb("tries", "+", 1) },
          lease_until: sql<number>`${clock} + ${sql.lit(leaseMs)}`,
        }))
        .where("id", "=", due)
        .returning([
          ...(["id", "message_id", "rule_id", "target", "address"] as const),
          ...(["tries", "created_at"] as const),
        ])
        .executeTakeFirst()
    );
  }
  type Claimed = NonNullable<Awaited<ReturnType<typeof claim>>>;

  async function isAnyDue(): Promise<boolean> {
    const found = await kysely
      .selectFrom("alert_deliveries")
      .select("id")
      .where("state", "=", "waiting")
      .where(isOver("due_at", maxPauseMs))
      .where(isOver("lease_until", leaseMs))
      .limit(1)
      .executeTakeFirst();
    return found !== undefined;
  }

  async function claimAll(): Promise<void> {
    do {
      isWokenAgain = false;
      while (
        !signal.aborted &&
        underWay.size < maxUnderWay &&
        (await isAnyDue())
      ) {
        const claimed = signal.aborted ? null : await claim();
        if (!claimed) break;
        underWay.set(claimed.address, inBackground(claimed));
      }
    } while (isWokenAgain && !signal.aborted);
  }

  function inBackground(claimed: Claimed): Promise<void> {
    return deliver(claimed)
      .catch((error: unknown) =>
        // The database is unavailable: the lease ends, and the delivery is repeated.
        log.error("alerts.delivery-not-noted", { id: claimed.id, error }),
      )
      .then(() => {
        underWay.delete(claimed.address);
        wake();
      });
  }

  async function deliver(claimed: Claimed): Promise<void> {
    const { id } = claimed;
    const outcome = await attempt(claimed);
    if (givenUp.signal.aborted && outcome.state !== "sent") {
      await ours(id).set({ lease_owner: null, lease_until: 0 }).execute();
      return;
    }
    const tries = Number(claimed.tries);
    const isGivenUp =
      outcome.state === "failed" &&
      (outcome.isFinal || now() - Number(claimed.created_at) >= givenUpAfterMs);
    const pauseMs = Math.min(maxPauseMs, firstPauseMs * 2 ** (tries - 1));
    await ours(id)
      .set({
        state:
          outcome.state === "failed" && !isGivenUp ? "waiting" : outcome.state,
        ...{ lease_owner: null, lease_until: 0, tried_at: clock },
        due_at: sql<number>`${clock} + ${sql.lit(Math.round(pauseMs))}`,
        result: outcome.result,
      })
      .execute();
    const fields = {
      message: claimed.message_id,
      rule: claimed.rule_id,
      tries,
    };
    if (outcome.state === "sent") log.info("alerts.message-sent", fields);
    else
      log.warn(
        isGivenUp ? "alerts.message-given-up" : "alerts.message-failed",
        {
          ...{ ...fields, target: claimed.target, reason: outcome.result },
        },
      );
  }

  async function attempt(claimed: Claimed): Promise<Outcome> {
    const row = await kysely
      .selectFrom("alert_messages")
      .select("body")
      .where("id", "=", claimed.message_id)
      .executeTakeFirst();
    if (!row)
      return { state: "canceled", result: serviceSentences["rule-deleted"] };
    try {
      const result = await send(
        {
          ...{ id: claimed.id, ruleId: claimed.rule_id },
          ...{ target: claimed.target, address: claimed.address },
          message: JSON.parse(row.body) as AlertMessage,
        },
        givenUp.signal,
      );
      return { state: "sent", result };
    } catch (error) {
      if (error instanceof DeliveryError) {
        const { message: result, isFinal } = error;
        return { state: "failed", result, isFinal };
      }
      log.error("alerts.delivery-failed", { id: claimed.id, error });
      const result = serviceSentences["message-failed"];
      return { state: "failed", result, isFinal: false };
    }
  }

  function wake(): void {
    if (signal.aborted) return;
    if (claiming) {
      isWokenAgain = true;
      return;
    }
    claiming = claimAll()
      .catch((error: unknown) => {
        // The database is unavailable: the next check wakes the outbox again.
        log.warn("alerts.outbox-failed", { error });
      })
      .then(() => {
        claiming = null;
      });
  }

  return {
    wake,
    stop: async () => {
      stopped.abort();
      await claiming;
      const timer = setTimeout(() => {
        givenUp.abort();
      }, graceMs);
      await Promise.all(underWay.values());
      clearTimeout(timer);
    },
  };
}

type Outcome =
  | { readonly state: "sent" | "canceled"; readonly result: string }
  | {
      readonly state: "failed";
      readonly result: string;
      readonly isFinal: boolean;
    };
