// Values of the sync interface: connections, the state of a run, and a plan as people read it.

import type { UnusedContent } from "./unused-content.ts";

/** API versions of a content service; `auto` detects the version. */
export const cloudVersions = ["v4.1", "v4", "v3"] as const;
export type CloudVersion = (typeof cloudVersions)[number];

/** Whether a new desired state is applied at once, at the time set for the connection, or after approval. */
export const syncModes = ["now", "tonight", "ask"] as const;
export type SyncMode = (typeof syncModes)[number];

/** Where assets go that are in no playlist for this screen: nowhere, into the library only, or into the rotation, too (V2-743). */
export const allAssetsModes = ["off", "library", "rotation"] as const;
export type AllAssetsMode = (typeof allAssetsModes)[number];

/**
 * The part of the service's content meant for this screen. Asset groups exclude the rest; with nothing set, it receives what is
 * meant for every screen.
 */
export interface ScreenPart {
  /** Names of labels, called groups in version 3. */
  readonly labels: readonly string[];
  /** The screen's own identifier, once it is paired. */
  readonly screenId: string | null;
  /** Titles or identifiers; if there are any, only their assets are wanted. */
  readonly assetGroups: readonly string[];
  /** Without effect if there are asset groups. */
  readonly allAssets: AllAssetsMode;
}

/** Settings of a connection by the operator; the token is stored separately. */
export interface SyncConnectionInput extends ScreenPart {
  readonly name: string;
  readonly baseUrl: string;
  readonly version: CloudVersion | "auto";
  readonly mode: SyncMode;
  /** Time of day for the mode `tonight`, in milliseconds since midnight. */
  readonly applyAtMs: number;
  readonly pollSeconds: number;
  /** Bytes per second; null is unlimited. */
  readonly rateLimit: number | null;
  /** Download window, in milliseconds since midnight, end exclusive; both null: always. */
  readonly fetchFromMs: number | null;
  readonly fetchUntilMs: number | null;
  /** Content that is on screen when it is removed or changed is shown to its end first. */
  readonly letsItemsEnd: boolean;
  readonly isEnabled: boolean;
  /** Accepts any certificate of the service's host. */
  readonly isCertificateSkipped: boolean;
  /** URL of an HTTP proxy; null connects directly. */
  readonly proxyUrl: string | null;
}

/**
 * How a connection is authorized: by a token, by the credential of a screen paired by PIN, or, for an offline bundle, not at all.
 */
export const connectionKinds = ["cloud", "screen", "plan"] as const;
export type ConnectionKind = (typeof connectionKinds)[number];

/** Suffix of the host of an offline bundle: no request is ever sent there (RFC 2606). */
export const planHostEnding = ".plan.invalid";

export interface SyncConnection extends SyncConnectionInput {
  readonly id: string;
  readonly kind: ConnectionKind;
  /** Where its token is stored: sealed by the operating system, in a file readable by its owner only, or nowhere. */
  readonly tokenKept: "sealed" | "file" | null;
  /** Number of tokens set since the start: another number means another token. */
  readonly tokensGiven: number;
}

export const connectionDefaults: Omit<SyncConnectionInput, "name" | "baseUrl"> =
  {
    ...{ version: "auto", labels: [], screenId: null, assetGroups: [] },
    allAssets: "off",
    // Three in the morning: shops in every zone are closed at that time.
    ...{ mode: "now", applyAtMs: 3 * 3_600_000 },
    // Content services promise that a change arrives within a minute.
    ...{ pollSeconds: 60, rateLimit: null },
    ...{ fetchFromMs: null, fetchUntilMs: null },
    // Removed content should be gone: otherwise someone has to explain why it is still there.
    letsItemsEnd: false,
    ...{ isEnabled: true, isCertificateSkipped: false, proxyUrl: null },
  };

/**
 * Beside playback, whatever the operator's own limit is: as fast as most lines are; hashing and writing more than this would take
 * processor time from a video (V2-337).
 */
export const maxBytesPerSecondDuringPlayback = 32 * 1024 * 1024;

/** Why a plan is not applied although it could be. */
export type HoldReason =
  /** The mode is `ask`. */
  | "ask"
  /** The mode is `tonight`, and it is not yet time. */
  | "tonight"
  /** It would remove nearly all of the content at once (V2-207). */
  | "more-than-half"
  /** An operator restored an earlier plan or postponed it: it waits for a decision. */
  | "postponed";

export type SyncPhase =
  | "idle"
  | "polling"
  | "downloading"
  /** Files are missing, and it is outside the connection's download window. */
  | "waiting-for-hours"
  | "applying"
  | "held"
  | "failing"
  | "off";

/** A problem of a connection as a whole. */
export interface SyncProblem {
  readonly code:
    | "unauthorized"
    | "unavailable"
    | "refused"
    | "portal"
    | "certificate"
    | "proxy"
    | "malformed"
    | "no-space"
    | "read-only"
    | "no-token"
    /** The player ended during a run (V2-620). */
    | "interrupted"
    | "bug";
  readonly message: string;
  readonly since: number;
}

/** Assets that a content service wants on this screen. */
export interface ItemCount {
  readonly wanted: number;
  /** Complete with all files. */
  readonly here: number;
  /** Given up for now, or unreadable. */
  readonly failed: number;
}

/** One file or row that failed, and why. */
export interface ItemFailure {
  readonly remoteId: string;
  readonly name: string;
  readonly reason: string;
  /** It is not retried until the service changes it. */
  readonly isGivenUp: boolean;
}

export interface PlanEntry {
  readonly what: "asset" | "playlist";
  readonly action: "add" | "change" | "remove";
  readonly remoteId: string;
  readonly name: string;
  /** Bytes to download for it. */
  readonly bytes: number | null;
}

/** What applying would do, shown before it is applied. */
export interface PlanView {
  readonly connectionId: string;
  readonly planId: string;
  readonly seenAt: number;
  readonly hold: HoldReason | null;
  readonly adds: number;
  readonly changes: number;
  readonly removes: number;
  /** Bytes still to download, as far as the service sent sizes. */
  readonly bytes: number;
  readonly entries: readonly PlanEntry[];
}

export interface AppliedPlanView {
  readonly planId: string;
  readonly appliedAt: number;
  readonly assets: number;
  readonly playlists: number;
  readonly isCurrent: boolean;
}

export interface FileProgress {
  readonly remoteId: string;
  readonly name: string;
  readonly receivedBytes: number;
  readonly totalBytes: number | null;
}

export interface SyncProgress {
  readonly connectionId: string;
  readonly phase: SyncPhase;
  readonly filesDone: number;
  readonly filesTotal: number;
  readonly receivedBytes: number;
  /** As far as the service sent sizes. */
  readonly totalBytes: number;
  readonly bytesPerSecond: number;
  /** Null while unknown. */
  readonly secondsLeft: number | null;
  /** Downloads under way. */
  readonly files: readonly FileProgress[];
}

/** Files that came from other players of the site since the connection began to download what is missing (V2-829). */
export interface SiteCounts {
  /** Other players that can be counted on now. */
  readonly players: number;
  readonly files: number;
  readonly filesFromPlayers: number;
  readonly bytes: number;
  readonly bytesFromPlayers: number;
}

export interface SyncStatus {
  readonly connectionId: string;
  readonly name: string;
  readonly phase: SyncPhase;
  /** Detected or set; null before the first response. */
  readonly version: CloudVersion | null;
  readonly hold: HoldReason | null;
  readonly problem: SyncProblem | null;
  /** When the service last answered. */
  readonly lastContactAt: number | null;
  /** When a plan was last applied. */
  readonly lastAppliedAt: number | null;
  readonly nextPollAt: number | null;
  /** Everything the service wants is here and applied (V2-570); null before the first response. */
  readonly isInSync: boolean | null;
  /** How many assets the service wants here, and how many of them are here. */
  readonly items: ItemCount;
  readonly assets: number;
  readonly playlists: number;
  readonly itemFailures: readonly ItemFailure[];
  /** What the service has while nothing of it comes here; null while something does, and while that is not known. */
  readonly unused: UnusedContent | null;
  readonly kept: readonly AppliedPlanView[];
  /** Null while no files are shared with other players. */
  readonly site: SiteCounts | null;
  readonly progress: SyncProgress;
}
