// The values that a sync takes and answers: accounts, the state of a run, and a plan as people read it.

/** As the cloud speaks; `auto` finds it out. */
export const cloudVersions = ["v4.1", "v4", "v3"] as const;
export type CloudVersion = (typeof cloudVersions)[number];

/** Whether what the cloud says is applied at once, at the hour of the account, or when somebody says so. */
export const syncModes = ["now", "tonight", "ask"] as const;
export type SyncMode = (typeof syncModes)[number];

/** Who this screen is to a cloud. Asset groups go alone; without anything it is one of all screens. */
export interface ScreenPart {
  /** Names of labels, which version 3 calls groups. */
  readonly labels: readonly string[];
  /** The screen's own identifier, once it is paired. */
  readonly screenId: string | null;
  /** Titles or identifiers; where there are any, their assets are all that is wanted. */
  readonly assetGroups: readonly string[];
}

/** What an operator says of an account; its token is kept apart. */
export interface SyncConnectionInput extends ScreenPart {
  readonly name: string;
  readonly baseUrl: string;
  readonly version: CloudVersion | "auto";
  readonly mode: SyncMode;
  /** Time of day of the mode `tonight`, in milliseconds since midnight. */
  readonly applyAtMs: number;
  readonly pollSeconds: number;
  /** Bytes per second; null is as fast as it goes. */
  readonly rateLimit: number | null;
  /** Files are fetched from the first to before the second, in milliseconds since midnight; both null: always. */
  readonly fetchFromMs: number | null;
  readonly fetchUntilMs: number | null;
  /** What is taken away or changed while it is on the glass plays its turn to the end before. */
  readonly letsItemsEnd: boolean;
  readonly isEnabled: boolean;
  /** Takes any certificate of this cloud's host. */
  readonly isCertificateSkipped: boolean;
  /** Of a proxy that speaks HTTP; null goes straight. */
  readonly proxyUrl: string | null;
}

/** Whom an account asks, and by what right: a token's, that of a screen that was paired by a pin, or nobody at all. */
export const connectionKinds = ["cloud", "screen", "plan"] as const;
export type ConnectionKind = (typeof connectionKinds)[number];

/** How the host of a plan from a stick ends: nobody is ever asked there (RFC 2606). */
export const planHostEnding = ".plan.invalid";

export interface SyncConnection extends SyncConnectionInput {
  readonly id: string;
  readonly kind: ConnectionKind;
  /** Where its token lies: sealed by the operating system, in a file for its owner alone, or nowhere. */
  readonly tokenKept: "sealed" | "file" | null;
  /** How many it was given since the start: another number is another token. */
  readonly tokensGiven: number;
}

export const connectionDefaults: Omit<SyncConnectionInput, "name" | "baseUrl"> =
  {
    ...{ version: "auto", labels: [], screenId: null, assetGroups: [] },
    // Three in the morning: every shop of every zone is closed at its own.
    ...{ mode: "now", applyAtMs: 3 * 3_600_000 },
    // Content systems promise a change within a minute.
    ...{ pollSeconds: 60, rateLimit: null },
    ...{ fetchFromMs: null, fetchUntilMs: null },
    // What was taken away is to be gone: nobody explains why it is still there.
    letsItemsEnd: false,
    ...{ isEnabled: true, isCertificateSkipped: false, proxyUrl: null },
  };

/** Why a plan is not applied, though it could be. */
export type HoldReason =
  /** The mode is `ask`. */
  | "ask"
  /** The mode is `tonight`, and it is not yet that time. */
  | "tonight"
  /** It would remove nearly all of the content, in one answer (V2-207). */
  | "more-than-half"
  /** Somebody went back from it, or put it off: it waits for somebody. */
  | "postponed";

export type SyncPhase =
  | "idle"
  | "polling"
  | "downloading"
  /** Files are missing, and the hours of the account are not these. */
  | "waiting-for-hours"
  | "applying"
  | "held"
  | "failing"
  | "off";

/** What went wrong with an account as a whole. */
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
  /** With every file. */
  readonly here: number;
  /** Given up for now, or not to be read. */
  readonly failed: number;
}

/** One file or row that did not come, and why. */
export interface ItemFailure {
  readonly remoteId: string;
  readonly name: string;
  readonly reason: string;
  /** It is not tried again until the cloud says something else of it. */
  readonly isGivenUp: boolean;
}

export interface PlanEntry {
  readonly what: "asset" | "playlist";
  readonly action: "add" | "change" | "remove";
  readonly remoteId: string;
  readonly name: string;
  /** To be fetched for it. */
  readonly bytes: number | null;
}

/** What applying would do, as it is shown before. */
export interface PlanView {
  readonly connectionId: string;
  readonly planId: string;
  readonly seenAt: number;
  readonly hold: HoldReason | null;
  readonly adds: number;
  readonly changes: number;
  readonly removes: number;
  /** Still to be fetched, as far as the cloud told sizes. */
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
  /** As far as the cloud told sizes. */
  readonly totalBytes: number;
  readonly bytesPerSecond: number;
  /** Null while nobody can say. */
  readonly secondsLeft: number | null;
  /** Under way at this moment. */
  readonly files: readonly FileProgress[];
}

export interface SyncStatus {
  readonly connectionId: string;
  readonly name: string;
  readonly phase: SyncPhase;
  /** Found out, or set; null before the first answer. */
  readonly version: CloudVersion | null;
  readonly hold: HoldReason | null;
  readonly problem: SyncProblem | null;
  /** The cloud answered last. */
  readonly lastContactAt: number | null;
  /** A plan was applied last. */
  readonly lastAppliedAt: number | null;
  readonly nextPollAt: number | null;
  /** Everything the cloud wants is here and applied (V2-570); null before the first answer. */
  readonly isInSync: boolean | null;
  /** How many assets the cloud wants here, and how many of them are. */
  readonly items: ItemCount;
  readonly assets: number;
  readonly playlists: number;
  readonly itemFailures: readonly ItemFailure[];
  readonly kept: readonly AppliedPlanView[];
  readonly progress: SyncProgress;
}
