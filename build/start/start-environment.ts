// Environment for the app: a screen, real or virtual, and flags this machine requires.

import { apiAddress, type ApiPlace } from "./api-address.ts";
import {
  hasScreen,
  openVirtualScreen,
  type VirtualScreen,
} from "./virtual-screen.ts";

export interface StartEnvironment {
  readonly env: NodeJS.ProcessEnv;
  /** Flags required by this machine, in addition to the user's. */
  readonly flags: readonly string[];
  close(): void;
}

export interface StartScreen {
  /** It stays when its last window is closed. */
  readonly screenStays?: boolean;
  readonly size?: { readonly width: number; readonly height: number };
  /** For a command, such as `--help`, whose own output is all that it prints. */
  readonly isQuiet?: boolean;
}

/**
 * Opens a virtual screen where there is none, and prints a line for everything unusual; `api` is null where it is no single
 * player's.
 */
export async function openStartEnvironment(
  api: ApiPlace | null,
  { screenStays = false, size, isQuiet = false }: StartScreen = {},
): Promise<StartEnvironment> {
  const print = isQuiet ? () => undefined : console.log;
  const flags = sandboxFlags(print);
  if (hasScreen(process.env))
    return { env: process.env, flags, close: () => undefined };

  const screen = await openVirtualScreen({ ...size, stays: screenStays });
  const env = {
    ...process.env,
    DISPLAY: screen.display,
    XAUTHORITY: screen.authority,
    VITRINE_VIRTUAL_SCREEN: "1",
  };
  print(api ? howToSee(screen.display, api) : howToSeeAll(screen));
  return { env, flags, close: () => screen.close() };
}

function sandboxFlags(print: (sentence: string) => void): string[] {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return [];
  print("Running as root, where Chromium has no sandbox: adding --no-sandbox.");
  return ["--no-sandbox"];
}

/** Without a player's API to ask for a screenshot. */
function howToSeeAll({ display, authority }: VirtualScreen): string {
  return (
    `No display found: using a virtual screen (${display}). To take a screenshot with ImageMagick:\n` +
    `XAUTHORITY=${authority} import -display ${display} -window root demo.png`
  );
}

function howToSee(display: string, api: ApiPlace): string {
  const known = api.apiPort !== 0;
  const address = known ? apiAddress(api) : "http://127.0.0.1:PORT";
  const where = known ? `at ${address}` : "on a free port, which it logs";
  return (
    `No display found: using a virtual screen of 1920×1080 (${display}). The API is available ${where}.\n` +
    `To take a screenshot: npm run screen -- screen.png --api ${address}`
  );
}
