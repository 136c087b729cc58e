// Row type of the activity log for Kysely: who changed what (V4-380).

export interface ActivityTables {
  readonly service_activity: {
    /** A ULID: entries sort in the order of their creation. */
    readonly id: string;
    readonly team_id: string;
    /** Milliseconds since 1970, UTC. */
    readonly at: number;
    readonly actor_kind: string;
    /** Null: the service itself, the command line, or nobody who was known. */
    readonly actor_id: string | null;
    readonly actor_name: string;
    /** From where; null where there was no request. */
    readonly address: string | null;
    readonly kind: string;
    readonly what: string;
    /** Null: several. */
    readonly resource_id: string | null;
    readonly name: string;
    /** JSON: fields with their values before and after. */
    readonly changes: string;
    /** How many things one entry stands for. */
    readonly count: number;
  };
}
