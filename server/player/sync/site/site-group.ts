// The players of one team in this network, for one connection: asks them how far they are, carries out what the reducer decides, and
// answers the same questions of theirs.

import {
  reduceSite,
  type FollowEnd,
  type SiteEvent,
} from "../../../core/site/site-reducer.ts";
import {
  livePeers,
  newSite,
  type FileReport,
} from "../../../core/site/site-state.ts";
import type {
  SiteAnswer,
  SiteQuestion,
} from "../../../contract/discovery/site.ts";
import { maxSiteFiles } from "../../../contract/discovery/site.ts";
import type { SiteCounts } from "../../../core/sync-plan/sync-state.ts";
import type { Clock } from "../../../platform/clock.ts";
import type { Log } from "../../../platform/log.ts";
import {
  presharedKeyAgent,
  type PresharedKey,
} from "../../../platform/http/preshared-key.ts";
import { createGrowingFiles } from "./growing-files.ts";
import { createSiteCandidates, type SiteCandidate } from "./site-candidates.ts";
import { addressOf, queryPlayer, type SiteEndpoint } from "./site-client.ts";
import type { SentFile } from "./send-growing-file.ts";
import type https from "node:https";

/** Where a file comes from next. */
export type SiteSource =
  | { readonly kind: "fetch" }
  | {
      readonly kind: "follow";
      readonly address: URL;
      readonly agent: https.Agent;
      /** Aborts when it is too slow. */
      readonly signal: AbortSignal;
    };

/** One download, from its beginning to its end. */
export interface SiteDownload {
  next(signal: AbortSignal): Promise<SiteSource>;
  /** This player has read what it has, and requests the rest. */
  requested(): void;
  /** The partial file continues at `from`; 0: it starts over. */
  began(of: {
    readonly path: string;
    readonly from: number;
    readonly totalBytes: number | null;
    readonly validator: string | null;
  }): void;
  /** Bytes that are on the disk, and those that have arrived. */
  written(bytes: number, receivedBytes: number): void;
  /**
   * Resolves after a moment if other players receive the file and none of them is close behind: if this player stops, what it
   * has alone is downloaded again.
   */
  ahead(): Promise<void> | null;
  /** The transfer from another player ended early. */
  followEnded(reason: FollowEnd): void;
  /** All bytes are there, and right: others may receive them while they are added to the store. */
  verified(): void;
  /** All bytes were there, and they were not those of the file; the partial file is gone. */
  mismatched(): void;
  /** Some bytes came from other players. */
  hasForeignBytes(): boolean;
  end(isComplete: boolean): void;
}

export interface SiteGroupOptions {
  readonly self: string;
  /** Of this player's site server; null while it has none. */
  readonly port: () => number | null;
  /** A complete file of this connection; null for any other. */
  readonly here: (
    md5: string,
  ) => { readonly path: string; readonly sizeBytes: number } | null;
  readonly clock: Clock;
  readonly log: Log;
  /** The address that requests come from, unless the system chooses it. */
  readonly from: string | undefined;
  /** Multiplies the time that other players are given. */
  readonly timeoutFactor: number;
}

export interface SiteGroup {
  setKeys(keys: readonly PresharedKey[]): void;
  keys(): readonly PresharedKey[];
  /** Another player was announced, with these keys; anyone may have sent that. */
  announced(peer: {
    readonly id: string;
    readonly address: string;
    readonly port: number;
    readonly keyIds: readonly string[];
  }): void;
  /** A player took its leave at this address. */
  left(id: string, address: string): void;
  /** Sharing was turned off. */
  loseAll(): void;
  /** Null while other players cannot reach this one. */
  begin(of: {
    readonly md5: string;
    readonly bytes: number;
    readonly sizeBytes: number | null;
    readonly path: string;
  }): SiteDownload | null;
  /** How far this player is with these files. */
  answer(
    keyId: string,
    question: SiteQuestion,
    address: string,
  ): SiteAnswer["files"];
  sent(md5: string): SentFile | null;
  counts(): SiteCounts;
  /** A new run begins to count. */
  resetCounts(): void;
  stop(): void;
}

interface Peer {
  readonly endpoint: SiteEndpoint;
  endsAt: number;
  /** Monotonic; when it was last heard of at its address. */
  lastAnswerAt: number;
  isQueried: boolean;
  queriedAt: number;
}

interface Download {
  source: SiteSource | null;
  following: AbortController | null;
  wake: () => void;
  notedAt: number;
  /** The furthest offset that was sent to another player, and when something was sent last. */
  sentBytes: number;
  sentAt: number;
}

/** Announcements and requests repeat more often. */
const knownMs = 150_000;
/** A player announces itself more often; one that was found at two addresses stays at the first meanwhile. */
const answerFreshMs = 45_000;
/** A PC in the same network responds in milliseconds; a busy one takes a while. */
const deadlineMs = 4_000;
const idleMs = 20_000;
const tickMs = 100;
/** Between two requests to one player, while a decision depends on it, and while a file of it is received. */
const intervalsMs = { undecided: 200, following: 1_000 } as const;
const noteMs = 250;
/** Nobody who has received nothing for this long holds up a download, and a pause is short enough for one that is merely slow. */
const followedMs = 1_000;
const maxAheadBytes = 512 * 1024;
const aheadPauseMs = 20;
const nothingCounted = {
  ...{ files: 0, filesFromPlayers: 0, bytes: 0, bytesFromPlayers: 0 },
} as const;

export function createSiteGroup(options: SiteGroupOptions): SiteGroup {
  const { self, clock, timeoutFactor } = options;
  const stopped = new AbortController();
  const growing = createGrowingFiles();
  const peers = new Map<string, Peer>();
  const downloads = new Map<string, Download>();
  /** Complete, and about to be in the store. */
  const verified = new Set<string>();
  let site = newSite(self);
  let keys: readonly PresharedKey[] = [];
  let agents = new Map<string, https.Agent>();
  let counts: Omit<SiteCounts, "players"> = nothingCounted;
  let runs = 0;
  let stopTick: (() => void) | null = null;

  const logBug = (error: unknown): void =>
    options.log.error("site.internal-error", { error });

  /** As the reducer measures time. */
  const now = (): number => clock.monotonic() / timeoutFactor;

  function dispatch(event: SiteEvent): void {
    const step = reduceSite(site, event, now());
    site = step.site;
    for (const effect of step.effects) {
      const download = downloads.get(effect.md5);
      if (!download) continue;
      if (effect.kind === "stop-following") {
        download.following?.abort();
        growing.set(effect.md5, { isGrowing: false });
        continue;
      }
      growing.set(effect.md5, { isGrowing: true });
      download.source =
        effect.kind === "fetch"
          ? { kind: "fetch" }
          : followOf(download, effect.peer, effect.md5);
      download.wake();
    }
  }

  function followOf(download: Download, peer: string, md5: string): SiteSource {
    const endpoint = peers.get(peer)?.endpoint;
    // It has just left.
    if (!endpoint) return { kind: "fetch" };
    download.following = new AbortController();
    return {
      kind: "follow",
      address: addressOf(endpoint, md5),
      ...{ agent: endpoint.agent, signal: download.following.signal },
    };
  }

  /** Only while something is missing. */
  function tick(): void {
    if (stopTick !== null || downloads.size === 0) return;
    stopTick = clock.after(tickMs, () => {
      stopTick = null;
      forgetGone();
      dispatch({ kind: "time-passed" });
      queryAll();
      tick();
    });
  }

  function forgetGone(): void {
    const at = clock.monotonic();
    for (const [id, { endsAt }] of peers) if (endsAt <= at) lost(id);
  }

  function lost(id: string): void {
    if (peers.delete(id)) dispatch({ kind: "lost", peer: id });
  }

  function queryAll(): void {
    const port = options.port();
    if (port === null || stopped.signal.aborted) return;
    const at = clock.monotonic();
    const files = [...site.files]
      .filter(([, { stage }]) => stage !== "fetching")
      .slice(0, maxSiteFiles);
    if (files.length === 0) return;
    for (const [id, known] of site.peers) {
      const peer = peers.get(id);
      if (!peer || peer.isQueried || known.awayUntil > now()) continue;
      const undecided = files.filter(([, { stage }]) => stage !== "following");
      const isUnknown = undecided.some(
        ([md5, { changedAt }]) =>
          (known.reports.get(md5)?.queriedAt ?? -1) < changedAt,
      );
      const intervalMs =
        undecided.length > 0 ? intervalsMs.undecided : intervalsMs.following;
      if (!isUnknown && at - peer.queriedAt < intervalMs) continue;
      ask(id, peer, { port, files: files.map(([md5]) => md5) }).catch(logBug);
    }
  }

  async function ask(
    id: string,
    peer: Peer,
    {
      port,
      files,
    }: { readonly port: number; readonly files: readonly string[] },
  ): Promise<void> {
    peer.isQueried = true;
    peer.queriedAt = clock.monotonic();
    const queriedAt = site.sequence;
    try {
      const question = { player: self, port, files: [...files] };
      const answer = await queryPlayer(peer.endpoint, question, {
        ...{ deadlineMs: deadlineMs * timeoutFactor, stopped: stopped.signal },
      });
      if (answer.player !== id) throw new Error("it is another player");
      // Meanwhile it was found elsewhere, or is gone.
      if (peers.get(id) !== peer) return;
      noteAnswer(peer);
      const reports = new Map<string, FileReport | null>(
        files.map((md5) => [md5, answer.files[md5] ?? null]),
      );
      peer.isQueried = false;
      dispatch({ kind: "answered", peer: id, queriedAt, reports });
    } catch {
      peer.isQueried = false;
      if (stopped.signal.aborted || peers.get(id) !== peer) return;
      // Whatever the reason: it is not counted on for a while.
      dispatch({ kind: "silent", peer: id });
    }
    queryAll();
  }

  function noteAnswer(peer: Peer): void {
    peer.lastAnswerAt = clock.monotonic();
    peer.endsAt = peer.lastAnswerAt + knownMs;
  }

  function announced(
    id: string,
    { address, port }: Pick<SiteEndpoint, "address" | "port">,
    keyId: string,
  ): void {
    const agent = agents.get(keyId);
    if (!agent || id === self || options.port() === null) return;
    const endpoint = { address, port, agent };
    const before = peers.get(id);
    if (before && isSameEndpoint(before.endpoint, endpoint)) {
      noteAnswer(before);
      return;
    }
    const isHere =
      before !== undefined &&
      clock.monotonic() - before.lastAnswerAt < answerFreshMs &&
      site.peers.get(id)?.failures === 0 &&
      hasAgent(before.endpoint);
    if (!isHere) candidates.add({ id, endpoint });
  }

  const candidates = createSiteCandidates({
    ask: async ({ id, endpoint }) => {
      const port = options.port();
      if (port === null || stopped.signal.aborted || !hasAgent(endpoint))
        return false;
      try {
        const question = { player: self, port, files: [] };
        const { player } = await queryPlayer(endpoint, question, {
          ...{
            deadlineMs: deadlineMs * timeoutFactor,
            stopped: stopped.signal,
          },
        });
        return player === id;
      } catch {
        // It may announce itself again.
        return false;
      }
    },
    onProven: ({ id, endpoint }) => {
      if (!stopped.signal.aborted && hasAgent(endpoint))
        proved({ id, endpoint });
    },
    onError: logBug,
  });

  /** The key may have been replaced. */
  function hasAgent({ agent }: SiteEndpoint): boolean {
    return [...agents.values()].includes(agent);
  }

  /** It has the key. */
  function proved({ id, endpoint }: SiteCandidate): void {
    const { address } = endpoint;
    if (options.port() === null) return;
    // Where it was before, and an earlier run of the same program.
    for (const [other, peer] of peers)
      if (other === id || isSamePlace(peer.endpoint, endpoint)) lost(other);
    const peer = {
      ...{ endpoint, endsAt: 0, lastAnswerAt: 0 },
      ...{ isQueried: false, queriedAt: -Infinity },
    };
    noteAnswer(peer);
    peers.set(id, peer);
    dispatch({ kind: "found", peer: id, address });
    if (!site.peers.has(id)) peers.delete(id);
    queryAll();
  }

  /** It has the key; its request may come from another address of the same PC than the one where it was found. */
  function requestedBy(
    id: string,
    place: Pick<SiteEndpoint, "address" | "port">,
    keyId: string,
  ): void {
    const agent = agents.get(keyId);
    if (!agent || id === self) return;
    const endpoint = { ...place, agent };
    const before = peers.get(id);
    const isThere =
      before !== undefined &&
      (site.peers.get(id)?.failures === 0 ||
        isSamePlace(before.endpoint, endpoint));
    if (isThere) before.endsAt = clock.monotonic() + knownMs;
    else proved({ id, endpoint });
  }

  function begin(of: Parameters<SiteGroup["begin"]>[0]): SiteDownload | null {
    forgetGone();
    if (options.port() === null) return null;
    const { md5, bytes } = of;
    const download: Download = {
      ...{ source: null, following: null, notedAt: -Infinity },
      ...{ sentBytes: 0, sentAt: -Infinity },
      wake: () => undefined,
    };
    downloads.set(md5, download);
    growing.set(md5, {
      ...{ path: of.path, bytes, totalBytes: of.sizeBytes },
      ...{ isGrowing: false, validator: null, run: (runs += 1) },
    });
    dispatch({ kind: "wanted", md5, bytes });
    queryAll();
    tick();
    return downloadOf(md5, download);
  }

  function downloadOf(md5: string, download: Download): SiteDownload {
    let foreignBytes = 0;
    let from: "service" | "player" = "service";
    let fromBefore: "service" | "player" = "service";
    let hasGiven = false;
    /** Of the player that bytes come from; the next source may have been decided on before this one has ended. */
    let given: AbortSignal | null = null;
    const isGiven = (): boolean => from === "player" && !given?.aborted;
    const count = (more: number, isForeign: boolean): void => {
      if (isForeign) foreignBytes += more;
      counts = {
        ...counts,
        bytes: counts.bytes + more,
        bytesFromPlayers: counts.bytesFromPlayers + (isForeign ? more : 0),
      };
    };
    const note = (): void => {
      download.notedAt = clock.monotonic();
      const bytes = growing.get(md5)?.bytes ?? 0;
      dispatch({ kind: "received", md5, bytes });
    };
    return {
      next: async (signal) => {
        while (download.source === null) {
          signal.throwIfAborted();
          await new Promise<void>((resolve) => {
            download.wake = resolve;
            signal.addEventListener("abort", () => resolve(), { once: true });
          });
        }
        const { source } = download;
        download.source = null;
        fromBefore = from;
        from = source.kind === "fetch" ? "service" : "player";
        hasGiven = false;
        given = source.kind === "follow" ? source.signal : null;
        return source;
      },
      requested: () => {
        if (isGiven()) dispatch({ kind: "requested", md5 });
      },
      began: ({ path, from: offset, totalBytes, validator }) => {
        const before = growing.get(md5);
        const isOver = offset === 0;
        if (isOver) foreignBytes = 0;
        // The last bytes of a transfer that broke off are written without a further word.
        const more = Math.max(0, offset - (before?.bytes ?? 0));
        count(more, fromBefore === "player");
        growing.set(md5, {
          ...{ path, totalBytes, isGrowing: true },
          ...(isOver && { bytes: 0, validator, run: (runs += 1) }),
          ...(!isOver && { validator: before?.validator ?? validator }),
          ...(more > 0 && { bytes: offset }),
        });
        if (isGiven()) dispatch({ kind: "began", md5 });
      },
      written: (bytes, receivedBytes) => {
        const before = growing.get(md5);
        const had = before?.bytes ?? 0;
        if (isGiven() && !hasGiven && receivedBytes > had) {
          hasGiven = true;
          dispatch({ kind: "gave", md5 });
        }
        if (isGiven() && receivedBytes === before?.totalBytes)
          dispatch({ kind: "arrived", md5 });
        count(Math.max(0, bytes - had), from === "player");
        growing.set(md5, { bytes });
        if (clock.monotonic() - download.notedAt >= noteMs) note();
      },
      ahead: () => {
        const bytes = growing.get(md5)?.bytes ?? 0;
        const isFollowed = clock.monotonic() - download.sentAt < followedMs;
        if (!isFollowed || bytes - download.sentBytes <= maxAheadBytes)
          return null;
        return new Promise((resolve) => clock.after(aheadPauseMs, resolve));
      },
      followEnded: (reason) => {
        // It was given up: that was decided already, and nothing of it concerns the next one.
        if (given?.aborted) return;
        growing.set(md5, { isGrowing: false });
        note();
        dispatch({ kind: "follow-ended", md5, reason });
        queryAll();
      },
      verified: () => {
        growing.set(md5, { isGrowing: false });
        verified.add(md5);
        dispatch({ kind: "dropped", md5 });
      },
      mismatched: () => {
        foreignBytes = 0;
        growing.set(md5, { bytes: 0, isGrowing: false, run: (runs += 1) });
        dispatch({ kind: "mismatched", md5 });
        queryAll();
      },
      hasForeignBytes: () => foreignBytes > 0,
      end: (isComplete) => {
        const total = growing.get(md5)?.bytes ?? 0;
        if (isComplete)
          counts = {
            ...counts,
            files: counts.files + 1,
            filesFromPlayers:
              counts.filesFromPlayers + (foreignBytes * 2 > total ? 1 : 0),
          };
        downloads.delete(md5);
        verified.delete(md5);
        dispatch({ kind: "dropped", md5 });
        growing.delete(md5);
      },
    };
  }

  function reportOf(md5: string): FileReport | null {
    const bytes = growing.get(md5)?.bytes ?? 0;
    if (verified.has(md5)) return { stage: "here", bytes };
    const file = site.files.get(md5);
    if (file) return { stage: file.stage, bytes };
    const here = options.here(md5);
    return here && { stage: "here", bytes: here.sizeBytes };
  }

  function sent(md5: string): SentFile | null {
    const file = growing.get(md5);
    const here = options.here(md5);
    if (here)
      return {
        path: () => here.path,
        totalBytes: here.sizeBytes,
        ...{ validator: () => null, readable: () => here.sizeBytes },
        ...{ isGrowing: () => false, changed: () => Promise.resolve() },
        onSent: () => undefined,
      };
    if (!file || file.totalBytes === null) return null;
    const { totalBytes } = file;
    let { run } = file;
    let hasRead = false;
    return {
      totalBytes,
      path: () => growing.get(md5)?.path ?? options.here(md5)?.path ?? "",
      validator: () => growing.get(md5)?.validator ?? null,
      readable: () => {
        const now = growing.get(md5);
        // Complete: it was moved into the store, where the open file is the same.
        if (!now) return options.here(md5) === null ? null : totalBytes;
        // As long as nothing was read, it may start over.
        if (!hasRead) run = now.run;
        if (now.run !== run || now.totalBytes !== totalBytes) return null;
        hasRead ||= now.bytes > 0;
        return now.bytes;
      },
      isGrowing: () => growing.get(md5)?.isGrowing ?? false,
      changed: (signal) => growing.changed(md5, signal),
      onSent: (offset) => {
        const download = downloads.get(md5);
        if (!download) return;
        download.sentBytes = Math.max(download.sentBytes, offset);
        download.sentAt = clock.monotonic();
      },
    };
  }

  return {
    setKeys: (next) => {
      const ids = new Set(next.map(({ id }) => id));
      for (const [id, agent] of agents) if (!ids.has(id)) agent.destroy();
      agents = new Map(
        next.map((key) => [
          key.id,
          agents.get(key.id) ??
            presharedKeyAgent(key, { idleMs, localAddress: options.from }),
        ]),
      );
      keys = next;
      for (const [id, { endpoint }] of peers) if (!hasAgent(endpoint)) lost(id);
    },
    keys: () => keys,
    announced: ({ id, address, port, keyIds }) => {
      const key = keys.find((one) => keyIds.includes(one.id));
      if (key) announced(id, { address, port }, key.id);
    },
    left: (id, address) => {
      if (peers.get(id)?.endpoint.address === address) lost(id);
    },
    loseAll: () => {
      candidates.clear();
      for (const id of peers.keys()) lost(id);
    },
    begin,
    answer: (keyId, question, address) => {
      const { player, port } = question;
      requestedBy(player, { address, port }, keyId);
      const files: SiteAnswer["files"] = {};
      for (const md5 of question.files) {
        const report = reportOf(md5);
        if (report) files[md5] = report;
      }
      return files;
    },
    sent,
    counts: () => ({
      ...counts,
      players: [...livePeers(site, now())].length,
    }),
    resetCounts: () => {
      counts = nothingCounted;
    },
    stop: () => {
      stopped.abort();
      candidates.clear();
      stopTick?.();
      for (const agent of agents.values()) agent.destroy();
    },
  };
}

function isSamePlace(one: SiteEndpoint, other: SiteEndpoint): boolean {
  return one.address === other.address && one.port === other.port;
}

function isSameEndpoint(one: SiteEndpoint, other: SiteEndpoint): boolean {
  return isSamePlace(one, other) && one.agent === other.agent;
}
