// Parses the Prefer header: the client's preferences for an answer, and which of them are supported.

import { Refusal } from "../../http/v4-errors.ts";
import { zoneNamed } from "./zone-name.ts";

export interface Preferences {
  readonly return:
    | "representation"
    | "minimal"
    | "headers-only"
    | "none"
    | null;
  readonly resolution: "merge-duplicates" | "ignore-duplicates" | null;
  readonly missing: "default" | "null" | null;
  readonly count: "exact" | "planned" | "estimated" | "none" | null;
  readonly handling: "strict" | "lenient" | null;
  /** The name of an existing time zone. */
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

/** The value for most requests. */
export const noPreferences: Preferences = {
  ...{ return: null, resolution: null, missing: null, count: null },
  ...{ handling: null, timezone: null, maxAffected: null },
};

/** The first of several of one kind counts; unknown ones are ignored, or rejected when handling is strict (V4-5). */
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
      | Supported[Kind][number]
      | null;
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

/** An unknown zone is rejected: times in any other would be mistaken for times in the requested one (V4-50). */
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

/** Characters shown of an unknown zone. */
const maxZone = 100;

/** Recognised, so that no client is rejected for them; writes are not rolled back (V4-5). */
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
