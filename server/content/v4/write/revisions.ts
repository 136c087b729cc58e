// Revisions of edge apps: the next number, which one a channel may play, and what is deleted with one (V4-48).

import type { Row, Run } from "../../../platform/database/database.ts";
import type { Dialect } from "../sql/dialect.ts";
import { noSuch } from "../../http/v4-errors.ts";
import { joined, named, sql, statementOf, type Sql } from "../../sql.ts";

type RunQuery = (query: Sql) => Promise<readonly Row[]>;

/** Within one transaction. */
interface Writing {
  readonly run: Run;
  readonly dialect: Dialect;
  readonly team: string;
}

/** Places that refer to a revision number of an app: a number once played or stored is never reused. */
const bearers = [
  ["edge_apps", "id", "deleted_revision"],
  ["edge_app_versions", "app_id", "revision"],
  ["edge_app_channels", "app_id", "app_revision"],
  ["assets", "app_id", "app_revision"],
] as const;

/** The largest number of each app that a version, including deleted ones, a channel or a file refers to. */
export async function lastRevisions(
  runQuery: RunQuery,
  team: string,
  areTheirs: (app: Sql) => Sql,
): Promise<ReadonlyMap<string, bigint>> {
  const all = bearers.map(
    ([table, app, revision]) =>
      sql`SELECT ${named(app)} AS app_id, ${named(revision)} AS revision FROM ${named(table)} WHERE team_id = ${team} AND ${areTheirs(named(app))}`,
  );
  const rows = await runQuery(
    sql`SELECT app_id, max(revision) AS largest FROM (${joined(all, " UNION ALL ")}) AS used
      WHERE revision IS NOT NULL GROUP BY app_id`,
  );
  return new Map(
    rows.map(({ app_id, largest }) => [
      String(app_id),
      BigInt(Number(largest)),
    ]),
  );
}

/** A channel plays a revision of its own app, or none (V4-29). */
export async function refuseUnknownRevisions(
  { run, dialect, team }: Writing,
  channels: readonly string[],
): Promise<void> {
  const [found] = await run(
    statementOf(
      sql`SELECT row_id FROM edge_app_channels c
        WHERE c.team_id = ${team} AND ${dialect.keysOneOf(sql`c.row_id`, channels)} AND c.app_revision IS NOT NULL
          AND NOT EXISTS (SELECT 1 FROM edge_app_versions v
            WHERE v.team_id = c.team_id AND v.app_id = c.app_id AND v.revision = c.app_revision) LIMIT 1`,
      dialect.kind,
    ),
  );
  if (found) throw noSuch("revision");
}

/** Before versions are deleted: records their numbers, clears the channels that play them, and deletes their files. */
export async function leaveRevisions(
  { run, dialect, team }: Writing,
  versions: readonly string[],
): Promise<void> {
  const runQuery: RunQuery = (query) => run(statementOf(query, dialect.kind));
  const theirs = sql`FROM edge_app_versions v WHERE v.team_id = ${team} AND ${dialect.keysOneOf(sql`v.row_id`, versions)}`;
  const isOfThem = (table: string) =>
    sql`team_id = ${team} AND app_id IN (SELECT v.app_id ${theirs})
      AND EXISTS (SELECT 1 ${theirs} AND v.app_id = ${named(table)}.app_id AND v.revision = ${named(table)}.app_revision)`;
  await runQuery(
    sql`UPDATE edge_apps SET deleted_revision = gone.largest
      FROM (SELECT v.app_id, max(v.revision) AS largest ${theirs} GROUP BY v.app_id) AS gone
      WHERE edge_apps.team_id = ${team} AND edge_apps.id = gone.app_id AND edge_apps.deleted_revision < gone.largest`,
  );
  await runQuery(
    sql`UPDATE edge_app_channels SET app_revision = NULL WHERE ${isOfThem("edge_app_channels")}`,
  );
  // An installation's asset, which playlists show, is deleted only with the installation.
  await runQuery(
    sql`DELETE FROM assets WHERE app_installation_id IS NULL AND ${isOfThem("assets")}`,
  );
}
