// Search on the screens page: by words, label and state, in the requested order. Pure, and fast with ten thousand screens.

import type { ScreenState } from "../../../server/contract/link/screen-report.ts";
import type { ScreenView } from "../../../server/contract/ipc/ipc-screens.ts";
import { folded } from "../assets/search.ts";
import { createScreenOrder } from "./screen-order.ts";
import { statesByUrgency } from "./screen-states.ts";

/** A screen in the list of all services. */
export interface ScreenItem {
  /** Of the service and the screen: unique on the page. */
  readonly key: string;
  readonly serviceId: string;
  readonly serviceName: string;
  /** It takes commands and changes. */
  readonly isManageable: boolean;
  readonly screen: ScreenView;
}

export const screenSortings = ["urgency", "name"] as const;
export type ScreenSorting = (typeof screenSortings)[number];

export interface ScreenQuery {
  readonly words: string;
  /** Empty means every state. */
  readonly states: ReadonlySet<ScreenState>;
  /** Null is every label. */
  readonly label: string | null;
  readonly sorting: ScreenSorting;
}

export interface FoundScreens {
  readonly items: readonly ScreenItem[];
  /** Of those that match the words and the label, whatever their state. */
  readonly counts: ReadonlyMap<ScreenState, number>;
}

/** Search text of a screen, created once: a changed screen is a new item. */
const haystacks = new WeakMap<ScreenItem, string>();

function haystackOf(item: ScreenItem): string {
  const cached = haystacks.get(item);
  if (cached !== undefined) return cached;
  const { name, location, groups } = item.screen;
  const labels = groups.map((label) => label.name).join("\n");
  const text = folded(`${name}\n${location}\n${labels}\n${item.serviceName}`);
  haystacks.set(item, text);
  return text;
}

/** Orders once for each list and sorting, and filters what is ordered. */
export function createScreenFinder(language: string) {
  const orderByName = createScreenOrder<ScreenItem>(language);
  let ordered: {
    readonly all: readonly ScreenItem[];
    readonly sorting: ScreenSorting;
    readonly items: readonly ScreenItem[];
  } | null = null;

  function inOrder(
    all: readonly ScreenItem[],
    sorting: ScreenSorting,
  ): readonly ScreenItem[] {
    if (ordered?.all === all && ordered.sorting === sorting)
      return ordered.items;
    const named = orderByName(all);
    const items = sorting === "name" ? named : byUrgency(named);
    ordered = { all, sorting, items };
    return items;
  }

  return (
    all: readonly ScreenItem[],
    { words, states, label, sorting }: ScreenQuery,
  ): FoundScreens => {
    const needles = folded(words).split(/\s+/).filter(Boolean);
    const counts = new Map<ScreenState, number>();
    const items = inOrder(all, sorting).filter((item) => {
      const { state, groups } = item.screen;
      if (label !== null && !groups.some(({ name }) => name === label))
        return false;
      if (needles.length > 0) {
        const haystack = haystackOf(item);
        if (!needles.every((needle) => haystack.includes(needle))) return false;
      }
      counts.set(state, (counts.get(state) ?? 0) + 1);
      return states.size === 0 || states.has(state);
    });
    return { items, counts };
  };
}

/** Those of a state stay in their order. */
function byUrgency(named: readonly ScreenItem[]): readonly ScreenItem[] {
  const byState = new Map(
    statesByUrgency.map((state): [ScreenState, ScreenItem[]] => [state, []]),
  );
  for (const item of named) byState.get(item.screen.state)?.push(item);
  return [...byState.values()].flat();
}

/** The names of all labels with the number of their screens, by name. */
export function labelsOf(
  items: readonly ScreenItem[],
): readonly { readonly name: string; readonly count: number }[] {
  const counts = new Map<string, number>();
  for (const { screen } of items)
    for (const { name } of screen.groups)
      counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts]
    .map(([name, count]) => ({ name, count }))
    .sort((a, b) => a.name.localeCompare(b.name));
}

/** The same list while it has the same labels: so that a filter bar is not rendered again with every change of a screen. */
export function createLabelList() {
  let last: ReturnType<typeof labelsOf> = [];
  return (items: readonly ScreenItem[]): ReturnType<typeof labelsOf> => {
    const labels = labelsOf(items);
    const isSame =
      labels.length === last.length &&
      labels.every(
        ({ name, count }, index) =>
          last[index]?.name === name && last[index].count === count,
      );
    if (!isSame) last = labels;
    return last;
  };
}
