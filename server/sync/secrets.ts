// Where tokens lie: sealed by the operating system where it can, else in files for their owner alone.

import { mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";

export interface Secrets {
  /** How what is kept from now on is kept. */
  readonly keptAs: "sealed" | "file";
  keep(name: string, secret: string): Promise<void>;
  /** Null where there is none, or where it cannot be opened any more. */
  open(name: string): Promise<string | null>;
  forget(name: string): Promise<void>;
  names(): Promise<readonly string[]>;
}

/** What turns a secret into bytes that only this user of this machine can turn back. */
export interface Seal {
  seal(secret: string): Buffer;
  unseal(bytes: Buffer): string;
}

const plainName = /^[\w-]{1,64}$/;
const ending = ".token";
/** The first letters of a file tell what is in it, so that a machine that learns to seal still reads what it wrote before. */
const plainMark = "plain:";
const sealedMark = "sealed:";

/** One file each, readable by its owner alone; without a seal the secret stands in it as it is (V2-201). */
export function createSecrets(dir: string, seal: Seal | null): Secrets {
  const fileOf = (name: string): string => {
    if (!plainName.test(name)) throw new Error("not a secret's name");
    return path.join(dir, name + ending);
  };
  return {
    keptAs: seal ? "sealed" : "file",
    keep: async (name, secret) => {
      await mkdir(dir, { recursive: true, mode: 0o700 });
      const target = fileOf(name);
      const text = seal
        ? sealedMark + seal.seal(secret).toString("base64")
        : plainMark + secret;
      const file = await open(`${target}.new`, "w", 0o600);
      try {
        await file.writeFile(text);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(`${target}.new`, target);
    },
    open: async (name) => {
      const text = await readFile(fileOf(name), "utf8").catch(() => null);
      if (text?.startsWith(plainMark)) return text.slice(plainMark.length);
      if (!seal || !text?.startsWith(sealedMark)) return null;
      try {
        return seal.unseal(
          Buffer.from(text.slice(sealedMark.length), "base64"),
        );
      } catch {
        // Another user, or another machine: the token is to be given again.
        return null;
      }
    },
    forget: (name) => rm(fileOf(name), { force: true }),
    names: async () =>
      (await readdir(dir).catch((): string[] => []))
        .filter((name) => name.endsWith(ending))
        .map((name) => name.slice(0, -ending.length))
        .filter((name) => plainName.test(name)),
  };
}
