// Which rows of a list an answer holds, as PostgREST says it, and how lists are read to their end.

import type { HttpAnswer } from "../../../platform/http/client.ts";
import { CloudTrouble } from "./remote-error.ts";
import { idIn, type Row } from "./remote.ts";

/**
 * A service may give fewer rows at once than were asked for: 206, or a range that ends before the total. Without a
 * total nobody knows: PostgREST cuts a list with a plain 200 (V2-541, V2-622).
 */
export function isPartial({
  status,
  headers,
}: Pick<HttpAnswer, "status" | "headers">): boolean | null {
  const [, last, total] =
    /^(?:[a-z]{1,20} )?(?:\d{1,15}-(\d{1,15})|\*)\/(\d{1,15}|\*)$/.exec(
      headers["content-range"] ?? "",
    ) ?? [];
  if (total !== undefined && total !== "*")
    return last !== undefined && Number(last) + 1 < Number(total);
  return status === 206 ? true : null;
}

/** A longer list is none of a screen's. */
const mostRows = 100_000;
const mostPages = 2000;

export interface RowPage {
  readonly rows: readonly Row[];
  /** Null: the answer does not say. */
  readonly isPartial: boolean | null;
  /** It turned out to be the end of the list. */
  readonly noteLast?: () => void;
}

export interface PagesOptions {
  /** The column that the rows are ordered by; null where there is no single one, and pages go by the number of rows before. */
  readonly key: string | null;
  /** `after` is the key of the last row before it, empty at first; `count` how many rows came before. */
  readonly page: (
    after: string,
    count: number,
  ) => Promise<RowPage | "unchanged">;
  readonly seen: (rows: readonly Row[]) => void;
}

/** Reads a list until the service says that it is whole or gives no more rows (V2-541); by key, what is inserted or deleted meanwhile moves nothing (V2-215). Throws `malformed` for a list without an end. */
export async function readPages({
  key,
  page,
  seen,
}: PagesOptions): Promise<{ readonly pages: number } | "unchanged"> {
  const lastKeys = new Set<string>();
  let after = "";
  let count = 0;
  let last: RowPage | null = null;
  /** Of one page. */
  let most = 0;
  for (let pages = 1; ; pages += 1) {
    const answer = await page(after, count);
    if (answer === "unchanged") return answer;
    const { rows } = answer;
    // A service may know no pages: then all of it comes again.
    if (last && (rows.length === 0 || isAgain(answer, last))) {
      last.noteLast?.();
      return { pages: pages - 1 };
    }
    seen(rows);
    count += rows.length;
    last = answer;
    // It could have given as many as before.
    const isMore = answer.isPartial ?? rows.length >= most;
    if (rows.length === 0 || !isMore) return { pages };
    most = Math.max(most, rows.length);
    if (count > mostRows || pages >= mostPages) throw endless();
    if (key === null) continue;
    const newest = rows
      .map((row) => idIn(row, key))
      .filter((id) => id !== null)
      .at(-1);
    if (newest === undefined || lastKeys.has(newest)) throw endless();
    lastKeys.add(newest);
    after = newest;
  }
}

function isAgain({ rows, isPartial }: RowPage, last: RowPage): boolean {
  return (
    isPartial === null && JSON.stringify(rows) === JSON.stringify(last.rows)
  );
}

function endless(): CloudTrouble {
  return new CloudTrouble(
    "malformed",
    "The cloud's list goes on without an end.",
  );
}
