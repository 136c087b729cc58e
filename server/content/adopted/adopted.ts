// Entry point of adopted players: contacts each of them regularly, a few at a time, by one instance of the service (V3-112 to V3-119).

import { sql, type Selectable } from "kysely";
import type {
  AdoptedChangeV3,
  AdoptPlayerV3,
  PlayerFactsV3,
} from "../../contract/v3/v3-adopted.ts";
import type { Log } from "../../platform/log.ts";
import type { Changes } from "../link/changes.ts";
import type { Heartbeats } from "../link/heartbeats.ts";
import type { News } from "../link/news.ts";
import type { ContentTables } from "../tables.ts";
import { adopt, changeAdopted, type AdoptOptions } from "./adopt.ts";
import { createAnthiasClient, type AnthiasClient } from "./anthias-client.ts";
import { carryOut, removeAll, type CarriedOut } from "./carry-out.ts";
import { carryOutCommands } from "./commands.ts";
import {
  contactAfter,
  heartbeatOf,
  type ContactReport,
  type ContactResult,
  type Shown,
} from "./contact.ts";
import { noFacts } from "./player-rows.ts";
import { PlayerError } from "./player-error.ts";
import { readDesired } from "./read-desired.ts";
import type { StoredFiles } from "../files/stored-files.ts";

export interface Adopted {
  /** Returns the screen's identifier. Throws a Failure. */
  adopt(team: string, body: AdoptPlayerV3): Promise<string>;
  change(team: string, id: string, body: AdoptedChangeV3): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

export interface AdoptedOptions extends Omit<
  AdoptOptions,
  "deadlineMs" | "stopped"
> {
  readonly store: Pick<StoredFiles, "sizeOf" | "withFile">;
  readonly log: Log;
  readonly heartbeats: Pick<Heartbeats, "note">;
  readonly news: Pick<News, "screen" | "pending">;
  readonly changes: Pick<Changes, "markOf">;
  readonly owner: string;
  readonly random: () => number;
  /** Pause between two contacts with a player. */
  readonly pollMs?: number | undefined;
}

type PlayerRow = Selectable<ContentTables["adopted_players"]>;

/** What this instance remembers of a player; another one finds it out again. */
interface Memory {
  factsAt: number;
  facts: PlayerFactsV3;
  /** The player has no request for what is on its screen: not asked again before this moment. */
  noCurrentUntil: number;
  shown: Shown | null;
}

const defaultPollMs = 30_000;
/** Limit for one request. */
const deadlineMs = 15_000;
const maxAtOnce = 8;
const longestTickMs = 1_000;
/** Renewed during a contact; another instance continues when this one ended. */
const leaseMs = 60_000;
/** Longer contacts are continued at the next one, so that commands are carried out in between. */
const contactMs = 60_000;
const factsEveryMs = 60_000;
const noCurrentMs = 600_000;
/** A player that was removed while it was switched off keeps what it has after this time. */
const removalTriedMs = 7 * 24 * 3_600_000;

export function createAdopted(options: AdoptedOptions): Adopted {
  const { database, heartbeats, news, log, now, owner } = options;
  const { pollMs = defaultPollMs } = options;
  const { kysely } = database;
  const stopped = new AbortController();
  const contacts = new Map<string, Promise<void>>();
  const memories = new Map<string, Memory>();
  let polling: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;
  const adoptOptions = { ...options, deadlineMs, stopped: stopped.signal };

  /** Due by time, because content of its team changed, or because a command waits. */
  async function poll(): Promise<void> {
    const moment = now();
    const free = maxAtOnce - contacts.size;
    if (free <= 0) return;
    const rows = await kysely
      .selectFrom("adopted_players as p")
      .leftJoin("team_changes as c", "c.team_id", "p.team_id")
      .select("p.screen_id as id")
      .where((eb) =>
        eb.or([
          eb("p.due_at", "<=", moment),
          // Written before the database's clock was set back.
          eb("p.due_at", ">", moment + 2 * longestDueMs),
          eb.and([
            eb("p.failures", "=", 0),
            eb("p.mark", "<>", markIn("c.revision", "c.calls")),
          ]),
        ]),
      )
      .where((eb) => isFree(eb.ref("p.lease_until"), moment))
      .orderBy("p.due_at")
      .limit(free)
      .execute();
    for (const { id } of rows) {
      if (contacts.has(id) || stopped.signal.aborted) continue;
      const row = await take(id, moment);
      if (row)
        contacts.set(
          id,
          contactOnce(row).finally(() => contacts.delete(id)),
        );
    }
  }

  const longestDueMs = Math.max(pollMs, 300_000);

  async function take(id: string, moment: number): Promise<PlayerRow | null> {
    const taken = await kysely
      .updateTable("adopted_players")
      .set({ lease_owner: owner, lease_until: moment + leaseMs })
      .where("screen_id", "=", id)
      .where((eb) => isFree(eb.ref("lease_until"), moment))
      .returningAll()
      .executeTakeFirst();
    return taken ?? null;
  }

  /** Never rejects. */
  async function contactOnce(row: PlayerRow): Promise<void> {
    const id = row.screen_id;
    const isOver = new AbortController();
    const signal = AbortSignal.any([stopped.signal, isOver.signal]);
    const renewing = setInterval(() => {
      hold(id)
        .then((isHeld) => {
          if (!isHeld) isOver.abort();
        })
        .catch(() => undefined);
    }, leaseMs / 3);
    try {
      const login =
        row.username === null
          ? null
          : {
              username: row.username,
              password:
                row.password === null
                  ? ""
                  : options.sealer.open(id, row.password),
            };
      const client = createAnthiasClient({
        ...{ origin: row.address, login, signal, deadlineMs },
        mayConnect: options.mayConnect,
      });
      const { revision, calls } = await options.changes.markOf(row.team_id);
      const result = await resultOf(contact(row, client, signal));
      if (result !== "gone") await finish(row, result, `${revision}/${calls}`);
    } catch (error) {
      if (!stopped.signal.aborted)
        log.warn("adopted.contact-failed", { screen: id, error });
    } finally {
      clearInterval(renewing);
      await release(id).catch(() => undefined);
    }
  }

  async function resultOf(
    contacting: Promise<ContactResult | "gone">,
  ): Promise<ContactResult | "gone"> {
    try {
      return await contacting;
    } catch (error) {
      if (!(error instanceof PlayerError) || stopped.signal.aborted)
        throw error;
      return { isReached: false, problem: error.message };
    }
  }

  async function contact(
    row: PlayerRow,
    client: AnthiasClient,
    signal: AbortSignal,
  ): Promise<ContactResult | "gone"> {
    const id = row.screen_id;
    const screen = await news.screen(id);
    if (screen === null) return removed(row, client, signal);
    const begun = performance.now();
    const memory = memoryOf(id);
    let beatAt = begun;
    let beat: Promise<void> | null = null;
    const listed = await client.assets();
    const { commands } = await news.pending(id);
    const done = await carryOutCommands(
      { ...{ kysely, client, now }, screenId: id },
      commands,
    );
    const host = new URL(row.address).hostname;
    // Before a long transfer, so that results are seen at once.
    if (done.length > 0)
      await heartbeats.note(id, host, { ...(await lastBeat(id)), done });
    const desired = await readDesired(kysely, screen, now());
    const carried = await carryOut(
      {
        ...{ kysely, store: options.store, client, now, screenId: id },
        ...{ makeId: options.makeId, random: options.random },
        mayGoOn: () => !signal.aborted && performance.now() - begun < contactMs,
        // The player receives bytes: it is not offline.
        onProgress: () => {
          if (performance.now() - beatAt < pollMs || beat !== null) return;
          beatAt = performance.now();
          beat = lastBeat(id)
            .then((body) => heartbeats.note(id, host, body))
            .catch((error: unknown) => {
              log.warn("adopted.heartbeat-failed", { screen: id, error });
            })
            .finally(() => (beat = null));
        },
      },
      desired.slots,
      {
        isDue: Boolean(row.is_order_due),
        ids: JSON.parse(row.kept_order) as readonly string[],
      },
      listed,
    );
    await readFacts(memory, client);
    await readShown(memory, client, carried);
    const missing = [...desired.impossible, ...carried.missing];
    const report: ContactReport = {
      ...{ shown: memory.shown, facts: memory.facts, missing },
      wanted:
        desired.slots.length + desired.impossible.length + desired.waiting,
      here: carried.here,
    };
    const ownIds = new Set(carried.own.map(({ remoteId }) => remoteId));
    await noteFacts(id, {
      ...memory.facts,
      kept_assets: carried.remote.filter((one) => !ownIds.has(one.id)).length,
    });
    await heartbeats.note(id, host, heartbeatOf(report));
    const { changesAt } = desired;
    return { isReached: true, changesAt, isUnfinished: carried.isUnfinished };
  }

  function memoryOf(id: string): Memory {
    const known = memories.get(id);
    if (known) return known;
    const memory: Memory = {
      ...{ factsAt: -Infinity, facts: noFacts, shown: null },
      noCurrentUntil: -Infinity,
    };
    memories.set(id, memory);
    return memory;
  }

  /** Neither is specified: a player without them, or that fails to answer them, reports nothing. */
  async function readFacts(
    memory: Memory,
    client: AnthiasClient,
  ): Promise<void> {
    const at = performance.now();
    if (at - memory.factsAt < Math.min(factsEveryMs, pollMs * 2)) return;
    memory.facts = (await client.facts().catch(nullIfPlayer)) ?? noFacts;
    memory.factsAt = at;
  }

  async function readShown(
    memory: Memory,
    client: AnthiasClient,
    { remote, own }: CarriedOut,
  ): Promise<void> {
    const at = performance.now();
    if (at < memory.noCurrentUntil) return;
    const current = await client.current().catch(nullIfPlayer);
    if (current === undefined) memory.noCurrentUntil = at + noCurrentMs;
    const asset = remote.find(({ id }) => id === current);
    if (!asset) {
      memory.shown = null;
      return;
    }
    const { id, name, mimetype } = asset;
    const slot = own.find(({ remoteId }) => remoteId === id)?.slot;
    memory.shown = {
      ...{ remoteId: id, name, mimetype },
      assetId: slot?.split("#")[0] ?? null,
      since: memory.shown?.remoteId === id ? memory.shown.since : now(),
    };
  }

  /** The counts of the last contact, for a heartbeat within one. */
  async function lastBeat(id: string) {
    const row = await kysely
      .selectFrom("screens")
      .select(["item_counts", "in_sync"])
      .where("id", "=", id)
      .executeTakeFirst();
    const counts = row?.item_counts ?? null;
    return {
      sync: "syncing" as const,
      ...(counts !== null && {
        item_counts: JSON.parse(counts) as ReturnType<
          typeof heartbeatOf
        >["item_counts"] & {},
      }),
    };
  }

  /** Its screen was deleted: what the service created there is removed, then the row. */
  async function removed(
    row: PlayerRow,
    client: AnthiasClient,
    signal: AbortSignal,
  ): Promise<ContactResult | "gone"> {
    const id = row.screen_id;
    memories.delete(id);
    const moment = now();
    if (row.removed_at === null)
      await kysely
        .updateTable("adopted_players")
        .set({ removed_at: moment })
        .where("screen_id", "=", id)
        .execute();
    const isGivenUp =
      row.removed_at !== null &&
      Math.abs(moment - Number(row.removed_at)) > removalTriedMs;
    if (!isGivenUp)
      await removeAll({
        ...{ kysely, store: options.store, client, now, screenId: id },
        ...{ makeId: options.makeId, random: options.random },
        ...{ mayGoOn: () => !signal.aborted, onProgress: () => undefined },
      });
    await kysely
      .deleteFrom("adopted_players")
      .where("screen_id", "=", id)
      .execute();
    return "gone";
  }

  async function noteFacts(
    id: string,
    facts: PlayerFactsV3 & { readonly kept_assets: number },
  ): Promise<void> {
    await kysely
      .updateTable("adopted_players")
      .set({ facts: JSON.stringify(facts) })
      .where("screen_id", "=", id)
      .execute();
  }

  async function finish(
    row: PlayerRow,
    result: ContactResult,
    mark: string,
  ): Promise<void> {
    const id = row.screen_id;
    const before = { failures: Number(row.failures) };
    const { failures, problem, dueAt } = contactAfter(before, result, {
      ...{ now: now(), pollMs },
    });
    if (problem !== row.problem)
      log.info("adopted.contact-changed", { screen: id, problem });
    await kysely
      .updateTable("adopted_players")
      .set({ failures, problem, due_at: dueAt, mark })
      .where("screen_id", "=", id)
      // Otherwise its address or login was changed meanwhile, and it is due again.
      .where("address", "=", row.address)
      .where("due_at", "=", Number(row.due_at))
      .execute();
  }

  async function hold(id: string): Promise<boolean> {
    const held = await kysely
      .updateTable("adopted_players")
      .set({ lease_until: now() + leaseMs })
      .where("screen_id", "=", id)
      .where("lease_owner", "=", owner)
      .returning("screen_id")
      .execute();
    return held.length > 0;
  }

  async function release(id: string): Promise<void> {
    await kysely
      .updateTable("adopted_players")
      .set({ lease_owner: null, lease_until: 0 })
      .where("screen_id", "=", id)
      .where("lease_owner", "=", owner)
      .execute();
  }

  return {
    adopt: (team, body) => adopt(adoptOptions, team, body),
    change: (team, id, body) => changeAdopted(adoptOptions, { team, id }, body),
    start: () => {
      const pollOnce = (): void => {
        polling ??= poll()
          .catch((error: unknown) => {
            // The database is unavailable: the next look tries again.
            if (!stopped.signal.aborted)
              log.warn("adopted.poll-failed", { error });
          })
          .then(() => {
            polling = null;
          });
      };
      timer = setInterval(pollOnce, Math.min(longestTickMs, pollMs));
    },
    stop: async () => {
      stopped.abort();
      clearInterval(timer);
      await polling;
      await Promise.all(contacts.values());
    },
  };
}

/** Further ahead than ever set: written before the database's clock was set back. */
function isFree(leaseUntil: unknown, moment: number) {
  return sql<boolean>`(${leaseUntil} <= ${moment} OR ${leaseUntil} > ${moment + 10 * leaseMs})`;
}

/** As `mark` is stored; a team without changes has none. */
function markIn(revision: string, calls: string) {
  return sql<string>`coalesce(CAST(${sql.ref(revision)} AS TEXT), '0') || '/' || coalesce(CAST(${sql.ref(calls)} AS TEXT), '0')`;
}

function nullIfPlayer(error: unknown): null {
  if (error instanceof PlayerError) return null;
  throw error;
}
