// Folder of finished archives: lists, finds and deletes them by name.

import { existsSync } from "node:fs";
import { readdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import { playerSentences } from "../../contract/sentences/player-sentences.ts";
import { Failure } from "../../core/failure.ts";
import { systemCode } from "../../platform/outside-error.ts";
import { momentOfArchive } from "./archive-name.ts";

export interface Archive {
  readonly name: string;
  readonly sizeBytes: number;
  readonly createdAt: number;
}

export interface Shelf {
  has(name: string): boolean;
  /** Newest first. */
  list(): Promise<readonly Archive[]>;
  /** Path of an archive. Throws `not-found`. */
  pathOf(name: string): string;
  remove(name: string): Promise<void>;
  /** Keeps this many archives, the spared ones always among them; returns the names of those deleted. */
  prune(spared: readonly string[], kept: number): Promise<readonly string[]>;
}

/** A disk that rejected the folder has no archives (V2-753). */
async function namesIn(dir: string): Promise<readonly string[]> {
  return readdir(dir).catch((error: unknown) => {
    if (systemCode(error) === "ENOENT") return [];
    throw error;
  });
}

export function createShelf(dir: string): Shelf {
  const has = (name: string): boolean => existsSync(path.join(dir, name));

  async function list(): Promise<readonly Archive[]> {
    const archives: (Archive & { number: number })[] = [];
    for (const name of await namesIn(dir)) {
      const parts = momentOfArchive(name);
      const entry =
        parts && (await stat(path.join(dir, name)).catch(() => null));
      if (parts && entry?.isFile())
        archives.push({
          name,
          sizeBytes: entry.size,
          createdAt: parts.moment,
          number: parts.number,
        });
    }
    return archives.sort(
      (a, b) => b.createdAt - a.createdAt || b.number - a.number,
    );
  }

  function pathOf(name: string): string {
    // A name in the form of an archive name cannot lead anywhere else.
    if (!momentOfArchive(name) || !has(name))
      throw new Failure("not-found", playerSentences["backup-unknown"]);
    return path.join(dir, name);
  }

  return {
    has,
    list,
    pathOf,
    remove: async (name) => rm(pathOf(name), { force: true }),
    prune: async (spared, maxCount) => {
      const names = (await list()).map(({ name }) => name);
      const others = names.filter((name) => !spared.includes(name));
      const old = others.slice(
        Math.max(0, maxCount - (names.length - others.length)),
      );
      // Windows keeps a file that is being downloaded: it is deleted the next time.
      for (const name of old)
        await rm(path.join(dir, name), { force: true }).catch(() => undefined);
      return old;
    },
  };
}
