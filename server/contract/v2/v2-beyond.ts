// Local player interface, version 2, beyond the specification: tokens, now, info and events.

import * as z from "zod";
import type { NowV2 } from "./v2-screen.ts";
import type { SyncProgressV2 } from "./v2-sync.ts";
import { readText } from "./v2-values.ts";
import { count, moment, required, type Wire } from "./v2.ts";

/** Of the interface, as its description names it too. */
export const interfaceVersion = "2.0.0";

/** A token as it is listed; its secret is told only to whoever makes it (V2-64). */
export const tokenV2 = z.object({
  id: z.string(),
  name: z.string(),
  created: moment,
  last_used: moment.nullable(),
});
export type TokenV2 = Wire<typeof tokenV2>;

export const newTokenV2 = tokenV2.extend({ token: z.string() });
export type NewTokenV2 = Wire<typeof newTokenV2>;

/** Long enough for whose script it is and what it is for. */
const maxNameLength = 200;

export const createTokenV2 = z.object({
  name: required(readText(maxNameLength)),
});

/** How this player and its machine fare; the peer's names where it has them (V2-73). */
export const infoV2 = z.object({
  /** The name of what is on the glass. */
  viewlog: z.string(),
  /** Of the last fifteen minutes. */
  loadavg: z.number(),
  /** As in `78G`. */
  free_space: z.string(),
  version: z.string(),
  device_model: z.string(),
  /** Of the machine. */
  uptime: z.object({ days: count, hours: z.number() }),
  /** In MiB; what a system does not tell is 0. */
  memory: z.object({
    total: count,
    used: count,
    free: count,
    shared: count,
    buff: count,
    available: count,
  }),
  ip_addresses: z.array(z.string()),
  mac_address: z.string(),
  /** Always: nobody outside is asked for a newer one. */
  up_to_date: z.boolean(),
  /** Of this interface, where the peer names its own release. */
  anthias_version: z.string(),
  // Ours:
  player_name: z.string(),
  player_uptime_seconds: count,
  player_memory_bytes: count,
  free_space_bytes: count,
  total_space_bytes: count,
  clock: z.object({
    time: moment,
    timezone: z.string(),
    utc_offset_minutes: z.int(),
  }),
  /** Why only pictures are shown after crashes in a row; null in an ordinary run (V2-256). */
  safe_mode: z.string().nullable(),
  /** Why the processor draws instead of the graphics card; null while it does not, or always did (V2-463). */
  software_rendering: z.string().nullable(),
  /** The last time the database was damaged and made anew, while the damaged one is kept (V2-326). */
  store_rebuilt: z
    .object({
      time: moment,
      /** What its rows came from. */
      from: z.enum(["database", "copy", "backup", "rest", "nothing"]),
      reason: z.string(),
      /** Where the damaged one lies, below the data folder. */
      damaged_path: z.string().nullable(),
      assets: count,
      playlists: count,
    })
    .nullable(),
});
export type InfoV2 = Wire<typeof infoV2>;

/** Of a fleet that the peer can belong to; this player belongs to none (V2-582). */
export const integrationsV2 = z.object({ is_balena: z.boolean() });
export type IntegrationsV2 = Wire<typeof integrationsV2>;

export const backupV2 = z.object({
  name: z.string(),
  /** In bytes. */
  size: count,
  created: moment,
});
export type BackupV2 = Wire<typeof backupV2>;

/** What `events` tells, by event name (V2-75). */
export interface EventsV2 {
  readonly changed: {
    readonly resource:
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

/** One of them, by the name of its event. */
export type PlayerEventV2 = {
  readonly [Name in keyof EventsV2]: {
    readonly name: Name;
    readonly value: EventsV2[Name];
  };
}[keyof EventsV2];
