// Files on their way in: bytes aside under their MD5, with what their server knows them by, until they are whole.

import { createReadStream } from "node:fs";
import { mkdir, open, readdir, readFile, rm, stat } from "node:fs/promises";
import path from "node:path";
import { newPartHash, type PartHash } from "./part-hash.ts";

export interface Parts {
  part(md5: string): Part;
  /** Removes what belongs to none of these. */
  sweep(needed: ReadonlySet<string>): Promise<void>;
}

export interface Part {
  readonly path: string;
  sizeBytes(): Promise<number>;
  /** What the server knew these bytes by; null where they cannot be gone on with. */
  validator(): Promise<string | null>;
  /** Begins anew, under this validator. */
  begin(validator: string | null): Promise<void>;
  discard(): Promise<void>;
  /** Hashes what is there. */
  hash(): Promise<PartHash>;
}

const ending = ".part";
const validatorEnding = ".tag";
const mostValidatorLetters = 1000;

export async function openParts(dir: string): Promise<Parts> {
  await mkdir(dir, { recursive: true });
  return {
    part: (md5) => {
      if (!/^[0-9a-f]{32}$/.test(md5)) throw new Error("not an MD5");
      return partAt(path.join(dir, md5 + ending));
    },
    sweep: async (needed) => {
      for (const name of await readdir(dir))
        if (!needed.has(name.split(".")[0] ?? ""))
          await rm(path.join(dir, name), { force: true });
    },
  };
}

function partAt(file: string): Part {
  const tag = file + validatorEnding;
  const discard = async (): Promise<void> => {
    // Without the tag nobody goes on with what is left.
    await rm(tag, { force: true });
    await rm(file, { force: true });
  };
  return {
    path: file,
    sizeBytes: () =>
      stat(file).then(
        ({ size }) => size,
        () => 0,
      ),
    validator: async () => {
      const text = await readFile(tag, "utf8").catch(() => "");
      return text === "" || text.length > mostValidatorLetters ? null : text;
    },
    begin: async (validator) => {
      await discard();
      if (validator === null) return;
      const handle = await open(tag, "w");
      try {
        await handle.writeFile(validator);
      } finally {
        await handle.close();
      }
    },
    discard,
    hash: async () => {
      const { size } = await stat(file);
      const hash = newPartHash(size);
      for await (const chunk of createReadStream(file, {
        highWaterMark: 1024 * 1024,
      }) as AsyncIterable<Buffer>) {
        await hash.update(chunk);
      }
      return hash;
    },
  };
}
