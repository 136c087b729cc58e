// Converts a Failure to a version 2 error response: one table for the status, one shape for the body (V2-3).

import type { ErrorRequestHandler } from "express";
import { generalSentences } from "../../../contract/sentences/general-sentences.ts";
import { playerSentences } from "../../../contract/sentences/player-sentences.ts";
import { Failure, type FailureCode } from "../../../core/failure.ts";
import type { Log } from "../../../platform/log.ts";
import { isOutOfDescriptors } from "../../../platform/process/descriptors.ts";
import { diskRefusalOf } from "../../../platform/outside-error.ts";
import { isFull, isUnwritable } from "../../../platform/sqlite/sqlite-copy.ts";
import { isBusy } from "../../../platform/sqlite/sqlite-lock.ts";
import { hasBody } from "./body.ts";
import { lockedSentence } from "./database-lock.ts";

const statusOf: Readonly<Record<FailureCode, number>> = {
  "not-found": 404,
  malformed: 400,
  invalid: 400,
  "unknown-name": 400,
  conflict: 409,
  unauthorized: 401,
  forbidden: 403,
  "too-large": 413,
  "no-space": 507,
  unavailable: 503,
  corrupt: 400,
  unsupported: 415,
  "too-many": 429,
};

/** A locked database is soon free; a full disk needs a person to clear it (V2-504). */
const againAfterSeconds: Readonly<Record<number, number>> = { 503: 2, 507: 60 };

export function answerFailures(log: Log): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    const failure = asFailure(error);
    if (!failure)
      log.error("v2.request-failed", {
        error,
        method: request.method,
        path: request.path,
      });
    // In the middle of a body no error can be sent any more; the broken connection signals it.
    if (response.headersSent) {
      next(error);
      return;
    }
    const status = failure ? statusOf[failure.code] : 500;
    // Unread bytes of the body would be taken for the next request on this connection.
    if (hasBody(request) && !request.complete)
      response.setHeader("Connection", "close");
    if (status in againAfterSeconds && !response.hasHeader("Retry-After"))
      response.setHeader("Retry-After", againAfterSeconds[status] ?? 0);
    response
      .status(status)
      .json(failure?.fields ?? { detail: failure?.message ?? unforeseen });
  };
}

const unforeseen = generalSentences.unforeseen;

function asFailure(error: unknown): Failure | null {
  if (error instanceof Failure) return error;
  if (!(error instanceof Error)) return null;
  if (isBusy(error)) return new Failure("unavailable", lockedSentence);
  if (isOutOfDescriptors(error))
    return new Failure("unavailable", playerSentences.descriptors);
  const refusal = diskRefusalOf(error);
  if (isFull(error) || refusal === "full")
    return new Failure("no-space", playerSentences["disk-full"]);
  if (isUnwritable(error) || refusal === "unwritable")
    return new Failure("no-space", playerSentences["disk-unwritable"]);
  // Errors of Express and its body parsers carry a status of their own.
  const status = "status" in error ? Number(error.status) : 500;
  if (status === 413)
    return new Failure("too-large", playerSentences["body-too-large"]);
  if (status === 415)
    return new Failure(
      "unsupported",
      "This content encoding is not supported.",
    );
  if (status >= 400 && status < 500)
    return new Failure("malformed", sentenceOf(error));
  return null;
}

function sentenceOf(error: Error): string {
  const type = "type" in error ? String(error.type) : "";
  if (type === "entity.parse.failed") return "The body is not valid JSON.";
  if (type === "request.aborted") return playerSentences["body-incomplete"];
  if (error instanceof URIError) return "The path is not encoded correctly.";
  return "The request cannot be read.";
}
