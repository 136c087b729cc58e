// Row types of adopted players for Kysely: the players, and what the service created on each of them (V3-110 to V3-119).

import type { ColumnType } from "kysely";

/** Milliseconds since 1970, UTC. */
type Moment = number;
/** SQLite returns 0 or 1; both databases accept a boolean. */
type Flag = ColumnType<boolean | 0 | 1, boolean, boolean>;

export interface AdoptedTables {
  /** Stays when its screen is deleted, until the service's assets are removed from the player (V3-118). */
  readonly adopted_players: {
    readonly screen_id: string;
    readonly team_id: string;
    /** Its origin, such as `http://192.168.1.20`. */
    readonly address: string;
    readonly username: string | null;
    /** Sealed like the secrets of edge apps (V4-306). */
    readonly password: string | null;
    /** Why the last contact failed, as a sentence. */
    readonly problem: string | null;
    /** JSON: what the player tells about itself. */
    readonly facts: string;
    /** Contacts that failed in a row. */
    readonly failures: number;
    readonly due_at: Moment;
    /** Of the team's changes that the last contact took into account. */
    readonly mark: string;
    /** The order has to be sent again: something was written since. */
    readonly is_order_due: Flag;
    /** JSON: identifiers of the assets that the service did not create, in their order before it wrote anything. */
    readonly kept_order: string;
    readonly lease_owner: string | null;
    readonly lease_until: Moment;
    /** Null while its screen exists. */
    readonly removed_at: Moment | null;
    readonly created_at: Moment;
  };
  /** What makes an asset of a player the service's own: its name and content do not (V3-115). */
  readonly adopted_assets: {
    readonly id: string;
    readonly screen_id: string;
    /** The asset of the service and its occurrence: `01J…#2` (V3-114). */
    readonly slot: string;
    /** What was sent: the hash of a file, or an address. */
    readonly source: string;
    /** As it was sent last. */
    readonly name: string;
    /** Its start date on the player: recognizes it when the response to its creation was lost. */
    readonly marker: Moment;
    /** Null until the player returned it. */
    readonly remote_id: string | null;
    readonly tries: number;
    readonly due_at: Moment;
    /** Why it is not as it should be. */
    readonly problem: string | null;
  };
}
