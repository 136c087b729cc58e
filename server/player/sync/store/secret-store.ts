// Secrets of sync, sealed by the operating system if possible, otherwise in files readable by their owner only: tokens of connections,
// each with the host it was issued for, and secret settings of apps.

import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { systemCode } from "../../../platform/outside-error.ts";
import { replaceFile } from "../../../platform/files/replace-file.ts";
import * as z from "zod";
import type { SyncConnection } from "../../../core/sync-plan/sync-state.ts";

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

/** The connection of a token, and the host it is sent to. */
export type TokenOwner = Pick<SyncConnection, "id" | "baseUrl">;

export interface ConnectionTokens extends Pick<Secrets, "keptAs" | "forget"> {
  /** Returns a function that restores the previous token with the host it was issued for. */
  keep(owner: TokenOwner, token: string): Promise<() => Promise<void>>;
  /** Null if there is none for this host. */
  open(owner: TokenOwner): Promise<string | null>;
  /** Assigns a token that was stored before hosts were recorded to this host. */
  bind(owner: TokenOwner): Promise<void>;
}

const keptToken = z.object({ origin: z.string(), token: z.string() });

export function createConnectionTokens(secrets: Secrets): ConnectionTokens {
  const keep: ConnectionTokens["keep"] = ({ id, baseUrl }, token) => {
    const { origin } = new URL(baseUrl);
    return secrets.keep(id, JSON.stringify({ origin, token }));
  };

  async function read(id: string): Promise<z.infer<typeof keptToken> | null> {
    const text = await secrets.open(id);
    return text === null ? null : keptToken.parse(JSON.parse(text));
  }

  return {
    keep,
    keptAs: secrets.keptAs,
    forget: secrets.forget,
    open: async ({ id, baseUrl }) => {
      const stored = await read(id).catch(() => null);
      return stored?.origin === new URL(baseUrl).origin ? stored.token : null;
    },
    bind: async (owner) => {
      const text = await secrets.open(owner.id);
      const isBound = await read(owner.id).then(
        () => true,
        () => false,
      );
      if (text !== null && !isBound) await keep(owner, text);
    },
  };
}

export interface AppSecrets {
  /** By the MD5 of the app's description; empty if there are none or they can no longer be opened. */
  of(md5: string): Promise<Readonly<Record<string, string>>>;
  keep(md5: string, values: Readonly<Record<string, string>>): Promise<void>;
  /** Deletes the secrets of every app that is not needed at that moment. */
  sweep(isNeeded: (md5: string) => boolean): Promise<void>;
}

const shape = z.record(z.string(), z.string());

export function openAppSecrets(dataDir: string, seal: Seal | null): AppSecrets {
  const secrets = createSecrets(path.join(dataDir, "sync", "apps"), seal);
  return {
    of: async (md5) => {
      const text = await secrets.open(md5);
      if (text === null) return {};
      try {
        return shape.parse(JSON.parse(text));
      } catch {
        return {};
      }
    },
    keep: async (md5, values) => {
      const text = JSON.stringify(values);
      if ((await secrets.open(md5)) !== text) await secrets.keep(md5, text);
    },
    sweep: async (isNeeded) => {
      for (const md5 of await secrets.names())
        if (!isNeeded(md5)) await secrets.forget(md5);
    },
  };
}
