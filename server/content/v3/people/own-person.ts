// The person who is signed in, and the confirmation by their password of what a session alone is not enough for (V3-164 to V3-166).

import type { Request, Response } from "express";
import { sentenceFor } from "../../../contract/field-error.ts";
import { fieldSentences } from "../../../contract/sentences/field-sentences.ts";
import { fieldFailure } from "../../../core/failure.ts";
import { actorOf } from "../../access/access.ts";
import type { PersonRow } from "../../people/tables.ts";
import { notFound } from "../operation/responses.ts";
import type { V3 } from "../operation/v3.ts";

/** A key has no account: 404. */
export async function ownPerson(
  { people }: V3,
  response: Response,
): Promise<PersonRow> {
  const actor = actorOf(response);
  const person = actor?.kind === "person" ? await people.find(actor.id) : null;
  if (!person) throw notFound();
  return person;
}

/** A session that somebody left open is not enough to take an account over. Throws `invalid` for a wrong password. */
export async function confirmPassword(
  { people, signInLimit }: V3,
  request: Request,
  person: PersonRow,
  field: string,
  password: string,
): Promise<void> {
  const isRight = await signInLimit.run(
    request.ip ?? "",
    person.email,
    async () => (await people.isPasswordOf(person, password)) || null,
  );
  if (!isRight)
    throw fieldFailure(field, sentenceFor(field, fieldSentences.wrong));
}
