// Transport of the manager: the only way to the player's data. What it has to provide is described in the architecture guide.

import type {
  ManagerAnswers,
  ManagerBridge,
  SentFile,
} from "../../server/contract/ipc/ipc.ts";
import type {
  Operate,
  OperateOutcome,
} from "../../server/contract/v2/operations/operation-client.ts";
import type { PlayerEventV2 } from "../../server/contract/v2/v2-monitoring.ts";
import { fileAddress } from "../../server/core/showing.ts";

declare global {
  interface Window {
    /** In the window of a player. Requests besides those that a transport uses are about this PC and this window. */
    readonly manager: ManagerBridge;
  }
}

export type Screenshot = ManagerAnswers["takeScreenshot"];

/** How many of the bytes have arrived. */
export type OnBytes = (receivedBytes: number, totalBytes: number) => void;

export interface Transport {
  /** Any operation of version 2 whose answer is JSON. Rejects only when the player cannot be reached. */
  readonly operate: (call: Operate) => Promise<OperateOutcome>;
  /** `uploadFile`. Rejects with the reason; null for what is not a file, such as a folder. */
  readonly sendFile: (file: File, onBytes: OnBytes) => Promise<SentFile | null>;
  /** `readScreenshot` */
  readonly takeScreenshot: () => Promise<Screenshot>;
  /** `streamEvents`; the returned function unsubscribes. */
  readonly onPlayerEvent: (
    listener: (event: PlayerEventV2) => void,
  ) => () => void;
  /** `readFile`: an address that an image, a video or the PDF preview can load. */
  readonly fileAddressOf: (sha256: string) => string;
}

/** The main process forwards operations to the player's own HTTP interface, and reads files from the disk. */
export const transport: Transport = {
  operate: (call) => window.manager.operate(call),
  sendFile: async (file, onBytes) => {
    const path = window.manager.pathOf(file);
    if (path === "") return null;
    const job = crypto.randomUUID();
    const stop = window.manager.on("uploading", (progress) => {
      if (progress.job === job)
        onBytes(progress.receivedBytes, progress.totalBytes);
    });
    try {
      return await window.manager.uploadFile({ path, job });
    } finally {
      stop();
    }
  },
  takeScreenshot: () => window.manager.takeScreenshot({}),
  onPlayerEvent: (listener) => window.manager.on("playerEvent", listener),
  fileAddressOf: fileAddress,
};
