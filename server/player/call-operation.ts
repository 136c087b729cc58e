// Calls an operation of the player's own interface from within the process: the manager can do what any client can, by the same
// rules.

import type { OperateOutcome } from "../contract/ipc/ipc-operate.ts";
import { operationsV2 } from "../contract/v2/operations/v2-operations.ts";
import { Failure, type FailureCode } from "../core/failure.ts";

export interface Operate {
  readonly operation: string;
  readonly parameters?: Readonly<Record<string, string>> | undefined;
  readonly body?: unknown;
}

export interface LocalApi {
  /** Where it listens. */
  readonly address: string;
  /** As it was configured to listen: `127.0.0.1`, `0.0.0.0` … */
  readonly host: string;
  /** Admits the player itself where credentials are required. */
  readonly secret: string;
}

const codeOf: Readonly<Record<number, FailureCode>> = {
  400: "invalid",
  401: "unauthorized",
  403: "forbidden",
  404: "not-found",
  409: "conflict",
  413: "too-large",
  415: "unsupported",
  429: "too-many",
  503: "unavailable",
  507: "no-space",
};

/** Long enough for the slowest operation that responds when it is done, a backup. */
const maxMs = 600_000;

/** Throws a Failure `unknown-name` for an unknown operation, and what `fetch` throws when nothing listens. */
export async function operate(
  localApi: LocalApi,
  { operation, parameters = {}, body }: Operate,
): Promise<OperateOutcome> {
  const entry = operationsV2.find(({ id }) => id === operation);
  if (!entry)
    throw new Failure("unknown-name", `There is no operation ${operation}.`);
  const answer = await fetch(
    new URL(pathOf(entry.path, parameters), reachable(localApi)),
    {
      method: entry.method.toUpperCase(),
      headers: {
        Authorization: `Bearer ${localApi.secret}`,
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(maxMs),
    },
  );
  const value = await valueOf(answer);
  if (answer.ok) return { isDone: true, answer: value };
  return refusalOf(answer.status, value);
}

/** `/api/v2/assets/:id` with its parameters filled in; parameters that the path does not name go into the query. */
function pathOf(
  path: string,
  parameters: Readonly<Record<string, string>>,
): string {
  const left = new Map(Object.entries(parameters));
  const filled = path.replace(/:(\w+)/g, (_, name: string) => {
    const value = left.get(name);
    if (value === undefined || value === "")
      throw new Failure("invalid", `${name} is missing.`);
    left.delete(name);
    return encodeURIComponent(value);
  });
  const query = new URLSearchParams([...left]).toString();
  return query === "" ? filled : `${filled}?${query}`;
}

/** A server that listens on all addresses is called on loopback: its network address may change. */
function reachable({ address, host }: LocalApi): URL {
  const url = new URL(address);
  if (host === "0.0.0.0") url.hostname = "127.0.0.1";
  if (host === "::") url.hostname = "[::1]";
  return url;
}

async function valueOf(answer: Response): Promise<unknown> {
  const text = await answer.text();
  if (text === "") return null;
  const isJson = answer.headers.get("content-type")?.includes("json") ?? false;
  return isJson ? JSON.parse(text) : text;
}

function refusalOf(status: number, value: unknown): OperateOutcome {
  const code = codeOf[status] ?? "unavailable";
  const reported = isRecord(value) ? value : {};
  if (typeof reported.detail === "string")
    return { isDone: false, code, message: reported.detail, fields: null };
  const fields = Object.fromEntries(
    Object.entries(reported).map(([field, value]) => [
      field,
      [value].flat().map(String),
    ]),
  );
  const message =
    Object.values(fields)[0]?.[0] ?? `The player answered ${status}.`;
  return { isDone: false, code, message, fields };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
