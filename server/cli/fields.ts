// Flags and positions of a command, from the schema of its input.

import { schemaOf } from "../contract/json-schema.ts";
import type { Command } from "./command.ts";

export interface Field {
  /** As in the input. */
  readonly name: string;
  /** `--state`; null for a position. */
  readonly flag: string | null;
  readonly description: string;
  readonly type: "text" | "number" | "switch";
  readonly isList: boolean;
  readonly isRequired: boolean;
  /** The only values; empty: any. */
  readonly choices: readonly string[];
}

interface PropertySchema {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly items?: PropertySchema;
}

/** Positions first, in their order. */
export function fieldsOf({ input, positions }: Command): readonly Field[] {
  const { properties = {}, required = [] } = schemaOf(input) as {
    readonly properties?: Readonly<Record<string, PropertySchema>>;
    readonly required?: readonly string[];
  };
  const names = Object.keys(properties);
  const flags = names.filter((name) => !positions.includes(name));
  return [...positions, ...flags].map((name) => {
    const { description = "", ...schema } = properties[name] ?? {};
    const single = schema.items ?? schema;
    return {
      name,
      flag: positions.includes(name) ? null : `--${name}`,
      description,
      type: typeOf(single.type),
      isList: schema.items !== undefined,
      isRequired: required.includes(name),
      choices: single.enum ?? [],
    };
  });
}

function typeOf(type: string | undefined): Field["type"] {
  if (type === "boolean") return "switch";
  return type === "integer" || type === "number" ? "number" : "text";
}
