// Types and parts that describe an operation of version 3: path, request, responses, and the rules it follows.

import type {
  DescribedOperation,
  DescribedParameter,
  FieldsBody,
} from "../../operation-to-openapi.ts";
import { applyAnywayHeader } from "../v3-what-if.ts";
import type { ShapeNameV3 } from "./v3-shapes.ts";

export type GroupOfOperationsV3 =
  | "Screens"
  | "Commands"
  | "Assets"
  | "Playlists"
  | "Groups"
  | "Outages"
  | "Playbacks"
  | "Alerts"
  | "What if"
  | "Edge apps"
  | "Activity"
  | "Keys"
  | "People"
  | "Signing in"
  | "Help";

/** What a request is admitted by; anything else needs a key or a session. */
type CredentialsV3 = "none" | "session" | "session-or-none";

interface OperationDetailsV3 extends Omit<
  DescribedOperation<ShapeNameV3, GroupOfOperationsV3>,
  "method" | "path" | "permission" | "security" | "body"
> {
  readonly credentials?: CredentialsV3;
  readonly body?: FieldsBody<ShapeNameV3>;
}

type MethodV3 = "get" | "post" | "put" | "patch" | "delete";

export interface OperationV3 extends OperationDetailsV3 {
  readonly method: MethodV3;
  readonly path: string;
}

export function operation<
  const Method extends MethodV3,
  const Path extends string,
>(
  method: Method,
  path: Path,
  details: OperationDetailsV3,
): OperationV3 & { readonly method: Method; readonly path: Path } {
  return { method, path, ...details };
}

export const exampleId = "3f9a1c2e4b6d4f0f9a4b2c1d0e9f8a7b";

export function idOf(what: string): DescribedParameter {
  return {
    ...{ name: "id", in: "path", example: exampleId },
    description: `The identifier of the ${what}.`,
  };
}

/** Of writes that assertions may hold back (V3-107, V3-108). */
export const applyAnyway: DescribedParameter = {
  ...{ name: applyAnywayHeader, in: "header", example: "true" },
  description: "true applies the write even if it breaks an assertion.",
  schema: { type: "string", enum: ["true"] },
};

/** Of changes of single rows that have an ETag (V3-151). */
export const ifMatch: DescribedParameter = {
  ...{ name: "If-Match", in: "header", example: "*" },
  description:
    "ETag as it was read: the change is made only if it is still the same.",
};

export const changedSince = { 412: "It has changed since; see ETag." };
export const heldBack = { 409: "It would break an assertion." };
export const notFound = { 404: "There is nothing with this identifier." };
export const invalid = {
  400: "The body or one of its fields is not valid.",
  413: "The body is larger than 16 MiB.",
  415: "The media type of the body is not supported.",
};
export const invalidQuery = { 400: "A parameter is not valid." };
export const deleted = { 200: { description: "Deleted." } };
