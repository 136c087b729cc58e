// Pages that could not be reached when they were added: asked about one after the other, with headers or without the check.

import { useSyncExternalStore } from "react";
import type { AssetView } from "../../../server/contract/ipc/ipc.ts";
import { reasonOf } from "../api.ts";

export interface PageOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly skipCheck?: boolean;
}

export interface RefusedPage {
  readonly address: string;
  /** Why, in the player's words. */
  readonly reason: string;
  /** Rejects when it is refused again. */
  readonly add: (options: PageOptions) => Promise<void>;
  readonly cancel: () => void;
}

let refused: readonly RefusedPage[] = [];
const listeners = new Set<() => void>();

function become(next: readonly RefusedPage[]): void {
  refused = next;
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
        become(refused.filter((one) => one !== page));
        resolve(asset);
      };
      const page: RefusedPage = {
        ...{ address, reason: reasonOf(error) },
        add: async (options) => {
          end(await add(options));
        },
        cancel: () => {
          end(null);
        },
      };
      become([...refused, page]);
    });
  }
}

/** The first that waits for an answer. */
export function useRefusedPage(): RefusedPage | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => refused[0] ?? null,
  );
}
