// Failure → version 3 answer: messages by field for invalid input, `detail` for everything else (V3-4).

import type { ErrorRequestHandler } from "express";
import { generalSentences } from "../../../contract/sentences/general-sentences.ts";
import type { Log } from "../../../platform/log.ts";
import { answerOf } from "../../v4/respond/errors.ts";
import { heldBackFields } from "../../what-if/held-back-errors.ts";
import type { RefusalAnswer } from "../../http/v4-errors.ts";

export function answerFailuresV3(log: Log): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    const answer = answerOf(error);
    if (!answer || answer.status === 500)
      log.error("v3.request-failed", {
        ...{ error, method: request.method, path: request.path },
      });
    // In the middle of a list no error can be sent any more; the connection is cut instead.
    if (response.headersSent) {
      next(error);
      return;
    }
    // The unread rest of the body would be taken for the next request on this connection.
    if (!request.complete) response.setHeader("Connection", "close");
    response
      .status(answer?.status ?? 500)
      .set(answer?.headers ?? {})
      .setHeader("Content-Type", "application/json; charset=utf-8")
      .end(JSON.stringify(answer ? bodyOf(answer, error) : unforeseen));
  };
}

const unforeseen = {
  detail: generalSentences.unforeseen,
};

function bodyOf(
  { status, message, fields }: RefusalAnswer,
  error: unknown,
): unknown {
  if (status !== 400) return { detail: message, ...heldBackFields(error) };
  return fields ?? { non_field_errors: [message] };
}
