// OpenAPI 3.1 description of the interface, generated from the table of operations and the shapes.

import { refTo, schemaOf, schemasV2 } from "./v2-answers.ts";
import { interfaceVersion } from "./v2-monitoring.ts";
import { fieldDescriptions } from "./v2-fields.ts";
import type {
  AnswerV2,
  GroupV2,
  OperationV2,
} from "./operations/v2-operation.ts";
import { operationsV2 } from "./operations/v2-operations.ts";
import type { JsonSchema } from "./v2-values.ts";
import type {
  OpenApi,
  OpenApiOperation,
  OpenApiParameter,
  OpenApiRequest,
  OpenApiResponse,
} from "../openapi.ts";

const groups: Readonly<Record<GroupV2, string>> = {
  Assets: "Content: list, create, change, order, upload.",
  Playlists: "Ordered assets with a schedule and target screens.",
  Playback: "Control what is on the screen.",
  Backup: "Create, download and restore backups of this player.",
  Player: "The player's settings and its PC.",
  Sync: "Connections to content services, and their plans.",
  Observing: "Status, logs, events and metrics.",
  Access: "Access tokens for scripts and managers.",
  Help: "This description.",
};

const description = `The HTTP interface of this player. Request bodies may be JSON, form-encoded or multipart; responses are JSON unless stated otherwise.

Invalid fields are answered with 400 and messages by field; every other error is {"detail": "message"}. Any operation may also answer 401 (an access token is required), 403 (host name or web page not allowed), 429 (too many invalid tokens) and 503 (too busy; see Retry-After).

More is accepted than the schemas say: booleans as 1, 0 or their texts, numbers as digits, dates with or without a time zone. Read-only and unknown fields are ignored. HEAD works wherever GET does; OPTIONS lists the methods of a path.

Send an access token as Authorization: Bearer TOKEN, or as the password of Basic under any user name.

Each operation names the numbered rules of server/contract/v2/rules that it follows (x-rules).`;

export function openApiV2(): OpenApi {
  const paths: Record<string, Record<string, OpenApiOperation>> = {};
  for (const operation of operationsV2)
    (paths[pathToOpenApi(operation.path)] ??= {})[operation.method] =
      operationToOpenApi(operation);
  return {
    openapi: "3.1.0",
    info: {
      title: "Vitrine player interface",
      version: interfaceVersion,
      description,
    },
    servers: [{ url: "/" }],
    tags: Object.entries(groups).map(([name, description]) => ({
      ...{ name, description },
    })),
    security: [{}, { bearer: [] }, { basic: [] }],
    paths,
    components: {
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer" },
        basic: {
          ...{ type: "http", scheme: "basic" },
          description: "The token as password, under any user name.",
        },
      },
      schemas: withSentences(schemasV2()),
      responses: { Refusal: refusal("The error, as a sentence.") },
    },
  };
}

function pathToOpenApi(path: string): string {
  // The specification's name for the parameter that the routes call `id`.
  return path
    .replace("assets/:id", "assets/{asset_id}")
    .replace(/:(\w+)/g, "{$1}");
}

function operationToOpenApi(operation: OperationV2): OpenApiOperation {
  const rules = operation.rules.map((rule) => `V2-${rule}`);
  const parameters = parametersToOpenApi(operation);
  return {
    operationId: operation.id,
    tags: [operation.group],
    summary: operation.summary,
    description: `Rules: ${rules.join(", ")}.`,
    "x-rules": rules,
    ...(parameters.length > 0 && { parameters }),
    ...(operation.body && { requestBody: bodyToOpenApi(operation.body) }),
    responses: {
      ...byStatus(operation.answers, answerToOpenApi),
      ...byStatus(operation.refusals ?? {}, refusal),
      default: { $ref: "#/components/responses/Refusal" },
    },
  };
}

function parametersToOpenApi({
  parameters = [],
  query,
}: OperationV2): readonly OpenApiParameter[] {
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
  make: (answer: Answer) => OpenApiResponse,
): Record<string, OpenApiResponse> {
  return Object.fromEntries(
    Object.entries(answers).map(([status, one]) => [status, make(one)]),
  );
}

function bodyToOpenApi(body: NonNullable<OperationV2["body"]>): OpenApiRequest {
  if ("field" in body) {
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
  const content = { schema: refTo(body.shape), example: body.example };
  return {
    required: !body.isOptional,
    content: {
      "application/json": content,
      "application/x-www-form-urlencoded": content,
      "multipart/form-data": content,
    },
  };
}

function answerToOpenApi(answer: AnswerV2): OpenApiResponse {
  const { description, type, shape, list } = answer;
  const schema =
    (shape && refTo(shape)) ??
    (list && { type: "array", items: refTo(list) }) ??
    answer.schema;
  if (!type && !schema) return { description };
  const content = { [type ?? "application/json"]: schema ? { schema } : {} };
  return { description, content };
}

function refusal(description: string): OpenApiResponse {
  return answerToOpenApi({ description, shape: "Refusal" });
}

/** Adds to each property the description of its name, unless it has its own. */
function withSentences<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(withSentences) as Value;
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(
    ([key, inner]: [string, unknown]) => [
      key,
      key === "properties"
        ? describeProperties(inner as object)
        : withSentences(inner),
    ],
  );
  return Object.fromEntries(entries) as Value;
}

function describeProperties(properties: object): object {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]: [string, unknown]) => {
      const description = fieldDescriptions[name];
      const inner = withSentences(schema) as object;
      return [
        name,
        description === undefined ? inner : { description, ...inner },
      ];
    }),
  );
}
