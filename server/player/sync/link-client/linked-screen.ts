// The paired screen as its service describes it: stored with the link, so that pages get it while the service is away (V2-580).

import * as z from "zod";
import type { LinkScreen } from "../../../contract/link/link.ts";
import type { ScreenFacts } from "../../../contract/page-context.ts";
import type { LinkRows } from "./link-rows.ts";

const screenShape = z.object({
  name: z.string(),
  hostname: z.string(),
  location: z.string(),
  coordinates: z.tuple([z.number(), z.number()]).nullable(),
  labels: z.array(z.string()),
});

export type LinkedScreen = Readonly<z.infer<typeof screenShape>>;

/** Stored with the memory of the link; null until the service has answered. */
export const linkedScreenShape = screenShape.nullable().catch(null);

export function linkedScreenFrom(screen: LinkScreen): LinkedScreen {
  const { name, hostname, location, coords, labels } = screen;
  const [latitude, longitude] = coords;
  return {
    ...{ name, hostname, location },
    // Coordinates that nobody set are sent as 0, 0.
    coordinates: latitude === 0 && longitude === 0 ? null : coords,
    // The screen's own label adds nothing to the screen's name.
    labels: labels
      .filter(({ type }) => type !== "screen")
      .map(({ name: label }) => label),
  };
}

const memoryShape = z.object({ screen: linkedScreenShape });

/** Of the first connection whose service has answered; null if the player is not paired. */
export function linkedScreenOf(
  rows: Pick<LinkRows, "connections" | "memory">,
): LinkedScreen | null {
  for (const id of rows.connections()) {
    const memory = memoryShape.safeParse(rows.memory(id));
    if (memory.success && memory.data.screen) return memory.data.screen;
  }
  return null;
}

/** What the service knows of the screen takes precedence over the PC's own values. */
export function asLinkedScreen(
  ownFacts: ScreenFacts,
  linked: LinkedScreen | null,
): ScreenFacts {
  if (linked === null) return ownFacts;
  return {
    ...ownFacts,
    ...{ hostname: linked.hostname, screenName: linked.name },
    ...{ location: linked.location, coordinates: linked.coordinates },
    groups: linked.labels,
  };
}
