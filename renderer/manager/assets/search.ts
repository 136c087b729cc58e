// Library search: filters by folder, kind and words, in the requested order. Pure, and fast with ten thousand assets.

import { can } from "../place/abilities.ts";
import { whenIdle } from "../place/idle-time.ts";
import type { AssetView } from "../api/asset-view.ts";

const sortings = ["order", "latest", "name", "size", "start"] as const;
export type Sorting = (typeof sortings)[number];

/** The play order and the dates are a player's; a content service lists the latest first. */
export const sortingsHere: readonly Sorting[] = can("player")
  ? sortings.filter((sorting) => sorting !== "latest")
  : ["latest", "name", "size"];

export interface LibraryQuery {
  readonly words: string;
  /** Empty means every kind. */
  readonly kinds: ReadonlySet<AssetView["kind"]>;
  /** Null is every folder; "" is assets in no folder. Subfolders are included. */
  readonly folder: string | null;
  readonly onlyProblems: boolean;
  readonly sorting: Sorting;
}

/** Search text of an asset, created once: a changed asset is a new row. */
const haystacks = new WeakMap<AssetView, string>();

function haystackOf(asset: AssetView): string {
  const cached = haystacks.get(asset);
  if (cached !== undefined) return cached;
  const searchText = folded(`${asset.name}\n${asset.uri}\n${asset.folder}`);
  haystacks.set(asset, searchText);
  return searchText;
}

/** In lower case and without diacritics: `menu` finds `Menü`. */
export function folded(text: string): string {
  const small = text.toLowerCase();
  return isPlain(small) ? small : small.normalize("NFKD").replace(marks, "");
}

const marks = /\p{M}/gu;

/** Most names contain nothing to fold. */
function isPlain(text: string): boolean {
  return /^[\n -~]*$/.test(text);
}

/** How many are prepared in one go: a millisecond or two. */
const atOnce = 500;

/** Prepares the search texts in idle time; the returned function stops it. */
export function prepareSearch(assets: readonly AssetView[]): () => void {
  let next = 0;
  let cancel = (): void => undefined;
  const go = (): void => {
    assets.slice(next, next + atOnce).forEach(haystackOf);
    next += atOnce;
    if (next < assets.length) cancel = whenIdle(go);
  };
  cancel = whenIdle(go);
  return () => {
    cancel();
  };
}

export type Finder = typeof findAssets;

/** Finds the same as `findAssets`; a query that narrows the previous one searches only the previous results. */
export function createFinder(): Finder {
  let last: {
    readonly assets: readonly AssetView[];
    readonly query: LibraryQuery;
    readonly found: readonly AssetView[];
  } | null = null;
  return (assets, query) => {
    const isNarrower = last?.assets === assets && narrows(last.query, query);
    const matches =
      last && isNarrower
        ? withWords(last.found, query.words)
        : findAssets(assets, query);
    last = { assets, query, found: matches };
    return matches;
  };
}

/** The earlier query found everything that the later one finds, in the same order. */
function narrows(earlier: LibraryQuery, later: LibraryQuery): boolean {
  return (
    folded(later.words).startsWith(folded(earlier.words)) &&
    later.kinds === earlier.kinds &&
    later.folder === earlier.folder &&
    later.onlyProblems === earlier.onlyProblems &&
    later.sorting === earlier.sorting
  );
}

function withWords(
  assets: readonly AssetView[],
  text: string,
): readonly AssetView[] {
  const words = wordsOf(text);
  return assets.filter((asset) => hasAll(haystackOf(asset), words));
}

function wordsOf(text: string): readonly string[] {
  return folded(text).split(/\s+/).filter(Boolean);
}

export function findAssets(
  assets: readonly AssetView[],
  query: LibraryQuery,
): readonly AssetView[] {
  const words = wordsOf(query.words);
  const { kinds, folder, onlyProblems } = query;
  const isEverything =
    words.length === 0 && kinds.size === 0 && folder === null && !onlyProblems;
  const matches = isEverything
    ? assets
    : assets.filter(
        (asset) =>
          (kinds.size === 0 || kinds.has(asset.kind)) &&
          (folder === null || isIn(asset, folder)) &&
          (!onlyProblems || asset.problem !== null) &&
          hasAll(haystackOf(asset), words),
      );
  return sorted(matches, query.sorting);
}

function hasAll(haystack: string, words: readonly string[]): boolean {
  return words.every((word) => haystack.includes(word));
}

function isIn({ folder }: AssetView, parent: string): boolean {
  if (parent === "") return folder === "";
  return folder === parent || folder.startsWith(`${parent}/`);
}

const collator = new Intl.Collator(undefined, { numeric: true });

function sorted(
  assets: readonly AssetView[],
  sorting: Sorting,
): readonly AssetView[] {
  switch (sorting) {
    case "order":
    case "latest":
      return assets;
    case "name":
      return assets.toSorted((a, b) => collator.compare(a.name, b.name));
    case "size":
      return assets.toSorted((a, b) => (b.sizeBytes ?? 0) - (a.sizeBytes ?? 0));
    case "start":
      return assets.toSorted((a, b) => (b.startsAt ?? 0) - (a.startsAt ?? 0));
  }
}

export interface Folder {
  /** `Menus/Lunch` */
  readonly path: string;
  /** `Lunch` */
  readonly name: string;
  readonly depth: number;
  /** Including subfolders. */
  readonly count: number;
}

/** Every folder that contains anything, parents before children. */
export function foldersOf(assets: readonly AssetView[]): readonly Folder[] {
  const counts = new Map<string, number>();
  for (const { folder } of assets) {
    if (folder === "") continue;
    const parts = folder.split("/");
    for (let depth = 1; depth <= parts.length; depth++) {
      const path = parts.slice(0, depth).join("/");
      counts.set(path, (counts.get(path) ?? 0) + 1);
    }
  }
  return [...counts]
    .map(([path, count]) => {
      const parts = path.split("/");
      const name = parts.at(-1) ?? path;
      return { path, name, depth: parts.length - 1, count };
    })
    .sort((a, b) => comparePaths(a.path, b.path));
}

/** Compared part by part, so that `Menus/Lunch` comes beneath `Menus` and before `Menus 2`. */
function comparePaths(a: string, b: string): number {
  const [left, right] = [a.split("/"), b.split("/")];
  for (let at = 0; at < Math.min(left.length, right.length); at++) {
    const difference = collator.compare(left[at] ?? "", right[at] ?? "");
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}
