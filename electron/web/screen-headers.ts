// Details of the screen that a page's server gets with each request, under the names that pages know.

import type { ScreenFacts } from "../../server/contract/page-context.ts";

/** Details that are not known are left out. */
export function screenHeaders(screen: ScreenFacts): Record<string, string> {
  const [latitude, longitude] = screen.coordinates ?? [];
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries({
    hostname: screen.hostname,
    "screen-name": screen.screenName,
    "location-name": screen.location,
    hardware: screen.hardware,
    version: screen.version,
    lat: latitude,
    lng: longitude,
    tags: [screen.hostname, ...screen.groups].map(tagValue).join(),
  }))
    if (value !== undefined) headers[`X-Screenly-${name}`] = String(value);
  return headers;
}

/** A comma separates the tags, so none may stand within one. */
function tagValue(tag: string): string {
  return tag.replaceAll(",", " ");
}
