// Why a message could not be delivered, as a sentence for the operator.

export class DeliveryError extends Error {
  /** A retry would fail, too. */
  readonly isFinal: boolean;

  constructor(message: string, isFinal = false) {
    super(message);
    this.name = "DeliveryError";
    this.isFinal = isFinal;
  }
}
