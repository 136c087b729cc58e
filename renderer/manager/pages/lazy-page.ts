// Pages that are loaded when they are opened for the first time, or when nothing else is to do.

import { lazy, type ComponentType } from "react";
import { whenIdle } from "../place/idle-time.ts";
import type { PageProps } from "../place/navigation.ts";

type PageLoader = () => Promise<ComponentType<PageProps>>;

export function lazyPage(load: PageLoader) {
  return lazy(async () => ({ default: await load() }));
}

/** One after another, so that a later page opens at once. */
export function loadWhenIdle([load, ...rest]: readonly PageLoader[]): void {
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
