// What the place in which the manager runs can do: the window of a player on its PC, or a browser at the player's address. What it
// cannot do is not rendered (V2-776).

import type { ManagerBridge } from "../../../server/contract/ipc/ipc.ts";

declare global {
  interface Window {
    /** In the window of a player only. Requests besides those of a transport are about this PC and this window. */
    readonly manager: ManagerBridge;
  }
}

export type Ability =
  // What only the window on the player's PC can do, and why:
  /** Role, displays and first run are about the PC in front of the person. */
  | "machine"
  /** Screens of content services: the keys of the services stay in the main process. */
  | "screens"
  /** The content service on this PC changes the PC. */
  | "hosting"
  /** Services on the network are searched by the main process. */
  | "nearby"
  /** Offline bundles are files next to the player, without an operation. */
  | "offlineBundles"
  | "exitPin"
  | "systemCheck"
  /** The panel takes archives by their path on this PC. */
  | "restore"
  /** Folders, licenses and versions of this PC. */
  | "about"
  /** The stage in a frame, also for thumbnails of PDFs, is a page of the app. */
  | "preview"
  /** A browser switches its tabs with Ctrl and a digit. */
  | "pageShortcuts"
  // What only a browser does:
  | "signIn";

/** The player's window loads the manager from its own scheme. Without any page, as in a test of a part: as in that window. */
export const isBrowser =
  "location" in globalThis && globalThis.location.protocol.startsWith("http");

export function can(ability: Ability): boolean {
  return isBrowser === (ability === "signIn");
}
