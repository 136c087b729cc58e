// Renders JSON schemas for people: fields, types and limits in words.

import type { OpenApi } from "../openapi.ts";
import type { JsonSchema } from "../reader.ts";

/** Next to the name of an optional field. */
export const optional = ` <span class="must">optional</span>`;

/** Anchor of a shape on the page. */
export function nameOf(shape: string): string {
  return `shape-${shape}`;
}

export function escaped(text: string): string {
  const marks: Readonly<Record<string, string>> = {
    ...{ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" },
  };
  return text.replace(/[&<>"']/g, (mark) => marks[mark] ?? mark);
}

/** The fields of an object as a list; anything but an object as text. */
export function fieldList(api: OpenApi, schema: JsonSchema): string {
  const { $ref, anyOf, properties, required = [] } = schema as Parts;
  if ($ref) return fieldList(api, api.components.schemas[last($ref)] ?? {});
  if (anyOf) return anyOf.map((one) => fieldList(api, one)).join("<p>or</p>");
  if (!properties) return `<p class="kind">${kindOf(schema)}</p>`;
  const rows = Object.entries(properties).map(([name, field]) => {
    const must = required.includes(name) ? "" : optional;
    const text =
      typeof field.description === "string"
        ? `${escaped(field.description)} `
        : "";
    return `<div><dt><code>${escaped(name)}</code>${must}</dt><dd>${text}<span class="kind">${kindOf(field)}</span></dd></div>`;
  });
  return `<dl>${rows.join("")}</dl>`;
}

interface Parts {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema;
  readonly required?: readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly contentMediaType?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly const?: unknown;
  readonly default?: unknown;
}

/** `integer, 0 to 31536000`; already escaped for HTML. */
export function kindOf(schema: JsonSchema): string {
  const parts = schema as Parts;
  const { $ref, anyOf, items, minimum, maximum } = parts;
  if ($ref) return `<a href="#${nameOf(last($ref))}">${last($ref)}</a>`;
  if (anyOf) return anyOf.map(kindOf).join(" or ");
  if (parts.const !== undefined) return asCode(parts.const);
  if (parts.enum)
    return `one of ${parts.enum.map(asCode).join(", ")}${defaultOf(parts)}`;
  if (items) return `array of ${kindOf(items)}`;
  if (parts.contentMediaType) return "file";
  const words: string[] = [[parts.type ?? "anything"].flat().join(" or ")];
  if (parts.properties)
    words.push(Object.keys(parts.properties).map(escaped).join(", "));
  if (parts.additionalProperties)
    words.push(`each field ${kindOf(parts.additionalProperties)}`);
  if (parts.format) words.push(parts.format);
  if (parts.pattern) words.push(`<code>${escaped(parts.pattern)}</code>`);
  if (minimum !== undefined && maximum !== undefined)
    words.push(`${minimum} to ${maximum}`);
  else if (minimum !== undefined) words.push(`${minimum} or more`);
  if (parts.maxLength !== undefined)
    words.push(`at most ${parts.maxLength} letters`);
  return words.join(", ") + defaultOf(parts);
}

function defaultOf({ default: byDefault }: Parts): string {
  return byDefault === undefined ? "" : `, default ${asCode(byDefault)}`;
}

function asCode(value: unknown): string {
  return `<code>${escaped(JSON.stringify(value))}</code>`;
}

function last(reference: string): string {
  return reference.slice(reference.lastIndexOf("/") + 1);
}
