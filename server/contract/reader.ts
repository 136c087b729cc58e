// Readers of single values in a request: what they accept, the sentence for what they reject, and their JSON Schema.

/** A value, or why it is invalid: the part of the sentence after the field's name, as in `must be true or false`. */
export type Reading<T> = { readonly value: T } | { readonly sentence: string };

/** JSON Schema, as in the interface's own description. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Reads a raw value. The schema describes the preferred form; the reader may accept more (V2-6, V3-7), never less. */
export type Reader<T> = ((raw: unknown) => Reading<T>) & {
  readonly schema: JsonSchema;
};

export function reader<T>(
  schema: JsonSchema,
  read: (raw: unknown) => Reading<T>,
): Reader<T> {
  return Object.assign((raw: unknown) => read(raw), { schema });
}
