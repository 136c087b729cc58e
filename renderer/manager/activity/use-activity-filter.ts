// What the activity page is filtered by: type, author, time range and words.

import { useDebouncedValue } from "@mantine/hooks";
import { useMemo, useState } from "react";

const hourMs = 3_600_000;
const rangesMs = {
  always: null,
  hour: hourMs,
  day: 24 * hourMs,
  week: 7 * 24 * hourMs,
  month: 30 * 24 * hourMs,
} as const;
export type Range = keyof typeof rangesMs;
export const ranges = Object.keys(rangesMs) as readonly Range[];

/** Debounce: a word is searched for when it is complete, not letter by letter. */
const typingMs = 200;

export interface ActivityQuery {
  readonly kind: string;
  /** Empty: anyone, and what happens by itself. */
  readonly actor: string;
  readonly search: string;
  /** Milliseconds back from now; null for no limit. */
  readonly backMs: number | null;
}

export function useActivityFilter() {
  const [kind, setKind] = useState("");
  const [actor, setActor] = useState("");
  const [range, setRange] = useState<Range>("always");
  const [typed, setTyped] = useState("");
  const [search] = useDebouncedValue(typed.trim(), typingMs);
  const query = useMemo<ActivityQuery>(
    () => ({ kind, actor, search, backMs: rangesMs[range] }),
    [kind, actor, search, range],
  );
  return {
    ...{ query, typed, setTyped, range, setRange, setKind, setActor },
    isFiltered:
      [kind, actor, search].some((one) => one !== "") || range !== "always",
    clear: () => {
      setKind("");
      setActor("");
      setRange("always");
      setTyped("");
    },
  };
}

export type ActivityFilter = ReturnType<typeof useActivityFilter>;
