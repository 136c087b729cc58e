// Files and addresses on their way from the desk into the player, told as they come in.

import type { ManagerEvents } from "../server/contract/ipc.ts";
import type { Player } from "../server/player/player.ts";
import type { ManagerCalls } from "./ipc.ts";

export type TellAdding = (adding: ManagerEvents["adding"]) => void;

export function addingCalls(
  player: Player,
  tell: TellAdding,
): Pick<ManagerCalls, "addFile" | "addPage" | "replaceFile"> {
  /** Told ten times a second: more would be work for nobody. */
  const telling = (job: string) => {
    let told = 0;
    return (receivedBytes: number, totalBytes: number): void => {
      const now = Date.now();
      if (now - told < 100 && receivedBytes < totalBytes) return;
      told = now;
      tell({ job, receivedBytes, totalBytes });
    };
  };
  return {
    addFile: ({ path, job, folder }) =>
      player.addFile(path, { onBytes: telling(job), folder }),
    replaceFile: ({ assetId, path, job }) =>
      player.replaceFile(assetId, path, { onBytes: telling(job) }),
    addPage: ({ address, ...manner }) => player.addPage(address, manner),
  };
}
