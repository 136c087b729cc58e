// Entry point of sync: connections, the link to a service, the outbox and offline bundles.

import path from "node:path";
import { connectionSentences } from "../../contract/sentences/connection-sentences.ts";
import { Failure } from "../../core/failure.ts";
import type { Log } from "../../platform/log.ts";
import {
  createOfflineBundles,
  type OfflineBundles,
} from "./offline-bundle/offline-bundle.ts";
import type { BundleRows } from "./offline-bundle/bundle-rows.ts";
import { defaultReserveBytes, type Sync } from "./connection/connections.ts";
import type { Clock } from "../../platform/clock.ts";
import type { SyncLibrary } from "./store/library-store.ts";
import { createLink, type Link } from "./link-client/link.ts";
import type { LinkActions } from "./link-client/link-commands.ts";
import type { LinkedPlayback } from "./link-client/linked-playback.ts";
import type { ReportedDisplay } from "./link-client/screen-report.ts";
import {
  linkFactsOf,
  type PlayerIdentity,
} from "./link-client/player-facts.ts";
import type { LinkRows } from "./link-client/link-rows.ts";
import {
  createConnectionTokens,
  createSecrets,
  type Seal,
} from "./store/secret-store.ts";
import { createOutbox, type Outbox } from "./outbox/outbox.ts";
import type { OutboxRows } from "./outbox/outbox-rows.ts";
import type { ServiceAccess } from "../../contract/screens-client/service-access.ts";
import { createServiceAccess } from "./remote/service-access.ts";

export {
  createSync,
  type Sync,
  type SyncOptions,
} from "./connection/connections.ts";
export { maxBytesPerSecondDuringPlayback } from "../../core/sync-plan/sync-state.ts";
export type { SiteOptions } from "./site/site-sharing.ts";
export { openAppSecrets } from "./store/secret-store.ts";
export type { SyncLibrary } from "./store/library-store.ts";
export type { Seal } from "./store/secret-store.ts";
export type { LinkActions } from "./link-client/link-commands.ts";
export type { ScreenPicture } from "./link-client/live-pictures.ts";
export type { ReportedDisplay } from "./link-client/screen-report.ts";
export { createServiceAccess } from "./remote/service-access.ts";

export interface SyncExtensions {
  readonly link: Link;
  readonly outbox: Outbox;
  readonly offlineBundles: OfflineBundles;
  /**
   * The content services that this player is connected to with an API key, whether it syncs from them or not. The credential of a
   * paired screen cannot do more than its screen needs.
   */
  services(): readonly ConnectedService[];
  start(): void;
  stop(): Promise<void>;
}

export interface ConnectedService {
  /** Of the connection. */
  readonly id: string;
  readonly name: string;
  readonly baseUrl: string;
  /** Throws a Failure `unauthorized` while its key cannot be read. */
  access(): Promise<ServiceAccess>;
}

export interface SyncExtensionsOptions {
  readonly sync: Sync;
  readonly library: SyncLibrary;
  readonly rows: LinkRows & OutboxRows & BundleRows;
  /** Data folder; tokens, keys and imports under way are stored below it. */
  readonly dataDir: string;
  /** Encryption of the operating system; null if it has none. */
  readonly seal: Seal | null;
  readonly clock: Clock;
  readonly log: Log;
  readonly playerName: () => string;
  readonly version: string;
  /** How the run before this one ended (L-51); unknown without this option. */
  readonly lastRunEnd?: PlayerIdentity["lastRunEnd"] | undefined;
  readonly actions: LinkActions;
  readonly playback: LinkedPlayback;
  /** Without this option, no displays are reported. */
  readonly displays?: (() => readonly ReportedDisplay[]) | undefined;
  /** From 0 up to but not including 1; the default is Math.random. */
  readonly random?: (() => number) | undefined;
  /** Disk space to keep free, in bytes; the default is 512 MiB. */
  readonly reserveBytes?: number | undefined;
}

export function createSyncExtensions(
  options: SyncExtensionsOptions,
): SyncExtensions {
  const { sync, library, rows, dataDir, clock, log, playerName } = options;
  const random = options.random ?? Math.random;
  const secrets = createSecrets(
    path.join(dataDir, "sync", "tokens"),
    options.seal,
  );
  const tokens = createConnectionTokens(secrets);
  const link = createLink({
    ...{ sync, rows, secrets, tokens, clock, random, log },
    ...{ actions: options.actions, playback: options.playback, playerName },
    displays: options.displays ?? (() => []),
    facts: () =>
      linkFactsOf({
        ...{ name: playerName(), version: options.version },
        lastRunEnd: options.lastRunEnd ?? null,
      }),
  });
  const outbox = createOutbox({ sync, rows, tokens, clock, random, log });
  const offlineBundles = createOfflineBundles({
    ...{ sync, library, rows, secrets, log, playerName, now: clock.now },
    dir: path.join(dataDir, "sync", "import"),
    reserveBytes: options.reserveBytes ?? defaultReserveBytes,
  });
  return {
    ...{ link, outbox, offlineBundles },
    services: () =>
      sync
        .connections()
        .filter(({ kind, tokenKept }) => kind === "cloud" && tokenKept !== null)
        .map((connection) => ({
          ...{ id: connection.id, name: connection.name },
          baseUrl: connection.baseUrl,
          access: async () => {
            const token = await tokens.open(connection);
            if (token === null)
              throw new Failure(
                "unauthorized",
                connectionSentences["key-unreadable"],
              );
            const { baseUrl, isCertificateSkipped, proxyUrl } = connection;
            return createServiceAccess(
              {
                ...{ baseUrl, isCertificateSkipped, proxyUrl },
                authorization: `Token ${token}`,
              },
              clock.now,
            );
          },
        })),
    start: () => {
      link.start();
      outbox.start();
    },
    stop: async () => {
      await Promise.all([link.stop(), outbox.stop()]);
    },
  };
}
