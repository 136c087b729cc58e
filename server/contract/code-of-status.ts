// The code of a failure for each status with which an interface rejects a request.

import type { FailureCode } from "../core/failure.ts";

export const codeOfStatus: Readonly<Record<number, FailureCode>> = {
  400: "invalid",
  401: "unauthorized",
  403: "forbidden",
  404: "not-found",
  408: "unavailable",
  409: "conflict",
  412: "conflict",
  413: "too-large",
  415: "unsupported",
  429: "too-many",
  503: "unavailable",
  507: "no-space",
};

/** Between a server and its client, a proxy may be busy; any other status without a code is a fault. */
export function rejectionCode(status: number): FailureCode | "internal" {
  return codeOfStatus[status] ?? (status > 500 ? "unavailable" : "internal");
}
