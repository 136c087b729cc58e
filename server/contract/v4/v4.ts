// Version 4 of the content interface: values of its enumerations and the shape of its errors.

import * as z from "zod";

export const assetTypes = [
  "appweb",
  "image",
  "video",
  "web",
  "audio",
  "edge-app",
  "edge-app-file",
  "pdf",
  "pdf-page",
  "streaming",
] as const satisfies readonly string[];

export type AssetType = (typeof assetTypes)[number];

/** Version 4.0 has no name for these and shows the empty text (V4-20). */
export const assetTypesWithoutName40: readonly AssetType[] = ["pdf", "appweb"];

export const labelTypes = ["all-screens", "manual", "screen"] as const;

/** Every error has these four keys, whatever else it contains (V4-32). */
export const errorV4 = z.object({
  code: z.string(),
  message: z.string(),
  details: z.json().nullable(),
  hint: z.string().nullable(),
  type: z.array(z.string()).optional(),
});
