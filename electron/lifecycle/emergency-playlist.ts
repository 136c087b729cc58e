// The emergency playlist: the images of the last valid lineup, as a plain file next to the store, shown when the store cannot be
// opened.

import { existsSync, readFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import type { Showing } from "../../server/contract/ipc/ipc.ts";
import type { Log } from "../../server/platform/log.ts";
import type { PlayerOptions } from "../../server/player/player.ts";
import type { StoredFile } from "../web/asset-protocol.ts";
import { replaceFile } from "../../server/platform/files/replace-file.ts";

type Stage = PlayerOptions["stage"];
type Entry = Parameters<NonNullable<Stage["keepPlan"]>>[0][number];

const emergencyImage = z.object({
  url: z.string().regex(/^asset:\/\/store\/[0-9a-f]{64}$/),
  path: z.string().min(1),
  type: z.string().regex(/^image\//),
  seconds: z.number().positive().max(31_536_000),
  /** Wall-clock milliseconds, the end exclusive; null has no end. A file of an older version has neither. */
  startsAt: z.number().nullable().default(null),
  endsAt: z.number().nullable().default(null),
});
type EmergencyImage = z.infer<typeof emergencyImage>;

/** Enough for a varied loop, few enough to be written quickly. */
const maxImages = 20;
const defaultSeconds = 10;
const defaultWriteIntervalMs = 10_000;
const breathMs = 1000;

/** The same stage, which also saves the lineup it is given (V2-415). */
export function rememberingStage(
  stage: Stage,
  dataDir: string,
  fileFor: (hash: string) => Promise<StoredFile | null>,
  writeIntervalMs = defaultWriteIntervalMs,
): Stage {
  const file = join(dataDir, fileName);
  let written = textOf(dataDir);
  let planned: readonly Entry[] = [];
  let isAtIt = false;
  let isOutdated = false;
  let lastWriteMs = -Infinity;

  async function write(): Promise<void> {
    isOutdated = false;
    lastWriteMs = performance.now();
    const images = await Promise.all(
      planned
        .filter(({ asset }) => asset.file?.type.startsWith("image/"))
        .slice(0, maxImages)
        .map((entry) => emergencyImageOf(entry, fileFor)),
    );
    const text = JSON.stringify(images);
    // A player that never had an image has no emergency playlist either.
    if (text === written || (written === null && images.length === 0)) return;
    await replaceFile(file, text);
    written = text;
  }

  /** One write at a time, and rate-limited; a disk that rejects writes now may accept them later. */
  async function keepUp(): Promise<void> {
    isAtIt = true;
    while (isOutdated) {
      await pause(lastWriteMs + writeIntervalMs - performance.now());
      await write().catch(() => (isOutdated = true));
    }
    isAtIt = false;
  }

  return {
    ...stage,
    keepPlan: (entries) => {
      planned = entries;
      isOutdated = true;
      // If it fails, the next lineup starts it again.
      if (!isAtIt) keepUp().catch(() => (isAtIt = false));
    },
  };
}

async function emergencyImageOf(
  { asset, durationSeconds }: Entry,
  fileFor: (hash: string) => Promise<StoredFile | null>,
): Promise<EmergencyImage> {
  const { hash = "" } = asset.file ?? {};
  const stored = await fileFor(hash);
  const { startsAt, endsAt } = asset;
  const given = durationSeconds ?? asset.durationSeconds;
  // The files may not be located yet: then the playlist is written later.
  return emergencyImage.parse({
    ...{ url: `asset://store/${hash}`, ...stored },
    ...{ seconds: given > 0 ? given : defaultSeconds, startsAt, endsAt },
  });
}

export interface EmergencyPlaylist {
  fileFor(hash: string): StoredFile | null;
}

/** Shows it in a loop, without the store; null when there is no emergency playlist. */
export function showEmergencyPlaylist(
  stage: Stage,
  dataDir: string,
  log: Log,
  now: () => number = Date.now,
): EmergencyPlaylist | null {
  const plan = read(dataDir);
  if (plan === null) return null;
  const images = plan.filter(({ path }) => existsSync(path));
  log.error("app.emergency-playlist-shown", { images: images.length });
  goRound(stage, images, log, now).catch((error: unknown) =>
    log.error("app.internal-error", { error }),
  );
  return {
    fileFor: (hash) => images.find(({ url }) => hashOf(url) === hash) ?? null,
  };
}

/**
 * Shows the images whose dates are valid, in turn; the idle screen while there is none. A stage that was lost restarts empty: the
 * next image is shown at once.
 */
async function goRound(
  stage: Stage,
  images: readonly EmergencyImage[],
  log: Log,
  now: () => number,
): Promise<never> {
  let restarted = (): void => undefined;
  stage.onRestarted(() => restarted());
  let isIdle = false;
  for (let count = 0, next = 0; ; count += 1) {
    const id = `last-plan-${count}`;
    const at = nextDue(images, next, now());
    const entry = at === null ? null : (images[at] ?? null);
    const isLost = new Promise<true>((resolve) => {
      restarted = () => resolve(true);
    });
    // A request to a stage that is lost is never answered.
    const unlessLost = async (act: Promise<void>): Promise<boolean> =>
      Promise.race([act.then(() => false), isLost]);
    try {
      if (entry || !isIdle) {
        const showing = entry ? imageShowing(entry, id) : idleShowing(id);
        const shown = stage.prepare(showing).then(() => stage.show(id));
        isIdle = !(await unlessLost(shown)) && !entry;
      }
      const leftMs = (entry?.endsAt ?? Infinity) - now();
      const staysMs = entry ? entry.seconds * 1000 : breathMs;
      const staying = pause(Math.max(1, Math.min(staysMs, leftMs)));
      if (await unlessLost(staying)) isIdle = false;
    } catch (error) {
      log.warn("emergency-playlist.entry-skipped", {
        url: entry?.url ?? null,
        error,
      });
      await pause(breathMs);
    }
    if (at !== null) next = at + 1;
  }
}

/** Index of the first image whose dates are valid, searched from there and wrapping around. */
function nextDue(
  images: readonly EmergencyImage[],
  from: number,
  now: number,
): number | null {
  for (let ahead = 0; ahead < images.length; ahead += 1) {
    const at = (from + ahead) % images.length;
    const { startsAt, endsAt } = images[at] ?? { startsAt: null, endsAt: 0 };
    if ((startsAt ?? -Infinity) <= now && now < (endsAt ?? Infinity)) return at;
  }
  return null;
}

const plain = { assetId: null, transition: "cut" } as const;

function imageShowing({ url, seconds }: EmergencyImage, id: string): Showing {
  return {
    ...{ ...plain, id, name: "", durationSeconds: seconds },
    content: { kind: "image", url, fit: "fit" },
  };
}

/** The settings are unknown. */
function idleShowing(id: string): Showing {
  const playerName = hostname();
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return {
    ...{ ...plain, id, name: playerName, durationSeconds: null },
    content: {
      kind: "card",
      idleScreen: {
        ...{ playerName, apiAddress: "", isAddressShown: false },
        ...{ codeAddress: null, isForPhones: false, fingerprint: null },
        ...{ dateFormat: "long", is24Hour: true, zone },
      },
    },
  };
}

const fileName = "last-plan.json";

/** Null where there is none, or none that can be read. */
function read(dataDir: string): readonly EmergencyImage[] | null {
  try {
    return z.array(emergencyImage).parse(JSON.parse(textOf(dataDir) ?? ""));
  } catch {
    return null;
  }
}

function textOf(dataDir: string): string | null {
  try {
    return readFileSync(join(dataDir, fileName), "utf8");
  } catch {
    return null;
  }
}

function hashOf(url: string): string {
  return url.slice(url.lastIndexOf("/") + 1);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) =>
    setTimeout(resolve, Math.min(Math.max(0, ms), 2 ** 31 - 1)),
  );
}
