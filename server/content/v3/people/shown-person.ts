// People as version 3 shows them (V3-163).

import type { PersonV3 } from "../../../contract/v3/v3-people.ts";
import { labelIdsFrom } from "../../access/limit-labels.ts";
import type { PersonRow } from "../../people/tables.ts";
import { limitLabelsOf } from "../access/limit-labels.ts";
import type { V3 } from "../operation/v3.ts";

/** All of one team. */
export async function shownPeople(
  v3: V3,
  team: string,
  rows: readonly PersonRow[],
): Promise<readonly PersonV3[]> {
  const people = rows.map((row) => ({
    ...row,
    labelIds: labelIdsFrom(row.label_ids),
  }));
  const labelsOf = await limitLabelsOf(v3, team, people);
  return people.map((row): PersonV3 => {
    const { id, email, name, role, last_sign_in_at: signedInAt } = row;
    return {
      ...{ id, email, name, role, labels: labelsOf(row.labelIds) },
      is_disabled: Boolean(row.is_disabled),
      has_password: row.password_hash !== null,
      has_second_factor: row.totp_secret !== null,
      created_at: textOfMoment(row.created_at),
      last_sign_in_at: signedInAt === null ? null : textOfMoment(signedInAt),
    };
  });
}

export async function shownPerson(v3: V3, row: PersonRow): Promise<PersonV3> {
  const [shown] = await shownPeople(v3, row.team_id, [row]);
  if (!shown) throw new Error("one row is one person");
  return shown;
}

export function textOfMoment(ms: number): string {
  return new Date(Number(ms)).toISOString();
}
