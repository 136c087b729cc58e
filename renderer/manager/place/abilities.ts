// What the place in which the manager runs can do: the window of a player on its PC, or a browser at the player's address. What it
// cannot do is not rendered (V2-776).

import type { ManagerBridge } from "../../../server/contract/ipc/ipc.ts";

declare global {
  interface Window {
    /** In the window of a player only. Requests besides those of a transport are about this PC and this window. */
    readonly manager: ManagerBridge;
  }
}

/** What only the window on the player's PC can do, and why. */
const ofWindow = {
  /** Role, displays and first run are about the PC in front of the person. */
  machine: true,
  /** Screens of content services: the keys of the services stay in the main process. */
  screens: true,
  /** The content service on this PC changes the PC. */
  hosting: true,
  /** Services in the network are searched by the main process. */
  nearby: true,
  /** Offline bundles are files next to the player, without an operation. */
  offlineBundles: true,
  exitPin: true,
  systemCheck: true,
  /** An archive is examined before it is restored, which has no operation. */
  restore: true,
  /** Folders, licences and versions of this PC. */
  about: true,
  /** The stage in a frame, also for thumbnails of PDFs, is a page of the app. */
  preview: true,
  /** A browser switches its tabs with Ctrl and a digit. */
  pageShortcuts: true,
} as const;

export type Ability = keyof typeof ofWindow | "signIn";

/** The player's window loads the manager from its own scheme. Without any page, as in a test of a part: as in that window. */
export const isBrowser =
  "location" in globalThis && globalThis.location.protocol.startsWith("http");

export function can(ability: Ability): boolean {
  return ability === "signIn" ? isBrowser : !isBrowser && ofWindow[ability];
}
