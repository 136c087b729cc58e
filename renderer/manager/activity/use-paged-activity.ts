// Loads a log page by page, newest first, and prepends new entries.

import {
  useInfiniteQuery,
  useQueryClient,
  type InfiniteData,
} from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { notifyInternalError } from "../components/outcomes/outcome.ts";

/** Identifiers grow with time. */
type Id = string | number;

export interface LogPage<Entry> {
  readonly entries: readonly Entry[];
  /** Where the next page continues; null: there is none. */
  readonly next: Id | null;
}

export interface LogSource<Entry> {
  /** Of the query: the same for the same entries. */
  readonly key: readonly unknown[];
  /** Null is the first page. */
  readonly read: (from: Id | null) => Promise<LogPage<Entry>>;
  readonly idOf: (entry: Entry) => Id;
  /** Calls back when there may be new entries. The returned function ends it. */
  readonly watch: (onNew: () => void) => () => void;
}

/** Prepends the new entries of `newest` to those already loaded; null where entries between them are missing. */
export function withNewest<Entry>(
  pages: readonly LogPage<Entry>[],
  newest: LogPage<Entry>,
  idOf: LogSource<Entry>["idOf"],
): readonly LogPage<Entry>[] | null {
  const [first, ...others] = pages;
  const oldest = pages.flatMap(({ entries }) => entries).at(-1);
  if (first === undefined || oldest === undefined)
    return newest.entries.length === 0 && first !== undefined
      ? pages
      : [newest];
  const known = new Set(
    pages.flatMap(({ entries }) => entries.map((entry) => idOf(entry))),
  );
  // An entry that was made earlier may be stored later than another one.
  const fresh = newest.entries.filter(
    (entry) => !known.has(idOf(entry)) && idOf(entry) > idOf(oldest),
  );
  if (fresh.length === 0) return pages;
  if (fresh.length === newest.entries.length && newest.next !== null)
    return null;
  const entries = [...fresh, ...first.entries].sort((a, b) =>
    idOf(a) < idOf(b) ? 1 : -1,
  );
  return [{ ...first, entries }, ...others];
}

type Pages<Entry> = InfiniteData<LogPage<Entry>, Id | null>;

/** `source` is memoised. */
export function usePagedActivity<Entry>(source: LogSource<Entry>) {
  const client = useQueryClient();
  const { key, read, idOf, watch } = source;
  const answer = useInfiniteQuery({
    queryKey: key,
    initialPageParam: null as Id | null,
    queryFn: ({ pageParam }) => read(pageParam),
    getNextPageParam: ({ next }) => next,
    staleTime: 0,
    gcTime: 0,
  });

  useEffect(() => {
    const refresh = async (): Promise<void> => {
      const newest = await read(null).catch(() => null);
      if (newest === null) return;
      const before = client.getQueryData<Pages<Entry>>(key);
      if (!before) return;
      const pages = withNewest(before.pages, newest, idOf);
      if (pages === null) await client.resetQueries({ queryKey: key });
      else if (pages !== before.pages)
        client.setQueryData<Pages<Entry>>(key, {
          ...before,
          pages: [...pages],
        });
    };
    return watch(() => {
      refresh().catch(notifyInternalError);
    });
  }, [client, key, read, idOf, watch]);

  const rows = useMemo(
    () => answer.data?.pages.flatMap(({ entries }) => entries) ?? [],
    [answer.data],
  );
  // A page may have nothing of what is searched for, and the next one has.
  const { fetchNextPage, hasNextPage, isFetching, isError } = answer;
  const isSearching = rows.length === 0 && hasNextPage && !isError;
  useEffect(() => {
    if (isSearching && !isFetching) fetchNextPage().catch(notifyInternalError);
  }, [isSearching, isFetching, fetchNextPage]);
  return { answer, rows, isSearching };
}
