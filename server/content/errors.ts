// Failure → HTTP answer in the format of the requested interface: four keys for version 4, `detail` for version 3 (V4-208).

import type { ErrorRequestHandler } from "express";
import { serviceSentences } from "../contract/sentences/service-sentences.ts";
import { Failure, type FailureCode } from "../core/failure.ts";
import type { Log } from "../platform/log.ts";
import {
  diskRefusalOf,
  OutsideError,
  systemCode,
  type OutsideErrorKind,
} from "../platform/outside-error.ts";
import { StorageAwayError } from "./files/storage-away.ts";
import { IngestError } from "./ingest/ingest-error.ts";
import { answerFailuresV3 } from "./v3/operation/errors.ts";
import { answerFailuresV4, isFaultOfDatabase } from "./v4/respond/errors.ts";
import { Refusal } from "./http/v4-errors.ts";

const codeOfOutside: Readonly<Record<OutsideErrorKind, FailureCode>> = {
  "address-in-use": "unavailable",
  "no-space": "no-space",
  "too-large": "too-large",
  "broken-off": "malformed",
  corrupt: "corrupt",
};

/** For everything that fails before, outside or after an interface. */
export function answerFailures(log: Log): ErrorRequestHandler {
  const answerV4 = answerFailuresV4(log);
  const answerV3 = answerFailuresV3(log);
  return (error: unknown, request, response, next) => {
    const isV3 = /^\/(api\/)?(v3|link)\b/.test(request.originalUrl);
    const answer = isV3 ? answerV3 : answerV4;
    if (isFaultOfStorage(error) || error instanceof StorageAwayError)
      log.error("store.failed", { error });
    if (isFaultOfDatabase(error)) log.error("database.failed", { error });
    void answer(toRefusal(error), request, response, next);
  };
}

/** Translates errors of the service's own parts into Refusals. */
function toRefusal(error: unknown): unknown {
  if (isFaultOfStorage(error)) return refusalOfStorage(systemCode(error));
  if (error instanceof StorageAwayError) return refusalOfStorage(undefined);
  if (error instanceof IngestError)
    return new Failure("invalid", error.message);
  if (error instanceof OutsideError)
    return isOfGoneFolder(error)
      ? refusalOfStorage(systemCode(error.cause))
      : new Failure(codeOfOutside[error.kind], error.message);
  if (error instanceof URIError)
    return new Failure("malformed", "The path is not encoded correctly.");
  if (!(error instanceof Error) || !("status" in error)) return error;
  // A range beyond the end of a file is answered with the file's length.
  const { headers = {} } = error as { headers?: Record<string, string> };
  if (error.status === 416)
    return new Refusal(416, "PGRST103", "Requested range not satisfiable", {
      headers,
    });
  if (error.status === 404)
    return new Failure("not-found", serviceSentences["file-unknown"]);
  if (error.status === 412)
    return new Refusal(
      412,
      "412",
      "The file does not meet the conditions of the request",
    );
  return error;
}

/** A system error of a file: one with a path, which no client may see, or a disk error on an open file. */
function isFaultOfStorage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // `send` reports with a status: 404 and 416 are not storage faults.
  if ("status" in error && Number(error.status) < 500) return false;
  return "path" in error
    ? /^E[A-Z0-9]+$/.test(systemCode(error) ?? "")
    : "syscall" in error && diskRefusalOf(error) !== null;
}

/** A missing folder is reported as no disk space, although the disk is not full (V4-272). */
function isOfGoneFolder({ kind, cause }: OutsideError): boolean {
  return kind === "no-space" && systemCode(cause) === "ENOENT";
}

function refusalOfStorage(code: string | undefined): Refusal {
  return code === "ENOSPC" || code === "EDQUOT"
    ? new Refusal(507, "53100", serviceSentences["disk-full"])
    : new Refusal(503, "58030", serviceSentences["files-unavailable"], {
        headers: { "Retry-After": "5" },
      });
}
