// Failure → version 4 answer: the same four keys and messages for every error, on both databases (V4-32).

import type { ErrorRequestHandler, Response } from "express";
import { generalSentences } from "../../../contract/sentences/general-sentences.ts";
import {
  Failure,
  type FailureCode,
  type FieldSentences,
} from "../../../core/failure.ts";
import { DatabaseError } from "../../../platform/database/database.ts";
import type { Log } from "../../../platform/log.ts";
import {
  badBody,
  Refusal,
  statusOfState,
  type RefusalAnswer,
} from "../../http/v4-errors.ts";

type StatusAndCode = readonly [status: number, code: string];

const statusByFailure: Readonly<Record<FailureCode, StatusAndCode>> = {
  "not-found": [404, "PGRST125"],
  malformed: [400, "PGRST102"],
  invalid: [400, "22023"],
  "unknown-name": [400, "42703"],
  conflict: [409, "23505"],
  unauthorized: [401, "PGRST301"],
  forbidden: [403, "42501"],
  "too-large": [413, "PGRST102"],
  "no-space": [507, "53100"],
  unavailable: [503, "57P03"],
  corrupt: [400, "22023"],
  unsupported: [415, "PGRST102"],
  "too-many": [429, "53400"],
};

export function answerFailuresV4(log: Log): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    const answer = answerOf(error);
    if (!answer || answer.status === 500)
      log.error("v4.request-failed", {
        ...{ error, method: request.method, path: request.path },
      });
    // In the middle of a list no error can be sent any more; the connection is cut instead.
    if (response.headersSent) {
      next(error);
      return;
    }
    // The unread rest of the body would be taken for the next request on this connection.
    if (!request.complete) response.setHeader("Connection", "close");
    sendRefusal(response, answer ?? unforeseen);
  };
}

function sendRefusal(
  response: Response,
  { status, code, message, details, hint, headers, type }: RefusalAnswer,
): void {
  if (status === 401) response.setHeader("WWW-Authenticate", "Token");
  response
    .status(status)
    .set(headers)
    .type("application/json; charset=utf-8")
    .send(
      JSON.stringify({ code, message, details, hint, ...(type && { type }) }),
    );
}

const unforeseen: RefusalAnswer = {
  status: 500,
  code: "XX000",
  message: generalSentences.unforeseen,
  ...{ details: null, hint: null, headers: {} },
};

/** Errors that the operator should know about. */
export function isFaultOfDatabase(error: unknown): boolean {
  return (
    error instanceof DatabaseError &&
    (error.sqlState === "08004" ||
      faultOfDatabase(error.sqlState) !== undefined)
  );
}

/** Null: a bug, or a fault of the database. */
export function answerOf(error: unknown): RefusalAnswer | null {
  if (error instanceof Refusal) return error.answer;
  if (error instanceof DatabaseError) return answerOfDatabase(error);
  if (error instanceof Failure) {
    const [status, code] = statusByFailure[error.code];
    const { fields } = error;
    return new Refusal(status, code, error.message, {
      ...(fields && { fields, details: textOf(fields) }),
    }).answer;
  }
  // Express and its body parsers throw errors with a status of their own.
  if (!(error instanceof Error) || !("status" in error)) return null;
  const status = Number(error.status);
  if (status === 413) return badBody("The body is too large", status).answer;
  if (status === 415)
    return badBody("This content encoding is not supported", status).answer;
  return status >= 400 && status < 500
    ? badBody("The body cannot be read").answer
    : null;
}

function textOf(fields: FieldSentences): string {
  return Object.values(fields).flat().join("\n");
}

/** Messages of a driver name tables that no client knows. */
const sentences: Readonly<Record<string, string>> = {
  "23505": "duplicate key value violates unique constraint",
  "23503":
    "insert or update violates foreign key constraint: it refers to a row that does not exist",
  "23502": "null value violates not-null constraint",
  "23514": "new row violates check constraint",
  "54000": "a value is too large for the database",
  "53100": "there is no space left on the disk",
  "55P03": "the database is busy",
  "57014": "the request took too long and was canceled",
  "08004": "the database is not available",
  "08006": "the database is not available",
};

/** A fault of the database or its disk, reported by PostgreSQL or by us; the driver's message would name its files. */
function faultOfDatabase(sqlState: string): string | undefined {
  if (sqlState === "XX001" || sqlState === "XX002")
    return "the database is damaged";
  if (sqlState === "25006") return "the database is read-only right now";
  // Tables of the service are missing or inaccessible: no client can cause that.
  const isTaken = sqlState === "42P01" || sqlState === "42501";
  return sqlState.startsWith("58") || isTaken
    ? "the database cannot be read or written to right now"
    : undefined;
}

function answerOfDatabase({
  sqlState,
  message,
}: DatabaseError): RefusalAnswer | null {
  const fault = faultOfDatabase(sqlState);
  const status = fault === undefined ? statusOfState(sqlState) : 503;
  if (status === 500) return null;
  const text = sentences[sqlState] ?? fault ?? message;
  return new Refusal(status, sqlState, text, {
    headers: status === 503 ? { "Retry-After": "1" } : {},
  }).answer;
}
