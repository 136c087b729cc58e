// Requests of the PIN pad on the screen to the main process, and their answers.

import * as z from "zod";

/** What an operator may open from an unattended screen. */
export const pinPadRequest = z.discriminatedUnion("to", [
  z.object({
    to: z.enum(["manager", "end"]),
    /** Empty when no PIN is set. */
    pin: z.string().regex(/^\d{0,12}$/),
  }),
  z.object({ to: z.literal("back") }),
]);
export type PinPadRequest = z.infer<typeof pinPadRequest>;

export interface PinPadState {
  /** Without a PIN the pad only offers the targets. */
  readonly needsPin: boolean;
  /** Otherwise the only targets are quitting and going back. */
  readonly hasManager: boolean;
}

export type PinPadOutcome =
  | { readonly outcome: "done" }
  | { readonly outcome: "wrong"; readonly triesLeft: number }
  | { readonly outcome: "locked"; readonly seconds: number };

/** `window.pinPad`. */
export interface PinPadBridge {
  /** Null when this page is not allowed to call it. */
  readonly state: () => Promise<PinPadState | null>;
  readonly request: (request: PinPadRequest) => Promise<PinPadOutcome | null>;
}
