// Types that describe an operation of version 2: path, request, responses, and the rules it follows.

import type * as z from "zod";
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

export interface OperationV2 extends OperationDetails {
  readonly method: MethodV2;
  /** As in the router: `/api/v2/assets/:id`. */
  readonly path: string;
}

export interface OperationDetails {
  /** Unique; the name in a generated client. */
  readonly id: string;
  readonly group: GroupV2;
  readonly summary: string;
  /** Numbers of the rules in rules/. */
  readonly rules: readonly number[];
  readonly parameters?: readonly ParameterV2[];
  /** The parameters of its query; unknown ones are ignored (V2-755). */
  readonly query?: z.ZodObject;
  readonly body?: FieldsBodyV2 | FileBodyV2;
  readonly answers: Readonly<Record<number, AnswerV2>>;
  /** Specific to this operation; errors common to all (401, 403, 429, 503) need not be listed. */
  readonly refusals?: Readonly<Record<number, string>>;
}

export interface ParameterV2 {
  readonly name: string;
  readonly in: "path" | "header";
  readonly description: string;
  readonly schema?: JsonSchema;
  readonly example: string;
}

/** JSON, form-encoded or multipart, at the client's choice (V2-5). */
export interface FieldsBodyV2 {
  readonly shape: ShapeName;
  readonly example: Readonly<Record<string, unknown>>;
  readonly isOptional?: boolean;
}

/** One file as a field of a multipart body. */
export interface FileBodyV2 {
  readonly field: string;
  readonly description: string;
  /** A plausible file name. */
  readonly example: string;
}

/** JSON of one shape, of a list of them, or of a schema; bytes of a media type; otherwise there is no body. */
export interface AnswerV2 {
  readonly description: string;
  readonly shape?: ShapeName;
  readonly list?: ShapeName;
  readonly schema?: JsonSchema;
  readonly type?: string;
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
): ParameterV2 {
  return { name, in: "path", description, example, ...(schema && { schema }) };
}
