// Errors for changes that are held back or can't be checked (V3-107).

import {
  applyAnywayHeader,
  type BrokenAssertionV3,
} from "../../contract/v3/v3-what-if.ts";
import { Failure } from "../../core/failure.ts";
import { Refusal } from "../http/v4-errors.ts";

const listedNames = 5;

/** Names the assertions, in the error format of either interface. */
export function heldBack(broken: readonly BrokenAssertionV3[]): Refusal {
  const names = broken
    .slice(0, listedNames)
    .map(
      ({ name, newly_broken_screens: { count } }) =>
        `“${name}” on ${count} ${count === 1 ? "screen" : "screens"}`,
    );
  const more = broken.length - names.length;
  if (more > 0) names.push(`${more} more`);
  return new Refusal(
    409,
    "P0001",
    `This change breaks ${names.join(", ")}. Nothing was changed. Send ${applyAnywayHeader}: true to apply it anyway.`,
  );
}

/** A change that can't be checked isn't applied unnoticed. */
export function uncheckable({ code, message }: Failure): Failure {
  return new Failure(
    code,
    `The assertions cannot be checked: ${message} Nothing was changed. Send ${applyAnywayHeader}: true to apply it without a check.`,
  );
}
