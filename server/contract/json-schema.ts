// JSON Schema of what a zod schema accepts, as the descriptions of the interfaces contain it.

import * as z from "zod";
import type { JsonSchema } from "./reader.ts";

/** Of a request or response body, or of the parameters of a query. */
export function schemaOf(shape: z.ZodType): JsonSchema {
  // "input" does not forbid further fields in objects: clients keep working when an answer gains one.
  const schema = z.toJSONSchema(shape, {
    ...{ io: "input", unrepresentable: "any" },
    override: ({ jsonSchema }) => {
      // It is implied that a number is one JSON can carry.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER)
        delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER)
        delete jsonSchema.maximum;
      // Clients keep working when an answer gains a field.
      if (jsonSchema.additionalProperties === false)
        delete jsonSchema.additionalProperties;
      // A nullable type is written as one list of types.
      const kinds = jsonSchema.anyOf?.map(({ type }) => type);
      const [first] = jsonSchema.anyOf ?? [];
      const isConstant = first?.const !== undefined;
      if (kinds?.length === 2 && kinds[1] === "null" && !isConstant) {
        delete jsonSchema.anyOf;
        Object.assign(jsonSchema, first, { type: [kinds[0], "null"] });
        if (first?.enum) jsonSchema.enum = [...first.enum, null];
      }
    },
  });
  return Object.fromEntries(
    Object.entries(schema).filter(
      ([key]) => key !== "$schema" && !key.startsWith("~"),
    ),
  );
}
