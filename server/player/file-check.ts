// Checks stored files again in the background: each at least weekly, all of them after an unclean stop; damaged ones leave play with the reason (V2-425).

import { createHash } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { belongsInStore, type Asset } from "../core/asset.ts";
import type { FileStore } from "../platform/file-store.ts";
import type { Log } from "../platform/log.ts";
import { JudgingEnded, judgeMedia } from "../platform/media/media-probe.ts";
import { systemCode } from "../platform/outside-error.ts";
import type { Sqlite } from "../platform/sqlite.ts";
import type { Library } from "./library.ts";
import type { Clock } from "./stage.ts";

export interface FileCheck {
  start(): void;
  /** Ends what is under way; the next start goes on where it was. */
  stop(): Promise<void>;
  /** It was judged as it came: it is not due for a while. */
  noteChecked(hash: string): void;
  /** Rows came from elsewhere, and without what is shown in place of large files: all are judged again. */
  forgetShown(): void;
  /** Something about it is wrong: it is checked before all others. */
  suspect(hash: string): void;
}

export interface FileCheckOptions {
  readonly database: Sqlite;
  readonly library: Library;
  readonly store: FileStore;
  readonly clock: Clock;
  readonly log: Log;
  /** Is there while a player runs on the store: found at the start, the last one did not end by itself. */
  readonly runMark: string;
  /** These bytes are had no more. */
  readonly onDamaged: (hash: string) => void;
}

const dayMs = 86_400_000;
/** So that none is older than a week when its turn comes. */
const checkEveryMs = 6 * dayMs;
/** The first picture, the interface and the first sync come first. */
const startPauseMs = 30_000;
const idlePauseMs = 600_000;
const betweenMs = 1_000;
/** 16 MB/s at most: a slow disk has enough left for what plays. */
const portionBytes = 4 * 1024 ** 2;
const portionPauseMs = 250;
/** As many that cannot be read, and the others wait for them. */
const mostDue = 100;

interface DueRow {
  readonly hash: string;
  readonly size_bytes: number;
  readonly type: string;
  readonly checked_at: number | null;
}

export function createFileCheck(options: FileCheckOptions): FileCheck {
  const { database, library, store, clock, log, runMark } = options;
  const suspects = new Set<string>();
  /** By hash, when; kept with the next look. */
  const justChecked = new Map<string, number>();
  /** What could not be read, and the steady moment of its next try. */
  const unreadable = new Map<string, number>();
  const damaged = new Set(
    database
      .prepare<[], string>("SELECT hash FROM files WHERE is_damaged = 1")
      .pluck()
      .all(),
  );
  let ending: AbortController | null = null;
  let running: Promise<void> = Promise.resolve();
  let wake = (): void => undefined;

  const columns = "hash, size_bytes, type, checked_at";
  const rowOf = database.prepare<[string], DueRow>(
    `SELECT ${columns} FROM files WHERE hash = ?`,
  );
  // Those that were never judged first.
  const nextDue = database.prepare<[number], DueRow>(
    `SELECT ${columns} FROM files WHERE is_damaged = 0 AND (checked_at IS NULL OR checked_at < ?)
     ORDER BY checked_at IS NOT NULL, checked_at LIMIT ${mostDue}`,
  );
  const setChecked = database.prepare(
    "UPDATE files SET checked_at = ? WHERE hash = ?",
  );
  const setAllDue = database.prepare(
    "UPDATE files SET checked_at = 0 WHERE checked_at > 0",
  );
  // A clock that was wrong dated them into a time to come.
  const setFutureDue = database.prepare(
    "UPDATE files SET checked_at = 0 WHERE checked_at > ?",
  );
  const setUnjudged = database.prepare("UPDATE files SET checked_at = NULL");
  const setVerdict = database.prepare(
    "UPDATE files SET problem = ?, remark = ?, is_damaged = ? WHERE hash = ?",
  );
  const setDamaged = database.prepare(
    "UPDATE files SET problem = ?, is_damaged = 1 WHERE hash = ?",
  );
  const fetchAgain = database.prepare(
    "UPDATE assets SET is_processing = 1, problem = ? WHERE id = ?",
  );
  const isOfSync = database.prepare("SELECT 1 FROM sync_assets WHERE id = ?");

  function pause(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const cancel = clock.after(ms, resolve);
      wake = () => {
        cancel();
        resolve();
      };
      signal.addEventListener("abort", wake, { once: true });
    });
  }

  async function run(signal: AbortSignal): Promise<void> {
    await pause(startPauseMs, signal);
    if (signal.aborted) return;
    if (existsSync(runMark)) setAllDue.run();
    else await writeFile(runMark, "");
    while (!signal.aborted) {
      const isMore = await checkNext(signal).catch((error: unknown) => {
        // Locked, full or gone: everything is due later just the same.
        if (!(error instanceof JudgingEnded))
          log.warn("files.check-failed", { error });
        return false;
      });
      if (suspects.size === 0)
        await pause(isMore ? betweenMs : idlePauseMs, signal);
    }
  }

  function takeNext(): DueRow | undefined {
    const now = clock.now();
    setFutureDue.run(now + dayMs);
    for (const [hash, at] of justChecked) setChecked.run(at, hash);
    justChecked.clear();
    for (const hash of suspects) {
      suspects.delete(hash);
      const row = rowOf.get(hash);
      if (row) return row;
    }
    const steady = clock.monotonic();
    return nextDue
      .all(now - checkEveryMs)
      .find(({ hash }) => (unreadable.get(hash) ?? 0) <= steady);
  }

  async function checkNext(signal: AbortSignal): Promise<boolean> {
    const row = takeNext();
    if (!row) return false;
    const { hash } = row;
    // Its bytes were set aside with their reason; only new ones make it whole.
    if (damaged.has(hash)) return true;
    const reason = await damageOf(row, signal).catch((error: unknown) => {
      // The disk may be away for a while: nothing is held against the file, and the others have their turn.
      unreadable.set(hash, clock.monotonic() + idlePauseMs);
      log.warn("files.check-failed", { hash, error });
      return undefined;
    });
    if (reason === undefined) return true;
    unreadable.delete(hash);
    if (signal.aborted) return false;
    if (reason !== null) await takeOut(hash, reason);
    else {
      if (row.checked_at === null || store.shownPathOf(hash) !== null)
        await judgeAgain(row, signal);
      setChecked.run(clock.now(), hash);
    }
    return true;
  }

  /** Why its bytes are not what they were; null where they are. */
  async function damageOf(
    { hash, size_bytes }: DueRow,
    signal: AbortSignal,
  ): Promise<string | null> {
    const entry = await stat(store.pathOf(hash)).catch((error: unknown) => {
      if (systemCode(error) === "ENOENT") return null;
      throw error;
    });
    if (entry === null) return "Its file is gone from this player's disk.";
    if (entry.size !== size_bytes || (await hashOf(hash, signal)) !== hash)
      return "Its file is damaged: its bytes on this player's disk have changed.";
    return null;
  }

  async function hashOf(hash: string, signal: AbortSignal): Promise<string> {
    const digest = createHash("sha256");
    let bytes = 0;
    for await (const chunk of createReadStream(
      store.pathOf(hash),
    ) as AsyncIterable<Buffer>) {
      if (signal.aborted) break;
      digest.update(chunk);
      bytes += chunk.length;
      if (bytes < portionBytes) continue;
      bytes = 0;
      await pause(portionPauseMs, signal);
    }
    return digest.digest("hex");
  }

  /** It leaves play, and is fetched again where somebody has it: by its address here, or by the sync, to which it is not here. */
  async function takeOut(hash: string, reason: string): Promise<void> {
    await store.setDamagedAside(hash);
    const assets = library.assets().filter(({ file }) => file?.hash === hash);
    database
      .transaction(() => {
        setDamaged.run(`${reason} Add it again.`, hash);
        for (const asset of assets)
          if (hasOwnSource(asset))
            fetchAgain.run(`${reason} It is fetched again.`, asset.id);
      })
      .immediate();
    damaged.add(hash);
    log.error("file.damaged", {
      ...{ hash, reason, assets: assets.map(({ id }) => id) },
    });
    library.tellChanged();
    options.onDamaged(hash);
  }

  function hasOwnSource(asset: Asset): boolean {
    return belongsInStore(asset) && isOfSync.get(asset.id) === undefined;
  }

  /** What came before files were judged as they came, or lost what is shown in its place. */
  async function judgeAgain(
    { hash, type }: DueRow,
    signal: AbortSignal,
  ): Promise<void> {
    if (!/^(image|video|audio)\//.test(type)) return;
    const shownFile = store.newAside();
    try {
      const file = store.pathOf(hash);
      const media = await judgeMedia({ file, shownFile }, signal);
      const isNew =
        media?.hasShownFile === true && !(await isShownAs(hash, shownFile));
      if (isNew) await store.keepShown(hash, shownFile);
      // What was foretold of a codec may have been found wrong since.
      if (!media || (media.problem !== null && !media.isDamaged)) return;
      const { problem, remark, isDamaged } = media;
      setVerdict.run(problem, remark, Number(isDamaged), hash);
      if (isDamaged) damaged.add(hash);
      if (isDamaged) log.warn("file.refused", { hash, reason: problem });
      if (isDamaged || remark !== null || isNew) library.tellChanged();
    } finally {
      await rm(shownFile, { force: true });
    }
  }

  /** Made anew from the same bytes it is the same, unless it was damaged meanwhile. */
  async function isShownAs(hash: string, made: string): Promise<boolean> {
    const shown = store.shownPathOf(hash);
    if (shown === null) return false;
    const [before, now] = await Promise.all([readFile(shown), readFile(made)]);
    if (before.equals(now)) return true;
    log.warn("file.shown-copy-replaced", { hash });
    return false;
  }

  return {
    start: () => {
      if (ending) return;
      const { signal } = (ending = new AbortController());
      running = run(signal).catch((error: unknown) =>
        log.error("files.check-failed", { error }),
      );
    },
    stop: async () => {
      if (!ending) return;
      ending.abort();
      await running;
      await rm(runMark, { force: true });
    },
    noteChecked: (hash) => {
      justChecked.set(hash, clock.now());
      if (damaged.delete(hash)) library.tellChanged();
    },
    forgetShown: () => void setUnjudged.run(),
    suspect: (hash) => {
      suspects.add(hash);
      wake();
    },
  };
}
