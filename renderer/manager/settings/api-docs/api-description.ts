// Reads the OpenAPI description of the interface: operations in groups, the fields of a body, and a command to copy.

import type {
  OpenApi,
  OpenApiOperation,
  OpenApiParameter,
} from "../../../../server/contract/openapi.ts";
import { curlCommand } from "../../../../server/contract/reference/curl-command.ts";
import type { JsonSchema } from "../../../../server/contract/reader.ts";
import { isFound } from "../search.ts";

export interface DescribedOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly rules: readonly string[];
  readonly parameters: readonly OpenApiParameter[];
  readonly fields: readonly DescribedField[];
  readonly answers: readonly {
    readonly status: string;
    readonly description: string;
  }[];
  readonly example: string;
  /** Read-only, returns JSON or text, and needs nothing but its parameters. */
  readonly canBeTried: boolean;
}

export interface DescribedField {
  readonly name: string;
  readonly description: string;
  readonly kind: string;
  readonly isRequired: boolean;
}

export interface DescribedGroup {
  readonly name: string;
  readonly description: string;
  readonly operations: readonly DescribedOperation[];
}

export function groupsOf(
  api: OpenApi,
  address: string,
): readonly DescribedGroup[] {
  const operations = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      tag: operation.tags[0],
      described: describe(api, address, method, path, operation),
    })),
  );
  return api.tags.map(({ name, description }) => ({
    ...{ name, description: description },
    operations: operations
      .filter(({ tag }) => tag === name)
      .map(({ described }) => described),
  }));
}

/** Groups with only the matches, without empty groups; fields are searched where no operation has a matching name. */
export function searchGroups(
  groups: readonly DescribedGroup[],
  searchText: string,
): readonly DescribedGroup[] {
  const called = filtered(groups, (operation, group) =>
    isFound(
      searchText,
      ...[operation.id, operation.path, operation.summary],
      ...[operation.method, group.name],
    ),
  );
  return called.length > 0
    ? called
    : filtered(groups, ({ fields }) =>
        fields.some(({ name }) => isFound(searchText, name)),
      );
}

function filtered(
  groups: readonly DescribedGroup[],
  matches: (operation: DescribedOperation, group: DescribedGroup) => boolean,
): readonly DescribedGroup[] {
  return groups
    .map((group) => ({
      ...group,
      operations: group.operations.filter((one) => matches(one, group)),
    }))
    .filter(({ operations }) => operations.length > 0);
}

function describe(
  api: OpenApi,
  address: string,
  method: string,
  path: string,
  operation: OpenApiOperation,
): DescribedOperation {
  const { operationId, summary, parameters = [], responses } = operation;
  const [content] = Object.values(operation.requestBody?.content ?? {});
  return {
    ...{ id: operationId, method: method.toUpperCase(), path, summary },
    ...{ rules: operation["x-rules"], parameters },
    fields: content?.schema ? fieldsOf(api, content.schema) : [],
    answers: Object.entries(responses)
      .filter(([status]) => status !== "default")
      .map(([status, answer]) => ({
        status,
        description: String(
          (answer as { description?: string }).description ?? "",
        ),
      })),
    example: curlCommand(address, method, path, operation),
    canBeTried: method === "get" && answersText(responses),
  };
}

function answersText(responses: OpenApiOperation["responses"]): boolean {
  const [first] = Object.values(responses) as {
    readonly content?: Readonly<Record<string, unknown>>;
  }[];
  return Object.keys(first?.content ?? {}).some(
    (type) => type === "application/json" || type === "text/plain",
  );
}

function fieldsOf(api: OpenApi, schema: JsonSchema): readonly DescribedField[] {
  const resolvedSchema = resolved(api, schema);
  const properties = (resolvedSchema.properties ?? {}) as Readonly<
    Record<string, JsonSchema>
  >;
  const required = new Set(
    (resolvedSchema.required ?? []) as readonly string[],
  );
  return Object.entries(properties).map(([name, property]) => ({
    name,
    description: textOf(property.description),
    kind: kindOf(api, property),
    isRequired: required.has(name),
  }));
}

function resolved(api: OpenApi, schema: JsonSchema): JsonSchema {
  const name = nameOfRef(schema);
  return name === null ? schema : (api.components.schemas[name] ?? schema);
}

function nameOfRef({ $ref }: JsonSchema): string | null {
  return typeof $ref === "string" ? ($ref.split("/").at(-1) ?? null) : null;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function kindOf(api: OpenApi, schema: JsonSchema): string {
  const name = nameOfRef(schema);
  if (name !== null) return name;
  if (Array.isArray(schema.enum)) return schema.enum.map(String).join(" | ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const one = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(one))
    return one.map((part) => kindOf(api, part as JsonSchema)).join(" | ");
  const type = [schema.type ?? "any"].flat().map(String).join(" | ");
  return schema.type === "array" && schema.items
    ? `${kindOf(api, schema.items as JsonSchema)}[]`
    : type;
}
