// Requests of the manager about players and content services that were found in the network of this PC (V2-762 to V2-769).

import * as z from "zod";

export const nearbyQuestions = {
  /** Searches as long as it is asked every few seconds; what is there fills in. */
  listNearbyPlayers: z.object({}),
  listNearbyServices: z.object({}),
  /** The address of a service that a person picked. A name counts only if it leads to a private network (V2-769). */
  pickNearbyService: z.object({ id: z.string().min(1).max(63) }),
} as const;

export interface NearbyListView<T> {
  readonly items: readonly T[];
  /** Discovery was switched off at the start of the app. */
  readonly isOff: boolean;
  /** Why nothing can be found; null while the network can be searched. */
  readonly problem: string | null;
}

export interface NearbyPlayerView {
  readonly id: string;
  /** As the player gives it, without anything that can't be shown. */
  readonly name: string | null;
  readonly version: string | null;
  readonly address: string;
  /** Its screen shows the PIN of a pairing. */
  readonly isWaiting: boolean;
  /** `private`: its interface listens to its own PC only. */
  readonly state: NearbyPlayerState;
  /** What it plays, where it tells everyone. */
  readonly shown: string | null;
}

export type NearbyPlayerState =
  | "checking"
  | "open"
  | "sign-in"
  | "unreachable"
  | "private";

export interface NearbyServiceView {
  readonly id: string;
  readonly name: string | null;
  readonly version: string | null;
  readonly address: string;
}

export interface NearbyAnswers {
  listNearbyPlayers: NearbyListView<NearbyPlayerView>;
  listNearbyServices: NearbyListView<NearbyServiceView>;
  pickNearbyService: { readonly address: string };
}
