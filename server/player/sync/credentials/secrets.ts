// Where tokens lie: sealed by the operating system where it can, else in files for their owner alone.

import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { systemCode } from "../../../platform/outside-error.ts";
import { replaceFile } from "../../../platform/files/replace-file.ts";

export interface Secrets {
  /** How what is kept from now on is kept. */
  readonly keptAs: "sealed" | "file";
  /** Answers how what was there before is put back, one that cannot be opened here and now too. */
  keep(name: string, secret: string): Promise<() => Promise<void>>;
  /** Null where there is none, or where it cannot be opened here and now. */
  open(name: string): Promise<string | null>;
  /** There is one that cannot be opened here and now: whoever would put another in its place asks first (V2-347). */
  isLocked(name: string): Promise<boolean>;
  forget(name: string): Promise<void>;
  names(): Promise<readonly string[]>;
}

/** What turns a secret into bytes that only this user of this machine can turn back. */
export interface Seal {
  seal(secret: string): Buffer;
  unseal(bytes: Buffer): string;
}

interface Kept {
  /** Null: it cannot be opened here and now. */
  readonly secret: string | null;
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
  /** Null: there is none. A file that is damaged holds none, and nothing is lost with it. */
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
      // Another user, another machine, or a keyring that nobody has unlocked yet.
      return { secret: null };
    }
  }
  return {
    keptAs: seal ? "sealed" : "file",
    keep: async (name, secret) => {
      await mkdir(dir, { recursive: true, mode: 0o700 });
      const target = fileOf(name);
      // One that nobody can read is no loss.
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
