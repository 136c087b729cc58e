// Queue of pages that were unreachable when they were added: confirmed one after the other, with headers or without the check.

import { useSyncExternalStore } from "react";
import type { AssetView } from "../api/asset-view.ts";
import { reasonOf } from "../api/reason.ts";

export interface PageOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly skipCheck?: boolean;
}

export interface RejectedPage {
  readonly address: string;
  /** The reason, in the player's words. */
  readonly reason: string;
  /** Rejects when it fails again. */
  readonly add: (options: PageOptions) => Promise<void>;
  readonly cancel: () => void;
}

let rejectedPages: readonly RejectedPage[] = [];
const listeners = new Set<() => void>();

function become(next: readonly RejectedPage[]): void {
  rejectedPages = next;
  for (const listener of listeners) listener();
}

/** Tries to add it, and asks for options if that fails; null when the operator cancels. */
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

/** The first that waits for a decision. */
export function useRejectedPage(): RejectedPage | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => rejectedPages[0] ?? null,
  );
}
