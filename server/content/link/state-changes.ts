// Writes the states of screens and their outages, in the transaction of what changed them (L-40, L-43).

import { sql, type Kysely } from "kysely";
import type { ScreenState } from "../../contract/link/screen-report.ts";
import type { ContentTables } from "../tables.ts";
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
  if (!isSameState) await writeOutages(transaction, makeId, [change]);
}

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
      .selectFrom("screen_states")
      .select(["screen_id", "team_id", "state"])
      .where("screen_id", "in", ids)
      .where("state", "<>", "offline")
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
      })),
    );
  }
}

/** A SQLite statement takes at most 32,766 values. */
const screensAtOnce = 500;

type Outage = Pick<
  StateChange,
  "screenId" | "teamId" | "state" | "reason" | "moment"
> & { readonly before: Pick<StoredState, "state"> | null };

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
      begun.map(({ screenId, teamId, state, reason }) => ({
        ...{ id: makeId(), team_id: teamId, screen_id: screenId },
        ...{ state, reason: reason ?? "", started_at: moment, ended_at: null },
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
