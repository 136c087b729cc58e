// Validates references: ids in a body must exist in the same team, otherwise the whole request is rejected (V3-8).

import { composeSentence } from "../../../contract/sentence-templates.ts";
import { serviceSentences } from "../../../contract/sentences/service-sentences.ts";
import { fieldFailure } from "../../../core/failure.ts";
import { named, sql } from "../../sql.ts";
import { reading, type RunQuery, type V3 } from "./v3.ts";

export interface LabelRef {
  readonly id: string;
  readonly type: string;
}

/** Both spellings stand for the built-in group (V3-20). */
export function isAllScreens(id: string): boolean {
  return id === "all-screens" || id === "all_screens";
}

/** The labels for ids of groups, keyed by the id as sent, in the order sent. */
export async function groupLabels(
  { dialect }: V3,
  runQuery: RunQuery,
  team: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, LabelRef>> {
  const rows = await runQuery(
    sql`SELECT id, type FROM labels WHERE team_id = ${team}
      AND (type = 'all-screens' OR ${dialect.keysOneOf(named("id"), ids)})`,
  );
  const labels = rows.map((row) => ({
    id: String(row["id"]),
    type: String(row["type"]),
  }));
  const all = labels.find(({ type }) => type === "all-screens");
  const byId = new Map(labels.map((label) => [label.id, label]));
  return new Map(
    ids.flatMap((id) => {
      const label = isAllScreens(id) ? all : byId.get(id);
      return label ? [[id, label] as const] : [];
    }),
  );
}

/** The labels of these groups, each once; an unknown group is rejected. */
export async function labelsOfGroups(
  v3: V3,
  team: string,
  groups: readonly string[],
): Promise<readonly LabelRef[]> {
  const labels = await groupLabels(v3, reading(v3), team, groups);
  refuseUnknown("groups", groups, labels);
  return [...new Set(labels.values())];
}

/** How version 3 shows these labels as groups, keyed by their own ids. */
export async function shownGroups(
  v3: V3,
  team: string,
  labelIds: readonly string[],
): Promise<ReadonlyMap<string, { id: string; name: string }>> {
  const ids = [...new Set(labelIds)];
  const rows = await reading(v3)(
    sql`SELECT id, type, CASE type WHEN 'manual' THEN name ELSE human_name END AS name FROM labels
      WHERE team_id = ${team} AND ${v3.dialect.keysOneOf(named("id"), ids)}`,
  );
  return new Map(
    rows.map(({ id, type, name }) => [
      String(id),
      {
        id: type === "all-screens" ? "all-screens" : String(id),
        name: String(name),
      },
    ]),
  );
}

/** Those of these ids that are rows of this table. */
export async function existingIds(
  { dialect }: V3,
  runQuery: RunQuery,
  table: "assets" | "screens",
  team: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await runQuery(
    sql`SELECT id FROM ${named(table)} WHERE team_id = ${team} AND ${dialect.keysOneOf(named("id"), [...new Set(ids)])}`,
  );
  return new Set(rows.map((row) => String(row["id"])));
}

export function refuseUnknown(
  field: "assets" | "groups" | "screens",
  ids: readonly string[],
  existing: { has(id: string): boolean },
): void {
  const unknown = ids.find((id) => !existing.has(id));
  if (unknown === undefined) return;
  const what = field.slice(0, -1);
  throw fieldFailure(
    field,
    composeSentence(serviceSentences["id-unknown"], {
      kind: what,
      id: JSON.stringify(unknown.slice(0, 100)),
    }),
  );
}
