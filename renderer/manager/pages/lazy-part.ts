// Parts of the manager that a browser loads when they are needed, with the styles that only such parts need. The page names these
// style sheets, disabled, and loads none before the first part.

import { lazy, type ComponentType, type LazyExoticComponent } from "react";

/** Rendered when the part and its styles are there; in a window they are from the start. */
export function lazyPart<Props>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => {
    const links =
      document.querySelectorAll<HTMLLinkElement>("link[data-later]");
    const [part] = await Promise.all([load(), ...[...links].map(enable)]);
    return { default: part };
  });
}

const loading = new WeakMap<HTMLLinkElement, Promise<void>>();

function enable(link: HTMLLinkElement): Promise<void> {
  const known = loading.get(link);
  if (known) return known;
  const loaded = new Promise<void>((resolve, reject) => {
    const once = { once: true };
    link.addEventListener("load", () => resolve(), once);
    link.addEventListener(
      "error",
      () => {
        // Enabled again with the next attempt.
        link.disabled = true;
        loading.delete(link);
        reject(new Error(`The styles can't be loaded: ${link.href}`));
      },
      once,
    );
    link.disabled = false;
  });
  loading.set(link, loaded);
  return loaded;
}
