// 429 for what people may try only so often in a quarter of an hour (V4-375, V3-204).

import { composeSentence } from "../../contract/sentence-templates.ts";
import { serviceSentences } from "../../contract/sentences/service-sentences.ts";
import { Refusal } from "./v4-errors.ts";

/** With the sentence of the limit that was reached. */
export function tooManyAttempts(
  limit: "sign-ins-limit" | "sign-ins-begun-limit" | "password-links-limit",
  seconds: number,
): Refusal {
  return new Refusal(
    429,
    "53400",
    composeSentence(serviceSentences[limit], { seconds }),
    { headers: { "Retry-After": String(seconds) } },
  );
}
