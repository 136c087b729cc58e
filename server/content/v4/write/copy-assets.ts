// Copies files of an edge app into a new revision without another upload.

import { activityInsert } from "../../activity/activity.ts";
import type { Table } from "../../catalogue.ts";
import type { Row, Run } from "../../../platform/database/database.ts";
import { isJsonArray, type Json } from "../../../platform/text/json-text.ts";
import type { Body } from "../parse/body.ts";
import { limits } from "../parse/request-limits.ts";
import { prepareRows, type WriteContext } from "./prepare.ts";
import type { NewRow } from "../plan/plan-write.ts";
import { badBody, noSuch, tooComplex } from "../../http/v4-errors.ts";
import { named, sql, statementOf, joined } from "../../sql.ts";
import { valueFromJson, type Value } from "../plan/values.ts";
import { insertStatements } from "../sql/write-query.ts";

/** Lets the new assets share the bytes of the old ones, within the same transaction. */
export type ShareFiles = (
  run: Run,
  pairs: readonly { readonly from: string; readonly to: string }[],
) => Promise<void>;

/** `{app_id, revision, signatures}` → the signatures that could be copied (V4-42, V4-280). */
export async function copyAssets(
  context: WriteContext,
  body: Body,
  shareFiles: ShareFiles,
): Promise<readonly string[]> {
  const [row] = body.rows;
  const app = row?.get("app_id");
  const signatures = textsFrom(row?.get("signatures"));
  if (typeof app !== "string" || signatures === null)
    throw badBody("The body takes app_id, revision and a list of signatures");
  if (signatures.length > limits.listItems)
    throw tooComplex(`A list may have at most ${limits.listItems} values.`);
  const { run, dialect, team } = context;
  const table = context.tableNamed("assets");
  const revision = revisionFrom(table, row?.get("revision"), () => context.now);
  const runQuery = (query: ReturnType<typeof sql>): Promise<readonly Row[]> =>
    run(statementOf(query, dialect.kind));
  const [existing] = await runQuery(
    sql`SELECT id FROM edge_apps WHERE team_id = ${team} AND id = ${app}`,
  );
  if (!existing) throw noSuch("app");
  const columns = joined(["id", "signature", ...copied].map(named), ", ");
  const result = await runQuery(
    sql`SELECT ${columns}, app_revision FROM assets
      WHERE team_id = ${team} AND app_id = ${app} AND type = 'edge-app-file' AND status = 'finished'
      AND ${dialect.keysOneOf(named("signature"), signatures)}`,
  );
  const taken = new Map(
    result.map((each) => [String(each["signature"]), each]),
  );
  const present = new Set(
    result
      .filter((each) => isOfRevision(each, revision))
      .map((each) => String(each["signature"])),
  );
  const fresh = [...taken].filter(([signature]) => !present.has(signature));
  const rows = await prepareRows(
    context,
    table,
    fresh.map(([signature, each]) => copyOf(app, revision, signature, each)),
  );
  if (rows.length > 0) {
    for (const statement of insertStatements(dialect, table, rows, null))
      await runQuery(statement);
    await runQuery(
      activityInsert(context, [
        {
          ...{ kind: "edge-app", what: "changed", id: app },
          name: sql`coalesce((SELECT name FROM edge_apps WHERE id = ${app}), '')`,
          changes: [{ field: "files", before: null, after: rows.length }],
          count: rows.length,
        },
      ]),
    );
  }
  await shareFiles(
    run,
    fresh.map(([, old], at) => ({
      from: String(old["id"]),
      to: idOf(rows[at]),
    })),
  );
  return signatures.filter((signature) => taken.has(signature));
}

const copied = [
  ...["title", "asset_url", "md5", "source_md5", "mimetype"],
  ...["source_size", "source_url", "thumbnail_uri"],
] as const;

/** Null: staged like an upload, until a deployment assigns its revision. */
function revisionFrom(
  table: Table,
  revision: Json | undefined,
  now: () => number,
): Value | null {
  const column = table.columns.get("app_revision");
  if (!column || revision === undefined) return null;
  return valueFromJson(column, revision, now);
}

function isOfRevision(row: Row, revision: Value | null): boolean {
  const requestedRevision = valueOf(row["app_revision"]);
  return requestedRevision?.value === revision?.value;
}

function copyOf(
  app: string,
  revision: Value | null,
  signature: string,
  row: Row,
): NewRow {
  const text = (value: string): Value => ({ type: "text", value });
  return new Map<string, Value | null>([
    ["app_id", text(app)],
    ["app_revision", revision],
    ["signature", text(signature)],
    ["type", text("edge-app-file")],
    ["status", text("finished")],
    ...copied.map((name) => [name, valueOf(row[name])] as const),
  ]);
}

function idOf(row: NewRow | undefined): string {
  const id = row?.get("id");
  return id?.type === "text" ? id.value : "";
}

function valueOf(value: unknown): Value | null {
  if (typeof value === "string") return { type: "text", value };
  return typeof value === "number" || typeof value === "bigint"
    ? { type: "integer", value: BigInt(value) }
    : null;
}

function textsFrom(json: Json | undefined): readonly string[] | null {
  if (json === undefined || !isJsonArray(json)) return null;
  return json.every((item) => typeof item === "string") ? json : null;
}
