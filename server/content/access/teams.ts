// Creates a team with its built-in label, which every team has exactly once.

import type { Kysely } from "kysely";
import type { ContentTables } from "../tables.ts";

export interface NewTeam {
  readonly id: string;
  readonly name: string;
  /** Id of its label All Screens. */
  readonly labelId: string;
  /** Milliseconds since 1970. */
  readonly moment: number;
}

export async function addTeam(
  kysely: Kysely<ContentTables>,
  { id, name, labelId, moment }: NewTeam,
): Promise<void> {
  await kysely.transaction().execute(async (transaction) => {
    await transaction
      .insertInto("teams")
      .values({ id, name, domain: domainFrom(name), created_at: moment })
      .execute();
    await transaction
      .insertInto("labels")
      .values({
        id: labelId,
        team_id: id,
        type: "all-screens",
        name: "all-screens",
        human_name: "All Screens",
        created_at: moment,
      })
      .execute();
  });
}

/** Maximum length of one label of a host name. */
const domainLength = 63;

/** `Café West` → `cafe-west`, valid as part of a host name; empty where no character is valid there. */
function domainFrom(name: string): string {
  return name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .split(/[^a-z0-9]/)
    .filter((word) => word !== "")
    .join("-")
    .slice(0, domainLength)
    .replace(/-$/, "");
}
