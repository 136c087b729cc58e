// Maps each call of the manager to one call on the player.

import { readFile } from "node:fs/promises";
import os from "node:os";
import { join } from "node:path";
import { app, shell } from "electron";
import { playerSentences } from "../../server/contract/sentences/player-sentences.ts";
import type { Player } from "../../server/player/player.ts";
import type { Log } from "../../server/platform/log.ts";
import type { Config } from "../config.ts";
import type { ContentHost } from "../hosting/content-host.ts";
import type { ManagerCalls } from "../ipc.ts";
import { backupCalls } from "./manager-backup.ts";
import { contentCalls } from "./manager-content.ts";
import { machineCalls, type MachineParts } from "./manager-machine.ts";
import { planCalls, type OfflineBundles } from "./manager-offline-bundles.ts";
import { screenCallsOf, type ConnectedServices } from "./manager-screens.ts";
import { nearbyCalls } from "./nearby/manager-nearby.ts";
import { savingCalls, type ChooseSavePath } from "./manager-save-file.ts";
import { type ManagerEvents, Failure } from "../../server/contract/ipc/ipc.ts";
import { createExitPin } from "../kiosk/exit-pin.ts";
import { checkSite } from "../site-check/site-check.ts";
import type { Licence } from "../../server/contract/ipc/ipc-pc.ts";

/** What the manager reaches besides the player. */
export interface ManagerParts extends MachineParts {
  readonly host: ContentHost;
  readonly notifyUploading: NotifyUploading;
  readonly chooseSavePath: ChooseSavePath;
  /** As a `.tar.gz`. */
  readonly collectLogs: () => Promise<Uint8Array>;
  readonly config: Config;
  readonly log: Log;
  /** Throws where there is no sync. */
  readonly offlineBundles: () => OfflineBundles;
  /** None where there is no sync. */
  readonly connectedServices: ConnectedServices;
  /** The folder of the bundled files. */
  readonly dist: string;
}

export function managerCalls(
  player: Player,
  parts: ManagerParts,
): ManagerCalls {
  const { host, notifyUploading, chooseSavePath, config, dist } = parts;
  return {
    ...contentCalls(host),
    ...nearbyCalls({ isOff: config.noDiscovery, log: parts.log }),
    ...screenCallsOf(host, parts.connectedServices, chooseSavePath),
    ...backupCalls(player, chooseSavePath),
    ...savingCalls(chooseSavePath, parts.collectLogs),
    ...aboutCalls(config.dataDir, dist),
    ...planCalls(parts.offlineBundles, chooseSavePath),
    ...siteCalls(config),
    ...machineCalls(player, parts),
    operate: (operation) => player.operate(operation),
    uploadFile: ({ path, job }) =>
      player.uploadFile(path, progressFor(job, notifyUploading)),
  };
}

type NotifyUploading = (uploading: ManagerEvents["uploading"]) => void;

/** Reports the progress of an upload ten times a second: more often would be of no use. */
function progressFor(
  job: string,
  notify: NotifyUploading,
): (receivedBytes: number, totalBytes: number) => void {
  let notifiedMs = 0;
  return (receivedBytes, totalBytes) => {
    const now = Date.now();
    if (now - notifiedMs < 100 && receivedBytes < totalBytes) return;
    notifiedMs = now;
    notify({ job, receivedBytes, totalBytes });
  };
}

// Calls of the manager about the installation: the site check, and the exit PIN of an unattended player.

function siteCalls(
  config: Config,
): Pick<ManagerCalls, "checkSite" | "readExitPin" | "changeExitPin"> {
  const pin = createExitPin(config.dataDir, Date.now);
  return {
    checkSite: () => checkSite(config),
    readExitPin: async () => ({ isSet: await pin.isSet() }),
    changeExitPin: async ({ current, next }) => {
      // An empty input is not a try.
      if (current === null && (await pin.isSet()))
        throw new Failure("invalid", playerSentences["pin-required"]);
      const outcome = await pin.check(current ?? "");
      if (outcome.outcome !== "right") return outcome;
      await pin.set(next);
      return { outcome: "changed", isSet: next !== null };
    },
  };
}

// About this program: its version, its runtime, its data folder, and the open-source licences.

function aboutCalls(
  dataDir: string,
  dist: string,
): Pick<ManagerCalls, "readAbout" | "openFolder"> {
  return {
    readAbout: async () => ({
      version: app.getVersion(),
      electron: process.versions.electron,
      chromium: process.versions.chrome,
      node: process.versions.node,
      system: `${os.type()} ${os.release()}, ${os.arch()}`,
      ...{ dataDir, isPackaged: app.isPackaged, licence: "MIT" },
      licences: await licences(join(dist, "licences.json")),
    }),
    openFolder: async ({ which }) => {
      await shell.openPath(which === "log" ? join(dataDir, "log") : dataDir);
      return null;
    },
  };
}

async function licences(file: string): Promise<readonly Licence[]> {
  try {
    return JSON.parse(await readFile(file, "utf8")) as readonly Licence[];
  } catch {
    return [];
  }
}
