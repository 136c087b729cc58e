// Roles and limits of version 3, and its API keys (V3-134, V3-135).

import * as z from "zod";
import { roles } from "../../core/role.ts";
import { reader } from "../reader.ts";
import { elements, filledText, oneOf, read, required } from "./v3-values.ts";

const maxLabels = 100;
const nameLetters = 200;

const moment = z.iso.datetime({ offset: true });

/** Labels that access is limited to; a deleted one has no name, and no screens. */
export const limitLabels = z
  .array(z.object({ id: z.string(), name: z.string().nullable() }))
  .nullable();

/** A key as every operation returns it. */
export const apiKeyV3 = z.object({
  id: z.string(),
  name: z.string(),
  role: z.enum(roles),
  /** Null: no limit. */
  labels: limitLabels,
  created_at: moment,
  /** To the minute. */
  last_used_at: moment.nullable(),
});
export type ApiKeyV3 = Readonly<z.infer<typeof apiKeyV3>>;

/** The response to its creation, and to nothing else. */
export const createdApiKeyV3 = apiKeyV3.extend({ secret: z.string() });
export type CreatedApiKeyV3 = Readonly<z.infer<typeof createdApiKeyV3>>;

const ids = elements<string>(maxLabels, (_element, id) => ({ value: id }));

/** Null and a missing field: no limit; an empty list is refused, so that it isn't mistaken for one. */
export const limitLabelsInput = read(
  reader<readonly string[] | null>(
    { ...ids.schema, type: ["array", "null"] },
    (raw) => (raw === null ? { value: null } : ids(raw)),
  ),
).optional();

export const apiKeyCreateV3 = z.object({
  name: required(filledText(nameLetters)),
  role: required(oneOf(roles)),
  labels: limitLabelsInput,
});
