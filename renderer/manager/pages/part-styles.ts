// Styles of parts of the manager that a browser loads later. Its page names them, and loads none before its part is needed.

const loading = new WeakMap<HTMLLinkElement, Promise<void>>();

/** Loads a part with its styles, which apply when it resolves; in a window they are there from the start. */
export function withStyles<Part>(
  name: string,
  load: () => Promise<Part>,
): () => Promise<Part> {
  return async () => {
    const links = document.querySelectorAll<HTMLLinkElement>(
      `link[data-parts~="${name}"]`,
    );
    const [part] = await Promise.all([load(), ...[...links].map(enable)]);
    return part;
  };
}

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
