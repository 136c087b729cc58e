// Verifies stored files in the background: each at least weekly, all of them after an unclean stop; damaged ones are taken out of
// playback with the reason (V2-425).

import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import {
  open,
  readFile,
  rm,
  stat,
  writeFile,
  type FileHandle,
} from "node:fs/promises";
import { belongsInStore, type Asset } from "../../core/asset.ts";
import { hasChanged } from "../../platform/files/file-change.ts";
import type { FileStore } from "../../platform/files/file-store.ts";
import type { Log } from "../../platform/log.ts";
import { JudgingEnded, judgeMedia } from "../../platform/media/media-probe.ts";
import { systemCode } from "../../platform/outside-error.ts";
import type { Sqlite } from "../../platform/sqlite/sqlite.ts";
import type { Library } from "../library/library.ts";
import type { Clock } from "../../platform/clock.ts";

export interface FileCheck {
  start(): void;
  /** Aborts the running check; the next start continues where it was. */
  stop(): Promise<void>;
  /** It was judged on import: its next check is not due for a while. */
  noteChecked(hash: string): void;
  /** Rows came from elsewhere, without the renditions of large files: all files are judged again. */
  forgetShown(): void;
  /** When it was verified last; null before the first time. */
  verifiedAtMs(hash: string): number | null;
  /** A problem was observed with this file: it is checked before all others. */
  suspect(hash: string): void;
  /** It is on the screen, where it is not opened again: if it has changed since it was verified, it is checked before all others. */
  findChange(hash: string): void;
}

export interface FileCheckOptions {
  readonly database: Sqlite;
  readonly library: Library;
  readonly store: FileStore;
  readonly clock: Clock;
  readonly log: Log;
  /** A file that exists while a player runs on the store: if it is there at the start, the last run did not end cleanly. */
  readonly runMark: string;
  /** These bytes are no longer available. */
  readonly onDamaged: (hash: string) => void;
}

const dayMs = 86_400_000;
/** So that none is older than a week when it is checked. */
const checkIntervalMs = 6 * dayMs;
/** The first image, the interface and the first sync take precedence. */
const startPauseMs = 30_000;
const idlePauseMs = 600_000;
const betweenMs = 1_000;
/** A disk that is available again is noticed within this time (V2-660). */
const missingPauseMs = 30_000;
/** At most 16 MB/s: a slow disk has enough capacity left for playback. */
const portionBytes = 4 * 1024 ** 2;
const portionPauseMs = 250;
/** If this many files cannot be read, the others wait for them. */
const maxDue = 100;
const goneReason = "Its file is missing from this player's disk.";

interface DueRow {
  readonly hash: string;
  readonly size_bytes: number;
  readonly type: string;
  readonly checked_at: number | null;
}

export function createFileCheck(options: FileCheckOptions): FileCheck {
  const { database, library, store, clock, log, runMark } = options;
  const suspects = new Set<string>();
  /** Check times by hash; written with the next check. */
  const justChecked = new Map<string, number>();
  /** Files that could not be read, and the monotonic moment of their next attempt. */
  const unreadable = new Map<string, number>();
  const damaged = new Set(
    database
      .prepare<[], string>("SELECT hash FROM files WHERE is_damaged = 1")
      .pluck()
      .all(),
  );
  /** Out of playback; their bytes may be back. Those that were only judged damaged leave this set at the first check. */
  const missing = new Set(damaged);
  let missingDueAt = 0;
  /** What lies in the place of a missing file with other bytes, and since which monotonic moment it has been the same. */
  const otherBytes = new Map<string, { stamp: string; sinceMs: number }>();
  let ending: AbortController | null = null;
  let running: Promise<void> = Promise.resolve();
  let wake = (): void => undefined;

  const columns = "hash, size_bytes, type, checked_at";
  const rowOf = database.prepare<[string], DueRow>(
    `SELECT ${columns} FROM files WHERE hash = ?`,
  );
  // Files that were never judged come first.
  const nextDue = database.prepare<[number], DueRow>(
    `SELECT ${columns} FROM files WHERE is_damaged = 0 AND (checked_at IS NULL OR checked_at < ?)
     ORDER BY checked_at IS NOT NULL, checked_at LIMIT ${maxDue}`,
  );
  const setChecked = database.prepare(
    "UPDATE files SET checked_at = ? WHERE hash = ?",
  );
  const setAllDue = database.prepare(
    "UPDATE files SET checked_at = 0 WHERE checked_at > 0",
  );
  // A wrong clock gave them dates in the future.
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
  const setIntact = database.prepare(
    "UPDATE files SET problem = NULL, is_damaged = 0 WHERE hash = ? AND is_damaged = 1",
  );
  const fetchAgain = database.prepare(
    "UPDATE assets SET is_processing = 1, problem = ? WHERE id = ?",
  );
  const fetchNoMore = database.prepare(
    "UPDATE assets SET is_processing = 0, problem = NULL WHERE id = ?",
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
    let isMarked = false;
    while (!signal.aborted) {
      isMarked ||= await markRun();
      const outcome = await checkNext(signal).catch((error: unknown) => {
        // Locked, full or gone: everything becomes due again later.
        if (!(error instanceof JudgingEnded))
          log.warn("files.check-failed", { error });
        return "failed" as const;
      });
      const untilMissingMs = missingDueAt - clock.monotonic();
      const restMs =
        missing.size > 0 ? Math.max(betweenMs, untilMissingMs) : idlePauseMs;
      if (outcome === "failed")
        await pause(suspects.size > 0 ? missingPauseMs : restMs, signal);
      else if (suspects.size === 0)
        await pause(outcome ? betweenMs : restMs, signal);
      await findMissing();
    }
  }

  /** False while the disk or the database rejects that: files are verified without it, and it is tried again (V2-748). */
  async function markRun(): Promise<boolean> {
    try {
      if (existsSync(runMark)) setAllDue.run();
      else await writeFile(runMark, "");
      return true;
    } catch (error) {
      log.warn("files.check-failed", { error });
      return false;
    }
  }

  /** Files that were missing with their disk, or were put back by hand. */
  async function findMissing(): Promise<void> {
    if (clock.monotonic() < missingDueAt) return;
    missingDueAt = clock.monotonic() + missingPauseMs;
    for (const hash of missing) {
      const isThere = await stat(store.pathOf(hash)).catch(() => null);
      if (isThere) suspects.add(hash);
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
      .all(now - checkIntervalMs)
      .find(({ hash }) => (unreadable.get(hash) ?? 0) <= steady);
  }

  async function checkNext(signal: AbortSignal): Promise<boolean> {
    const row = takeNext();
    if (!row) return false;
    const { hash } = row;
    const isOut = damaged.has(hash);
    if (isOut && !missing.has(hash)) return true;
    const reason = await damageOf(row, signal).catch((error: unknown) => {
      // The disk may be unavailable for a while: the file is not marked as damaged, and the others are checked.
      unreadable.set(hash, clock.monotonic() + idlePauseMs);
      log.warn("files.check-failed", { hash, error });
      return undefined;
    });
    if (reason === undefined) return true;
    unreadable.delete(hash);
    if (signal.aborted) return false;
    if (isOut) {
      if (reason === null) await takeBack(row, signal);
      else if (reason === goneReason) otherBytes.delete(hash);
      else if (await isComplete(hash)) await store.setDamagedAside(hash);
    } else if (reason !== null) await takeOut(hash, reason);
    else {
      if (row.checked_at === null || store.shownPathOf(hash) !== null)
        await judgeAgain(row, signal);
      setChecked.run(clock.now(), hash);
    }
    return true;
  }

  /** Whether the file in the place of a missing one is not being copied there any more: it was the same at the last look. */
  async function isComplete(hash: string): Promise<boolean> {
    const about = await stat(store.pathOf(hash)).catch(() => null);
    if (about === null) return false;
    const stamp = `${about.ino} ${about.size} ${about.ctimeMs}`;
    const now = clock.monotonic();
    const before = otherBytes.get(hash);
    if (before?.stamp === stamp) return now - before.sinceMs >= missingPauseMs;
    otherBytes.set(hash, { stamp, sinceMs: now });
    return false;
  }

  /** Why its bytes are not what they were; null if they are unchanged. */
  async function damageOf(
    { hash, size_bytes }: DueRow,
    signal: AbortSignal,
  ): Promise<string | null> {
    const opened = await openIfThere(store.pathOf(hash));
    if (opened === null) return goneReason;
    try {
      const { size, ino } = await opened.stat();
      if (size === size_bytes && (await hashOf(opened, signal)) === hash)
        return null;
      // The bytes that were read are damaged; a file that has replaced them since may be intact.
      const now = await stat(store.pathOf(hash)).catch(() => null);
      if (now !== null && now.ino !== ino) {
        suspects.add(hash);
        return null;
      }
      return "Its file on this player's disk is damaged.";
    } finally {
      await opened.close();
    }
  }

  async function hashOf(
    opened: FileHandle,
    signal: AbortSignal,
  ): Promise<string> {
    const digest = createHash("sha256");
    let bytes = 0;
    for await (const chunk of opened.createReadStream({
      autoClose: false,
    }) as AsyncIterable<Buffer>) {
      if (signal.aborted) break;
      digest.update(chunk);
      bytes += chunk.length;
      if (bytes < portionBytes) continue;
      bytes = 0;
      await pause(portionPauseMs, signal);
    }
    return digest.digest("hex");
  }

  /**
   * Takes a file out of playback. It is downloaded again where that is possible: by its own address here, or by the sync, which no
   * longer finds it here.
   */
  async function takeOut(hash: string, reason: string): Promise<void> {
    if (reason !== goneReason) await store.setDamagedAside(hash);
    const assets = library.assets().filter(({ file }) => file?.hash === hash);
    // The same bytes have been stored again in the meantime.
    if (store.has(hash)) {
      suspects.add(hash);
      return;
    }
    database
      .transaction(() => {
        setDamaged.run(`${reason} Add it again.`, hash);
        for (const asset of assets)
          if (isInStoreLocally(asset))
            fetchAgain.run(`${reason} Downloading it again.`, asset.id);
      })
      .immediate();
    damaged.add(hash);
    missing.add(hash);
    log.error("file.damaged", {
      ...{ hash, reason, assets: assets.map(({ id }) => id) },
    });
    library.notifyFileChanged(hash);
    options.onDamaged(hash);
  }

  /** Its bytes are back, and are judged like any import (V2-660). */
  async function takeBack(row: DueRow, signal: AbortSignal): Promise<void> {
    const { hash } = row;
    otherBytes.delete(hash);
    const isRejected = await judgeAgain(row, signal);
    if (!missing.delete(hash) || isRejected) return;
    database
      .transaction(() => {
        setIntact.run(hash);
        setChecked.run(clock.now(), hash);
        for (const asset of library.assets())
          if (asset.file?.hash === hash && isInStoreLocally(asset))
            fetchNoMore.run(asset.id);
      })
      .immediate();
    damaged.delete(hash);
    log.info("file.recovered", { hash });
    library.notifyFileChanged(hash);
  }

  function isInStoreLocally(asset: Asset): boolean {
    return belongsInStore(asset) && isOfSync.get(asset.id) === undefined;
  }

  /** Whether a file is rejected now: one that was stored before files were judged on import, or that lost its rendition. */
  async function judgeAgain(
    { hash, type }: DueRow,
    signal: AbortSignal,
  ): Promise<boolean> {
    if (!/^(image|video|audio)\//.test(type)) return false;
    const shownFile = store.newAside();
    try {
      const file = store.pathOf(hash);
      const media = await judgeMedia({ file, shownFile }, signal);
      const isNew =
        media?.hasShownFile === true && !(await isShownAs(hash, shownFile));
      if (isNew) await store.keepShown(hash, shownFile);
      // A prediction about its codec may have proved wrong since.
      if (!media || (media.problem !== null && !media.isDamaged)) return false;
      const { problem, remark, isDamaged } = media;
      setVerdict.run(problem, remark, Number(isDamaged), hash);
      if (isDamaged) damaged.add(hash);
      if (isDamaged) log.warn("file.rejected", { hash, reason: problem });
      if (isDamaged || remark !== null || isNew)
        library.notifyFileChanged(hash);
      return isDamaged;
    } finally {
      await rm(shownFile, { force: true });
    }
  }

  /** A rendition made again from the same bytes is identical, unless the stored one was damaged since. */
  async function isShownAs(hash: string, expected: string): Promise<boolean> {
    const shown = store.shownPathOf(hash);
    if (shown === null) return false;
    const [before, now] = await Promise.all([
      readFile(shown),
      readFile(expected),
    ]);
    if (before.equals(now)) return true;
    log.warn("file.rendition-replaced", { hash });
    return false;
  }

  function verifiedAtMs(hash: string): number | null {
    return justChecked.get(hash) ?? (rowOf.get(hash)?.checked_at || null);
  }

  function suspect(hash: string): void {
    suspects.add(hash);
    wake();
  }

  async function findChange(hash: string): Promise<void> {
    if (suspects.has(hash)) return;
    // While its disk is gone, it stays on the screen.
    const about = await stat(store.pathOf(hash)).catch(() => null);
    if (about && hasChanged(about, verifiedAtMs(hash))) suspect(hash);
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
      missing.delete(hash);
      otherBytes.delete(hash);
      if (damaged.delete(hash)) library.notifyFileChanged(hash);
    },
    forgetShown: () => {
      setUnjudged.run();
    },
    verifiedAtMs,
    suspect,
    findChange: (hash) => {
      findChange(hash).catch((error: unknown) =>
        log.warn("files.check-failed", { hash, error }),
      );
    },
  };
}

/** Reads through the opened handle, whatever happens to its name in the meantime; null where no file has that name. */
async function openIfThere(path: string): Promise<FileHandle | null> {
  return open(path).catch((error: unknown) => {
    if (systemCode(error) === "ENOENT") return null;
    throw error;
  });
}
