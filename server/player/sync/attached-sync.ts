// Sync attached to the player after its start: interfaces use what is attached, or report that sync is unavailable.

import { connectionSentences } from "../../contract/sentences/connection-sentences.ts";
import { Failure } from "../../core/failure.ts";
import type { SyncProgress } from "../../core/sync-plan/sync-state.ts";
import type { CloudChange } from "../../core/sync-plan/outbox.ts";
import { createAnnouncement } from "../event-emitter.ts";
import type { Sync, SyncExtensions } from "./sync.ts";

/** Interface operations of the extensions next to the connections. */
type AttachedExtensions = Pick<
  SyncExtensions,
  "link" | "outbox" | "offlineBundles"
>;

export interface AttachedSync {
  attach(sync: Sync): void;
  attachExtensions(extensions: AttachedExtensions): void;
  /** Throws `unavailable` if nothing is attached. */
  sync(): Sync;
  /** Throws `unavailable` if nothing is attached. */
  extensions(): AttachedExtensions;
  /** The outbox of a connection; empty if nothing is attached. */
  changes(connectionId: string): readonly CloudChange[];
  /** The PIN that a person enters at a service; null if none is expected or it has expired. */
  pin(): { readonly pin: string; readonly at: string } | null;
  onProgress(listener: (progress: SyncProgress) => void): () => void;
  onConnectionsChanged(listener: () => void): () => void;
}

export interface AttachedSyncOptions {
  readonly onAttached: (sync: Sync) => void;
  /** Called when the PIN may have changed. */
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
  throw new Failure("unavailable", connectionSentences["no-sync"]);
}
