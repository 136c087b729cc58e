// Findings of the system check: a code with the values of its sentence, which is worded where it is shown.

export type SiteSystem = "linux" | "windows";

export interface SiteDisplay {
  readonly width: number;
  readonly height: number;
  /** In frames per second; 0 where it is unknown. */
  readonly rate: number;
}

interface Decoding {
  readonly plays: readonly string[];
  readonly lacks: readonly string[];
}

interface DiskMeasure {
  readonly freeBytes: number;
  readonly bytesPerSecond: number;
}

interface ClockReading {
  /** In milliseconds. */
  readonly now: number;
  readonly zone: string;
  readonly system: SiteSystem;
}

interface Seconds {
  readonly seconds: number;
}

/** The values of each code. */
export interface SiteFacts {
  /** The check did not finish within this time. */
  late: Seconds;
  failed: { readonly reason: string };
  awake: object;
  "may-sleep": {
    /** The display server may switch the display off. */
    readonly hasDpms: boolean;
    readonly saverSeconds: number | null;
    readonly mayBeSuspended: boolean;
  };
  "sleep-untold": object;
  "plan-sleeps": object;
  "plan-untold": object;
  "no-apt": object;
  "never-restarts": object;
  "restarts-at": { readonly at: string };
  "restarts-at-once": object;
  /** Hours of the day, from 0 to 23. */
  "active-hours": { readonly from: number; readonly to: number };
  "no-active-hours": object;
  "no-display": object;
  displays: { readonly displays: readonly SiteDisplay[] };
  "other-display": {
    readonly displays: readonly SiteDisplay[];
    /** Counted from 0. */
    readonly configured: number;
  };
  "drawn-by-card": { readonly decodes: boolean };
  "drawn-by-processor": object;
  decodes: Decoding;
  "decodes-too-little": Decoding & { readonly needed: readonly string[] };
  disk: DiskMeasure;
  "disk-full": DiskMeasure;
  "disk-slow": DiskMeasure;
  "disk-refuses": { readonly dataDir: string; readonly isFull: boolean };
  "shared-memory": object;
  /** In bytes. */
  "shared-memory-small": { readonly bytes: number };
  "clock-behind": ClockReading;
  "clock-kept": ClockReading;
  "clock-not-kept": ClockReading;
  "clock-untold": ClockReading;
  "started-and-watched": object;
  "started-only": { readonly system: SiteSystem };
  "not-started": object;
  "no-sandbox": object;
  sandbox: { readonly name: string; readonly version: string };
  "folder-own": object;
  "folder-open": {
    readonly dataDir: string;
    /** As named by the system. */
    readonly others: readonly string[];
    readonly system: SiteSystem;
  };
  pin: object;
  /** The command that starts the player in a terminal of its PC. */
  "no-pin": { readonly call: string; readonly system: SiteSystem };
  "not-killed": { readonly call: string };
  "no-player": { readonly dataDir: string };
  "not-back": Seconds;
  back: Seconds;
  "back-late": Seconds;
}

export type SiteCode = keyof SiteFacts;

export type SiteFact = {
  readonly [Code in SiteCode]: { readonly code: Code } & SiteFacts[Code];
}[SiteCode];
