// Frames of a video on the real screen that are lost while a sync downloads a large file, and for as long without it.

import { clip } from "../../support/media/media.ts";
import { openScreen, type VirtualScreen } from "../../support/screen/screen.ts";
import {
  startInspectedApp,
  type InspectedApp,
} from "../../support/app/inspected-app.ts";

export interface FramesLost {
  readonly seconds: number;
  readonly frames: number;
  readonly lost: number;
  /** In as many seconds without a sync. */
  readonly lostWithout: number;
}

const filmSeconds = 10;
/** The first frames after a start are not counted. */
const warmUpMs = 3000;
const minMs = 5000;
const intervalMs = 100;

interface Count {
  readonly frames: number;
  readonly lost: number;
}

export async function countFramesLost(base: string): Promise<FramesLost> {
  const screen = await openScreen(1280, 720);
  try {
    return await onScreen(screen, base);
  } finally {
    // The benchmark does not end while it is open.
    await screen.close();
  }
}

async function onScreen(
  screen: VirtualScreen,
  base: string,
): Promise<FramesLost> {
  const app = await startInspectedApp(screen);
  const film = await clip({
    ...{ colour: [40, 120, 200], seconds: filmSeconds },
    ...{ width: 1280, height: 720 },
  });
  await app.addFile(film, { name: "Film", mimetype: "video" });
  await pause(warmUpMs);
  const during = await counted(app, () => connectAndSync(app, base));
  const without = await counted(app, () => pause(during.ms));
  await app.stop();
  return {
    seconds: during.ms / 1000,
    frames: during.frames,
    lost: during.lost,
    lostWithout: without.lost,
  };
}

async function counted(
  app: InspectedApp,
  act: () => Promise<void>,
): Promise<Count & { readonly ms: number }> {
  const startedAt = performance.now();
  const before = await countOf(app);
  await act();
  const after = await countOf(app);
  return {
    ms: performance.now() - startedAt,
    frames: after.frames - before.frames,
    lost: after.lost - before.lost,
  };
}

/** As the page itself counts them. */
function countOf(app: InspectedApp): Promise<Count> {
  return app.evaluate(() => {
    const film = document.querySelector(".layer.front video.on");
    if (!(film instanceof HTMLVideoElement))
      throw new Error("no film is on the screen");
    const { totalVideoFrames, droppedVideoFrames } =
      film.getVideoPlaybackQuality();
    return { frames: totalVideoFrames, lost: droppedVideoFrames };
  });
}

/** Everything is downloaded and nothing applied: the video stays on the screen. */
async function connectAndSync(app: InspectedApp, base: string): Promise<void> {
  const startedAt = performance.now();
  const answer = await fetch(`${app.api}/api/v2/sync/accounts`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({
      ...{ base_url: base, version: "v4.1", token: "token", mode: "ask" },
    }),
  });
  if (answer.status !== 201) throw new Error(await answer.text());
  for (;;) {
    const status = (await (await fetch(`${app.api}/api/v2/sync`)).json()) as {
      accounts: { phase: string }[];
    };
    const isHeld = status.accounts[0]?.phase === "held";
    if (isHeld && performance.now() - startedAt > minMs) return;
    await pause(intervalMs);
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
