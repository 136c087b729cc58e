// Assertions of version 3: list, create, change, delete; each is checked at once (V3-104 to V3-109).

import { serviceSentences } from "../../../contract/sentences/service-sentences.ts";
import {
  assertionCreateV3,
  assertionUpdateV3,
  type AssertionUpdateV3,
  type AssertionV3,
} from "../../../contract/v3/v3-what-if.ts";
import { fieldFailure } from "../../../core/failure.ts";
import { teamOf } from "../../access/access.ts";
import { judged } from "../../http/json-body.ts";
import { sendJson, type Handler, type Methods } from "../../http/routes.ts";
import { named, sql } from "../../sql.ts";
import {
  assertionFrom,
  lastCheckOf,
  maxAssertions,
  type AssertionRow,
} from "../../what-if/assertions.ts";
import { changedFieldsOf, fieldsOf } from "../operation/fields.ts";
import { noteOfAdded, notesOfChange } from "../operation/noted-bodies.ts";
import {
  existingIds,
  labelsOfGroups,
  refuseUnknown,
  shownGroups,
} from "../operation/references.ts";
import { notFound } from "../operation/responses.ts";
import {
  refuseMoreRows,
  rowReaders,
  rowRemover,
} from "../operation/team-rows.ts";
import { noteIn, reading, type V3 } from "../operation/v3.ts";

export interface Assertions {
  readonly collection: Methods;
  readonly item: Methods;
}

/** What may be written of a row. */
interface Columns {
  readonly name: string;
  readonly is_enabled: boolean;
  readonly holds_back: boolean;
  readonly kind: AssertionRow["kind"];
  readonly asset_ids: string;
  readonly folders: string;
  readonly label_ids: string;
  readonly predicate: string;
  readonly every_minutes: number | null;
}

export function createAssertions(v3: V3): Assertions {
  const { database, whatIf, log } = v3;
  const { kysely } = database;

  const rowsOf = (
    team: string,
    id?: string,
  ): Promise<readonly AssertionRow[]> =>
    kysely
      .selectFrom("assertions")
      .selectAll()
      .where("team_id", "=", team)
      .$if(id !== undefined, (query) => query.where("id", "=", id ?? ""))
      .orderBy("id")
      .execute();

  async function shown(team: string, id?: string): Promise<AssertionV3[]> {
    const rows = await rowsOf(team, id);
    const show = await viewOf(v3, team, rows);
    return rows.map(show);
  }

  const { shownOne, list, read } = rowReaders(shown);

  /** The assertion is stored, whatever comes of its first check: the next one is tonight at the latest. */
  async function checkNow(team: string): Promise<void> {
    await whatIf.check(team).catch((error: unknown) => {
      log.warn("assertions.check-failed", { team, error });
    });
  }

  const create: Handler = async (request, response) => {
    const team = teamOf(response);
    const body = judged(assertionCreateV3, fieldsOf(request));
    const id = v3.makeId();
    const columns: Columns = {
      ...{ is_enabled: true, holds_back: true, every_minutes: null },
      ...{ asset_ids: "[]", folders: "[]", label_ids: "[]" },
      ...{ name: body.name, kind: body.kind, predicate: "TRUE" },
      ...(await columnsOf(v3, team, body)),
    };
    refuseIncomplete(columns);
    await database.transaction(async (transaction) => {
      await refuseMoreRows(
        ...([transaction, "assertions", team] as const),
        ...([maxAssertions, "assertions"] as const),
      );
      await transaction
        .insertInto("assertions")
        .values({
          ...{ ...columns, id, team_id: team, created_at: v3.now() },
          ...{ checked_at: null, last_check: null },
        })
        .execute();
      await noteIn(
        ...([v3, transaction, team] as const),
        noteOfAdded("assertion", id, body.name),
      );
    });
    await checkNow(team);
    sendJson(response, 201, await shownOne(team, id));
  };

  const change: Handler = async (request, response) => {
    const team = teamOf(response);
    const id = request.params["id"] ?? "";
    const before = JSON.stringify(await shownOne(team, id));
    const body = judged(assertionUpdateV3, changedFieldsOf(request, before));
    const columns = await columnsOf(v3, team, body);
    const rows = await rowsOf(team, id);
    // Before the transaction, which has a connection of its own.
    const show = await viewOf(v3, team, [
      ...rows,
      ...rows.map((row) => ({ ...row, ...columns })),
    ]);
    await database.transaction(async (transaction) => {
      const row = await transaction
        .selectFrom("assertions")
        .selectAll()
        .where("team_id", "=", team)
        .where("id", "=", id)
        .$if(database.kind === "postgres", (query) => query.forUpdate())
        .executeTakeFirst();
      if (!row) throw notFound();
      refuseIncomplete({ ...row, ...columns });
      if (Object.keys(columns).length === 0) return;
      await transaction
        .updateTable("assertions")
        // What the last check found is about what it was before.
        .set({ ...columns, checked_at: null, last_check: null })
        .where("id", "=", id)
        .execute();
      const [was, is] = [row, { ...row, ...columns }].map((each) =>
        JSON.stringify(show(each)),
      );
      await noteIn(
        ...([v3, transaction, team] as const),
        ...notesOfChange("assertion", id, was ?? null, is ?? null, body),
      );
    });
    if (Object.keys(columns).length > 0) await checkNow(team);
    sendJson(response, 200, await shownOne(team, id));
  };

  return {
    collection: { GET: list, POST: create },
    item: {
      GET: read,
      PUT: change,
      PATCH: change,
      DELETE: rowRemover(v3, "assertions", "assertion"),
    },
  };
}

/** The columns for the fields that were sent, after everything that only the service can check. */
async function columnsOf(
  v3: V3,
  team: string,
  body: AssertionUpdateV3,
): Promise<Partial<Columns>> {
  const { name, is_enabled, holds_back, kind, predicate } = body;
  const { assets, folders, groups, every_minutes } = body;
  if (assets)
    refuseUnknown(
      "assets",
      assets,
      await existingIds(v3, reading(v3), "assets", team, assets),
    );
  return {
    ...(name !== undefined && { name }),
    ...(is_enabled !== undefined && { is_enabled }),
    ...(holds_back !== undefined && { holds_back }),
    ...(kind !== undefined && { kind }),
    ...(predicate !== undefined && { predicate }),
    ...(every_minutes !== undefined && { every_minutes }),
    ...(assets && { asset_ids: JSON.stringify([...new Set(assets)]) }),
    ...(folders && { folders: JSON.stringify(folders) }),
    ...(groups && {
      label_ids: JSON.stringify(await labelIdsOf(v3, team, groups)),
    }),
  };
}

function refuseIncomplete({
  kind,
  asset_ids,
  folders,
  every_minutes,
}: Pick<Columns, "kind" | "asset_ids" | "folders" | "every_minutes">): void {
  if (asset_ids === "[]" && folders === "[]")
    throw fieldFailure("assets", serviceSentences["assertion-subject"]);
  if (kind === "at-least" && every_minutes === null)
    throw fieldFailure("every_minutes", serviceSentences["assertion-interval"]);
  if (kind === "never" && every_minutes !== null)
    throw fieldFailure(
      "every_minutes",
      'every_minutes must be null if kind is "never"',
    );
}

async function labelIdsOf(
  v3: V3,
  team: string,
  groups: readonly string[],
): Promise<readonly string[]> {
  const labels = await labelsOfGroups(v3, team, groups);
  // All screens: the same as no groups.
  const isAll = labels.some(({ type }) => type === "all-screens");
  return isAll ? [] : labels.map(({ id }) => id);
}

/** Shows these rows, and others with ids in the place of names that they don't have. */
async function viewOf(
  v3: V3,
  team: string,
  rows: readonly AssertionRow[],
): Promise<(row: AssertionRow) => AssertionV3> {
  const assets = await assetTitles(v3, team, rows);
  const labels = rows.flatMap((row) => assertionFrom(row).labels);
  const groups = await shownGroups(v3, team, labels);
  return (row) => assertionView(row, assets, groups);
}

async function assetTitles(
  v3: V3,
  team: string,
  rows: readonly AssertionRow[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(rows.flatMap((row) => assertionFrom(row).assetIds))];
  const found = await reading(v3)(
    sql`SELECT id, title FROM assets WHERE team_id = ${team} AND ${v3.dialect.keysOneOf(named("id"), ids)}`,
  );
  return new Map(found.map(({ id, title }) => [String(id), String(title)]));
}

function assertionView(
  row: AssertionRow,
  titles: ReadonlyMap<string, string>,
  shown: ReadonlyMap<string, { id: string; name: string }>,
): AssertionV3 {
  const { id, name, kind, predicate, assetIds, folders, labels } =
    assertionFrom(row);
  return {
    ...{ id, name, is_enabled: Boolean(row.is_enabled) },
    ...{ holds_back: Boolean(row.holds_back), kind },
    assets: assetIds.map((asset) => ({
      id: asset,
      title: titles.get(asset) ?? null,
    })),
    folders: [...folders],
    groups: labels.map(
      (label) => shown.get(label) ?? { id: label, name: null },
    ),
    predicate,
    every_minutes:
      row.every_minutes === null ? null : Number(row.every_minutes),
    created_at: new Date(Number(row.created_at)).toISOString(),
    last_check: lastCheckOf(row),
  };
}
