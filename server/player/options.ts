// What a player is started with, and what it takes where nothing is said.

import type { Log } from "../platform/log.ts";
import type { PowerSwitch } from "./power.ts";
import type { Clock } from "../platform/clock.ts";
import type { Stage } from "./playback/stage.ts";

export interface PlayerOptions {
  /** Folder of this player's store; made when missing. */
  readonly dataDir: string;
  /** Address and port of the version 2 interface; port 0 takes a free one. */
  readonly apiHost: string;
  readonly apiPort: number;
  readonly stage: Stage;
  readonly clock: Clock;
  readonly version: string;
  /** From 0 to before 1; the default is the machine's own chance. */
  readonly random?: (() => number) | undefined;
  /** A better-sqlite3 binary other than the package's own; for an Electron too old for that. */
  readonly sqliteBinding?: string | undefined;
  /** What a person sees on the glass now, as PNG. */
  readonly takeScreenshot: () => Promise<Uint8Array>;
  /** What only an app's page may know of its settings, by what stands for the app with its cloud; without it there is nothing of that kind. */
  readonly appSecrets?:
    ((md5: string) => Promise<Readonly<Record<string, string>>>) | undefined;
  /** The default writes to standard output and to `log/` in the data folder. */
  readonly log?: Log | undefined;
  /** Restarts and shuts down the machine; `"system"` by its own means. Without it both are only recorded. */
  readonly power?: PowerSwitch | "system" | undefined;
  /** Why this run is careful, in a sentence; told by the interface (V2-256). */
  readonly safeMode?: string | null | undefined;
  /** The disk took nothing at the start, and does now (V2-454): what has been opened to be read alone is to be opened anew. */
  readonly restart?: (() => void) | undefined;
  /** Why the processor draws instead of the graphics card, in a sentence; told by the interface (V2-463). */
  readonly softwareRendering?: string | null | undefined;
  /** On a PC that is only a desk: nothing is shown, and so nothing is played or told. */
  readonly isStill?: boolean | undefined;
  /** The largest file taken; the default is 64 GiB, more than any signage clip. */
  readonly maxUploadBytes?: number | undefined;
  /** Disk kept free for the database, the log and the system; the default is 512 MiB. */
  readonly reserveBytes?: number | undefined;
  /** What an archive may expand to; the default is 1 TiB, as the disk itself says no before that. */
  readonly maxRecoverBytes?: number | undefined;
}

const mib = 1024 ** 2;
const gib = 1024 ** 3;

export function maxUploadBytesOf(options: PlayerOptions): number {
  return options.maxUploadBytes ?? 64 * gib;
}

export function reserveBytesOf(options: PlayerOptions): number {
  return options.reserveBytes ?? 512 * mib;
}

export function maxRecoverBytesOf(options: PlayerOptions): number {
  return options.maxRecoverBytes ?? 1024 * gib;
}
