// Who a paired player is at its service: kept with the link, so that pages are told so while the service is away (V2-580).

import * as z from "zod";
import type { LinkScreen } from "../../../contract/link/link.ts";
import type { ScreenFacts } from "../../../contract/web.ts";
import type { LinkRows } from "./link-rows.ts";

const screenShape = z.object({
  name: z.string(),
  hostname: z.string(),
  location: z.string(),
  coordinates: z.tuple([z.number(), z.number()]).nullable(),
  labels: z.array(z.string()),
});

export type LinkedScreen = Readonly<z.infer<typeof screenShape>>;

/** As a link keeps it beside what else it remembers; null until the service was heard. */
export const linkedScreenShape = screenShape.nullable().catch(null);

export function linkedScreenFrom(screen: LinkScreen): LinkedScreen {
  const { name, hostname, location, coords, labels } = screen;
  const [latitude, longitude] = coords;
  return {
    ...{ name, hostname, location },
    // What nobody set is told as 0, 0.
    coordinates: latitude === 0 && longitude === 0 ? null : coords,
    // The label of the screen alone says no more than the screen's name.
    labels: labels
      .filter(({ type }) => type !== "screen")
      .map(({ name: label }) => label),
  };
}

const memoryShape = z.object({ screen: linkedScreenShape });

/** Of the first account whose service was heard; null where the player is paired with none. */
export function linkedScreenOf(
  rows: Pick<LinkRows, "connections" | "memory">,
): LinkedScreen | null {
  for (const id of rows.connections()) {
    const memory = memoryShape.safeParse(rows.memory(id));
    if (memory.success && memory.data.screen) return memory.data.screen;
  }
  return null;
}

/** What the service knows of the screen comes before what the PC says of itself. */
export function asLinkedScreen(
  own: ScreenFacts,
  linked: LinkedScreen | null,
): ScreenFacts {
  if (linked === null) return own;
  return {
    ...own,
    ...{ hostname: linked.hostname, screenName: linked.name },
    ...{ location: linked.location, coordinates: linked.coordinates },
    groups: linked.labels,
  };
}
