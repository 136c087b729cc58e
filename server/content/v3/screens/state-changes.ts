// The screens whose state or settings changed since a revision, in parts, those that need somebody first (V3-120).

import * as z from "zod";
import type {
  screenChangesV3,
  screenStatesQueryV3,
} from "../../../contract/v3/v3-screens.ts";
import { fieldFailure } from "../../../core/failure.ts";
import type { Row } from "../../../platform/database/database.ts";
import { removalsKeptMs } from "../../link/screen-changes.ts";
import { sql, statementOf, trusted, type Sql } from "../../sql.ts";
import type { V3 } from "../operation/v3.ts";
import { inTime } from "../operation/views.ts";
import {
  groupsOfScreens,
  listedScreens,
  screensFrom,
  urgencyRank,
} from "./listed-screens.ts";

type Changes = z.infer<typeof screenChangesV3>;
type Query = z.infer<typeof screenStatesQueryV3>;

/** An older one is answered with the whole list, a day before removals are forgotten. */
const revisionLastsMs = removalsKeptMs - 24 * 3_600_000;
/** Clocks of several instances differ. */
const maxAheadMs = 3_600_000;
const maxRemoved = 10_000;

interface Revision {
  readonly epoch: string;
  readonly issuedAt: number;
  /** What has this number, or a later one, may not have been listed. */
  readonly next: number;
  /** Where a part ended, in the order of the list; all its parts list what changed since then. */
  readonly position: {
    readonly since: number;
    readonly rank: number;
    readonly id: string;
  } | null;
}

export async function screenChangesSince(
  v3: V3,
  team: string,
  { since = "", state, screen, limit }: Query,
): Promise<Changes> {
  for (const [name, value] of Object.entries({ state, screen }))
    if (value)
      throw fieldFailure(
        name,
        `${name} can't be sent together with since: a screen that no longer matches would not be listed`,
      );
  const known = revisionFrom(since, v3.now());
  const changes = known && (await partAfter(v3, team, known, limit));
  return changes ?? (await partOf(v3, team, null, limit));
}

/** Null where the numbers are others by now, or more screens were removed than a response names. */
async function partAfter(
  v3: V3,
  team: string,
  known: Revision,
  limit: number,
): Promise<Changes | null> {
  const part = await partOf(v3, team, known, limit);
  const { epoch } = revisionFrom(part.revision, v3.now()) ?? {};
  const isFromStart = known.epoch !== epoch || part.removed.length > maxRemoved;
  return isFromStart ? null : part;
}

async function partOf(
  v3: V3,
  team: string,
  known: Revision | null,
  limit: number,
): Promise<Changes> {
  const { database, dialect, now } = v3;
  const position = known?.position ?? null;
  const since = position?.since ?? known?.next ?? 0;
  const read = (statements: readonly Sql[]) =>
    database.readTogether(
      statements.map((of) => statementOf(of, dialect.kind)),
    );
  const behind = position
    ? sql`AND (${urgencyRank} > ${position.rank} OR (${urgencyRank} = ${position.rank} AND s.id > ${position.id}))`
    : sql``;
  const [numbers = [], rows = [], removed = []] = await read([
    dialect.kind === "postgres"
      ? sql`SELECT (SELECT epoch FROM screen_change_count) AS epoch, pg_snapshot_xmin(pg_current_snapshot())::text AS next`
      : sql`SELECT epoch, next FROM screen_change_count`,
    sql`${listedScreens} JOIN screen_changes c ON c.screen_id = s.id
      WHERE ${inTime(dialect, "s")} c.team_id = ${team} AND c.change >= ${since} ${behind}
      ORDER BY urgency_rank, s.id LIMIT ${limit + 1}`,
    known && !position
      ? sql`SELECT screen_id FROM screen_changes WHERE team_id = ${team} AND change >= ${since}
          AND removed_at IS NOT NULL ORDER BY change LIMIT ${maxRemoved + 1}`
      : sql`SELECT screen_id FROM screen_changes WHERE FALSE`,
  ]);
  const part = rows.slice(0, limit);
  const last = part.at(-1);
  const isComplete = rows.length <= limit || last === undefined;
  const [groups = []] = await read([
    sql`${groupsOfScreens} WHERE ${inTime(dialect, "k")} k.team_id = ${team} AND l.type = 'manual'
      AND ${dialect.keysOneOf(trusted("k.screen_id"), part.map(idOf))} ORDER BY l.id`,
  ]);
  const { epoch, next = 0 } = numbers[0] ?? {};
  return {
    revision: textOf({
      ...{ epoch: (epoch as string | undefined) ?? "", issuedAt: now() },
      // What changes while the parts are read is listed after them.
      next: position ? (known?.next ?? 0) : Number(next),
      position: isComplete
        ? null
        : { since, rank: Number(last["urgency_rank"]), id: idOf(last) },
    }),
    ...{ is_whole: known === null, is_complete: isComplete },
    screens: [...screensFrom(part, groups)],
    removed: removed.map((row) => String(row["screen_id"])),
  };
}

function idOf(row: Row): string {
  return String(row["id"]);
}

const number = z.int().nonnegative();
const writtenRevision = z.union([
  z.tuple([z.string(), number, number]),
  z.tuple([z.string(), number, number, number, number, z.string()]),
]);

function textOf({ epoch, issuedAt, next, position }: Revision): string {
  const { since, rank, id } = position ?? {};
  const parts = [epoch, issuedAt, next];
  const written = position ? [...parts, since, rank, id] : parts;
  return Buffer.from(JSON.stringify(written)).toString("base64url");
}

/** Null for one that is empty, too old or not one of this service. */
function revisionFrom(text: string, now: number): Revision | null {
  let json: unknown;
  try {
    json = JSON.parse(Buffer.from(text, "base64url").toString());
  } catch {
    return null;
  }
  const reading = writtenRevision.safeParse(json);
  if (!reading.success) return null;
  const [epoch, issuedAt, next, since, rank, id] = reading.data;
  if (issuedAt < now - revisionLastsMs || issuedAt > now + maxAheadMs)
    return null;
  const position =
    since === undefined || rank === undefined || id === undefined
      ? null
      : { since, rank, id };
  return { epoch, issuedAt, next, position };
}
