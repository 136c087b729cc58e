// State of the players that share files in one local network, as one of them knows it: the others, what they reported, and the files
// it is downloading.

/**
 * How far a player is with a file: it waits for a decision, it is about to download it from the content service, it does so, it
 * receives it from another player, or it has all of it.
 */
export const fileStages = [
  ...(["wanted", "claimed", "fetching", "following", "here"] as const),
] as const;
export type FileStage = (typeof fileStages)[number];

export interface FileReport {
  readonly stage: FileStage;
  /** Bytes from the beginning of the file. */
  readonly bytes: number;
}

export interface SitePeer {
  readonly address: string;
  /** Monotonic milliseconds; not counted on before. */
  readonly awayUntil: number;
  /** It responds, but transfers as much as it can; not followed before. */
  readonly busyUntil: number;
  /** In a row. */
  readonly failures: number;
  readonly reports: ReadonlyMap<string, PeerReport>;
}

interface PeerReport {
  /** Null: it neither has nor wants the file. */
  readonly report: FileReport | null;
  /** `sequence` of this player when the request was sent. */
  readonly queriedAt: number;
}

export interface SiteFile {
  readonly stage: Exclude<FileStage, "here">;
  readonly bytes: number;
  /** `sequence` when the stage changed last: what others reported to earlier requests does not take it into account. */
  readonly changedAt: number;
  /** Since when it waits for others to download it. */
  readonly waitsSince: number;
  /** Without progress until then, it is downloaded from the content service whatever others report. */
  readonly waitEndsAt: number;
  /** The player that it is received from. */
  readonly source: string | null;
  /** It reported to have verified the whole file. */
  readonly isSourceVerified: boolean;
  /** When the progress is judged next (infinity: it isn't before bytes were requested, and once all have arrived), and the bytes at the last time. */
  readonly judgedAt: number;
  readonly bytesThen: number;
  /** Since when it has been slow; null while it is not. */
  readonly slowSince: number | null;
  /** Players that are not asked for this file again. */
  readonly excluded: ReadonlySet<string>;
  /** Players that reported to have all of it, and said once that they don't. */
  readonly refusedBy: ReadonlySet<string>;
  /** Players whose bytes are in the partial file, and whether each had verified the whole file. */
  readonly givers: ReadonlyMap<string, boolean>;
  /** Some bytes of the partial file came before this download, from whatever source. */
  readonly hasEarlierBytes: boolean;
  /** How often it had all its bytes, and they were wrong. */
  readonly mismatches: number;
}

export interface Site {
  /** Identifier of this player, another one with each start. */
  readonly self: string;
  /** Counts changes of stages. */
  readonly sequence: number;
  readonly peers: ReadonlyMap<string, SitePeer>;
  /** By MD5. */
  readonly files: ReadonlyMap<string, SiteFile>;
  /** Addresses whose players sent what they should not, each with the strikes so far and until when it is left out. */
  readonly suspects: ReadonlyMap<string, Suspect>;
}

interface Suspect {
  readonly strikes: number;
  readonly until: number;
}

export const siteLimits = {
  /** More than any site has that shares one network; further ones are not counted on. */
  peers: 64,
  suspects: 200,
  /** How long a player has to do what is its turn, before it is the turn of the next. */
  roundMs: 2_000,
  /** A file without progress for this long is downloaded from the content service. */
  maxWaitMs: 30_000,
  judgeMs: 10_000,
  /** What another player sends at least if it has more than was received. */
  slowBytesPerSecond: 32 * 1024,
  /** What a player sends at least that itself receives the file over a slow line. */
  leastBytesPerSecond: 1024,
  /** Reported and not sent yet: more is no longer the delay of the network. */
  marginBytes: 1024 * 1024,
  /** A line that is slow for longer is not waited for. */
  slowMs: 300_000,
  firstAwayMs: 2_000,
  longestAwayMs: 60_000,
  busyMs: 1_000,
  strikes: 3,
  asideMs: 3_600_000,
  /** Wrong twice: the third time it comes from the content service alone. */
  mismatches: 2,
} as const;

export function newSite(self: string): Site {
  return {
    ...{ self, sequence: 0, peers: new Map(), files: new Map() },
    suspects: new Map(),
  };
}

/** Players that can be counted on now. */
export function* livePeers(
  site: Site,
  now: number,
): Generator<readonly [string, SitePeer]> {
  for (const entry of site.peers)
    if (entry[1].awayUntil <= now && !isAside(site, entry[1].address, now))
      yield entry;
}

function isAside(site: Site, address: string, now: number): boolean {
  const suspect = site.suspects.get(address);
  return (
    suspect !== undefined &&
    suspect.strikes >= siteLimits.strikes &&
    suspect.until > now
  );
}
