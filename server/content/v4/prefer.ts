// The header Prefer: what a client wishes of an answer, and which wishes are known.

import { Refusal } from "./refusal.ts";

export interface Preferences {
  readonly return:
    "representation" | "minimal" | "headers-only" | "none" | null;
  readonly resolution: "merge-duplicates" | "ignore-duplicates" | null;
  readonly missing: "default" | "null" | null;
  readonly count: "exact" | "planned" | "estimated" | "none" | null;
  readonly handling: "strict" | "lenient" | null;
  readonly maxAffected: number | null;
}

const known = {
  return: ["representation", "minimal", "headers-only", "none"],
  resolution: ["merge-duplicates", "ignore-duplicates"],
  missing: ["default", "null"],
  count: ["exact", "planned", "estimated", "none"],
  handling: ["strict", "lenient"],
} as const;

type Known = typeof known;

/** Of most requests. */
export const noPreferences: Preferences = {
  ...{ return: null, resolution: null, missing: null, count: null },
  ...{ handling: null, maxAffected: null },
};

/** The first of several of one kind counts; what is not known is ignored, or refused when handling is strict (V4-5). */
export function parsePrefer(header: string | undefined): Preferences {
  if (header === undefined) return noPreferences;
  const wishes = header
    .split(",")
    .map((wish) => wish.trim())
    .filter((wish) => wish !== "");
  const first = <Kind extends keyof Known>(
    kind: Kind,
  ): Known[Kind][number] | null => {
    const values: readonly string[] = known[kind];
    const wish = wishes.find((each) =>
      values.some((value) => each === `${kind}=${value}`),
    );
    return (wish?.slice(kind.length + 1) ?? null) as Known[Kind][number] | null;
  };
  const handling = first("handling");
  if (handling === "strict") refuseUnknown(wishes);
  const most = wishes.find((wish) => mostPattern.test(wish));
  return {
    return: first("return"),
    resolution: first("resolution"),
    missing: first("missing"),
    count: first("count"),
    handling,
    maxAffected: most ? Number(most.slice("max-affected=".length)) : null,
  };
}

const mostPattern = /^max-affected=\d{1,15}$/;

function refuseUnknown(wishes: readonly string[]): void {
  const unknown = wishes.filter(
    (wish) =>
      !mostPattern.test(wish) &&
      !Object.entries(known).some(([kind, values]) =>
        values.some((value) => wish === `${kind}=${value}`),
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
