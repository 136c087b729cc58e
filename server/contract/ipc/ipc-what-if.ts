// Requests of the manager about what a change would do on the screens of content services, and about assertions (V3-100 to
// V3-109).

import * as z from "zod";
import { assertionKinds } from "../../core/what-if/assertion.ts";
import { screenAssignment } from "./ipc-screens.ts";
import type { AssertionV3, WhatIfV3 } from "../v3/v3-what-if.ts";

const serviceId = z.string().min(1).max(100);
const id = z.string().min(1).max(200);
const text = z.string().max(8192);

/** The service validates it; omitted fields stay unchanged. */
const assertion = z
  .object({
    name: text,
    isEnabled: z.boolean(),
    holdsBack: z.boolean(),
    kind: z.enum(assertionKinds),
    /** Identifiers. */
    assets: z.array(id).max(1000),
    folders: z.array(text).max(100),
    /** Identifiers; empty: all screens. */
    labels: z.array(id).max(1000),
    predicate: z.string().max(100_000),
    everyMinutes: z.number().nullable(),
  })
  .partial();
export type AssertionChange = Readonly<z.infer<typeof assertion>>;

/** A playlist or a label of a service. */
const rowChange = {
  ...{ serviceId, id },
  collection: z.enum(["playlists", "labels"]),
  /** Of a playlist; null: it is deleted. */
  isEnabled: z.boolean().nullable(),
};

export const whatIfQuestions = {
  /** What other labels of a screen would change; null from a service that can't tell. */
  previewScreenLabels: z.object({
    serviceId,
    screenId: id,
    labels: z.array(id).max(1000),
  }),
  /** The same of many screens, and on all screens of a playlist or label. */
  previewAssignment: z.object({ serviceId, ...screenAssignment }),
  previewRowChange: z.object(rowChange),
  /** Although it breaks assertions of the service (V3-108). */
  applyRowChange: z.object(rowChange),
  /** Null from a service without assertions. */
  listAssertions: z.object({ serviceId }),
  /** Without an identifier, a new one. It is checked at once. */
  saveAssertion: z.object({ serviceId, assertionId: id.nullable(), assertion }),
  removeAssertion: z.object({ serviceId, assertionId: id }),
} as const;

export interface WhatIfAnswers {
  previewScreenLabels: WhatIfV3 | null;
  previewAssignment: WhatIfV3 | null;
  previewRowChange: WhatIfV3 | null;
  applyRowChange: null;
  listAssertions: readonly AssertionV3[] | null;
  saveAssertion: AssertionV3;
  removeAssertion: null;
}
