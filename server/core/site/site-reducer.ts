// The site's reducer: takes in what other players report and what became of transfers, and decides where each file comes from.

import { decideOn, type Decision } from "./site-decision.ts";
import {
  siteLimits,
  type FileReport,
  type Site,
  type SiteFile,
  type SitePeer,
} from "./site-state.ts";

export type SiteEvent =
  /** It is in the network. */
  | { readonly kind: "found"; readonly peer: string; readonly address: string }
  | { readonly kind: "lost"; readonly peer: string }
  | {
      readonly kind: "answered";
      readonly peer: string;
      /** `sequence` when the request was sent. */
      readonly queriedAt: number;
      /** Every file that was asked for. */
      readonly reports: ReadonlyMap<string, FileReport | null>;
    }
  /** It did not respond, or not as it should. */
  | { readonly kind: "silent"; readonly peer: string }
  /** A download begins with this many bytes that were received earlier. */
  | { readonly kind: "wanted"; readonly md5: string; readonly bytes: number }
  | { readonly kind: "received"; readonly md5: string; readonly bytes: number }
  /** The player that it is to be received from was asked for the bytes. */
  | { readonly kind: "requested"; readonly md5: string }
  /** It began to send them. */
  | { readonly kind: "began"; readonly md5: string }
  /** The first of its bytes arrived. */
  | { readonly kind: "gave"; readonly md5: string }
  /** So did the last one: what takes time now is this player's disk. */
  | { readonly kind: "arrived"; readonly md5: string }
  | {
      readonly kind: "follow-ended";
      readonly md5: string;
      readonly reason: FollowEnd;
    }
  /** All bytes were received, and they are not those of the file: they are dropped. */
  | { readonly kind: "mismatched"; readonly md5: string }
  /** Its download is over, whatever came of it. */
  | { readonly kind: "dropped"; readonly md5: string }
  | { readonly kind: "time-passed" };

/**
 * `ended`: it sent what it has, or is busy; `died`: the connection broke off; `refused`: it says that it doesn't have the file;
 * `implausible`: what it began to send can't be the rest of the file.
 */
export type FollowEnd = "ended" | "died" | "refused" | "implausible";

export type SiteEffect =
  | { readonly kind: "fetch"; readonly md5: string }
  | { readonly kind: "follow"; readonly md5: string; readonly peer: string }
  /** It is too slow. */
  | { readonly kind: "stop-following"; readonly md5: string };

export interface SiteStep {
  readonly site: Site;
  readonly effects: readonly SiteEffect[];
}

/** `now`: monotonic milliseconds. */
export function reduceSite(
  before: Site,
  event: SiteEvent,
  now: number,
): SiteStep {
  const effects: SiteEffect[] = [];
  let site = afterEvent(before, event, now);
  for (const [md5, file] of site.files)
    if (isDue(file, now)) {
      const fault = faultOf(site, md5, file, now);
      if (fault !== null) effects.push({ kind: "stop-following", md5 });
      site =
        fault === null
          ? judged(site, md5, file, now)
          : givenUp(site, md5, file, fault, now);
    }
  for (const md5 of site.files.keys()) {
    const decided = carriedOut(site, md5, now);
    site = decided.site;
    effects.push(...decided.effects);
  }
  return { site, effects };
}

function afterEvent(site: Site, event: SiteEvent, now: number): Site {
  switch (event.kind) {
    case "found":
      return found(site, event.peer, event.address);
    case "lost":
      return { ...site, peers: without(site.peers, event.peer) };
    case "answered":
      return answered(site, event);
    case "silent":
      return silent(site, event.peer, now);
    case "wanted":
      return wanted(site, event.md5, event.bytes, now);
    case "received":
      return withFile(site, event.md5, { bytes: event.bytes });
    case "requested":
    case "began":
      return judgedFromNow(site, event.md5, now);
    case "gave":
      return gave(site, event.md5);
    case "arrived":
      return withFile(site, event.md5, { judgedAt: Infinity });
    case "follow-ended":
      return followEnded(site, event.md5, event.reason, now);
    case "mismatched":
      return mismatched(site, event.md5, now);
    case "dropped":
      return { ...site, files: without(site.files, event.md5) };
    case "time-passed":
      return site;
  }
}

function found(site: Site, peer: string, address: string): Site {
  const known = site.peers.get(peer);
  if (peer === site.self || known?.address === address) return site;
  if (!known && site.peers.size >= siteLimits.peers) return site;
  return withPeer(site, peer, {
    ...{ address, awayUntil: 0, busyUntil: 0, failures: 0 },
    reports: new Map(),
  });
}

function answered(
  site: Site,
  { peer, queriedAt, reports }: Extract<SiteEvent, { kind: "answered" }>,
): Site {
  const known = site.peers.get(peer);
  if (!known) return site;
  // Only what is being downloaded is remembered.
  const kept = new Map(
    [...known.reports].filter(([md5]) => site.files.has(md5)),
  );
  for (const [md5, report] of reports)
    if (site.files.has(md5)) kept.set(md5, { report, queriedAt });
  return withPeer(site, peer, {
    ...{ ...known, reports: kept, failures: 0, awayUntil: 0 },
  });
}

function silent(site: Site, peer: string, now: number): Site {
  const known = site.peers.get(peer);
  if (!known) return site;
  const { firstAwayMs, longestAwayMs } = siteLimits;
  const awayMs = Math.min(longestAwayMs, firstAwayMs * 2 ** known.failures);
  return withPeer(site, peer, {
    ...{ ...known, reports: new Map(), awayUntil: now + awayMs },
    failures: known.failures + 1,
  });
}

function wanted(site: Site, md5: string, bytes: number, now: number): Site {
  const sequence = site.sequence + 1;
  const file: SiteFile = {
    ...{ stage: "wanted", bytes, changedAt: sequence, waitsSince: now },
    waitEndsAt: now + siteLimits.maxWaitMs,
    ...{ source: null, judgedAt: now, bytesThen: bytes, slowSince: null },
    ...{ excluded: new Set(), givers: new Map(), mismatches: 0 },
    ...{ isSourceVerified: false, refusedBy: new Set() },
    hasEarlierBytes: bytes > 0,
  };
  return { ...site, sequence, files: new Map(site.files).set(md5, file) };
}

/** Before, this player read what it has: that is no fault of the other one. */
function judgedFromNow(site: Site, md5: string, now: number): Site {
  const file = site.files.get(md5);
  if (file?.stage !== "following") return site;
  return withFile(site, md5, {
    ...{ judgedAt: now + siteLimits.judgeMs, bytesThen: file.bytes },
  });
}

/** Only those whose bytes are in the file answer for them. */
function gave(site: Site, md5: string): Site {
  const file = site.files.get(md5);
  if (file?.stage !== "following" || file.source === null) return site;
  const { givers, source, isSourceVerified } = file;
  return withFile(site, md5, {
    givers: new Map(givers).set(source, isSourceVerified),
  });
}

function followEnded(
  site: Site,
  md5: string,
  reason: FollowEnd,
  now: number,
): Site {
  const file = site.files.get(md5);
  if (file?.stage !== "following" || file.source === null) return site;
  const { source, excluded, refusedBy } = file;
  // One that is still receiving the file may have started over; once, any may just have moved it.
  const isFalse = reason === "refused" && file.isSourceVerified;
  const isFault =
    reason === "implausible" || (isFalse && refusedBy.has(source));
  const isBusy =
    reason === "ended" || (reason === "refused" && !file.isSourceVerified);
  const after =
    reason === "died"
      ? silent(site, source, now)
      : withoutReport(site, md5, source, isBusy ? now + siteLimits.busyMs : 0);
  return inStage(
    isFault ? withStrikes(after, source, 1, now) : after,
    ...([md5, "wanted"] as const),
    {
      waitsSince: now,
      excluded: isFault ? new Set(excluded).add(source) : excluded,
      refusedBy: isFalse ? new Set(refusedBy).add(source) : refusedBy,
    },
  );
}

/** What it reported no longer holds; one that may be as busy as it says is left alone until then. */
function withoutReport(
  site: Site,
  md5: string,
  source: string,
  busyUntil: number,
): Site {
  const peer = site.peers.get(source);
  if (!peer) return site;
  return withPeer(site, source, {
    ...{ ...peer, busyUntil: Math.max(peer.busyUntil, busyUntil) },
    reports: without(peer.reports, md5),
  });
}

function mismatched(site: Site, md5: string, now: number): Site {
  const file = site.files.get(md5);
  if (!file) return site;
  const { givers, hasEarlierBytes, mismatches } = file;
  // All of it came from one player, which claims to have verified it.
  const isProven =
    givers.size === 1 &&
    !hasEarlierBytes &&
    [...givers.values()].every((isVerified) => isVerified);
  let after = site;
  for (const peer of givers.keys())
    after = withStrikes(after, peer, isProven ? siteLimits.strikes : 1, now);
  return inStage(after, md5, "wanted", {
    ...{ bytes: 0, bytesThen: 0, givers: new Map(), hasEarlierBytes: false },
    // Bytes of the content service were wasted on wrong ones of others: that happens once for a file.
    mismatches:
      file.stage === "fetching" ? siteLimits.mismatches : mismatches + 1,
    waitsSince: now,
    excluded: new Set([...file.excluded, ...givers.keys()]),
  });
}

function withStrikes(
  site: Site,
  peer: string,
  more: number,
  now: number,
): Site {
  const address = site.peers.get(peer)?.address;
  if (address === undefined) return site;
  const before = site.suspects.get(address);
  const isKnown = before !== undefined && before.until > now;
  const strikes = (isKnown ? before.strikes : 0) + more;
  const until = now + siteLimits.asideMs;
  const suspects = new Map(
    [...site.suspects].filter(([, suspect]) => suspect.until > now),
  );
  if (suspects.size < siteLimits.suspects || isKnown)
    suspects.set(address, { strikes, until });
  return { ...site, suspects };
}

function isDue({ stage, judgedAt }: SiteFile, now: number): boolean {
  return stage === "following" && now >= judgedAt;
}

/**
 * Null: it continues. `withholds`: the source has more than it sends; `slow`: it receives hardly anything itself. A slow line is
 * waited for, within limits: another download over the same line would only make it slower.
 */
function faultOf(
  site: Site,
  md5: string,
  file: SiteFile,
  now: number,
): "withholds" | "slow" | null {
  const gained = file.bytes - file.bytesThen;
  const seconds = secondsJudged(file, now);
  if (gained >= siteLimits.slowBytesPerSecond * seconds) return null;
  const report = site.peers.get(file.source ?? "")?.reports.get(md5)?.report;
  const isReceiving =
    report?.stage === "fetching" || report?.stage === "following";
  if (!isReceiving || report.bytes > file.bytes + siteLimits.marginBytes)
    return "withholds";
  if (gained < siteLimits.leastBytesPerSecond * seconds) return "slow";
  const slowMs = now - (file.slowSince ?? now);
  return slowMs >= siteLimits.slowMs ? "withholds" : null;
}

function secondsJudged({ judgedAt }: SiteFile, now: number): number {
  return (now - judgedAt + siteLimits.judgeMs) / 1000;
}

function givenUp(
  site: Site,
  md5: string,
  file: SiteFile,
  fault: "withholds" | "slow",
  now: number,
): Site {
  const source = file.source ?? "";
  const after =
    fault === "withholds" ? withStrikes(site, source, 1, now) : site;
  return inStage(after, md5, "wanted", {
    excluded: new Set(file.excluded).add(source),
    waitsSince: now,
  });
}

function judged(site: Site, md5: string, file: SiteFile, now: number): Site {
  const isSlow =
    file.bytes - file.bytesThen <
    siteLimits.slowBytesPerSecond * secondsJudged(file, now);
  return withFile(site, md5, {
    ...{ judgedAt: now + siteLimits.judgeMs, bytesThen: file.bytes },
    slowSince: isSlow ? (file.slowSince ?? now) : null,
    waitEndsAt: now + siteLimits.maxWaitMs,
  });
}

/** Until nothing more can be decided about this file for now. */
function carriedOut(before: Site, md5: string, now: number): SiteStep {
  let site = before;
  for (;;) {
    const file = site.files.get(md5);
    if (!file) return { site, effects: [] };
    const decision = decideOn(site, md5, file, now);
    const after = afterDecision(site, md5, file, decision, now);
    if (decision.kind === "wait") return { site, effects: [] };
    if (decision.kind === "fetch")
      return { site: after, effects: [{ kind: "fetch", md5 }] };
    if (decision.kind === "follow") {
      const { peer } = decision;
      return { site: after, effects: [{ kind: "follow", md5, peer }] };
    }
    site = after;
    // Others have to be asked again before more can be decided; alone, there is nobody to ask.
    if (decision.kind === "unclaim") return { site, effects: [] };
  }
}

function afterDecision(
  site: Site,
  md5: string,
  file: SiteFile,
  decision: Decision,
  now: number,
): Site {
  switch (decision.kind) {
    case "wait":
      return site;
    case "fetch":
      return inStage(site, md5, "fetching", { source: null });
    case "claim":
      return inStage(site, md5, "claimed", { waitsSince: now });
    case "unclaim":
      return inStage(site, md5, "wanted", { waitsSince: now });
    case "follow": {
      const { peer } = decision;
      const report = site.peers.get(peer)?.reports.get(md5)?.report;
      return inStage(site, md5, "following", {
        ...{ source: peer, bytesThen: file.bytes, slowSince: null },
        ...{ judgedAt: Infinity, isSourceVerified: report?.stage === "here" },
      });
    }
  }
}

function inStage(
  site: Site,
  md5: string,
  stage: SiteFile["stage"],
  change: Partial<SiteFile>,
): Site {
  const sequence = site.sequence + 1;
  return withFile({ ...site, sequence }, md5, {
    ...{ source: null, ...change, stage, changedAt: sequence },
  });
}

function withFile(site: Site, md5: string, change: Partial<SiteFile>): Site {
  const file = site.files.get(md5);
  if (!file) return site;
  return {
    ...site,
    files: new Map(site.files).set(md5, { ...file, ...change }),
  };
}

function withPeer(site: Site, id: string, peer: SitePeer): Site {
  return { ...site, peers: new Map(site.peers).set(id, peer) };
}

function without<Value>(
  map: ReadonlyMap<string, Value>,
  key: string,
): ReadonlyMap<string, Value> {
  const rest = new Map(map);
  rest.delete(key);
  return rest;
}
