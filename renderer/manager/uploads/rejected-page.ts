// Pages that could not be reached when they were added: asked about one after the other, with headers or without the check.

import { useSyncExternalStore } from "react";
import type { AssetView } from "../../../server/contract/ipc/ipc.ts";
import { reasonOf } from "../api.ts";

export interface PageOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly skipCheck?: boolean;
}

export interface RejectedPage {
  readonly address: string;
  /** Why, in the player's words. */
  readonly reason: string;
  /** Rejects when it is refused again. */
  readonly add: (options: PageOptions) => Promise<void>;
  readonly cancel: () => void;
}

let rejectedPages: readonly RejectedPage[] = [];
const listeners = new Set<() => void>();

function become(next: readonly RejectedPage[]): void {
  rejectedPages = next;
  for (const listener of listeners) listener();
}

/** Tries it, and asks how else when it is refused; null when the person leaves it. */
export async function addOrConfirm(
  address: string,
  add: (options: PageOptions) => Promise<AssetView>,
): Promise<AssetView | null> {
  try {
    return await add({});
  } catch (error) {
    return new Promise((resolve) => {
      const end = (asset: AssetView | null): void => {
        become(rejectedPages.filter((one) => one !== page));
        resolve(asset);
      };
      const page: RejectedPage = {
        ...{ address, reason: reasonOf(error) },
        add: async (options) => {
          end(await add(options));
        },
        cancel: () => {
          end(null);
        },
      };
      become([...rejectedPages, page]);
    });
  }
}

/** The first that waits for an answer. */
export function useRejectedPage(): RejectedPage | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => rejectedPages[0] ?? null,
  );
}
