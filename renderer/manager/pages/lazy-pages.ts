// Pages that are loaded when they are opened for the first time, or when nothing else is to do.

import type { ComponentType } from "react";
import { whenIdle } from "../place/idle-time.ts";
import type { PageProps } from "../place/navigation.ts";
import { lazyPart } from "./lazy-part.ts";
import { loadKindsBy } from "../undo/undo.ts";

type PageLoader = () => Promise<ComponentType<PageProps>>;

/** Call once, for all of them. */
export function lazyPages<Id extends string>(
  loaders: Readonly<Record<Id, PageLoader>>,
): Record<Id, ComponentType<PageProps>> {
  const all = Object.values<PageLoader>(loaders);
  loadWhenIdle(all);
  loadKindsBy(() =>
    // A page that can't be loaded matters only if it defines the kind.
    Promise.allSettled(all.map((load) => load())),
  );
  const pages = Object.entries<PageLoader>(loaders).map(
    ([id, load]): [string, ComponentType<PageProps>] => [id, lazyPart(load)],
  );
  return Object.fromEntries(pages) as Record<Id, ComponentType<PageProps>>;
}

/** One after another, so that a later page opens at once. */
function loadWhenIdle([load, ...rest]: readonly PageLoader[]): void {
  if (load === undefined) return;
  whenIdle(() => {
    load()
      .then(() => {
        loadWhenIdle(rest);
      })
      // It is loaded again when it is opened, and says then why it can't be.
      .catch(() => undefined);
  });
}
