// The app on a screen that is watched, and what it says of an asset: where every journey of a kind begins.

import { isBlank, openScreen, watchScreen, type Watch } from "./screen.ts";
import { startApp, type RunningApp } from "./start-app.ts";

/** With the house card up, and without the desk. */
export async function beginOnGlass(
  size = { width: 1280, height: 720 },
): Promise<{ app: RunningApp; glass: Watch }> {
  const screen = await openScreen(size.width, size.height);
  const app = await startApp({ screen, flags: ["--no-manager"] });
  const glass = watchScreen(screen);
  await glass.until((frame) => !isBlank(frame), "the house card");
  return { app, glass };
}

/** Why it cannot be shown; empty while nothing is known against it. */
export async function problemOf(app: RunningApp, id: string): Promise<string> {
  const answer = await fetch(`${app.api}/api/v2/assets/${id}`);
  const { metadata } = (await answer.json()) as {
    metadata: { error_message?: string };
  };
  return metadata.error_message ?? "";
}
