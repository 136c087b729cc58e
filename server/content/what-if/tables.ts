// Row types of the assertions for Kysely (V3-104).

import type { ColumnType } from "kysely";
import type { Assertion } from "../../core/what-if/assertion.ts";

/** Milliseconds since 1970, UTC. */
type Moment = number;
/** SQLite returns 0 or 1; both databases accept a boolean. */
type Flag = ColumnType<boolean | 0 | 1, boolean, boolean>;

export interface WhatIfTables {
  readonly assertions: {
    readonly id: string;
    readonly team_id: string;
    readonly name: string;
    readonly is_enabled: Flag;
    readonly holds_back: Flag;
    readonly kind: Assertion["kind"];
    /** JSON. Identifiers of deleted assets and labels stay, so that an assertion never comes to be about more screens. */
    readonly asset_ids: string;
    /** JSON. */
    readonly folders: string;
    /** JSON; empty: all screens. */
    readonly label_ids: string;
    readonly predicate: string;
    /** Null unless it is of the kind `at-least`. */
    readonly every_minutes: number | null;
    readonly created_at: Moment;
    readonly checked_at: Moment | null;
    /** JSON: what the last check found. */
    readonly last_check: string | null;
  };
}
