// Errors of a content service, classified in one place: each kind has its own remedy.

import { composeSentence } from "../../../contract/sentence-templates.ts";
import { connectionSentences } from "../../../contract/sentences/connection-sentences.ts";
import { generalSentences } from "../../../contract/sentences/general-sentences.ts";
import { playerSentences } from "../../../contract/sentences/player-sentences.ts";
import { Failure } from "../../../core/failure.ts";
import type { SyncProblem } from "../../../core/sync-plan/sync-state.ts";
import { OutsideError, systemCode } from "../../../platform/outside-error.ts";
import { reasonOfConnection } from "../../../platform/http/client.ts";
import { ProxyError } from "../../../platform/http/proxy-tunnel.ts";

export class RemoteError extends Error {
  readonly code: SyncProblem["code"];
  /** Retry-After of the service, in milliseconds. */
  readonly waitMs: number | null;
  /** HTTP status of the response; null if there was none. */
  readonly status: number | null;

  constructor(
    code: SyncProblem["code"],
    message: string,
    waitMs: number | null = null,
    status: number | null = null,
  ) {
    super(message);
    this.name = "RemoteError";
    this.code = code;
    this.waitMs = waitMs;
    this.status = status;
  }
}

/** Translates a connection error into words; a bug stays a bug. */
export function toRemoteError(error: unknown, whose: string): unknown {
  if (error instanceof RemoteError) return error;
  if (error instanceof OutsideError && error.kind === "no-space")
    return new RemoteError("no-space", error.message);
  if (error instanceof Failure && error.code === "no-space")
    return new RemoteError("no-space", error.message);
  const code = systemCode(error);
  if (code === "ENOSPC" || code === "EDQUOT" || code === "SQLITE_FULL")
    return new RemoteError("no-space", playerSentences["disk-full"]);
  if (
    code !== undefined &&
    /^(EROFS|EACCES|EPERM|SQLITE_(READONLY|IOERR|CANTOPEN)\w*)$/.test(code)
  )
    return new RemoteError(
      "read-only",
      connectionSentences["folder-unwritable"],
    );
  if (code !== undefined && /^(EIO|EMFILE|ENFILE|ENOENT)$/.test(code))
    return new RemoteError(
      "read-only",
      connectionSentences["folder-unreadable"],
    );
  if (error instanceof ProxyError)
    return new RemoteError("proxy", `${whose}: ${error.message}.`);
  if (code !== undefined && isCertificate(code))
    return new RemoteError(
      "certificate",
      composeSentence(connectionSentences.untrusted, {
        whose,
        reason: reasonOfConnection(error),
      }),
    );
  if (!isOfConnection(error)) return error;
  return new RemoteError(
    "unavailable",
    composeSentence(connectionSentences.unreachable, {
      whose,
      reason: reasonOfConnection(error),
    }),
  );
}

/** Like `toRemoteError`; a bug is logged and then treated as a remote error that a retry may not meet (V2-533). */
export function toRemoteErrorOrBug(
  error: unknown,
  whose: string,
  noteBug: (error: unknown) => void,
): RemoteError {
  const failure = toRemoteError(error, whose);
  if (failure instanceof RemoteError) return failure;
  noteBug(error);
  return new RemoteError("bug", generalSentences.unforeseen);
}

function isCertificate(code: string): boolean {
  return /^(CERT_|ERR_TLS_CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/.test(code);
}

/** Errors of sockets, parsers and decompression; anything else is our bug. */
function isOfConnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof OutsideError) return true;
  if (/^(Timeout|Abort)Error$/.test(error.name)) return true;
  const code = systemCode(error) ?? "";
  return (
    /^(E[A-Z]+|HPE_|ERR_STREAM|ERR_SSL|ERR_TLS|ERR_HTTP|Z_)/.test(code) ||
    error.message.startsWith("redirected") ||
    error.message === "aborted"
  );
}

/** The server asks to retry later, or fails itself. */
export function isBusy(status: number): boolean {
  return status >= 500 || [408, 425, 429].includes(status);
}

const maxWaitMs = 24 * 3_600_000;

/** Parses Retry-After, in seconds or as a date; null if it makes no sense. */
export function waitOf(header: string | undefined, now: number): number | null {
  if (header === undefined) return null;
  const ms = /^\d{1,9}$/.test(header.trim())
    ? Number(header) * 1000
    : Date.parse(header) - now;
  return Number.isFinite(ms) && ms > 0 ? Math.min(ms, maxWaitMs) : null;
}
