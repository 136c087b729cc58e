// Registers players that wait to be claimed, and turns claimed ones into screens, new ones or existing ones (L-1 to L-5, V3-40,
// V3-121).

import { randomInt, hash, randomBytes } from "node:crypto";
import { sql, type ExpressionBuilder, type Kysely } from "kysely";
import { composeSentence } from "../../contract/sentence-templates.ts";
import { serviceSentences } from "../../contract/sentences/service-sentences.ts";
import { type LinkFacts, credentialPrefix } from "../../contract/link/link.ts";
import { Failure, fieldFailure } from "../../core/failure.ts";
import {
  DatabaseError,
  type Database,
} from "../../platform/database/database.ts";
import type { PlayersScreen } from "../access/admission.ts";
import { noteActivity } from "../activity/activity.ts";
import type { ContentTables } from "../tables.ts";

// Pins that a person reads off a screen and types into the manager, and credentials that a player presents from then on
// (L-2, L-3).

/** Without characters that are confused when read from across a room. */
const alphabet = "ABCDEFGHJKMNPQRSTVWXYZ23456789";
const pinLength = 6;

/** Long enough to walk from the screen to the manager. */
const pinLastsMs = 15 * 60_000;
/** An end further ahead was written before the database's clock was set back (L-37); small corrections change nothing. */
const furthestPinMs = pinLastsMs + 60_000;

/** Whether a pin with this end can be claimed. */
export function isPinValid(endsAt: number, now: number): boolean {
  return endsAt > now && endsAt <= now + furthestPinMs;
}

function isPinOver(now: number) {
  return (eb: ExpressionBuilder<ContentTables, "players">) =>
    eb.or([
      eb("pin_ends_at", "<=", now),
      eb("pin_ends_at", ">", now + furthestPinMs),
    ]);
}

function makePin(): string {
  return Array.from(
    { length: pinLength },
    () => alphabet[randomInt(alphabet.length)],
  ).join("");
}

/** The stored form; null for anything that cannot be a pin. */
function pinFrom(typed: string): string | null {
  const pin = typed.replace(/[\s-]/g, "").toUpperCase();
  return pin.length === pinLength && [...pin].every((c) => alphabet.includes(c))
    ? pin
    : null;
}

function makeCredential(): string {
  return credentialPrefix + randomBytes(32).toString("base64url");
}

/** 256 random bits cannot be guessed from their hash. */
function hashOfCredential(credential: string): string {
  return hash("sha256", credential, "hex");
}

type PlayerRow = ContentTables["players"];

export interface WaitingPin {
  readonly pin: string;
  readonly endsAt: number;
}

export interface Registered extends WaitingPin {
  readonly id: string;
  readonly credential: string;
}

export interface Claimed {
  readonly screenId: string;
}

/** `online`: nothing changed, since the screen has a player that responds. */
export type Replaced = "replaced" | "no-screen" | "no-player" | "online";

export interface Players {
  register(facts: LinkFacts): Promise<Registered>;
  /** Null for an unknown credential. */
  find(credential: string): Promise<PlayerRow | null>;
  /** An existing screen, by its player's credential (L-15, L-16). */
  screenOf(credential: string): Promise<PlayersScreen | null>;
  /** Throws `conflict` for a player that is claimed. */
  renewPin(id: string): Promise<WaitingPin>;
  /** Turns the player that shows this pin into a screen of this team; null when no player shows it. */
  claim(
    pin: string,
    team: string,
    name: string | null,
  ): Promise<Claimed | null>;
  /** The player that shows this pin takes the place of the one that the screen has (V3-121). */
  replace(
    pin: string,
    screen: { readonly id: string; readonly team: string },
    isOnlineAccepted: boolean,
  ): Promise<Replaced>;
  /** Deletes players that were never claimed. */
  forgetUnclaimed(): Promise<void>;
}

export interface PlayersOptions {
  readonly database: Database<ContentTables>;
  readonly makeId: () => string;
  readonly now: () => number;
  readonly maxUnclaimed?: number | undefined;
}

/** For this long an unclaimed player that was switched off can request a new pin; after that it registers again. */
const keptUnclaimedMs = 3_600_000;
/** Registering needs no key: the limit is more than any site sets up in an hour. */
const defaultMostUnclaimed = 1_000;
/** Two pins out of a billion rarely collide. */
const pinTries = 5;

export function createPlayers(options: PlayersOptions): Players {
  const { database, makeId, now } = options;
  const { maxUnclaimed = defaultMostUnclaimed } = options;
  const { kysely } = database;

  async function countUnclaimed(): Promise<number> {
    const { count } = await kysely
      .selectFrom("players")
      .select((eb) => eb.fn.countAll().as("count"))
      .where("claimed_at", "is", null)
      .executeTakeFirstOrThrow();
    return Number(count);
  }

  /** Players whose pin has expired make room; one waiting to be claimed is never displaced by others. */
  async function dropExpired(): Promise<void> {
    if ((await countUnclaimed()) < maxUnclaimed) return;
    await kysely
      .deleteFrom("players")
      .where("claimed_at", "is", null)
      .where(isPinOver(now()))
      .execute();
    if ((await countUnclaimed()) >= maxUnclaimed)
      throw new Failure(
        "too-many",
        composeSentence(serviceSentences["unclaimed-limit"], {
          limit: maxUnclaimed,
        }),
      );
  }

  /** Retries until the pin is unique. */
  async function withPin<T>(use: (pin: WaitingPin) => Promise<T>): Promise<T> {
    for (let left = pinTries; ; left -= 1)
      try {
        return await use({ pin: makePin(), endsAt: now() + pinLastsMs });
      } catch (error) {
        const isTaken =
          error instanceof DatabaseError && error.sqlState === "23505";
        if (!isTaken || left === 0) throw error;
        await dropEndedPins();
      }
  }

  async function dropEndedPins(): Promise<void> {
    await kysely
      .updateTable("players")
      .set({ pin: null })
      .where("pin", "is not", null)
      .where(isPinOver(now()))
      .execute();
  }

  /** As long as a pin can be claimed. */
  const claimable =
    (pin: string, moment: number) =>
    (eb: ExpressionBuilder<ContentTables, "players">) =>
      eb.and([
        eb("pin", "=", pin),
        eb("pin_ends_at", ">", moment),
        eb("pin_ends_at", "<=", moment + furthestPinMs),
        eb("claimed_at", "is", null),
      ]);

  /** Name, labels, settings and history belong to the screen and stay; what the player before reported does not. */
  async function takePlace(
    transaction: Kysely<ContentTables>,
    pin: string,
    { id, team }: { readonly id: string; readonly team: string },
    isOnlineAccepted: boolean,
  ): Promise<Replaced> {
    const moment = now();
    const ofScreen = transaction
      .selectFrom("screens")
      .select(["name", "status"])
      .where("id", "=", id)
      .where("team_id", "=", team)
      // An Anthias player has no pairing that another could take over (V3-110).
      .where("id", "not in", (eb) =>
        eb.selectFrom("adopted_players").select("screen_id"),
      );
    // Of two replacements at once, the second waits and finds the first one's player.
    const before = await (
      database.kind === "postgres" ? ofScreen.forUpdate() : ofScreen
    ).executeTakeFirst();
    if (!before) return "no-screen";
    const waiting = await transaction
      .selectFrom("players")
      .select("id")
      .where(claimable(pin, moment))
      .executeTakeFirst();
    if (!waiting) return "no-player";
    if (before.status !== "Offline" && !isOnlineAccepted) return "online";
    // Its credential then belongs to a screen that doesn't exist: it registers again (L-16).
    await transaction
      .updateTable("players")
      .set({ screen_id: sql<string>`'replaced ' || id` })
      .where("screen_id", "=", id)
      .execute();
    const player = await transaction
      .updateTable("players")
      .set({ pin: null, team_id: team, screen_id: id, claimed_at: moment })
      .where(claimable(pin, moment))
      .returning("facts")
      .executeTakeFirst();
    // Another request took the pin meanwhile: nothing of this one is kept.
    if (!player) throw fieldFailure("pin", serviceSentences["pin-used"]);
    const facts = JSON.parse(player.facts) as LinkFacts;
    await transaction
      .updateTable("screens")
      .set({
        ...{ status: "Offline", in_sync: false },
        ...{ ws_open: false, ws_instance: null },
        ...{ item_counts: null, uptime: null, load_avg: null },
        ...{ signal_strength: null, last_ip: null },
        ...{ hardware_version: facts.hardware_version ?? null },
        ...{ software_version: facts.software_version ?? null },
        ...{ local_ip: facts.local_ip ?? null, mac: facts.mac ?? null },
        ...{ interface: facts.interface ?? null },
      })
      .where("id", "=", id)
      .execute();
    await transaction
      .updateTable("screen_states")
      .set({ report: null, reported_at: null })
      .where("screen_id", "=", id)
      .execute();
    // They were meant for the player before.
    await transaction
      .updateTable("screen_commands")
      .set({ expires_at: moment })
      .where("screen_id", "=", id)
      .where("expires_at", ">", moment)
      .where("state", "in", ["waiting", "received"])
      .execute();
    await noteActivity(
      ...([transaction, database.kind] as const),
      { team, now: moment, makeId },
      {
        ...{ kind: "screen", what: "changed", id, name: before.name },
        changes: [{ field: "player", before: null, after: "replaced" }],
      },
    );
    // The socket of the player before is closed with the next news (L-46).
    await transaction
      .insertInto("pending_changes")
      .values({ team_id: team, is_call: false })
      .onConflict((on) => on.doNothing())
      .execute();
    return "replaced";
  }

  async function becomeScreen(
    transaction: Kysely<ContentTables>,
    pin: string,
    team: string,
    name: string | null,
  ): Promise<Claimed | null> {
    const moment = now();
    const id = makeId();
    // One statement decides: of two requests with the same pin only one succeeds.
    const player = await transaction
      .updateTable("players")
      .set({ pin: null, team_id: team, screen_id: id, claimed_at: moment })
      .where(claimable(pin, moment))
      .returning(["id", "facts"])
      .executeTakeFirst();
    if (!player) return null;
    const facts = JSON.parse(player.facts) as LinkFacts;
    const hostname = makeHostname();
    const shown = name ?? facts.name ?? hostname;
    await transaction
      .insertInto("screens")
      .values({
        ...{ id, team_id: team, name: shown, hostname, created_at: moment },
        ...{ hardware_version: facts.hardware_version ?? null },
        ...{ software_version: facts.software_version ?? null },
        ...{ local_ip: facts.local_ip ?? null, mac: facts.mac ?? null },
        ...{ interface: facts.interface ?? null },
      })
      .execute();
    await addScreenLabels(transaction, makeId, {
      ...{ id, team, name: shown, moment },
    });
    await noteActivity(
      ...([transaction, database.kind] as const),
      { team, now: moment, makeId },
      { kind: "screen", what: "added", id, name: shown },
    );
    return { screenId: id };
  }

  return {
    register: async (facts) => {
      await dropExpired();
      return withPin(async ({ pin, endsAt }) => {
        const id = makeId();
        const credential = makeCredential();
        await kysely
          .insertInto("players")
          .values({
            ...{ id, credential_hash: hashOfCredential(credential), pin },
            ...{ pin_ends_at: endsAt, facts: JSON.stringify(facts) },
            ...{ created_at: now(), team_id: null, screen_id: null },
            claimed_at: null,
          })
          .execute();
        return { id, credential, pin, endsAt };
      });
    },
    find: async (credential) =>
      (await kysely
        .selectFrom("players")
        .selectAll()
        .where("credential_hash", "=", hashOfCredential(credential))
        .executeTakeFirst()) ?? null,
    screenOf: async (credential) =>
      (await kysely
        .selectFrom("players")
        .innerJoin("screens", "screens.id", "players.screen_id")
        .select(["screens.id", "screens.name", "screens.team_id as teamId"])
        .where("credential_hash", "=", hashOfCredential(credential))
        .executeTakeFirst()) ?? null,
    renewPin: (id) =>
      withPin(async ({ pin, endsAt }) => {
        const renewed = await kysely
          .updateTable("players")
          .set({ pin, pin_ends_at: endsAt })
          .where("id", "=", id)
          .where("claimed_at", "is", null)
          .returning("id")
          .execute();
        if (renewed.length === 0)
          throw new Failure("conflict", serviceSentences["already-paired"]);
        return { pin, endsAt };
      }),
    claim: async (typed, team, name) => {
      const pin = pinFrom(typed);
      if (pin === null) return null;
      return database.transaction((transaction) =>
        becomeScreen(transaction, pin, team, name),
      );
    },
    replace: async (typed, screen, isOnlineAccepted) => {
      const pin = pinFrom(typed);
      if (pin === null) return "no-player";
      return database.transaction((transaction) =>
        takePlace(transaction, pin, screen, isOnlineAccepted),
      );
    },
    forgetUnclaimed: async () => {
      await kysely
        .deleteFrom("players")
        .where("claimed_at", "is", null)
        .where((eb) =>
          eb.or([
            eb("pin_ends_at", "<=", now() - keptUnclaimedMs),
            eb("pin_ends_at", ">", now() + furthestPinMs + keptUnclaimedMs),
          ]),
        )
        .execute();
    },
  };
}

/** Its own label, and All Screens. */
export async function addScreenLabels(
  transaction: Kysely<ContentTables>,
  makeId: () => string,
  screen: {
    readonly id: string;
    readonly team: string;
    readonly name: string;
    readonly moment: number;
  },
): Promise<void> {
  const { id, team, name, moment } = screen;
  await transaction
    .insertInto("labels")
    .values({
      ...{ id, team_id: team, type: "screen", created_at: moment },
      ...{ name, human_name: name },
    })
    .execute();
  const all = await transaction
    .selectFrom("labels")
    .select("id")
    .where("team_id", "=", team)
    .where("type", "=", "all-screens")
    .executeTakeFirst();
  for (const label_id of [id, ...(all ? [all.id] : [])])
    await transaction
      .insertInto("label_screen")
      .values({
        ...{ row_id: makeId(), team_id: team, label_id, screen_id: id },
        created_at: moment,
      })
      .execute();
}

const hostLetters = "abcdefghijklmnopqrstuvwxyz0123456789";

/** In the form in which clients know screen names. */
function makeHostname(): string {
  const letters = Array.from(
    { length: 15 },
    () => hostLetters[randomInt(hostLetters.length)],
  );
  return `srly-${letters.join("")}`;
}
