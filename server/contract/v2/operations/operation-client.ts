// Client side of version 2, without a connection: the request of an operation by its name, and what its response means.

import { Failure, type FailureCode } from "../../../core/failure.ts";
import { rejectionCode } from "../../code-of-status.ts";
import type { FieldSentences } from "../../../core/failure.ts";
import type { MethodV2 } from "./v2-operation.ts";
import { operationPaths } from "./operation-paths.ts";

export interface Operate {
  readonly operation: string;
  readonly parameters?: Readonly<Record<string, string>> | undefined;
  readonly body?: unknown;
}

/** An error is returned as a value: an exception would lose its fields on the way between the contexts of a page. */
export type OperateOutcome =
  | { readonly isDone: true; readonly answer: unknown }
  | {
      readonly isDone: false;
      /** "internal": a fault of the player, which may not pass. */
      readonly code: FailureCode | "internal";
      readonly message: string;
      /** Messages by field, as returned by the interface. */
      readonly fields: FieldSentences | null;
    };

export interface OperationRequest {
  readonly method: Uppercase<MethodV2>;
  /** With its query, e.g. `/api/v2/assets/4b0c`. */
  readonly path: string;
  /** JSON; null without a body. */
  readonly body: string | null;
}

/** Throws a Failure `unknown-name` for an unknown operation, and `invalid` when a parameter of the path is missing. */
export function requestOf({
  operation,
  parameters = {},
  body,
}: Operate): OperationRequest {
  const entry = operationPaths.find(({ id }) => id === operation);
  if (!entry)
    throw new Failure("unknown-name", `Unknown operation ${operation}.`);
  return {
    method: entry.method.toUpperCase() as Uppercase<MethodV2>,
    path: pathOf(entry.path, parameters),
    body: body === undefined ? null : JSON.stringify(body),
  };
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
      throw new Failure("invalid", `${name} is required.`);
    left.delete(name);
    return encodeURIComponent(value);
  });
  const query = [...left].map((pair) => pair.map(encodeURIComponent).join("="));
  return query.length === 0 ? filled : `${filled}?${query.join("&")}`;
}

export interface ResponseText {
  readonly status: number;
  readonly contentType: string | null;
  readonly text: string;
}

/** Throws what `JSON.parse` throws for a body that is not the JSON it claims to be. */
export function outcomeOf(response: ResponseText): OperateOutcome {
  const value = valueOf(response);
  return response.status >= 200 && response.status < 300
    ? { isDone: true, answer: value }
    : refusalOf(response.status, value);
}

function valueOf({ contentType, text }: ResponseText): unknown {
  if (text === "") return null;
  return (contentType?.includes("json") ?? false) ? JSON.parse(text) : text;
}

function refusalOf(status: number, value: unknown): OperateOutcome {
  const code = rejectionCode(status);
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
    Object.values(fields)[0]?.[0] ??
    `The player responded with status ${status}.`;
  return { isDone: false, code, message, fields };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
