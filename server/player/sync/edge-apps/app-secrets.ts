// Secret settings of apps, which only the page of the app may read: stored like tokens, by app.

import path from "node:path";
import * as z from "zod";
import { createSecrets, type Seal } from "../credentials/secret-store.ts";

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
