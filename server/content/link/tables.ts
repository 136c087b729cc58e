// Row types of the player link for Kysely: waiting and claimed players, commands, states of screens, playbacks, screenshots,
// changes.

import type { Generated } from "kysely";
import type {
  OutageCause,
  ScreenState,
} from "../../contract/link/screen-report.ts";

/** Milliseconds since 1970, UTC. */
type Moment = number;

export interface LinkTables {
  /** A player from its registration on; `screen_id` is the screen it became, which may be deleted. */
  readonly players: {
    readonly id: string;
    readonly credential_hash: string;
    /** Null once it was used. */
    readonly pin: string | null;
    readonly pin_ends_at: Moment;
    readonly team_id: string | null;
    readonly screen_id: string | null;
    /** JSON, as sent by the player. */
    readonly facts: string;
    readonly created_at: Moment;
    readonly claimed_at: Moment | null;
  };
  /** Wrong pins per key, by the key's hash. */
  readonly pin_guesses: {
    readonly guesser: string;
    readonly count: number;
    readonly since: Moment;
  };
  /** Instances of the service, by the identifier that `ws_instance` of a screen names (L-63). */
  readonly link_instances: {
    readonly id: string;
    readonly seen_at: Moment;
  };
  readonly screen_commands: {
    readonly id: string;
    readonly team_id: string;
    readonly screen_id: string;
    readonly kind: string;
    readonly created_at: Moment;
    /** Of all commands that were sent together. */
    readonly action_id: Generated<string>;
    /** JSON. */
    readonly arguments: Generated<string>;
    /** Name of the API key. */
    readonly issued_by: Generated<string>;
    /** Never `expired`: that follows from `expires_at`. */
    readonly state: Generated<string>;
    readonly state_at: Generated<Moment>;
    readonly message: string | null;
    readonly expires_at: Generated<Moment>;
  };
  /** Of every screen that ever sent a heartbeat (L-40). */
  readonly screen_states: {
    readonly screen_id: string;
    readonly team_id: string;
    readonly state: ScreenState;
    readonly since: Moment;
    readonly reason: string | null;
    /** JSON, as received. */
    readonly report: string | null;
    readonly reported_at: Moment | null;
  };
  /** At most one of each screen has not ended (L-43). */
  readonly screen_outages: {
    readonly id: string;
    readonly team_id: string;
    readonly screen_id: string;
    readonly state: ScreenState;
    readonly reason: string;
    readonly started_at: Moment;
    readonly ended_at: Moment | null;
    /** Of `offline`: `unknown` until it ends (L-50). */
    readonly cause: Generated<OutageCause>;
    /** Of `offline`: the last contact before it. */
    readonly last_contact_at: Moment | null;
    /** Of `offline`: the player's uptime as last reported before it, in seconds. */
    readonly uptime_before: number | null;
  };
  /** The latest screenshot of each screen. */
  readonly screen_pictures: {
    readonly screen_id: string;
    readonly team_id: string;
    readonly hash: string;
    readonly mimetype: string;
  };
  /** Screens that somebody is looking at, with the latest picture of each (L-66). */
  readonly live_pictures: {
    readonly screen_id: string;
    readonly team_id: string;
    /** When the player was last asked to begin. */
    readonly began_at: Moment;
    readonly watched_until: Moment;
    /** When the player last confirmed what the screen shows. */
    readonly seen_at: Moment | null;
    readonly taken_at: Moment | null;
    readonly hash: string | null;
    /** WebP, in base64. */
    readonly picture: string | null;
  };
  /** Support bundles of players, by the command that asked for each (L-71). */
  readonly support_bundles: {
    readonly command_id: string;
    readonly screen_id: string;
    readonly team_id: string;
    readonly hash: string;
    readonly size_bytes: number;
    readonly created_at: Moment;
  };
  /** Incremented when a team's content changes, and when one of its screens is to be notified. */
  readonly team_changes: {
    readonly team_id: string;
    readonly revision: number;
    readonly calls: number;
  };
  /** Teams with a change, or a notification, that `team_changes` does not count yet. */
  readonly pending_changes: {
    readonly team_id: string;
    readonly is_call: boolean | 0 | 1;
  };
  /** The latest change of what is listed about each screen (V3-120). */
  readonly screen_changes: {
    readonly screen_id: string;
    readonly team_id: string;
    readonly change: number;
    readonly removed_at: Moment | null;
  };
  /** One row at most. */
  readonly screen_change_count: {
    readonly id: number;
    /** On SQLite, the number of the next change. */
    readonly next: number;
    /** Another one with each start of a service. */
    readonly epoch: string;
  };
  /** On PostgreSQL: what a read replica must have applied (V4-401), and by which its lag is measured (V4-400). */
  readonly write_marks: {
    /** `team ID` or `instance ID` */
    readonly name: string;
    /** A position in PostgreSQL's log, or a number. */
    readonly mark: number;
    readonly noted_at: Moment;
  };
  readonly playbacks: {
    readonly id: string;
    readonly team_id: string;
    readonly player_id: string;
    readonly playback_id: string;
    readonly screen_id: string;
    readonly asset_id: string;
    readonly playlist_id: string | null;
    readonly started_at: Moment;
    readonly ended_at: Moment;
    /** It is in `playback_days`. */
    readonly is_counted: Generated<boolean | 0 | 1>;
  };
  /** Playbacks added up (L-52). */
  readonly playback_days: {
    readonly team_id: string;
    /** `2026-05-01`, in the time zone that the screen had. */
    readonly day: string;
    readonly screen_id: string;
    readonly asset_id: string;
    /** Empty for those in no playlist. */
    readonly playlist_id: string;
    readonly playbacks: number;
    readonly duration_ms: number;
  };
}
