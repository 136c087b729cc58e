// Calls of the manager about this machine: its displays, its role, the test pattern, and saved screenshots and thumbnails.

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { app, screen, shell } from "electron";
import type {
  MachineView,
  ManagerAnswers,
} from "../../server/contract/ipc/ipc.ts";
import type { MachineQuestion } from "../../server/contract/ipc/ipc-machine.ts";
import type { Player } from "../../server/player/player.ts";
import type { ManagerCalls } from "../ipc.ts";
import type { Machine } from "../machine-settings.ts";
import type { TestPattern } from "../playback-window/test-pattern.ts";
import type { Thumbnails } from "./thumbnails.ts";

export interface MachineParts {
  readonly machine: Machine;
  readonly thumbnails: Thumbnails;
  readonly pattern: TestPattern;
  readonly playbackDisplayId: () => number;
  /** Moves the playback window to another display. */
  readonly movePlaybackWindow: (displayId: number) => void;
  /** Null while the manager window is closed. */
  readonly managerDisplayId: () => number | null;
  readonly takeScreenshot: () => Promise<Uint8Array>;
}

export function machineCalls(
  player: Player,
  parts: MachineParts,
): Pick<ManagerCalls, MachineQuestion | "takeScreenshot"> {
  const { machine, pattern } = parts;
  const view = (): MachineView => ({
    apiAddress: player.apiAddress,
    role: machine.settings().role,
    isFirstRunDone: machine.settings().isFirstRunDone,
    displays: screen.getAllDisplays().map((display, index) => ({
      id: display.id,
      name: display.label || `${index + 1}`,
      width: Math.round(display.size.width * display.scaleFactor),
      height: Math.round(display.size.height * display.scaleFactor),
      isPlaybackDisplay: display.id === parts.playbackDisplayId(),
      isManagerDisplay: display.id === parts.managerDisplayId(),
    })),
  });
  const screenshotFolder = (): string =>
    join(app.getPath("pictures"), "Vitrine");

  return {
    getMachine: view,
    changeMachine: async (change) => {
      const { role, displayId, isFirstRunDone } = change;
      await machine.change({
        ...(role && { role }),
        ...(displayId !== undefined && { displayId }),
        ...(isFirstRunDone !== undefined && { isFirstRunDone }),
      });
      if (displayId !== undefined) parts.movePlaybackWindow(displayId);
      return view();
    },
    showTestPattern: ({ seconds, withAudio, displayId, ...settings }) => {
      const { orientation = player.settings().screenOrientation } = settings;
      if (displayId !== undefined) parts.movePlaybackWindow(displayId);
      if (seconds === 0) pattern.hide();
      else pattern.show({ seconds, withAudio, orientation });
      return null;
    },
    takeScreenshot: async () =>
      screenshotAsAddress(await parts.takeScreenshot()),
    saveScreenshot: async () => {
      const bytes = await parts.takeScreenshot();
      await mkdir(screenshotFolder(), { recursive: true });
      const moment = new Date().toISOString().slice(0, 19).replace(/:/g, "-");
      const path = join(
        screenshotFolder(),
        `Screenshot ${moment.replace("T", " ")}.png`,
      );
      await writeFile(path, bytes);
      return { path };
    },
    chooseImages: async () => {
      await shell.openPath(screenshotFolder());
      return null;
    },
    keepThumbnail: async ({ hash, dataUrl }) => {
      // Only for files that are here, so that nobody fills the disk with thumbnails of nothing.
      if (player.fileFor(hash) !== null)
        await parts.thumbnails.keep(hash, bytesOf(dataUrl));
      return null;
    },
  };
}

function screenshotAsAddress(
  screenshot: Uint8Array,
): ManagerAnswers["takeScreenshot"] {
  const base64 = Buffer.from(screenshot).toString("base64");
  return {
    dataUrl: `data:image/png;base64,${base64}`,
    takenAtMs: Date.now(),
  };
}

function bytesOf(dataUrl: string): Uint8Array {
  return Buffer.from(dataUrl.slice(dataUrl.indexOf(",") + 1), "base64");
}
