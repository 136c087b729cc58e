// The sync of a player, which is attached after the player has started: the interface asks whatever is attached, or says that nothing is.

import { Failure } from "../../core/failure.ts";
import type { SyncProgress } from "../../core/sync-plan/sync-state.ts";
import type { CloudChange } from "../../core/sync-plan/outbox.ts";
import { createAnnouncement } from "../announcement.ts";
import type { Sync, SyncExtensions } from "./sync.ts";

/** What an interface asks of what stands beside the connections. */
type AttachedExtensions = Pick<
  SyncExtensions,
  "link" | "outbox" | "offlineBundles"
>;

export interface AttachedSync {
  attach(sync: Sync): void;
  attachExtensions(extensions: AttachedExtensions): void;
  /** Throws `unavailable` where there is none. */
  sync(): Sync;
  /** Throws `unavailable` where there is none. */
  extensions(): AttachedExtensions;
  /** The outbox of an account; empty where there is none. */
  changes(connectionId: string): readonly CloudChange[];
  /** To be typed by a person at a service; null where nobody waits, and when it is good for nothing any more. */
  pin(): { readonly pin: string; readonly at: string } | null;
  onProgress(listener: (progress: SyncProgress) => void): () => void;
  onConnectionsChanged(listener: () => void): () => void;
}

export interface AttachedSyncOptions {
  readonly onAttached: (sync: Sync) => void;
  /** There may be another pin. */
  readonly onPin: () => void;
  readonly now: () => number;
}

export function createAttachedSync(options: AttachedSyncOptions): AttachedSync {
  const progress = createAnnouncement<SyncProgress>();
  const connectionsChanged = createAnnouncement();
  let sync: Sync | null = null;
  let extensions: AttachedExtensions | null = null;
  return {
    attach: (attached) => {
      sync = attached;
      sync.onProgress(progress.emit);
      sync.onConnectionsChanged(connectionsChanged.emit);
      options.onAttached(sync);
    },
    attachExtensions: (attached) => {
      extensions = attached;
      extensions.link.onPairing(options.onPin);
      options.onPin();
    },
    sync: () => assertAttached(sync),
    extensions: () => assertAttached(extensions),
    changes: (connectionId) => extensions?.outbox.changes(connectionId) ?? [],
    pin: () => {
      const pairing = extensions?.link.pairing() ?? null;
      if (pairing === null || pairing.pin === null) return null;
      const { pin, pinEndsAt, baseUrl } = pairing;
      if (pinEndsAt !== null && pinEndsAt <= options.now()) return null;
      return { pin, at: new URL(baseUrl).host };
    },
    onProgress: progress.on,
    onConnectionsChanged: connectionsChanged.on,
  };
}

function assertAttached<T>(attached: T | null): T {
  if (attached !== null) return attached;
  throw new Failure("unavailable", "This player was started without a sync.");
}
