// Types that describe an operation of version 2: path, request, responses, and the rules it follows.

import type {
  DescribedOperation,
  DescribedParameter,
} from "../../operation-to-openapi.ts";
import type { ShapeName } from "../v2-answers.ts";
import type { JsonSchema } from "../../reader.ts";

export type MethodV2 = "get" | "post" | "put" | "patch" | "delete";

export type GroupV2 =
  | "Assets"
  | "Playlists"
  | "Playback"
  | "Backup"
  | "Player"
  | "Sync"
  | "Observing"
  | "Access"
  | "Help";

type OperationDetails = Omit<
  DescribedOperation<ShapeName, GroupV2>,
  "method" | "path" | "permission" | "security"
>;

/** Its path as in the router: `/api/v2/assets/:id`. */
export interface OperationV2 extends OperationDetails {
  readonly method: MethodV2;
  readonly path: string;
}

export function operation<
  const Method extends MethodV2,
  const Path extends string,
  const Details extends OperationDetails,
>(
  method: Method,
  path: Path,
  details: Details,
): Details & { readonly method: Method; readonly path: Path } {
  return { method, path, ...details };
}

/** Possible errors of a body of fields. */
export const bodyRefusals = {
  400: "The body or one of its fields is not valid.",
  413: "The body is larger than 1 MiB.",
  415: "The media type of the body is not supported.",
} as const;

/** A path parameter. */
export function inPath(
  name: string,
  description: string,
  example: string,
  schema?: JsonSchema,
): DescribedParameter {
  return { name, in: "path", description, example, ...(schema && { schema }) };
}
