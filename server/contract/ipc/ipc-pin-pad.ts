// What the PIN pad on the glass asks of the coat, and what it is answered.

import * as z from "zod";

/** Where an operator may go from an unattended glass. */
export const pinPadRequest = z.discriminatedUnion("to", [
  z.object({
    to: z.enum(["manager", "end"]),
    /** Empty where there is no PIN. */
    pin: z.string().regex(/^\d{0,12}$/),
  }),
  z.object({ to: z.literal("back") }),
]);
export type PinPadRequest = z.infer<typeof pinPadRequest>;

export interface PinPadState {
  /** Without a PIN the pad only asks where to. */
  readonly needsPin: boolean;
  /** Else there is nowhere to go but the end and back. */
  readonly hasManager: boolean;
}

export type PinPadOutcome =
  | { readonly outcome: "done" }
  | { readonly outcome: "wrong"; readonly triesLeft: number }
  | { readonly outcome: "locked"; readonly seconds: number };

/** `window.pinPad`. */
export interface PinPadBridge {
  /** Null when this page may not ask. */
  readonly state: () => Promise<PinPadState | null>;
  readonly request: (request: PinPadRequest) => Promise<PinPadOutcome | null>;
}
