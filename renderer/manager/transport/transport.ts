// The transport of this manager, chosen once: by IPC in the player's window, by HTTP in a browser.

import { isBrowser } from "../place/abilities.ts";
import { browserTransport } from "./browser-transport.ts";
import type { Transport } from "./player-transport.ts";
import { windowTransport } from "./window-transport.ts";

export const transport: Transport = isBrowser
  ? browserTransport
  : windowTransport;
