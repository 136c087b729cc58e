// Info and events of version 2: state of the player and its machine, and what the event stream sends (V2-73 to V2-75).

import * as z from "zod";
import type { NowV2 } from "./v2-screen.ts";
import type { SyncProgressV2 } from "./v2-sync.ts";
import { count, moment, type Wire } from "./v2.ts";

/** Of the interface; its description names it too. */
export const interfaceVersion = "2.0.0";

/** Status of this player and its machine; under the peer's names where it has them (V2-73). */
export const infoV2 = z.object({
  /** The name of what is on the screen. */
  viewlog: z.string(),
  /** Load average of the last 15 minutes. */
  loadavg: z.number(),
  /** For example `78G`. */
  free_space: z.string(),
  version: z.string(),
  device_model: z.string(),
  /** Of the machine. */
  uptime: z.object({ days: count, hours: z.number() }),
  /** In MiB; 0 where a system does not report it. */
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
  /** Always true: no external service is contacted about updates. */
  up_to_date: z.boolean(),
  /** Version of this interface, where the peer reports its own release. */
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
  /** Why only images are shown after repeated crashes; null in an ordinary run (V2-256). */
  safe_mode: z.string().nullable(),
  /** Why rendering falls back to the processor; null while it does not, or always has (V2-463). */
  software_rendering: z.string().nullable(),
  /** The last time a damaged database was rebuilt, as long as the damaged one is kept (V2-326). */
  store_rebuilt: z
    .object({
      time: moment,
      /** Where its rows came from. */
      from: z.enum(["database", "copy", "backup", "rest", "nothing"]),
      reason: z.string(),
      /** Where the damaged one is, relative to the data folder. */
      damaged_path: z.string().nullable(),
      assets: count,
      playlists: count,
    })
    .nullable(),
  /** HTTPS for other devices, with its certificate; null where it is not offered (V2-787). */
  https: z
    .object({
      /** SHA-256, in upper case with colons; null while it can't be used, as the next two. */
      fingerprint: z.string().nullable(),
      expires: moment.nullable(),
      /** By the player, so that no browser knows it (V2-789). */
      is_generated: z.boolean().nullable(),
      /** Why it can't be used, as a sentence; null while it can. */
      problem: z.string().nullable(),
    })
    .nullable(),
});
export type InfoV2 = Wire<typeof infoV2>;

/** Of a fleet the peer can belong to; this player belongs to none (V2-582). */
export const integrationsV2 = z.object({ is_balena: z.boolean() });
export type IntegrationsV2 = Wire<typeof integrationsV2>;

/** Payloads of `events`, by event name (V2-75). */
export interface EventsV2 {
  readonly changed: {
    readonly resource:
      | "assets"
      | "playlists"
      | "settings"
      | "takeover"
      /** A token or a backup was created or deleted; a connection was added, changed or removed (V2-441). */
      | "tokens"
      | "backups"
      | "sync_accounts";
  };
  readonly showing: NowV2;
  readonly progress: {
    /** Numbers the upload requests of this run; null for anything else (V2-128). */
    readonly upload: number | null;
    /** Of a resumable upload, as a whole. */
    readonly upload_id: string | null;
    /** The asset whose file is being downloaded. */
    readonly asset_id: string | null;
    readonly received_bytes: number;
    /** Null when no length was announced. */
    readonly total_bytes: number | null;
    readonly is_done: boolean;
  };
  /** Progress of a sync; not replayed (V2-210). */
  readonly sync: SyncProgressV2;
  readonly fault: {
    /** Null for the idle screen. */
    readonly asset_id: string | null;
    readonly name: string;
    readonly reason: string;
    readonly time: string;
  };
}

/** Any of them, by event name. */
export type PlayerEventV2 = {
  readonly [Name in keyof EventsV2]: {
    readonly name: Name;
    readonly value: EventsV2[Name];
  };
}[keyof EventsV2];
