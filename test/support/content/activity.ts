// Entries of the activity log, as version 3 lists them.

import {
  activityPageV3,
  type ActivityV3,
} from "../../../server/contract/v3/v3-activity.ts";
import type { ClientV3 } from "./each-v3.ts";

/** The newest first, a hundred at most. */
export async function entriesOf(
  client: Pick<ClientV3, "get">,
  query = "",
): Promise<readonly ActivityV3[]> {
  const page = activityPageV3.parse(await client.get(`/activity${query}`));
  return page.entries;
}

/** Those of one kind, the oldest first, without who, where and when. */
export async function briefEntriesOf(
  client: Pick<ClientV3, "get">,
  kind: ActivityV3["kind"],
) {
  const entries = await entriesOf(client, `?kind=${kind}`);
  return entries.toReversed().map(briefly);
}

export function briefly({ kind, what, name, changes }: ActivityV3) {
  return { kind, what, name, changes };
}
