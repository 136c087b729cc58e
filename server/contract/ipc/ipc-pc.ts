// Questions of the manager about this PC rather than the player: the service it hosts, archives as files, what is saved, and what this program is.

import * as z from "zod";
import type {
  HostKeyView,
  HostScreenView,
  HostingView,
} from "../content-host.ts";
import type { SiteFact } from "../site.ts";

const file = z.string().min(1).max(4096);
/** Four to twelve digits; null is none. */
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
  /** What is not named stays. */
  changeHosting: hostingSettings.partial(),
  listHostKeys: z.object({}),
  makeHostKey: z.object({ name }),
  revokeHostKey: z.object({ id: z.string().min(1).max(100) }),
  listHostScreens: z.object({}),
  /** The pin is what the waiting screen shows. */
  claimHostScreen: z.object({ pin: name, name }),

  /** Takes a kept archive to a place the operator chooses. */
  saveBackup: z.object({ name: z.string().min(1).max(300) }),
  /** Reads an archive whole, on the shelf by its name or anywhere by its path, and changes nothing. */
  examineBackup: z.object({ name: file.optional(), path: file.optional() }),
  restoreBackup: z.object({ name: file.optional(), path: file.optional() }),
  /** Writes a text to a place the operator chooses. */
  saveText: z.object({
    suggestedName: z.string().min(1).max(200),
    text: z.string().max(200_000_000),
  }),
  /** Packs an account's current plan, signed, to a place the operator chooses (V2-320). */
  savePlan: z.object({ connectionId: z.string().min(1).max(100) }),
  /** Takes in a plan from a file of this machine; `trust` is the fingerprint that the operator has compared (V2-322). */
  takePlan: z.object({
    path: file,
    trust: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .nullable(),
  }),
  /** Everything that would stop, cover, slow or blank this screen (V2-260). */
  checkSite: z.object({}),
  readExitPin: z.object({}),
  /** Where one is set, it is asked for (V2-255). */
  changeExitPin: z.object({ current: pin, next: pin }),
  readAbout: z.object({}),
  openFolder: z.object({ which: z.enum(["data", "log"]) }),
} as const;

/** Null where the operator chose no place after all. */
export type Saved = { readonly path: string } | null;

/** What an archive holds, told before anything is changed. */
export interface BackupContents {
  readonly maker: "vitrine" | "anthias";
  /** Of the player that made it; null where the archive does not say. */
  readonly madeBy: {
    readonly player: string;
    readonly version: string;
    readonly created: string;
  } | null;
  readonly assets: readonly {
    readonly name: string;
    readonly kind: string;
    readonly isEnabled: boolean;
    /** Why it could not be shown here; null where nothing is known against it. */
    readonly problem: string | null;
  }[];
  readonly playlists: readonly string[];
  /** Clouds it knows, plans from a stick aside; one without a token here, for that very host, is to be given it again. */
  readonly connections: readonly {
    readonly id: string;
    readonly name: string;
    /** e.g. `https://cloud.example` */
    readonly origin: string;
    /** It is followed. */
    readonly isEnabled: boolean;
  }[];
  readonly filesCount: number;
  readonly sizeBytes: number;
  /** Settings that would differ from those of now, under their wire names. */
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
  /** Nothing has changed: the key has to be compared first. */
  | { readonly outcome: "untrusted"; readonly fingerprint: string };

export interface SiteLineView {
  /** e.g. `sleep`; the desk has a word for each. */
  readonly name: string;
  readonly verdict: "good" | "advice" | "fault" | "unknown";
  /** The desk words it. */
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
  /** The key, told this once. */
  makeHostKey: { readonly key: string };
  revokeHostKey: null;
  listHostScreens: readonly HostScreenView[];
  claimHostScreen: HostScreenView;
  saveBackup: Saved;
  examineBackup: BackupContents;
  /** The name of the archive made of what was there before: the way back. */
  restoreBackup: { readonly wayBack: string };
  saveText: Saved;
  savePlan: Saved;
  takePlan: TakenPlan;
  checkSite: SiteView;
  readExitPin: { readonly isSet: boolean };
  changeExitPin: ExitPinChange;
  readAbout: AboutView;
  openFolder: null;
}
