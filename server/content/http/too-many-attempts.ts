// 429 for what people may try only so often in a quarter of an hour (V4-375, V3-204).

import { Refusal } from "./v4-errors.ts";

/** `what` as in `Too many failed sign-ins.` */
export function tooManyAttempts(what: string, seconds: number): Refusal {
  return new Refusal(
    429,
    "53400",
    `Too many ${what}. Try again in ${seconds} seconds.`,
    { headers: { "Retry-After": String(seconds) } },
  );
}
