// What a request is admitted as: its team, its role, its limits, and who sends it (V4-360, V4-362).

import type { Role } from "../../core/role.ts";

/** Who sends a request. */
export interface Actor {
  readonly kind: "key" | "person" | "player";
  /** Of the key or the person; of a player, that of its screen. */
  readonly id: string;
  readonly name: string;
}

export interface Admission {
  /** The id of the team. */
  readonly team: string;
  readonly role: Role;
  /** Ids of the labels that writes are limited to (V4-362); null: no limit. */
  readonly labelIds: readonly string[] | null;
  /** Null: nobody who can be named, for example a signed address. */
  readonly actor: Actor | null;
  /** Of a person who signed in. */
  readonly sessionId?: string;
}

export interface PlayersScreen {
  readonly id: string;
  readonly name: string;
  readonly teamId: string;
}
