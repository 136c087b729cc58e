// Offline bundle calls of the manager: exports a bundle to a place the operator chooses, and imports one once its key is trusted.

import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { Failure } from "../../server/contract/ipc/ipc.ts";
import type { ManagerCalls } from "../ipc.ts";
import type { ChooseSavePath } from "./manager-save-file.ts";
import type { SyncRun } from "../player-sync.ts";
import { moveFile } from "../../server/platform/files/replace-file.ts";

export type OfflineBundles = SyncRun["offlineBundles"];

/** `offlineBundles` throws where there is no sync. */
export function planCalls(
  offlineBundles: () => OfflineBundles,
  chooseSavePath: ChooseSavePath,
): Pick<ManagerCalls, "savePlan" | "takePlan"> {
  return {
    savePlan: async ({ connectionId }) => {
      const { name, content } = await offlineBundles().exportPlan(connectionId);
      const path = await chooseSavePath(name);
      if (path === null) {
        content.destroy();
        return null;
      }
      // Gets its name only when it is complete: a USB stick may be pulled out at any moment.
      const aside = `${path}.part`;
      try {
        await pipeline(content, createWriteStream(aside, { flush: true }));
        await moveFile(aside, path);
      } catch (error) {
        await rm(aside, { force: true });
        throw error;
      }
      return { path };
    },
    takePlan: async ({ path, trust }) => {
      try {
        const options = trust === null ? {} : { trust };
        const { from, assets, playlists } = await offlineBundles().importFrom(
          path,
          options,
        );
        return { outcome: "taken", from, assets, playlists };
      } catch (error) {
        const fingerprint = untrustedKeyOf(error);
        if (fingerprint === null) throw error;
        return { outcome: "untrusted", fingerprint };
      }
    },
  };
}

/** The error names the key, and how to trust it. */
function untrustedKeyOf(error: unknown): string | null {
  if (!(error instanceof Failure) || error.code !== "conflict") return null;
  return /trust=([0-9a-f]{64})/.exec(error.message)?.[1] ?? null;
}
