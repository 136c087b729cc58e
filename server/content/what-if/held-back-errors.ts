// Errors for changes that are held back or can't be checked (V3-107).

import { composeSentence } from "../../contract/sentence-templates.ts";
import { serviceSentences } from "../../contract/sentences/service-sentences.ts";
import {
  applyAnywayHeader,
  type HeldBackV3,
  type WhatIfV3,
} from "../../contract/v3/v3-what-if.ts";
import { Failure } from "../../core/failure.ts";
import { Refusal } from "../http/v4-errors.ts";

const listedNames = 5;

/** Names the assertions, in the error format of either interface. */
export class HeldBackRefusal extends Refusal {
  /** With the assertions that the write would break. */
  readonly whatIf: WhatIfV3;

  constructor(whatIf: WhatIfV3) {
    const broken = whatIf.assertions;
    const names = broken
      .slice(0, listedNames)
      .map(
        ({ name, newly_broken_screens: { count } }) =>
          `“${name}” on ${count} ${count === 1 ? "screen" : "screens"}`,
      );
    const more = broken.length - names.length;
    if (more > 0) names.push(`${more} more`);
    super(
      409,
      "P0001",
      composeSentence(serviceSentences.breaks, {
        names: names.join(", "),
        header: applyAnywayHeader,
      }),
    );
    this.whatIf = whatIf;
  }
}

/** A change that can't be checked isn't applied unnoticed. */
export class Uncheckable extends Failure {
  constructor({ code, message }: Failure) {
    super(
      code,
      composeSentence(serviceSentences.unchecked, {
        problem: message,
        header: applyAnywayHeader,
      }),
    );
  }
}

/** What version 3 returns besides the sentence (V3-196). */
export function heldBackFields(
  error: unknown,
): Pick<HeldBackV3, "what_if"> | null {
  if (error instanceof HeldBackRefusal) return { what_if: error.whatIf };
  return error instanceof Uncheckable ? { what_if: null } : null;
}
