// Pages that are loaded when they are opened for the first time, or when nothing else is to do.

import { lazy, type ComponentType } from "react";
import { whenIdle } from "../place/idle-time.ts";
import type { PageProps } from "../place/navigation.ts";
import { loadKindsBy } from "../undo/undo.ts";

type PageLoader = () => Promise<ComponentType<PageProps>>;

export function lazyPage(load: PageLoader) {
  return lazy(async () => ({ default: await load() }));
}

/** Call once, for all of them. */
export function loadLater(loaders: readonly PageLoader[]): void {
  loadWhenIdle(loaders);
  loadKindsBy(() =>
    // A page that can't be loaded matters only if it defines the kind.
    Promise.allSettled(loaders.map((load) => load())),
  );
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
