// Writes the states of screens and their outages, in the transaction of what changed them (L-40, L-43).

import { sql, type Kysely } from "kysely";
import type { LinkFacts } from "../../contract/link/link.ts";
import type {
  OutageCause,
  ScreenReport,
  ScreenState,
} from "../../contract/link/screen-report.ts";
import type { ContentTables } from "../tables.ts";
import { causeAtBegin, causeOfSilence } from "./outage-cause.ts";
import { isOutage, silentReason, type JudgedState } from "./screen-state.ts";

type StateRow = ContentTables["screen_states"];

/** What is stored of a screen; null before its first heartbeat. */
export interface StoredState {
  readonly state: ScreenState;
  readonly since: number;
  readonly reason: string | null;
  readonly report: string | null;
  readonly reportedAt: number | null;
}

export interface StateChange extends JudgedState {
  readonly screenId: string;
  readonly teamId: string;
  readonly before: StoredState | null;
  readonly report: string | null;
  readonly isEnabled: boolean;
  /** What the player's heartbeat tells about itself. */
  readonly facts: LinkFacts;
  readonly moment: number;
}

/** Writes nothing when nothing changed. */
export async function writeState(
  transaction: Kysely<ContentTables>,
  makeId: () => string,
  change: StateChange,
): Promise<void> {
  const { before, state, reason, report, moment } = change;
  const isSameReport = before !== null && before.report === report;
  const isSameState = before?.state === state;
  if (isSameReport && isSameState && before.reason === reason) return;
  const row: Omit<StateRow, "screen_id" | "team_id"> = {
    ...{ state, reason, report },
    since: isSameState ? before.since : moment,
    reported_at:
      report === null ? null : isSameReport ? before.reportedAt : moment,
  };
  await transaction
    .insertInto("screen_states")
    .values({ screen_id: change.screenId, team_id: change.teamId, ...row })
    .onConflict((on) => on.column("screen_id").doUpdateSet(row))
    .execute();
  if (isSameState) return;
  if (before?.state === "offline") await writeCause(transaction, change);
  const outage = {
    ...{ screenId: change.screenId, teamId: change.teamId, before, moment },
    ...{ state, reason, lastContactAt: null, uptimeBefore: null },
    cause: isOutage(state)
      ? causeAtBegin({
          ...{ state, isEnabled: change.isEnabled },
          report: report === null ? null : (JSON.parse(report) as ScreenReport),
        })
      : null,
  };
  await writeOutages(transaction, makeId, [outage]);
}

/** Of the outage that ends with this heartbeat; one that was planned stays so. */
async function writeCause(
  transaction: Kysely<ContentTables>,
  { screenId, facts, moment }: StateChange,
): Promise<void> {
  const outage = await transaction
    .selectFrom("screen_outages")
    .select(["id", "last_contact_at", "uptime_before"])
    .where("screen_id", "=", screenId)
    .where("ended_at", "is", null)
    .where("cause", "=", "unknown")
    .executeTakeFirst();
  if (!outage || outage.last_contact_at === null) return;
  const lastContactAt = Number(outage.last_contact_at);
  const restart = await transaction
    .selectFrom("screen_commands")
    .select("id")
    .where("screen_id", "=", screenId)
    .where("kind", "in", ["restart", "reboot"])
    .where("state", "in", ["received", "done"])
    .where("created_at", ">=", lastContactAt - restartTakesMs)
    .where("created_at", "<=", moment)
    .limit(1)
    .executeTakeFirst();
  const cause = causeOfSilence({
    ...{ moment, lastContactAt, facts },
    uptimeBefore:
      outage.uptime_before === null ? null : Number(outage.uptime_before),
    isRestartOrdered: restart !== undefined,
  });
  if (cause === "unknown") return;
  await transaction
    .updateTable("screen_outages")
    .set({ cause })
    .where("id", "=", outage.id)
    .execute();
}

/** As long as the oldest command that is still carried out (L-11). */
const restartTakesMs = 600_000;

/** Of screens that fell silent, in one transaction with their status; those that never sent a heartbeat are left out. */
export async function writeSilence(
  transaction: Kysely<ContentTables>,
  makeId: () => string,
  screenIds: readonly string[],
  moment: number,
): Promise<void> {
  for (let from = 0; from < screenIds.length; from += screensAtOnce) {
    const ids = screenIds.slice(from, from + screensAtOnce);
    const rows = await transaction
      .selectFrom("screen_states as t")
      .innerJoin("screens as s", "s.id", "t.screen_id")
      .select(["t.screen_id", "t.team_id", "t.state"])
      .select(["s.is_enabled", "s.last_ping", "s.uptime"])
      .where("t.screen_id", "in", ids)
      .where("t.state", "<>", "offline")
      .execute();
    if (rows.length === 0) continue;
    const silent = { state: "offline", reason: silentReason } as const;
    await transaction
      .updateTable("screen_states")
      .set({ ...silent, since: moment })
      .where(
        "screen_id",
        "in",
        rows.map((row) => row.screen_id),
      )
      .execute();
    await writeOutages(
      transaction,
      makeId,
      rows.map((row) => ({
        ...{ screenId: row.screen_id, teamId: row.team_id, moment },
        ...{ ...silent, before: row },
        cause: causeAtBegin({
          ...{ state: "offline", report: null },
          isEnabled: Boolean(row.is_enabled),
        }),
        lastContactAt: row.last_ping,
        uptimeBefore: row.uptime,
      })),
    );
  }
}

/** A SQLite statement takes at most 32,766 values. */
const screensAtOnce = 500;

type Outage = Pick<
  StateChange,
  "screenId" | "teamId" | "state" | "reason" | "moment"
> & {
  readonly before: Pick<StoredState, "state"> | null;
  /** Null where the state is no outage. */
  readonly cause: OutageCause | null;
  readonly lastContactAt: number | null;
  readonly uptimeBefore: number | null;
};

/** The outage of the state before ends; the next begins where the state is one. */
async function writeOutages(
  transaction: Kysely<ContentTables>,
  makeId: () => string,
  changes: readonly Outage[],
): Promise<void> {
  const changed = changes.filter(({ before }) => before !== null);
  const [first] = changed;
  if (!first) return;
  const { moment } = first;
  await transaction
    .updateTable("screen_outages")
    .set({
      // The database's clock may have been set back since (L-36).
      ended_at: sql<number>`CASE WHEN started_at > ${moment} THEN started_at ELSE ${moment} END`,
    })
    .where(
      "screen_id",
      "in",
      changed.map(({ screenId }) => screenId),
    )
    .where("ended_at", "is", null)
    .execute();
  const begun = changed.filter(({ state }) => isOutage(state));
  if (begun.length === 0) return;
  await transaction
    .insertInto("screen_outages")
    .values(
      begun.map(({ screenId, teamId, state, reason, cause, ...outage }) => ({
        ...{ id: makeId(), team_id: teamId, screen_id: screenId },
        ...{ state, reason: reason ?? "", started_at: moment, ended_at: null },
        cause: cause ?? "unknown",
        last_contact_at: outage.lastContactAt,
        uptime_before: outage.uptimeBefore,
      })),
    )
    .execute();
}

const outagesKeptMs = 400 * 24 * 3_600_000;

/** Those from long after now were written before the database's clock was set back. */
export async function deleteOldOutages(
  kysely: Kysely<ContentTables>,
  now: number,
): Promise<void> {
  await kysely
    .deleteFrom("screen_outages")
    .where((eb) =>
      eb.or([
        eb("ended_at", "<=", now - outagesKeptMs),
        eb("ended_at", ">", now + outagesKeptMs),
      ]),
    )
    .execute();
}
