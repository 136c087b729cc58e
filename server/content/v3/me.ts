// The authenticated client: the team of its key, and the person it is for (V3-5).

import { actorOf, teamOf } from "../access/access.ts";
import { baseOf } from "../files/resolve-addresses.ts";
import { sendJson, type Methods } from "../http/routes.ts";
import type { PersonRow } from "../people/tables.ts";
import { notFound } from "./operation/responses.ts";
import type { V3 } from "./operation/v3.ts";

export function createMe(
  { database, people }: V3,
  publicUrl?: string,
): Methods {
  const { kysely } = database;
  return {
    GET: async (request, response) => {
      const team = teamOf(response);
      const found = await kysely
        .selectFrom("teams")
        .select(["id", "name"])
        .where("id", "=", team)
        .executeTakeFirst();
      if (!found) throw notFound();
      const actor = actorOf(response);
      const person =
        actor?.kind === "person" ? await people.find(actor.id) : null;
      const user = await kysely
        .selectFrom("users")
        .select(["id", "first_name", "last_name", "email"])
        .where("team_id", "=", team)
        .orderBy("id")
        .executeTakeFirst();
      const { id, name } = found;
      const url = baseOf(request, publicUrl);
      sendJson(response, 200, {
        workspace: { id, name, url },
        // A key belongs to a team; a service without users presents the team as its only one.
        user: (person && userFrom(person)) ??
          user ?? { id, first_name: name, last_name: "", email: "" },
      });
    },
  };
}

function userFrom({ id, name, email }: PersonRow) {
  return { id, first_name: name, last_name: "", email };
}
