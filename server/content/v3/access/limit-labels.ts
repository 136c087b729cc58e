// Labels that a key or a person is limited to, as version 3 shows them (V3-134).

import type { ApiKeyV3 } from "../../../contract/v3/v3-access.ts";
import { shownGroups } from "../operation/references.ts";
import type { V3 } from "../operation/v3.ts";

type ShownLabels = ApiKeyV3["labels"];

/** A function from stored ids to what is shown, for all of these rows at once. */
export async function limitLabelsOf(
  v3: V3,
  team: string,
  rows: readonly { readonly labelIds: readonly string[] | null }[],
): Promise<(ids: readonly string[] | null) => ShownLabels> {
  const all = rows.flatMap(({ labelIds }) => labelIds ?? []);
  const names = all.length === 0 ? null : await shownGroups(v3, team, all);
  return (ids) =>
    ids && ids.map((id) => ({ id, name: names?.get(id)?.name ?? null }));
}
