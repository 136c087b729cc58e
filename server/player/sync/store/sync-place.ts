// Where a sync takes its place beside the player: the interface asks whatever stands there, or says that nothing does.

import { Failure } from "../../../core/failure.ts";
import type { SyncDesk, SyncProgress } from "../../../core/sync-state.ts";
import { createAnnouncement } from "../../announcement.ts";

export interface SyncPlace {
  attach(desk: SyncDesk): void;
  /** Throws `unavailable` where there is none. */
  desk(): SyncDesk;
  onProgress(listener: (progress: SyncProgress) => void): () => void;
  onAccountsChanged(listener: () => void): () => void;
}

export function createSyncPlace(
  onAttached: (desk: SyncDesk) => void,
): SyncPlace {
  const progress = createAnnouncement<SyncProgress>();
  const accountsChanged = createAnnouncement();
  let attached: SyncDesk | null = null;
  return {
    attach: (desk) => {
      attached = desk;
      desk.onProgress(progress.tell);
      desk.onAccountsChanged(accountsChanged.tell);
      onAttached(desk);
    },
    desk: () => {
      if (!attached)
        throw new Failure(
          "unavailable",
          "This player was started without a sync.",
        );
      return attached;
    },
    onProgress: progress.on,
    onAccountsChanged: accountsChanged.on,
  };
}
