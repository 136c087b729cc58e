// Loads activity page by page, newest first, and prepends new events.

import {
  useInfiniteQuery,
  useQueryClient,
  type InfiniteData,
} from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import type { ActivityV2 } from "../../../server/contract/v2/v2-logs.ts";
import { operate } from "../api/operations.ts";
import { transport } from "../transport/transport.ts";
import { notifyInternalError } from "../components/outcomes/outcome.ts";

export interface ActivityQuery {
  readonly kind: string;
  /** Empty: changes by anyone, and what the player does by itself. */
  readonly actor: string;
  readonly search: string;
  /** Milliseconds back from now; null for no limit. */
  readonly backMs: number | null;
}

export type Parameters = Readonly<Record<string, string>>;

const pageSize = 200;
/** The player checks for changes once a second and logs them then. */
const logDelayMs = 1_300;

type Pages = InfiniteData<readonly ActivityV2[], number | null>;

export function parametersOf(
  { kind, actor, search, backMs }: ActivityQuery,
  now: number,
): Parameters {
  return {
    ...(kind === "" ? {} : { kind }),
    ...(actor === "" ? {} : { actor }),
    ...(search === "" ? {} : { search }),
    ...(backMs === null ? {} : { from: new Date(now - backMs).toISOString() }),
  };
}

/** Prepends the new entries of `newest` to those already loaded; null where entries between them are missing. */
export function withNewest(
  pages: readonly (readonly ActivityV2[])[],
  newest: readonly ActivityV2[],
): readonly (readonly ActivityV2[])[] | null {
  const [first = [], ...others] = pages;
  const newestId = first[0]?.activity_id;
  if (newestId === undefined) return newest.length === 0 ? pages : [newest];
  const fresh = newest.filter(({ activity_id }) => activity_id > newestId);
  if (fresh.length === 0) return pages;
  if (fresh.length === newest.length && newest.length >= pageSize) return null;
  return [[...fresh, ...first], ...others];
}

export function useActivity(query: ActivityQuery) {
  const client = useQueryClient();
  const key = useMemo(() => ["listActivity", query], [query]);
  const answer = useInfiniteQuery({
    queryKey: key,
    initialPageParam: null as number | null,
    queryFn: ({ pageParam }) =>
      operate("listActivity", {
        parameters: {
          ...parametersOf(query, Date.now()),
          limit: String(pageSize),
          ...(pageParam === null ? {} : { before: String(pageParam) }),
        },
      }),
    getNextPageParam: (last) =>
      last.length < pageSize ? null : (last.at(-1)?.activity_id ?? null),
    staleTime: 0,
    gcTime: 0,
  });

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const refresh = async (): Promise<void> => {
      const newest = await operate("listActivity", {
        parameters: {
          ...parametersOf(query, Date.now()),
          limit: String(pageSize),
        },
      }).catch(() => null);
      if (newest === null) return;
      const before = client.getQueryData<Pages>(key);
      if (!before) return;
      const pages = withNewest(before.pages, newest);
      if (pages === null) await client.resetQueries({ queryKey: key });
      else if (pages !== before.pages)
        client.setQueryData<Pages>(key, { ...before, pages: [...pages] });
    };
    // However many events arrive meanwhile, it reloads once this has passed.
    const stop = transport.onPlayerEvent(() => {
      timer ??= setTimeout(() => {
        timer = undefined;
        refresh().catch(notifyInternalError);
      }, logDelayMs);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [client, key, query]);

  const rows = useMemo(() => answer.data?.pages.flat() ?? [], [answer.data]);
  return { answer, rows };
}
