// OpenAPI description of the interface, generated from the catalogue: neither has anything the other lacks.

import type {
  OpenApi,
  OpenApiOperation,
  OpenApiParameter,
} from "../../../contract/openapi.ts";
import type { Catalogue, Column, Method, Table } from "../../catalogue.ts";
import { limits } from "../parse/request-limits.ts";

type Schema = Readonly<Record<string, unknown>>;

export const copyAssetsPath = "edge-apps/copy-assets";

export function openApiV4(catalogue: Catalogue, prefix: string): OpenApi {
  const tables = [...catalogue.tables.values()].filter(
    ({ path }) => path !== null,
  );
  return {
    openapi: "3.1.0",
    info: {
      title: "Vitrine content service",
      version: catalogue.version,
      description:
        "Collections as HTTP resources with JSON bodies. Select rows with filters of the form column=operator.value, and embed related resources with select=*,related(*).",
    },
    servers: [{ url: prefix }],
    tags: [
      ...tables.map(({ path, description }) => ({
        ...{ name: path ?? "", description },
      })),
      { name: copyAssetsPath, description: copyAssets.description },
    ],
    security: [{ key: [] }],
    paths: {
      ...Object.fromEntries(
        tables.map((table) => [`/${table.path ?? ""}`, operationsOf(table)]),
      ),
      [`/${copyAssetsPath}`]: { post: copyAssets },
    },
    components: {
      securitySchemes: {
        key: {
          ...{ type: "apiKey", in: "header", name: "Authorization" },
          description: "Token KEY, or the bare key",
        },
      },
      schemas: {
        ...Object.fromEntries(tables.flatMap(schemasOf)),
        refusal: refusalSchema,
      },
      responses: {
        refusal: {
          description: "Error, with the reason",
          content: { "application/json": { schema: ref("refusal") } },
        },
      },
    },
  };
}

const signatures: Schema = { type: "array", items: { type: "string" } };

/** Not a collection, so it is not in the catalogue (V4-42). */
const copyAssets: OpenApiOperation = {
  operationId: "post-edge-apps-copy-assets",
  tags: [copyAssetsPath],
  summary: "Reuses files of earlier revisions by their signatures",
  description: "Files that the service already has need not be uploaded again.",
  "x-rules": ["V4-42", "V4-280"],
  requestBody: {
    required: true,
    content: {
      "application/json": {
        schema: {
          type: "object",
          required: ["app_id", "signatures"],
          properties: {
            app_id: { type: "string", description: "The app" },
            revision: {
              ...{ type: "integer", format: "int64" },
              description:
                "The revision to copy to. Without it, the files are staged for the next deployment",
            },
            signatures: {
              ...{ ...signatures, maxItems: limits.listItems },
              description: "Signatures of the files",
            },
          },
        },
      },
    },
  },
  responses: {
    "200": {
      description: "The signatures of the files that were copied",
      content: { "application/json": { schema: signatures } },
    },
    default: { $ref: "#/components/responses/refusal" },
  },
};

const refusalSchema: Schema = {
  type: "object",
  required: ["code", "message", "details", "hint"],
  properties: {
    code: { type: "string" },
    message: { type: "string" },
    details: {},
    hint: { type: ["string", "null"] },
  },
};

function ref(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

function schemasOf(table: Table): readonly (readonly [string, Schema])[] {
  const columns = [...table.columns.values()];
  const of = (chosen: readonly Column[]): Schema => ({
    type: "object",
    properties: Object.fromEntries(
      chosen.map((column) => [column.name, schemaOf(column)]),
    ),
  });
  const shown = columns.filter(({ isShown }) => isShown);
  const inserted = columns.filter(({ isInserted }) => isInserted);
  const updated = columns.filter(({ isUpdated }) => isUpdated);
  const all: (readonly [string, Schema])[] = [[table.name, of(shown)]];
  if (table.methods.includes("POST"))
    all.push([`${table.name}.insert`, of(inserted)]);
  if (table.methods.includes("PATCH"))
    all.push([`${table.name}.update`, of(updated)]);
  return all;
}

function schemaOf({ type, description, values, maxLength }: Column): Schema {
  switch (type) {
    case "text":
      return { type: "string", maxLength, description };
    case "enum":
      return { type: "string", enum: values, description };
    case "integer":
      return { type: "integer", format: "int64", description };
    case "decimal":
      return { type: "number", description };
    case "flag":
    case "level":
      return { type: "boolean", description };
    case "json":
      return { description };
    case "moment":
      return { type: "string", format: "date-time", description };
  }
}

function operationsOf(
  table: Table,
): Readonly<Record<string, OpenApiOperation>> {
  return Object.fromEntries(
    table.methods.map((method) => [
      method.toLowerCase(),
      operationOf(table, method),
    ]),
  );
}

const operationTexts: Readonly<
  Record<
    Method,
    {
      readonly summary: string;
      readonly rules: readonly string[];
      readonly success: readonly (readonly [status: string, what: string])[];
      readonly preferences: readonly string[];
    }
  >
> = {
  GET: {
    summary: "Lists",
    rules: ["V4-2", "V4-6", "V4-8", "V4-12", "V4-14", "V4-16", "V4-390"],
    success: [
      ["200", "The rows"],
      ["206", "Some of the rows, if they were counted"],
    ],
    preferences: [
      "count=none",
      "count=exact",
      "count=planned",
      "count=estimated",
    ],
  },
  POST: {
    summary: "Inserts rows into",
    rules: ["V4-17", "V4-22", "V4-23", "V4-24", "V4-25"],
    success: [["201", "The inserted rows, if a representation is requested"]],
    preferences: [
      ...["return=representation", "return=minimal", "return=none"],
      ...["resolution=ignore-duplicates", "resolution=merge-duplicates"],
    ],
  },
  PATCH: {
    summary: "Updates rows of",
    rules: ["V4-11", "V4-17", "V4-23", "V4-25", "V4-391", "V4-392"],
    success: [
      ["204", "Changed"],
      ["200", "The updated rows, if a representation is requested"],
    ],
    preferences: ["return=representation", "return=minimal", "return=none"],
  },
  DELETE: {
    summary: "Deletes rows from",
    rules: ["V4-11", "V4-23", "V4-28", "V4-391", "V4-392"],
    success: [
      ["204", "Deleted"],
      ["200", "The deleted rows, if a representation is requested"],
    ],
    preferences: ["return=representation", "return=minimal", "return=none"],
  },
};

function operationOf(table: Table, method: Method): OpenApiOperation {
  const { summary, rules, success } = operationTexts[method];
  const path = table.path ?? "";
  const body = { POST: "insert", PATCH: "update" }[method as string];
  return {
    operationId: `${method.toLowerCase()}-${path.replaceAll("/", "-")}`,
    tags: [path],
    summary: `${summary} ${path}`,
    description: table.description,
    "x-rules": rules,
    parameters: parametersOf(table, method),
    ...(body && {
      requestBody: {
        required: true,
        content: {
          "application/json": { schema: ref(`${table.name}.${body}`) },
        },
      },
    }),
    responses: {
      ...Object.fromEntries(
        success.map(([status, description]) => [
          status,
          {
            description,
            ...(status !== "204" && {
              content: {
                "application/json": {
                  schema: { type: "array", items: ref(table.name) },
                },
              },
            }),
          },
        ]),
      ),
      default: { $ref: "#/components/responses/refusal" },
    },
  };
}

function parametersOf(
  table: Table,
  method: Method,
): readonly OpenApiParameter[] {
  // When any one of several filters suffices, none is required by itself.
  const [first = [], ...others] = table.guards;
  const required =
    method === "GET" || method === "POST"
      ? []
      : first.filter((name) => others.every((guard) => guard.includes(name)));
  const filters =
    method === "POST"
      ? []
      : [...table.columns.values()].map((column) => ({
          ...query(column.name, column.description, `eq.${exampleOf(column)}`),
          required: required.includes(column.name),
        }));
  return [
    ...filters,
    query("select", "Columns and related resources", "*"),
    ...(method === "GET"
      ? [
          query(
            "order",
            "Columns to sort by",
            `${[...table.columns.keys()][0] ?? ""}.desc`,
          ),
          query("limit", "Maximum number of rows", "50"),
          query("offset", "Number of rows to skip", "0"),
          header("Range", "First and last row", "0-49"),
          header("Range-Unit", "Ignored", "items"),
        ]
      : []),
    ...(method === "POST"
      ? [
          query(
            "columns",
            "Fields of the body to use",
            [...table.columns.keys()].at(-1) ?? "",
          ),
          query(
            "on_conflict",
            "The unique columns of an upsert",
            table.primaryKey.join(),
          ),
        ]
      : []),
    ...(method === "PATCH" || method === "DELETE"
      ? [header("If-Match", "ETag of the one row, as it was read", "*")]
      : []),
    {
      ...header(
        "Prefer",
        "Preferences for the response",
        operationTexts[method].preferences[0] ?? "",
      ),
      schema: { type: "string", examples: operationTexts[method].preferences },
    },
  ];
}

function query(
  name: string,
  description: string,
  example: string,
): OpenApiParameter {
  const schema = { type: "string" };
  return { name, in: "query", required: false, description, schema, example };
}

function header(
  name: string,
  description: string,
  example: string,
): OpenApiParameter {
  return { ...query(name, description, example), in: "header" };
}

function exampleOf({ type, values }: Column): string {
  switch (type) {
    case "enum":
      return values[0] ?? "";
    case "integer":
    case "decimal":
      return "10";
    case "flag":
    case "level":
      return "true";
    case "json":
      return "{}";
    case "moment":
      return "2026-01-01T00:00:00Z";
    case "text":
      return "x";
  }
}
