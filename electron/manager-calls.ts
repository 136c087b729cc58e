// Each question the manager may ask → one call on the player.

import { basename } from "node:path";
import { Failure, type FileOutcome } from "../server/contract/ipc.ts";
import type { Player } from "../server/player/player.ts";
import type { ManagerCalls } from "./ipc.ts";

export function managerCalls(
  player: Player,
  takePicture: () => Promise<Uint8Array>,
): ManagerCalls {
  return {
    getNow: () => player.now(),
    listAssets: () => player.assets(),
    addFiles: async ({ paths }) => {
      const outcomes: FileOutcome[] = [];
      // One after the other: they stand in the lineup in the order they were dropped.
      for (const path of paths) outcomes.push(await addFile(player, path));
      return outcomes;
    },
    addPage: ({ address }) => player.addPage(address),
    step: ({ direction }) => {
      player.step(direction);
      return null;
    },
    showAsset: ({ assetId }) => {
      player.showAsset(assetId);
      return null;
    },
    setEnabled: ({ assetId, isEnabled }) =>
      player.setEnabled(assetId, isEnabled),
    removeAsset: async ({ assetId }) => {
      await player.removeAsset(assetId);
      return null;
    },
    operate: (wanted) => player.operate(wanted),
    takePicture: async () => {
      const picture = await takePicture();
      const base64 = Buffer.from(picture).toString("base64");
      return {
        dataUrl: `data:image/png;base64,${base64}`,
        takenAtMs: Date.now(),
      };
    },
  };
}

async function addFile(player: Player, path: string): Promise<FileOutcome> {
  const name = basename(path);
  try {
    return { name, asset: await player.addFile(path) };
  } catch (error) {
    if (error instanceof Failure) return { name, refusal: error.message };
    throw error;
  }
}
