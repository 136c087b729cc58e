// Start options of a player, and their defaults.

import type { Log } from "../platform/log.ts";
import type { HttpsOptions } from "./https/https-interface.ts";
import type { PowerSwitch } from "./power.ts";
import type { Clock } from "../platform/clock.ts";
import type { HashCost } from "../platform/password-hash.ts";
import type { Stage } from "./playback/stage.ts";

export interface PlayerOptions {
  /** Folder of this player's store; created when missing. */
  readonly dataDir: string;
  /** Address and port of the version 2 interface (`defaultApiPort` by default); port 0 selects a free one. */
  readonly apiHost: string;
  readonly apiPort: number;
  /** With it, `apiHost` offers HTTPS at the port given here, and `apiPort` is for this PC only (V2-787). */
  readonly https?: HttpsOptions | undefined;
  /** Whether the player may announce itself to its network (V2-763); the default is not to. */
  readonly isDiscoverable?: boolean | undefined;
  /** Files are shared with other players of the site, whatever the setting is (V2-820). */
  readonly sharesFiles?: boolean | undefined;
  readonly stage: Stage;
  readonly clock: Clock;
  readonly version: string;
  /** From 0 to below 1; the default is `Math.random`. */
  readonly random?: (() => number) | undefined;
  /** A better-sqlite3 binary other than the package's own; for an Electron too old for that. */
  readonly sqliteBinding?: string | undefined;
  /** What is visible on the screen now, as PNG. */
  readonly takeScreenshot: () => Promise<Uint8Array>;
  /** Folder of the manager built for browsers, served at `/` (V2-770); without it nothing is. */
  readonly managerDir?: string | undefined;
  /**
   * Secret settings of apps that only the app's page may read, by the MD5 with which the content service identifies the app;
   * without this option there are none.
   */
  readonly appSecrets?:
    | ((md5: string) => Promise<Readonly<Record<string, string>>>)
    | undefined;
  /** The default writes to standard output and to `log/` in the data folder. */
  readonly log?: Log | undefined;
  /** Restarts and shuts down the machine; `"system"` uses the operating system. Without it both are only logged. */
  readonly power?: PowerSwitch | "system" | undefined;
  /** Why this run is in safe mode, as a sentence; reported by the interface (V2-256). */
  readonly safeMode?: string | null | undefined;
  /**
   * The disk rejected writes at the start, and accepts them now (V2-454): the store was opened read-only and has to be opened
   * again.
   */
  readonly restart?: (() => void) | undefined;
  /** Called once when another program has the port: what is due is shown, and the port waited for. Without it, that is an error. */
  readonly onPortTaken?: ((message: string) => void) | undefined;
  /** Why rendering uses the processor instead of the graphics card, as a sentence; reported by the interface (V2-463). */
  readonly softwareRendering?: string | null | undefined;
  /** On a PC that is a manager only: nothing is shown, and so no playback is recorded or reported. */
  readonly isStill?: boolean | undefined;
  /** Replaces the cost of a password's hash in tests. */
  readonly hashCost?: HashCost | undefined;
  /** The largest file accepted; the default is that of files/uploads.ts. */
  readonly maxUploadBytes?: number | undefined;
  /** Disk space kept free for the database, the log and the system; the default is 512 MiB. */
  readonly reserveBytes?: number | undefined;
  /** Maximum unpacked size of an archive; the default is 1 TiB, as the disk is full before that. */
  readonly maxRecoverBytes?: number | undefined;
}

const mib = 1024 ** 2;
const gib = 1024 ** 3;

export function reserveBytesOf(options: PlayerOptions): number {
  return options.reserveBytes ?? 512 * mib;
}

export function maxRecoverBytesOf(options: PlayerOptions): number {
  return options.maxRecoverBytes ?? 1024 * gib;
}
