// OpenAPI paths from a table of operations, the same for every interface that has such a table.

import type * as z from "zod";
import { schemaOf } from "./json-schema.ts";
import type {
  OpenApiContent,
  OpenApiOperation,
  OpenApiParameter,
  OpenApiRequest,
  OpenApiResponse,
  OpenApiSecurity,
} from "./openapi.ts";
import type { JsonSchema } from "./reader.ts";

/** An operation as its interface's table has it; shapes are named as in the description's schemas. */
export interface DescribedOperation<
  Shape extends string = string,
  Group extends string = string,
> {
  readonly method: string;
  /** Parameters begin with a colon. */
  readonly path: string;
  /** Unique; the name in a generated client. */
  readonly id: string;
  readonly group: Group;
  readonly summary: string;
  /** Numbers of the rules of its interface. */
  readonly rules: readonly number[];
  /** Who may call it, as a sentence. */
  readonly permission?: string;
  /** Where it isn't that of the whole interface. */
  readonly security?: OpenApiSecurity;
  readonly parameters?: readonly DescribedParameter[];
  /** Each parameter with its description and an example; unknown ones are ignored (V2-755). */
  readonly query?: z.ZodObject;
  readonly body?: FieldsBody<Shape> | FileBody;
  readonly answers: Readonly<Record<number, DescribedAnswer<Shape>>>;
  /** Specific to this operation; those common to all need not be listed. */
  readonly refusals?: Readonly<Record<number, string>>;
}

export interface DescribedParameter {
  readonly name: string;
  readonly in: "path" | "header";
  readonly description: string;
  readonly schema?: JsonSchema;
  readonly example: string;
}

export interface FieldsBody<Shape extends string = string> {
  readonly shape: Shape;
  readonly example: Readonly<Record<string, unknown>>;
  readonly isOptional?: boolean;
  /** The shape by media type, where it isn't the same in every one that the interface accepts. */
  readonly shapes?: Readonly<Record<string, Shape>>;
}

/** One file as a field of a multipart body. */
interface FileBody {
  readonly field: string;
  readonly description: string;
  /** A plausible file name. */
  readonly example: string;
}

/** JSON of one shape, of a list of them, or of a schema; bytes of a media type; otherwise there is no body. */
export interface DescribedAnswer<Shape extends string = string> {
  readonly description: string;
  readonly shape?: Shape;
  readonly list?: Shape;
  readonly schema?: JsonSchema;
  readonly type?: string;
  /** The list is CSV if the client prefers it. */
  readonly isTable?: boolean;
  /** Has an ETag, for If-Match. */
  readonly isTagged?: boolean;
}

const tagged = {
  ETag: {
    description: "The current entity tag, for If-Match.",
    schema: { type: "string" },
  },
} as const;

interface Interface {
  /** `V2` */
  readonly rulePrefix: string;
  /** Media types of a body of fields. */
  readonly bodyTypes: readonly string[];
}

export function pathsToOpenApi(
  operations: readonly DescribedOperation[],
  of: Interface,
): Record<string, Record<string, OpenApiOperation>> {
  const paths: Record<string, Record<string, OpenApiOperation>> = {};
  for (const operation of operations) {
    const path = operation.path.replace(/:(\w+)/g, "{$1}");
    (paths[path] ??= {})[operation.method] = operationToOpenApi(operation, of);
  }
  return paths;
}

export function refusal(description: string): OpenApiResponse {
  return answerToOpenApi({ description, shape: "Refusal" });
}

/** By its status: only a failed condition has the present tag. */
function refusalOf(description: string, status: string): OpenApiResponse {
  const isTagged = status === "412";
  return answerToOpenApi({ description, shape: "Refusal", isTagged });
}

function operationToOpenApi(
  operation: DescribedOperation,
  { rulePrefix, bodyTypes }: Interface,
): OpenApiOperation {
  const rules = operation.rules.map((rule) => `${rulePrefix}-${rule}`);
  const parameters = parametersToOpenApi(operation);
  const { body, permission, security } = operation;
  const ofRules = `Rules: ${rules.join(", ")}.`;
  return {
    operationId: operation.id,
    tags: [operation.group],
    summary: operation.summary,
    description:
      permission === undefined ? ofRules : `${permission} ${ofRules}`,
    "x-rules": rules,
    ...(permission !== undefined && { "x-permission": permission }),
    ...(security && { security }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: bodyToOpenApi(body, bodyTypes) }),
    responses: {
      ...byStatus(operation.answers, answerToOpenApi),
      ...byStatus(operation.refusals ?? {}, refusalOf),
      default: { $ref: "#/components/responses/Refusal" },
    },
  };
}

function parametersToOpenApi({
  parameters = [],
  query,
}: DescribedOperation): readonly OpenApiParameter[] {
  const { properties = {}, required = [] } = (
    query ? schemaOf(query) : {}
  ) as QuerySchema;
  return [
    ...parameters.map(({ description, schema, ...rest }) => ({
      ...rest,
      required: rest.in === "path",
      description,
      schema: schema ?? { type: "string" },
    })),
    ...Object.entries(properties).map(
      ([name, { description, example, ...schema }]) => ({
        ...{ name, in: "query", required: required.includes(name) },
        ...{ description, schema, example },
      }),
    ),
  ];
}

interface QuerySchema {
  readonly properties?: Readonly<
    Record<string, JsonSchema & Record<"description" | "example", string>>
  >;
  readonly required?: readonly string[];
}

function byStatus<Answer>(
  answers: Readonly<Record<number, Answer>>,
  make: (answer: Answer, status: string) => OpenApiResponse,
): Record<string, OpenApiResponse> {
  return Object.fromEntries(
    Object.entries(answers).map(([status, one]) => [status, make(one, status)]),
  );
}

function bodyToOpenApi(
  body: FieldsBody | FileBody,
  bodyTypes: readonly string[],
): OpenApiRequest {
  if ("field" in body) return fileToOpenApi(body);
  const { shape, example, shapes } = body;
  const forms =
    shapes ?? Object.fromEntries(bodyTypes.map((type) => [type, shape]));
  const content = Object.entries(forms).map(
    ([type, name]): [string, OpenApiContent] => [
      type,
      name === shape
        ? { schema: refTo(name), example }
        : { schema: refTo(name) },
    ],
  );
  return { required: !body.isOptional, content: Object.fromEntries(content) };
}

function fileToOpenApi(body: FileBody): OpenApiRequest {
  const file = {
    description: body.description,
    contentMediaType: "application/octet-stream",
  };
  const schema = {
    type: "object",
    properties: { [body.field]: file },
    required: [body.field],
  };
  return {
    required: true,
    content: {
      "multipart/form-data": {
        schema,
        example: { [body.field]: body.example },
      },
    },
  };
}

function answerToOpenApi(answer: DescribedAnswer): OpenApiResponse {
  const { type, shape, list, isTable, isTagged } = answer;
  const described = {
    description: answer.description,
    ...(isTagged && { headers: tagged }),
  };
  const schema =
    (shape && refTo(shape)) ??
    (list && { type: "array", items: refTo(list) }) ??
    answer.schema;
  if (!type && !schema) return described;
  const content = {
    [type ?? "application/json"]: schema ? { schema } : {},
    ...(isTable && { "text/csv": { schema: { type: "string" } } }),
  };
  return { ...described, content };
}

function refTo(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}
