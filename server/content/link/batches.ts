// Runs work for many at once: what arrives while one batch is under way is the next.

export interface Batches<Item> {
  /** Settles with the batch of this item. */
  add(item: Item): Promise<void>;
}

/** One batch at a time, so that the busier it is, the less each item costs. */
export function createBatches<Item>(
  maxItems: number,
  act: (items: readonly Item[]) => Promise<void>,
): Batches<Item> {
  let last: Promise<unknown> = Promise.resolve();
  let open: { readonly items: Item[]; readonly done: Promise<void> } | null =
    null;
  return {
    add: (item) => {
      if (open && open.items.length < maxItems) {
        open.items.push(item);
        return open.done;
      }
      const items = [item];
      const done = last.then(() => {
        if (open?.items === items) open = null;
        return act(items);
      });
      open = { items, done };
      last = done.catch(() => undefined);
      return done;
    },
  };
}
