// One asset alone on the screen: it follows itself.

import type { AppCalls } from "../../support/app/start-app.ts";
import type { ChangeReader } from "./changes.ts";
import type { Media } from "./variants.ts";
import type { Stop } from "./walk.ts";

export interface Loop {
  readonly what: string;
  /** Observed changes, though it is never replaced by anything else. */
  readonly strange: number;
  /** Null for what does not move. */
  readonly standstillMs: number | null;
}

interface Case {
  readonly what: string;
  readonly stop: Stop;
  readonly duration?: number;
}

const cases: readonly Case[] = [
  { what: "a clip by its own length", stop: { kind: "video", variant: 0 } },
  {
    what: "a clip inside a longer duration",
    stop: { kind: "video", variant: 0 },
    duration: 600,
  },
  { what: "a PDF", stop: { kind: "pdf", variant: 0 } },
  { what: "an image", stop: { kind: "image", variant: 0 } },
  { what: "a sound", stop: { kind: "audio", variant: 0 } },
  { what: "a page", stop: { kind: "webpage", variant: 0 } },
];

const warmUpMs = 2500;
const watchMs = 8000;

export async function loopAlone(
  app: AppCalls,
  media: Media,
  reader: ChangeReader,
): Promise<Loop[]> {
  const loops: Loop[] = [];
  for (const { what, stop, duration } of cases) {
    const answer = await fetch(`${app.api}/api/v2/assets`);
    const before = (await answer.json()) as { asset_id: string }[];
    const id = await media.add(app, stop);
    if (duration !== undefined) await app.change(id, { duration });
    for (const { asset_id: other } of before) await app.remove(other);
    await pause(warmUpMs);
    reader.begin();
    await pause(watchMs);
    loops.push({
      what,
      strange: reader.changes.length,
      standstillMs: stop.kind === "video" ? reader.longestStandstillMs() : null,
    });
  }
  return loops;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
