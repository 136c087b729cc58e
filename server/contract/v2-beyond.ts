// Local player interface, version 2, beyond the specification: tokens, now, info and events.

import * as z from "zod";
import type { NowV2 } from "./v2-glass.ts";
import type { SyncProgressV2 } from "./v2-sync.ts";
import { readText } from "./v2-values.ts";
import { required } from "./v2.ts";

/** Of the interface, as its description names it too. */
export const interfaceVersion = "2.0.0";

/** A token as it is listed; its secret is told only to whoever makes it (V2-64). */
export interface TokenV2 {
  readonly id: string;
  readonly name: string;
  readonly created: string;
  readonly last_used: string | null;
}

export interface NewTokenV2 extends TokenV2 {
  readonly token: string;
}

/** Long enough for whose script it is and what it is for. */
const mostNameLetters = 200;

export const createTokenV2 = z.object({
  name: required(readText(mostNameLetters)),
});

/** How this player and its machine fare; the peer's names where it has them (V2-73). */
export interface InfoV2 {
  /** The name of what is on the glass. */
  readonly viewlog: string;
  /** Of the last fifteen minutes. */
  readonly loadavg: number;
  /** As in `78G`. */
  readonly free_space: string;
  readonly version: string;
  readonly device_model: string;
  /** Of the machine. */
  readonly uptime: { readonly days: number; readonly hours: number };
  /** In MiB; what a system does not tell is 0. */
  readonly memory: Readonly<
    Record<"total" | "used" | "free" | "shared" | "buff" | "available", number>
  >;
  readonly ip_addresses: readonly string[];
  readonly mac_address: string;
  /** Always: nobody outside is asked for a newer one. */
  readonly up_to_date: boolean;
  /** Of this interface, where the peer names its own release. */
  readonly anthias_version: string;
  // Ours:
  readonly player_name: string;
  readonly player_uptime_seconds: number;
  readonly player_memory_bytes: number;
  readonly free_space_bytes: number;
  readonly total_space_bytes: number;
  readonly clock: {
    readonly time: string;
    readonly timezone: string;
    readonly utc_offset_minutes: number;
  };
  /** Why only pictures are shown after crashes in a row; null in an ordinary run (V2-256). */
  readonly safe_mode: string | null;
  /** Why the processor draws instead of the graphics card; null while it does not, or always did (V2-463). */
  readonly software_rendering: string | null;
  /** The last time the database was damaged and made anew, while the damaged one is kept (V2-326). */
  readonly store_rebuilt: {
    readonly time: string;
    /** What its rows came from. */
    readonly from: "database" | "copy" | "backup" | "rest" | "nothing";
    readonly reason: string;
    /** Where the damaged one lies, below the data folder. */
    readonly aside: string | null;
    readonly assets: number;
    readonly playlists: number;
  } | null;
}

/** What else manages this player, under the peer's name (V2-582). */
export interface IntegrationsV2 {
  readonly is_balena: boolean;
}

/** What `events` tells, by event name (V2-75). */
export interface EventsV2 {
  readonly changed: {
    readonly what:
      | "assets"
      | "playlists"
      | "settings"
      | "takeover"
      /** A token or an archive came or went; an account of a sync was added, changed or removed (V2-441). */
      | "tokens"
      | "backups"
      | "sync_accounts";
  };
  readonly showing: NowV2;
  readonly progress: {
    /** Counts the uploading requests of this start; null for what is none (V2-128). */
    readonly upload: number | null;
    /** Of an upload in pieces, as a whole. */
    readonly upload_id: string | null;
    /** Whose file is being fetched. */
    readonly asset_id: string | null;
    readonly received_bytes: number;
    /** Null where nobody announced a length. */
    readonly total_bytes: number | null;
    readonly is_done: boolean;
  };
  /** How far a sync is; not replayed (V2-210). */
  readonly sync: SyncProgressV2;
  readonly fault: {
    /** Null for the house card. */
    readonly asset_id: string | null;
    readonly name: string;
    readonly reason: string;
    readonly time: string;
  };
}
