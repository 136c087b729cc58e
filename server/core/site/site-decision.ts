// Where a file of a site comes from next: another player that has it or receives it, or the content service, if it is this player's
// turn. At most one player at a time downloads a file from the content service, unless one of them fails or does not respond.

import { rendezvousScore } from "./rendezvous.ts";
import {
  livePeers,
  siteLimits,
  type FileReport,
  type Site,
  type SiteFile,
  type SitePeer,
} from "./site-state.ts";

export type Decision =
  /** Download it from the content service. */
  | { readonly kind: "fetch" }
  | { readonly kind: "follow"; readonly peer: string }
  /** Tell the others that it is about to be downloaded from the content service. */
  | { readonly kind: "claim" }
  /** Leave it to another player. */
  | { readonly kind: "unclaim" }
  /** For what others report, or for time to pass. */
  | { readonly kind: "wait" };

interface Known {
  readonly id: string;
  readonly peer: SitePeer;
  readonly report: FileReport | null;
  /** Reported after this player's stage changed last. */
  readonly isFresh: boolean;
}

export function decideOn(
  site: Site,
  md5: string,
  file: SiteFile,
  now: number,
): Decision {
  if (file.stage !== "wanted" && file.stage !== "claimed")
    return { kind: "wait" };
  if (now >= file.waitEndsAt || file.mismatches >= siteLimits.mismatches)
    return { kind: "fetch" };
  const known = knownOf(site, md5, file, now);
  const source = bestSource(known, md5, file, site.self, now);
  if (source !== null)
    return source.isFree
      ? { kind: "follow", peer: source.id }
      : { kind: "wait" };
  return file.stage === "wanted"
    ? asWanted(known, md5, file, site.self, now)
    : asClaimed(known, md5, file, site.self, now);
}

/** Those that may be left out of this file are: what they report counts for nothing. */
function knownOf(
  site: Site,
  md5: string,
  { changedAt, excluded }: SiteFile,
  now: number,
): readonly Known[] {
  const known: Known[] = [];
  for (const [id, peer] of livePeers(site, now)) {
    if (excluded.has(id)) continue;
    const { report = null, queriedAt = -1 } = peer.reports.get(md5) ?? {};
    known.push({ id, peer, report, isFresh: queriedAt >= changedAt });
  }
  return known;
}

/** Null: nobody has anything to give. One that is not free is left alone for a moment. */
function bestSource(
  known: readonly Known[],
  md5: string,
  { bytes }: SiteFile,
  self: string,
  now: number,
): { readonly id: string; readonly isFree: boolean } | null {
  const ranked = known
    .flatMap(({ id, peer, report }) => {
      const rank = rankOf(report, bytes);
      // Players that have all of it are chosen evenly, by an order of each file's and player's own.
      const score = rendezvousScore(`${md5} ${self}`, id);
      return rank === null ? [] : [{ id, peer, ...rank, score }];
    })
    .sort(
      (one, other) =>
        one.class - other.class ||
        other.bytes - one.bytes ||
        other.score - one.score,
    );
  const free = ranked.find(({ peer }) => peer.busyUntil <= now);
  const first = free ?? ranked[0];
  return first ? { id: first.id, isFree: first === free } : null;
}

/** Who has all of it, who downloads it, and who has more than there is here: never one that may itself wait for this player. */
function rankOf(
  report: FileReport | null,
  bytes: number,
): { readonly class: number; readonly bytes: number } | null {
  if (report === null) return null;
  if (report.stage === "here") return { class: 0, bytes: 0 };
  if (report.stage === "fetching") return { class: 1, bytes: 0 };
  return report.bytes > bytes ? { class: 2, bytes: report.bytes } : null;
}

function asWanted(
  known: readonly Known[],
  md5: string,
  { waitsSince }: SiteFile,
  self: string,
  now: number,
): Decision {
  // One that has not responded may be downloading it.
  if (known.some(({ isFresh }) => !isFresh)) return { kind: "wait" };
  const round = Math.floor((now - waitsSince) / siteLimits.roundMs);
  if (round === 0 && known.some(({ report }) => report?.stage === "claimed"))
    return { kind: "wait" };
  const own = rendezvousScore(md5, self);
  const before = known.filter(
    ({ id, report }) =>
      report !== null && isBefore(md5, id, { self, score: own }),
  );
  return { kind: before.length <= round ? "claim" : "wait" };
}

function asClaimed(
  known: readonly Known[],
  md5: string,
  { waitsSince }: SiteFile,
  self: string,
  now: number,
): Decision {
  const own = rendezvousScore(md5, self);
  const others = known.filter(
    ({ isFresh, report }) => isFresh && report?.stage === "claimed",
  );
  if (others.some(({ id }) => isBefore(md5, id, { self, score: own })))
    return { kind: "unclaim" };
  // One that comes later in the order may have asked before this player claimed it, and is about to begin.
  const isSettled = others.length === 0 && known.every((one) => one.isFresh);
  const isOver = now - waitsSince >= siteLimits.roundMs;
  return { kind: isSettled || isOver ? "fetch" : "wait" };
}

/** Whether this player comes before the one that decides. */
function isBefore(
  md5: string,
  id: string,
  own: { readonly self: string; readonly score: number },
): boolean {
  const score = rendezvousScore(md5, id);
  return score > own.score || (score === own.score && id < own.self);
}
