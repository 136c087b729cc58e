// Requests of the manager about this PC rather than the player: the hosted service, backup archives, saved files, about
// this program.

import * as z from "zod";
import type { HostKeyView, HostingView } from "../content-host.ts";
import type { SiteFact } from "../site-check.ts";

const file = z.string().min(1).max(4096);
/** Four to twelve digits; null for none. */
const pin = z
  .string()
  .regex(/^\d{4,12}$/)
  .nullable();

export const hostingSettings = z.object({
  isOn: z.boolean(),
  port: z.int().min(1).max(65_535),
  reach: z.enum(["this-pc", "network"]),
  certificate: file.nullable(),
  certificateKey: file.nullable(),
});

/** Longer than any name in an interface. */
const name = z.string().trim().min(1).max(200);

export const pcQuestions = {
  readHosting: z.object({}),
  /** Omitted fields stay unchanged. */
  changeHosting: hostingSettings.partial(),
  listHostKeys: z.object({}),
  makeHostKey: z.object({ name }),
  /** A link with which an administrator signs in to the hosted service in a browser, new or with a new password. */
  inviteHostPerson: z.object({
    email: z
      .string()
      .trim()
      .max(254)
      .regex(/^[^\s@]+@[^\s@]+$/),
  }),
  revokeHostKey: z.object({ id: z.string().min(1).max(100) }),

  /** Copies a backup to a place the operator chooses. */
  saveBackup: z.object({ name: z.string().min(1).max(300) }),
  /** Reads and validates a whole archive, a kept one by its name or any other by its path, without changing anything. */
  examineBackup: z.object({ name: file.optional(), path: file.optional() }),
  restoreBackup: z.object({ name: file.optional(), path: file.optional() }),
  /** Logs and states of this player without secrets; the operator chooses the place. */
  saveLogs: z.object({ suggestedName: z.string().min(1).max(200) }),
  /** Writes a text to a place the operator chooses. */
  saveText: z.object({
    suggestedName: z.string().min(1).max(200),
    text: z.string().max(200_000_000),
  }),
  /** Exports the current plan of a connection as a signed offline bundle, to a place the operator chooses (V2-320). */
  savePlan: z.object({ connectionId: z.string().min(1).max(100) }),
  /**
   * Imports an offline bundle from a file on this machine; `trust` is the fingerprint that the operator has compared
   * (V2-322).
   */
  takePlan: z.object({
    path: file,
    trust: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .nullable(),
  }),
  /** Everything that could stop, cover, slow or blank this screen (V2-260). */
  checkSite: z.object({}),
  readExitPin: z.object({}),
  /** An existing PIN has to be given as `current` (V2-255). */
  changeExitPin: z.object({ current: pin, next: pin }),
  readAbout: z.object({}),
  openFolder: z.object({ which: z.enum(["data", "log"]) }),
} as const;

/** Null when the operator cancelled. */
export type Saved = { readonly path: string } | null;

/** The content of an archive, shown before anything is changed. */
export interface BackupContents {
  readonly maker: "vitrine" | "anthias";
  /** The player that created it; null where the archive does not say. */
  readonly madeBy: {
    readonly player: string;
    readonly version: string;
    readonly created: string;
  } | null;
  readonly assets: readonly {
    readonly name: string;
    readonly kind: string;
    readonly isEnabled: boolean;
    /** Why it cannot be shown here; null when no problem is known. */
    readonly problem: string | null;
  }[];
  readonly playlists: readonly string[];
  /**
   * Connections in it, except offline bundles; the token has to be entered again for one that has none here for the
   * same host.
   */
  readonly connections: readonly {
    readonly id: string;
    readonly name: string;
    /** e.g. `https://cloud.example` */
    readonly origin: string;
    /** Whether syncing is enabled. */
    readonly isEnabled: boolean;
  }[];
  readonly filesCount: number;
  readonly sizeBytes: number;
  /** Settings that would change, under their wire names. */
  readonly settings: readonly {
    readonly name: string;
    readonly now: unknown;
    readonly then: unknown;
  }[];
}

export type TakenPlan =
  | {
      readonly outcome: "taken";
      readonly from: string;
      readonly assets: number;
      readonly playlists: number;
    }
  /** Nothing was imported: the key has to be compared first. */
  | { readonly outcome: "untrusted"; readonly fingerprint: string };

export interface SiteLineView {
  /** e.g. `sleep`; the manager has a label for each. */
  readonly name: string;
  readonly verdict: "good" | "advice" | "fault" | "unknown";
  /** The manager turns it into a sentence. */
  readonly fact: SiteFact;
  readonly ms: number;
}

export interface SiteView {
  readonly time: string;
  readonly lines: readonly SiteLineView[];
  readonly faults: number;
}

export type ExitPinChange =
  | { readonly outcome: "changed"; readonly isSet: boolean }
  | { readonly outcome: "wrong"; readonly triesLeft: number }
  | { readonly outcome: "locked"; readonly seconds: number };

export interface Licence {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  readonly text: string;
}

export interface AboutView {
  readonly version: string;
  readonly electron: string;
  readonly chromium: string;
  readonly node: string;
  readonly system: string;
  readonly dataDir: string;
  readonly isPackaged: boolean;
  readonly licence: string;
  readonly licences: readonly Licence[];
}

export interface PcAnswers {
  readHosting: HostingView;
  changeHosting: HostingView;
  listHostKeys: readonly HostKeyView[];
  /** The key, returned only this once. */
  makeHostKey: { readonly key: string };
  inviteHostPerson: { readonly link: string };
  revokeHostKey: null;
  saveBackup: Saved;
  examineBackup: BackupContents;
  /** The name of a backup of the previous state, for undoing the restore. */
  restoreBackup: { readonly wayBack: string };
  saveLogs: Saved;
  saveText: Saved;
  savePlan: Saved;
  takePlan: TakenPlan;
  checkSite: SiteView;
  readExitPin: { readonly isSet: boolean };
  changeExitPin: ExitPinChange;
  readAbout: AboutView;
  openFolder: null;
}
