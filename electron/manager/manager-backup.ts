// Backup calls of the manager: examines and restores archives, with a way back, and saves them to a place the operator chooses.

import { createReadStream } from "node:fs";
import { copyFile } from "node:fs/promises";
import { playerSentences } from "../../server/contract/sentences/player-sentences.ts";
import { Failure, type ManagerInput } from "../../server/contract/ipc/ipc.ts";
import { placeOf } from "../../server/platform/files/raw-path.ts";
import type { Player } from "../../server/player/player.ts";
import type { ManagerCalls } from "../ipc.ts";
import type { ChooseSavePath } from "./manager-save-file.ts";

type BackupCalls = Pick<
  ManagerCalls,
  "saveBackup" | "examineBackup" | "restoreBackup"
>;

export function backupCalls(
  player: Player,
  chooseSavePath: ChooseSavePath,
): BackupCalls {
  return {
    saveBackup: async ({ name }) => {
      const archive = player.backups().pathOf(name);
      const path = await chooseSavePath(name);
      if (path === null) return null;
      await copyFile(archive, path);
      return { path };
    },
    examineBackup: async (request) => {
      const place = await placeOf(pathOf(player, request));
      return player.backups().examine(createReadStream(place), "file");
    },
    restoreBackup: async (request) => {
      const place = await placeOf(pathOf(player, request));
      const backups = player.backups();
      return { wayBack: await backups.restore(place, "file", request.name) };
    },
  };
}

function pathOf(
  player: Player,
  { name, path }: ManagerInput<"restoreBackup">,
): string {
  if (name !== undefined) return player.backups().pathOf(name);
  if (path !== undefined) return path;
  throw new Failure("invalid", playerSentences["backup-none-chosen"]);
}
