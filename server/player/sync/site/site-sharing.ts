// Entry point of sharing files within a site: while it is on, the players of one team that find each other in their network download
// a file from the content service once and pass it on (V2-820 to V2-828).

import { randomBytes } from "node:crypto";
import { isNearAddress } from "../../../contract/discovery/announcement.ts";
import {
  defaultSitePort,
  type SiteAnswer,
  type SiteQuestion,
} from "../../../contract/discovery/site.ts";
import {
  maxBytesPerSecondDuringPlayback,
  type SiteCounts,
} from "../../../core/sync-plan/sync-state.ts";
import type { Clock } from "../../../platform/clock.ts";
import { pause } from "../../../platform/clock.ts";
import type { PresharedKey } from "../../../platform/http/preshared-key.ts";
import type { Log } from "../../../platform/log.ts";
import type { NetworkOptions } from "../../../platform/mdns/announce-service.ts";
import { networkAddresses } from "../../../platform/mdns/multicast.ts";
import { systemCode } from "../../../platform/outside-error.ts";
import { createRate } from "../../../platform/http/transfer-rate.ts";
import { findSite, type SiteDiscovery } from "./site-discovery.ts";
import {
  createSiteGroup,
  type SiteDownload,
  type SiteGroup,
  type SiteGroupOptions,
} from "./site-group.ts";
import { startSiteServer, type SiteServer } from "./site-server.ts";

export type { SiteDownload, SiteSource } from "./site-group.ts";

/** What a site may be told from outside. */
export interface SiteOptions {
  /** The operator's choice. */
  readonly isOn: () => boolean;
  readonly onSwitched: (listener: () => void) => () => void;
  /** Instead of the private networks of this PC. */
  readonly network?: Omit<NetworkOptions, "log"> | undefined;
  /** Tried first; another one is used if it is taken. */
  readonly port?: number | undefined;
  /** The address that requests come from, unless the system chooses it. */
  readonly from?: string | undefined;
  /** How long the first download waits for other players to be found. */
  readonly settleMs?: number | undefined;
  /** Multiplies the time that other players are given: where many of them share one PC, none is as fast as in a site. */
  readonly timeoutFactor?: number | undefined;
}

export interface SiteSharingOptions extends SiteOptions {
  /** Keys that arrive after their connection was removed are dropped. */
  readonly hasConnection: (connectionId: string) => boolean;
  readonly here: (
    connectionId: string,
    md5: string,
  ) => ReturnType<SiteGroupOptions["here"]>;
  readonly clock: Clock;
  readonly log: Log;
}

export interface SiteSharing {
  isOn(): boolean;
  /** Called when it was turned on or off. */
  onSwitched(listener: () => void): () => void;
  /** The keys of the team that this connection belongs to; empty if its service has none. */
  setKeys(connectionId: string, keys: readonly PresharedKey[]): void;
  /**
   * Null: the file is downloaded from the content service alone. `isLinked`: its service gives keys; soon after the start, they are
   * waited for.
   */
  begin(
    connectionId: string,
    of: Parameters<SiteGroup["begin"]>[0],
    signal: AbortSignal,
    isLinked: boolean,
  ): Promise<SiteDownload | null>;
  /** Null while it is off, or the connection has no key. */
  counts(connectionId: string): SiteCounts | null;
  resetCounts(connectionId: string): void;
  forget(connectionId: string): void;
  start(): void;
  stop(): Promise<void>;
}

const checkMs = 10_000;
const maxPorts = 3;
/** Players respond to the first question at once; it is repeated after a second. */
const defaultSettleMs = 2_500;
/** A content service that was not reached by then cannot be waited for. */
const maxKeyWaitMs = 10_000;
const keyPollMs = 50;
/** The service accepts none for longer, and replaces them once a day (L-54). */
const keyLifeMs = 2 * 24 * 3_600_000;

interface Member {
  readonly group: SiteGroup;
  /** Monotonic; when the other players can be expected to be known. */
  settledAt: number;
  hasKeys: boolean;
  /** Monotonic; when the service returned the keys. */
  keysAt: number;
}

export function createSiteSharing(options: SiteSharingOptions): SiteSharing {
  const { clock, log } = options;
  const self = randomBytes(8).toString("hex");
  const isNear = options.network?.isNear ?? isNearAddress;
  const settleMs = options.settleMs ?? defaultSettleMs;
  const rate = createRate(clock);
  rate.limit(maxBytesPerSecondDuringPlayback);
  const members = new Map<string, Member>();
  const servers = new Map<string, SiteServer>();
  const logged = new Set<string>();
  const startedAt = clock.monotonic();
  let port: number | null = null;
  let discovery: SiteDiscovery | null = null;
  let stopCheck: (() => void) | null = null;
  let lastTask: Promise<void> = Promise.resolve();
  let isStarted = false;
  /** It was turned off, perhaps for a moment: the players that were found are forgotten, and have to be looked for again. */
  let hasToClose = false;

  const groups = (): readonly SiteGroup[] =>
    [...members.values()].map(({ group }) => group);
  const keys = (): readonly PresharedKey[] =>
    groups().flatMap((group) => group.keys());
  /** Several if this PC is several screens of one team. */
  const groupsOf = (keyId: string): readonly SiteGroup[] =>
    groups().filter((group) => group.keys().some(({ id }) => id === keyId));
  const isActive = (): boolean =>
    isStarted && options.isOn() && keys().length > 0;

  function member(connectionId: string): Member {
    const known = members.get(connectionId);
    if (known) return known;
    const created: Member = {
      group: createSiteGroup({
        ...{ self, clock, log, port: () => (isActive() ? port : null) },
        here: (md5) => options.here(connectionId, md5),
        ...{ from: options.from, timeoutFactor: options.timeoutFactor ?? 1 },
      }),
      ...{ settledAt: Infinity, hasKeys: false, keysAt: -Infinity },
    };
    members.set(connectionId, created);
    return created;
  }

  /** One after the other: servers are started and stopped. */
  function updateSoon(): void {
    lastTask = lastTask.then(update).catch((error: unknown) => {
      log.error("site.internal-error", { error });
    });
  }

  /** A link that is gone renews none. */
  function endOldKeys(): void {
    const at = clock.monotonic();
    for (const { group, keysAt } of members.values())
      if (at - keysAt >= keyLifeMs) group.setKeys([]);
  }

  /** A network that fails once is tried again. */
  async function update(): Promise<void> {
    stopCheck?.();
    stopCheck = null;
    endOldKeys();
    try {
      if (hasToClose || !isActive()) {
        hasToClose = false;
        await close();
      }
      if (isActive()) await open();
    } finally {
      if (isActive()) stopCheck = clock.after(checkMs, updateSoon);
    }
  }

  async function open(): Promise<void> {
    const addresses = networkAddresses(
      { addresses: options.network?.addresses, isNear },
      (error) => note("this PC", error),
    );
    for (const [address, server] of servers)
      if (!addresses.includes(address)) {
        servers.delete(address);
        await server.stop();
      }
    await listenOnAll(addresses);
    port = servers.values().next().value?.port ?? null;
    if (discovery === null && port !== null)
      discovery = findSite({
        ...{ self, log, network: options.network, isNear },
        announced: () =>
          port === null
            ? null
            : { port, keyIds: [...new Set(keys().map(({ id }) => id))] },
        onAnnounced: (peer) => {
          for (const group of groups()) group.announced(peer);
        },
        onLeft: (id, address) => {
          for (const group of groups()) group.left(id, address);
        },
      });
    discovery?.update();
  }

  /** Logged once; anything that isn't an error of the system is thrown. */
  function note(host: string, error: unknown): void {
    const code = systemCode(error);
    if (code === undefined) throw error;
    if (logged.has(code + host)) return;
    logged.add(code + host);
    log.warn("site.network-failed", { host, code });
  }

  /** One port in all networks, since it is announced, and passed on with each request; another one if it is taken in any. */
  async function listenOnAll(addresses: readonly string[]): Promise<void> {
    for (let n = 0; n < maxPorts; n += 1) {
      let isTaken = false;
      for (const address of addresses)
        if (!isTaken && !servers.has(address))
          isTaken = await isTakenOn(
            address,
            n === 0 ? (options.port ?? defaultSitePort) : 0,
          );
      if (!isTaken) return;
      await stopServers();
    }
  }

  /** Listens there, unless another program has the port that this player has elsewhere. */
  async function isTakenOn(host: string, preferred: number): Promise<boolean> {
    try {
      const server = await startSiteServer({
        ...{ host, port: port ?? preferred, isOnlyPort: port !== null },
        ...{ log, rate },
        isNear,
        monotonic: clock.monotonic,
        secretOf: (keyId) =>
          isActive()
            ? (keys().find(({ id }) => id === keyId)?.secret ?? null)
            : null,
        answer,
        fileOf: (keyId, md5) => {
          for (const group of groupsOf(keyId)) {
            const file = group.sent(md5);
            if (file) return file;
          }
          return null;
        },
      });
      servers.set(host, server);
      port ??= server.port;
      log.info("site.listening", { host, port: server.port });
    } catch (error) {
      if (port !== null && systemCode(error) === "EADDRINUSE") return true;
      note(host, error);
    }
    return false;
  }

  function answer(
    keyId: string,
    question: SiteQuestion,
    address: string,
  ): SiteAnswer {
    const files: SiteAnswer["files"] = {};
    for (const group of groupsOf(keyId)) {
      const reports = group.answer(keyId, question, address);
      for (const [md5, report] of Object.entries(reports))
        if (files[md5]?.stage !== "here") files[md5] = report;
    }
    return { player: self, files };
  }

  async function stopServers(): Promise<void> {
    for (const server of servers.values()) await server.stop();
    servers.clear();
    port = null;
  }

  async function close(): Promise<void> {
    const found = discovery;
    discovery = null;
    await found?.stop();
    await stopServers();
  }

  const stopListening = options.onSwitched(() => {
    const isOn = options.isOn();
    hasToClose ||= !isOn;
    for (const one of members.values())
      if (isOn) one.settledAt = clock.monotonic() + settleMs;
      // What waits for others is decided at once.
      else one.group.loseAll();
    updateSoon();
  });

  return {
    isOn: options.isOn,
    onSwitched: options.onSwitched,
    setKeys: (connectionId, given) => {
      if (!options.hasConnection(connectionId)) return;
      const one = member(connectionId);
      one.hasKeys = true;
      if (one.group.keys().length === 0)
        one.settledAt = clock.monotonic() + settleMs;
      one.keysAt = clock.monotonic();
      one.group.setKeys(given);
      updateSoon();
    },
    begin: async (connectionId, of, signal, isLinked) => {
      if (!isStarted || !options.isOn()) return null;
      const one = member(connectionId);
      while (
        isLinked &&
        !one.hasKeys &&
        options.isOn() &&
        clock.monotonic() - startedAt < maxKeyWaitMs
      )
        await pause(clock, keyPollMs, signal);
      if (!one.hasKeys || one.group.keys().length === 0) return null;
      const leftMs = one.settledAt - clock.monotonic();
      if (leftMs > 0) await pause(clock, leftMs, signal);
      await lastTask;
      return isActive() ? one.group.begin(of) : null;
    },
    counts: (connectionId) => {
      const one = members.get(connectionId);
      return isActive() && one && one.group.keys().length > 0
        ? one.group.counts()
        : null;
    },
    resetCounts: (connectionId) =>
      members.get(connectionId)?.group.resetCounts(),
    forget: (connectionId) => {
      members.get(connectionId)?.group.stop();
      members.delete(connectionId);
      updateSoon();
    },
    start: () => {
      isStarted = true;
      updateSoon();
    },
    stop: async () => {
      isStarted = false;
      stopListening();
      updateSoon();
      for (const group of groups()) group.stop();
      await lastTask;
    },
  };
}
