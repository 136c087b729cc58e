// Preload of the stage: exposes window.playback with four incoming and two outgoing events.

import { contextBridge, ipcRenderer, type IpcRendererEvent } from "electron";
import type { PlaybackBridge } from "../../server/contract/ipc/ipc.ts";

const bridge: PlaybackBridge = {
  on: (order, listener) => {
    const receive = (_event: IpcRendererEvent, value: unknown) =>
      listener(value as Parameters<typeof listener>[0]);
    ipcRenderer.on(`playback:${order}`, receive);
    return () => ipcRenderer.off(`playback:${order}`, receive);
  },
  report: (report, value) => ipcRenderer.send(`playback:${report}`, value),
};

contextBridge.exposeInMainWorld("playback", bridge);
