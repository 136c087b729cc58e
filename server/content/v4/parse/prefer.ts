// The header Prefer: what a client wishes of an answer, and which wishes are known.

import { Refusal } from "../../http/refusal.ts";
import { zoneNamed } from "./zone-name.ts";

export interface Preferences {
  readonly return:
    "representation" | "minimal" | "headers-only" | "none" | null;
  readonly resolution: "merge-duplicates" | "ignore-duplicates" | null;
  readonly missing: "default" | "null" | null;
  readonly count: "exact" | "planned" | "estimated" | "none" | null;
  readonly handling: "strict" | "lenient" | null;
  /** Of a zone that there is. */
  readonly timezone: string | null;
  readonly maxAffected: number | null;
}

const supported = {
  return: ["representation", "minimal", "headers-only", "none"],
  resolution: ["merge-duplicates", "ignore-duplicates"],
  missing: ["default", "null"],
  count: ["exact", "planned", "estimated", "none"],
  handling: ["strict", "lenient"],
} as const;

type Supported = typeof supported;

/** Of most requests. */
export const noPreferences: Preferences = {
  ...{ return: null, resolution: null, missing: null, count: null },
  ...{ handling: null, timezone: null, maxAffected: null },
};

/** The first of several of one kind counts; what is not known is ignored, or refused when handling is strict (V4-5). */
export function parsePrefer(header: string | undefined): Preferences {
  if (header === undefined) return noPreferences;
  const preferences = header
    .split(",")
    .map((preference) => preference.trim())
    .filter((preference) => preference !== "");
  const first = <Kind extends keyof Supported>(
    kind: Kind,
  ): Supported[Kind][number] | null => {
    const values: readonly string[] = supported[kind];
    const preference = preferences.find((each) =>
      values.some((value) => each === `${kind}=${value}`),
    );
    return (preference?.slice(kind.length + 1) ?? null) as
      Supported[Kind][number] | null;
  };
  const handling = first("handling");
  if (handling === "strict") refuseUnknown(preferences);
  const most = preferences.find((preference) => maxPattern.test(preference));
  return {
    return: first("return"),
    resolution: first("resolution"),
    missing: first("missing"),
    count: first("count"),
    handling,
    timezone: zoneOf(preferences),
    maxAffected: most ? Number(most.slice("max-affected=".length)) : null,
  };
}

const maxPattern = /^max-affected=\d{1,15}$/;

const zoneWord = "timezone=";

/** Times in another zone than the one wished for would be taken for those of that one (V4-50). */
function zoneOf(preferences: readonly string[]): string | null {
  const preference = preferences.find((each) => each.startsWith(zoneWord));
  if (preference === undefined) return null;
  const zone = preference.slice(zoneWord.length);
  if (zoneNamed(zone) !== null) return zone;
  throw new Refusal(
    400,
    "22023",
    `invalid value for parameter "TimeZone": "${zone.slice(0, maxZone)}"`,
  );
}

/** Of what was written in place of a zone. */
const maxZone = 100;

/** Known, so that nobody is refused for it; what is written stays written (V4-5). */
const notHonoured = /^tx=(?:commit|rollback)$/;

function refuseUnknown(preferences: readonly string[]): void {
  const unknown = preferences.filter(
    (preference) =>
      !maxPattern.test(preference) &&
      !notHonoured.test(preference) &&
      !preference.startsWith(zoneWord) &&
      !Object.entries(supported).some(([kind, values]) =>
        values.some((value) => preference === `${kind}=${value}`),
      ),
  );
  if (unknown.length > 0)
    throw new Refusal(
      400,
      "PGRST122",
      "Invalid preferences given with handling=strict",
      { details: `Invalid preferences: ${unknown.join(", ")}` },
    );
}
