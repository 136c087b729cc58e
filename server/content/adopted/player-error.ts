// Why a request to an adopted player failed, as a sentence for its operator.

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

  constructor(kind: PlayerErrorKind, message: string) {
    super(message);
    this.name = "PlayerError";
    this.kind = kind;
  }

  /** No other request of this contact can succeed. */
  get endsContact(): boolean {
    return this.kind !== "refused" && this.kind !== "full";
  }
}
