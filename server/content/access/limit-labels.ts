// Labels that a key or a person is limited to: found by name or id, and stored as JSON of their ids (V4-362).

import type { Kysely } from "kysely";
import { composeSentence } from "../../contract/sentence-templates.ts";
import { serviceSentences } from "../../contract/sentences/service-sentences.ts";
import { fieldFailure } from "../../core/failure.ts";
import type { ContentTables } from "../tables.ts";

/** Null: no limit. A label that is deleted stays in the list, so that a limit never comes to be none. */
export function labelIdsFrom(stored: string | null): readonly string[] | null {
  return stored === null ? null : (JSON.parse(stored) as readonly string[]);
}

export function textOfLabelIds(ids: readonly string[] | null): string | null {
  return ids && JSON.stringify(ids);
}

/**
 * The ids of these labels that people created, by id or by name. Throws `invalid` for an empty list, a label that does not
 * exist, and a name that several have.
 */
export async function labelsNamed(
  kysely: Kysely<ContentTables>,
  teamId: string,
  wanted: readonly string[],
): Promise<readonly string[]> {
  if (wanted.length === 0)
    throw fieldFailure("labels", serviceSentences["labels-none"]);
  const labels = await kysely
    .selectFrom("labels")
    .select(["id", "name"])
    .where("team_id", "=", teamId)
    .where("type", "=", "manual")
    .where((eb) => eb.or([eb("id", "in", wanted), eb("name", "in", wanted)]))
    .execute();
  const ids = wanted.map((one) => {
    const byId = labels.find(({ id }) => id === one);
    const found = byId ? [byId] : labels.filter(({ name }) => name === one);
    const [label] = found;
    const quoted = JSON.stringify(one.slice(0, 100));
    if (!label)
      throw fieldFailure(
        "labels",
        composeSentence(serviceSentences["label-unknown"], { name: quoted }),
      );
    if (found.length > 1)
      throw fieldFailure(
        "labels",
        composeSentence(serviceSentences["label-ambiguous"], { name: quoted }),
      );
    return label.id;
  });
  return [...new Set(ids)];
}
