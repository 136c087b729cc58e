// Predicates: validates a text as a predicate, and evaluates it at a moment in a time zone (V3-50 to V3-52).

import {
  evaluatePredicateV3,
  validatePredicateV3,
} from "../../../contract/v3/v3.ts";
import { parsePredicate } from "../../../core/predicate/predicate.ts";
import { wallClockOf } from "../../../core/wall-clock.ts";
import { judged } from "../../http/json-body.ts";
import { sendJson, type Methods } from "../../http/routes.ts";
import { fieldsOf } from "../operation/fields.ts";

export interface Predicates {
  readonly validation: Methods;
  readonly evaluation: Methods;
}

export function createPredicates(now: () => number): Predicates {
  return {
    validation: {
      POST: (request, response) => {
        const { predicate } = judged(validatePredicateV3, fieldsOf(request));
        const { problem } = parsePredicate(predicate);
        const errors =
          problem === null
            ? []
            : [{ message: problem.message, position: problem.position }];
        sendJson(response, 201, { valid: problem === null, errors });
      },
    },
    evaluation: {
      POST: (request, response) => {
        const { predicate, at, timezone } = judged(
          evaluatePredicateV3,
          fieldsOf(request),
        );
        const clock = wallClockOf(timezone ?? "UTC");
        const read = parsePredicate(predicate).predicate;
        const result = read?.holds(clock.wallTimeAt(at ?? now())) ?? false;
        sendJson(response, 201, { result });
      },
    },
  };
}
