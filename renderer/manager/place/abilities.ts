// What the place in which the manager runs can do: the window of a player on its PC, a browser at the player's address, or a browser at
// the address of a content service. What it cannot do is not rendered (V2-776, V3-142).

import type { ManagerBridge } from "../../../server/contract/ipc/ipc.ts";

declare global {
  interface Window {
    /** In the window of a player only. Requests besides those of a transport are about this PC and this window. */
    readonly manager: ManagerBridge;
  }
  /** Set by the bundler for content services. */
  const vitrinePlace: "service" | undefined;
}

export type Ability =
  // What a browser at the player's address cannot do, and why:
  /** Role, displays and first run are about the PC in front of the person. */
  | "machine"
  /** Screens of content services: the keys of the services stay in the main process. A service knows its own. */
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
  // What a browser at a content service cannot do, and why:
  /** What is on the screen, the default rotation with its dates and hours, the trash and the connections are the player's. */
  | "player"
  /** Its interface takes a file in one request. */
  | "resumableUploads"
  // What only a browser at the player's address does:
  | "signIn"
  // What only a browser at a content service does:
  /** People, their own accounts, and the service's API keys. */
  | "people";

/** The player's window loads the manager from its own scheme. Without any page, as in a test of a part: as in that window. */
export const isBrowser =
  "location" in globalThis && globalThis.location.protocol.startsWith("http");

type ManagerPlace = "window" | "player" | "service";

const place: ManagerPlace =
  typeof vitrinePlace === "string"
    ? vitrinePlace
    : isBrowser
      ? "player"
      : "window";

const abilitiesOfBrowsers: Readonly<
  Record<Exclude<ManagerPlace, "window">, readonly Ability[]>
> = {
  player: ["signIn", "player", "resumableUploads"],
  service: ["screens", "people"],
};

/** A window copies files from disk to disk. */
const notInWindow: readonly Ability[] = [
  ...(["signIn", "people", "resumableUploads"] as const),
];

export function can(ability: Ability): boolean {
  if (place !== "window") return abilitiesOfBrowsers[place].includes(ability);
  return !notInWindow.includes(ability);
}
