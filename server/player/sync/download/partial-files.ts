// Partial files: bytes of downloads under way, stored by MD5 with the validator of their server until they are complete.

import {
  mkdir,
  readdir,
  readFile,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import path from "node:path";

export interface Parts {
  readonly dir: string;
  part(md5: string): Part;
  /** One download at a time for each file, whichever connection wants it: two would write into each other's bytes. */
  alone(
    md5: string,
    signal: AbortSignal,
    act: () => Promise<void>,
  ): Promise<void>;
  /** MD5 of each file with a partial download. */
  begun(): Promise<readonly string[]>;
  /** Deletes what belongs to none of these and is not being downloaded. */
  sweep(needed: ReadonlySet<string>): Promise<void>;
}

export interface Part {
  readonly path: string;
  sizeBytes(): Promise<number>;
  /** The server's validator for these bytes; null if they cannot be resumed. */
  validator(): Promise<string | null>;
  /** Starts from scratch, with this validator. */
  begin(validator: string | null): Promise<void>;
  discard(): Promise<void>;
  /** Its bytes have been moved elsewhere. */
  done(): Promise<void>;
}

const ending = ".part";
const validatorEnding = ".tag";
const maxValidatorLength = 1000;

export async function openParts(dir: string): Promise<Parts> {
  // A disk that cannot write is reported by the download that writes to it.
  await mkdir(dir, { recursive: true }).catch(() => undefined);
  const names = await namesIn(dir);
  /** Files that may exist; no others do. */
  const existing = new Set(names);
  /** Per file, settles when its last user is done. */
  const lasts = new Map<string, Promise<unknown>>();
  return {
    dir,
    part: (md5) => {
      if (!/^[0-9a-f]{32}$/.test(md5)) throw new Error("not an MD5 hash");
      return partAt(path.join(dir, md5 + ending), existing);
    },
    alone: (md5, signal, act) => {
      const before = lasts.get(md5);
      const done = before ? unlessAborted(before, signal).then(act) : act();
      const last = Promise.allSettled([before, done]).then(() => {
        if (lasts.get(md5) === last) lasts.delete(md5);
      });
      lasts.set(md5, last);
      return done;
    },
    begun: async () => (await namesIn(dir)).map(md5Of),
    sweep: async (needed) => {
      for (const name of await namesIn(dir))
        if (!needed.has(md5Of(name)) && !lasts.has(md5Of(name)))
          await rm(path.join(dir, name), { force: true });
    },
  };
}

function namesIn(dir: string): Promise<readonly string[]> {
  return readdir(dir).catch(() => []);
}

function md5Of(name: string): string {
  return name.split(".")[0] ?? "";
}

/** Rejects if it is aborted before. */
function unlessAborted(
  before: Promise<unknown>,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const callOff = (): void => reject(signal.reason as Error);
    if (signal.aborted) return callOff();
    signal.addEventListener("abort", callOff, { once: true });
    before.then(() => {
      signal.removeEventListener("abort", callOff);
      resolve();
    }, reject);
  });
}

/** `existing`: names of the files that may exist. */
function partAt(file: string, existing: Set<string>): Part {
  const tag = file + validatorEnding;
  const names = { file: path.basename(file), tag: path.basename(tag) };
  const dropTag = async (): Promise<void> => {
    if (!existing.has(names.tag)) return;
    await rm(tag, { force: true });
    existing.delete(names.tag);
  };
  const discard = async (): Promise<void> => {
    // Validator first: without it, a file that is left over is never resumed.
    await dropTag();
    if (!existing.has(names.file)) return;
    await rm(file, { force: true });
    existing.delete(names.file);
  };
  return {
    path: file,
    sizeBytes: async () => {
      if (!existing.has(names.file)) return 0;
      return stat(file).then(
        ({ size }) => size,
        () => 0,
      );
    },
    validator: async () => {
      const text = await readFile(tag, "utf8").catch(() => "");
      return text === "" || text.length > maxValidatorLength ? null : text;
    },
    begin: async (validator) => {
      if (validator === null) await dropTag();
      else {
        await discard();
        existing.add(names.tag);
        await writeFile(tag, validator);
      }
      existing.add(names.file);
    },
    discard,
    done: async () => {
      await dropTag();
      existing.delete(names.file);
    },
  };
}
