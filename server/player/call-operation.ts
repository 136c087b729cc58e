// Calls an operation of the player's own interface from within the process: the manager can do what any client can, by the same
// rules.

import {
  outcomeOf,
  requestOf,
  type Operate,
  type OperateOutcome,
} from "../contract/v2/operations/operation-client.ts";

export interface LocalApi {
  /** Where it listens. */
  readonly address: string;
  /** As it was configured to listen: `127.0.0.1`, `0.0.0.0` … */
  readonly host: string;
  /** Admits the player itself where credentials are required. */
  readonly secret: string;
}

/** Long enough for the slowest operation that responds when it is done, a backup. */
const maxMs = 600_000;

/** Throws what `requestOf` throws, and what `fetch` throws when nothing listens. */
export async function operate(
  localApi: LocalApi,
  operation: Operate,
): Promise<OperateOutcome> {
  const { method, path, body } = requestOf(operation);
  const answer = await fetch(new URL(path, reachable(localApi)), {
    method,
    headers: {
      Authorization: `Bearer ${localApi.secret}`,
      ...(body === null ? {} : { "Content-Type": "application/json" }),
    },
    body,
    signal: AbortSignal.timeout(maxMs),
  });
  return outcomeOf({
    status: answer.status,
    contentType: answer.headers.get("content-type"),
    text: await answer.text(),
  });
}

/** A server that listens on all addresses is called on loopback: its network address may change. */
function reachable({ address, host }: LocalApi): URL {
  const url = new URL(address);
  if (host === "0.0.0.0") url.hostname = "127.0.0.1";
  if (host === "::") url.hostname = "[::1]";
  return url;
}
