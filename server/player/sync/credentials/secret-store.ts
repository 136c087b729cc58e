// Secret storage: sealed by the operating system if possible, otherwise in files readable by their owner only.

import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { systemCode } from "../../../platform/outside-error.ts";
import { replaceFile } from "../../../platform/files/replace-file.ts";

export interface Secrets {
  /** How secrets are stored from now on. */
  readonly keptAs: "sealed" | "file";
  /** Returns a function that restores the previous secret, even one that cannot be opened at the moment. */
  keep(name: string, secret: string): Promise<() => Promise<void>>;
  /** Null if there is none or it cannot be opened at the moment. */
  open(name: string): Promise<string | null>;
  /** A secret exists but cannot be opened at the moment: confirm before replacing it (V2-347). */
  isLocked(name: string): Promise<boolean>;
  forget(name: string): Promise<void>;
  names(): Promise<readonly string[]>;
}

/** Encrypts a secret so that only this user of this machine can decrypt it. */
export interface Seal {
  seal(secret: string): Buffer;
  unseal(bytes: Buffer): string;
}

interface Kept {
  /** Null: it cannot be opened at the moment. */
  readonly secret: string | null;
}

const plainName = /^[\w-]{1,64}$/;
const ending = ".token";
/** The prefix of a file shows its format, so that a machine that gains sealing can still read older files. */
const plainMark = "plain:";
const sealedMark = "sealed:";

/** One file each, readable by its owner only; without a seal it contains the secret in plain text (V2-201). */
export function createSecrets(dir: string, seal: Seal | null): Secrets {
  const fileOf = (name: string): string => {
    if (!plainName.test(name)) throw new Error("not a secret's name");
    return path.join(dir, name + ending);
  };
  /** Null: there is none. A damaged file contains none, and nothing is lost with it. */
  async function read(name: string): Promise<Kept | null> {
    let text: string;
    try {
      text = await readFile(fileOf(name), "utf8");
    } catch (error) {
      return systemCode(error) === "ENOENT" ? null : { secret: null };
    }
    if (text.startsWith(plainMark))
      return { secret: text.slice(plainMark.length) };
    if (!text.startsWith(sealedMark)) return null;
    const bytes = Buffer.from(text.slice(sealedMark.length), "base64");
    try {
      return { secret: seal?.unseal(bytes) ?? null };
    } catch {
      // Another user, another machine, or a keyring that is still locked.
      return { secret: null };
    }
  }
  return {
    keptAs: seal ? "sealed" : "file",
    keep: async (name, secret) => {
      await mkdir(dir, { recursive: true, mode: 0o700 });
      const target = fileOf(name);
      // An unreadable one is no loss.
      const before = await readFile(target, "utf8").catch(() => null);
      const text = seal
        ? sealedMark + seal.seal(secret).toString("base64")
        : plainMark + secret;
      await replaceFile(target, text);
      return () =>
        before === null
          ? rm(target, { force: true })
          : replaceFile(target, before);
    },
    open: async (name) => (await read(name))?.secret ?? null,
    isLocked: async (name) => (await read(name))?.secret === null,
    forget: (name) => rm(fileOf(name), { force: true }),
    names: async () =>
      (await readdir(dir).catch((): string[] => []))
        .filter((name) => name.endsWith(ending))
        .map((name) => name.slice(0, -ending.length))
        .filter((name) => plainName.test(name)),
  };
}
