// Environment for the app: a screen, real or virtual, and flags this machine requires.

import { apiAddress, type ApiPlace } from "./api-address.ts";
import { hasScreen, openVirtualScreen } from "./virtual-screen.ts";

export interface StartEnvironment {
  readonly env: NodeJS.ProcessEnv;
  /** Flags required by this machine, in addition to the user's. */
  readonly flags: readonly string[];
  close(): void;
}

/** Opens a virtual screen where there is none, and prints a line for everything unusual. */
export async function openStartEnvironment(
  api: ApiPlace,
  { screenStays = false } = {},
): Promise<StartEnvironment> {
  const flags = sandboxFlags();
  if (hasScreen(process.env))
    return { env: process.env, flags, close: () => undefined };

  const screen = await openVirtualScreen({ stays: screenStays });
  const env = {
    ...process.env,
    DISPLAY: screen.display,
    XAUTHORITY: screen.authority,
    VITRINE_VIRTUAL_SCREEN: "1",
  };
  printHowToSee(screen.display, api);
  return { env, flags, close: () => screen.close() };
}

function sandboxFlags(): string[] {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return [];
  console.log(
    "Running as root, where Chromium has no sandbox: adding --no-sandbox.",
  );
  return ["--no-sandbox"];
}

function printHowToSee(display: string, api: ApiPlace): void {
  const known = api.apiPort !== 0;
  const address = known ? apiAddress(api) : "http://127.0.0.1:PORT";
  const where = known ? `at ${address}` : "on a free port, which it logs";
  console.log(
    `No screen here: showing on a virtual one of 1920×1080 (${display}). The API answers ${where}.\n` +
      `To see the screen: npm run screen -- screen.png --api ${address}`,
  );
}
