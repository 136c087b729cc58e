// The person who is signed in to the content service.

import { createContext, useContext } from "react";
import type { PersonV3 } from "../../../server/contract/v3/v3-people.ts";

export const PersonContext = createContext<PersonV3 | null>(null);

/** Only for what is rendered behind the sign-in. */
export function usePerson(): PersonV3 {
  const person = useContext(PersonContext);
  if (person === null) throw new Error("Nobody is signed in.");
  return person;
}
