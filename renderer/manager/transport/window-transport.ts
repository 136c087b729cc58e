// Transport in the player's window: the main process forwards operations to the player's own HTTP interface, and reads files from the
// disk.

import { fileAddress } from "../../../server/core/showing.ts";
import { randomId } from "../place/random-id.ts";
import type { Transport } from "./player-transport.ts";

export const windowTransport: Transport = {
  answers: () => true,
  operate: (call) => window.manager.operate(call),
  // The main process copies from disk to disk.
  filesAtOnce: 1,
  sendFile: async (file, { onBytes }) => {
    const path = window.manager.pathOf(file);
    if (path === "") return null;
    const job = randomId();
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
  fileAddressOf: ({ stored: { file } }) => fileAddress(file.sha256),
  readThumbnail: null,
};
