// Why a request to an adopted player failed, as a sentence for its operator.

import {
  playerReasonText,
  type PlayerReason,
} from "../../contract/v3/player-reasons.ts";

export type PlayerErrorKind =
  /** Nothing answers, or too slowly. */
  | "unreachable"
  /** It requires a login, or another one (V3-113). */
  | "login"
  /** What answers does not have the interface. */
  | "stranger"
  /** It rejected this request; others may succeed. */
  | "refused"
  /** Its disk is full. */
  | "full";

export class PlayerError extends Error {
  readonly kind: PlayerErrorKind;

  constructor(
    kind: PlayerErrorKind,
    reason: PlayerReason,
    detail?: string | number,
  ) {
    super(playerReasonText(reason, detail));
    this.name = "PlayerError";
    this.kind = kind;
  }

  /** No other request of this contact can succeed. */
  get endsContact(): boolean {
    return this.kind !== "refused" && this.kind !== "full";
  }
}
