// The transport of this manager: by IPC in the player's window, by HTTP in a browser at the player's address, or the one that a page
// of another server provides.

import { isBrowser } from "../place/abilities.ts";
import { browserTransport } from "./browser-transport.ts";
import type { Transport } from "./player-transport.ts";
import { windowTransport } from "./window-transport.ts";

export let transport: Transport = isBrowser
  ? browserTransport
  : windowTransport;

/** Call before anything is rendered. */
export function provideTransport(provided: Transport): void {
  transport = provided;
}
