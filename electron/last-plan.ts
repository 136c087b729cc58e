// The pictures shown last, as a plain list beside the store: what the glass shows when the store cannot be opened.

import { existsSync, readFileSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import type { Slide } from "../server/contract/ipc.ts";
import type { Log } from "../server/platform/log.ts";
import type { PlayerOptions } from "../server/player/player.ts";
import type { StoredFile } from "./asset-protocol.ts";

type Stage = PlayerOptions["stage"];

const picture = z.object({
  url: z.string().regex(/^asset:\/\/store\/[0-9a-f]{64}$/),
  path: z.string().min(1),
  type: z.string().regex(/^image\//),
  seconds: z.number().positive().max(31_536_000),
});
type Picture = z.infer<typeof picture>;

/** Enough for a loop that is no bore, few enough to be written in no time. */
const mostPictures = 20;
const usualSeconds = 10;
const writeEveryMs = 10_000;
const breathMs = 1000;

/** The same stage, and what passes over it is remembered. */
export function rememberingStage(
  stage: Stage,
  dataDir: string,
  fileFor: (hash: string) => Promise<StoredFile | null>,
): Stage {
  const file = join(dataDir, fileName);
  let pictures: readonly Picture[] = read(dataDir);
  let written = JSON.stringify(pictures);
  let lastWriteMs = -writeEveryMs;
  let prepared: Slide | null = null;

  async function note({ content, durationSeconds }: Slide): Promise<void> {
    if (content.kind !== "image") return;
    const stored = await fileFor(hashOf(content.url));
    const entry = picture.safeParse({
      ...{ url: content.url, ...stored },
      seconds: durationSeconds ?? usualSeconds,
    });
    if (!entry.success) return;
    const others = pictures.filter(({ url }) => url !== content.url);
    // Where it stood it stays: the list changes with the plan, not with each picture.
    if (others.length === pictures.length)
      pictures = [...others, entry.data].slice(-mostPictures);
    const text = JSON.stringify(pictures);
    const now = performance.now();
    if (text === written || now - lastWriteMs < writeEveryMs) return;
    written = text;
    lastWriteMs = now;
    // A disk that takes nothing now may take it at the next change.
    writeFile(`${file}.part`, text)
      .then(() => rename(`${file}.part`, file))
      .catch(() => (written = ""));
  }

  return {
    ...stage,
    prepare: (slide) => {
      prepared = slide;
      return stage.prepare(slide);
    },
    show: async (slideId) => {
      await stage.show(slideId);
      if (prepared?.id === slideId) void note(prepared);
    },
  };
}

export interface LastPlan {
  fileFor(hash: string): StoredFile | null;
}

/** Shows it round and round, without the store; null when there is none. */
export function showLastPlan(
  stage: Stage,
  dataDir: string,
  log: Log,
): LastPlan | null {
  const pictures = read(dataDir).filter(({ path }) => existsSync(path));
  if (pictures.length === 0) return null;
  log.error("app.shows-last-plan", { pictures: pictures.length });
  void goRound(stage, pictures, log);
  return {
    fileFor: (hash) => pictures.find(({ url }) => hashOf(url) === hash) ?? null,
  };
}

async function goRound(
  stage: Stage,
  pictures: readonly Picture[],
  log: Log,
): Promise<never> {
  for (let turn = 0; ; turn += 1) {
    const entry = pictures[turn % pictures.length];
    if (!entry) continue;
    const id = `last-plan-${turn}`;
    try {
      await stage.prepare({
        ...{ id, assetId: null, name: "", transition: "cut" },
        content: { kind: "image", url: entry.url, fit: "fit" },
        durationSeconds: entry.seconds,
      });
      await stage.show(id);
      await pause(entry.seconds * 1000);
    } catch (error) {
      log.warn("last-plan.skipped", { url: entry.url, error });
      await pause(breathMs);
    }
  }
}

const fileName = "last-plan.json";

function read(dataDir: string): readonly Picture[] {
  try {
    const text = readFileSync(join(dataDir, fileName), "utf8");
    return z.array(picture).parse(JSON.parse(text));
  } catch {
    return [];
  }
}

function hashOf(url: string): string {
  return url.slice(url.lastIndexOf("/") + 1);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) =>
    setTimeout(resolve, Math.min(ms, 2 ** 31 - 1)),
  );
}
