// The command "people": invites, lists, disables and enables people, and resets their passwords (V4-379).

import { Failure } from "../../core/failure.ts";
import type { Keys } from "../access/keys.ts";
import type { Grant } from "../grant-flags.ts";
import { invitationLink } from "./invitation-link.ts";
import type { People } from "./people.ts";
import type { PersonRow } from "./tables.ts";

type Act = (keys: Keys, people: People) => Promise<void>;

const invitedTeam = "Vitrine";

/** Null for an unknown action. `address` is that of the service. */
export function peopleAction(
  words: readonly string[],
  { role = "viewer", labels }: Grant,
  address: string,
): Act | null {
  const [command, action, email, team, ...others] = words;
  if (command !== "people" || others.length > 0) return null;
  if (action === "list" && email === undefined) return printPeople;
  if (email === undefined) return null;
  if (action === "invite")
    return async (keys, people) => {
      if (!/^[^\s@]+@[^\s@]+$/.test(email))
        throw new Failure("malformed", `${email} is not an email address.`);
      const teamId = await keys.teamNamed(team ?? invitedTeam);
      const { secret } = await people.invite(teamId, {
        ...{ email, role, labels: labels ?? null },
      });
      // Alone on its line, so that a script can read it.
      console.log(invitationLink(address, secret));
    };
  if (team !== undefined) return null;
  if (action === "disable" || action === "enable")
    return async (_keys, people) => {
      const { id, team_id } = await personWith(people, email);
      await people.change(team_id, id, { isDisabled: action === "disable" });
    };
  if (action === "reset")
    return async (_keys, people) => {
      const person = await personWith(people, email);
      const { secret } = await people.reset(person);
      console.log(invitationLink(address, secret));
    };
  return null;
}

async function personWith(people: People, email: string): Promise<PersonRow> {
  const person = await people.findByEmail(email);
  if (person) return person;
  throw new Failure(
    "not-found",
    `There is no person with the email address ${email}.`,
  );
}

const printPeople: Act = async (keys, people) => {
  const moment = (ms: number): string => new Date(Number(ms)).toISOString();
  for (const person of await people.list()) {
    const { id, email, name, role, last_sign_in_at: signedInAt } = person;
    const labels = person.label_ids
      ? await keys.labelNames(JSON.parse(person.label_ids) as string[])
      : [];
    const facts = [
      labels.length > 0 ? `${role} for ${labels.join(", ")}` : role,
      signedInAt === null
        ? "never signed in"
        : `signed in ${moment(signedInAt)}`,
      ...(person.is_disabled ? ["disabled"] : []),
      ...(person.totp_secret === null ? [] : ["second factor"]),
    ];
    console.log([id, ...facts, email, name].join("  "));
  }
};
