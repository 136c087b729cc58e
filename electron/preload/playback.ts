// window.playback: four events in, two out.

import { contextBridge, ipcRenderer, type IpcRendererEvent } from "electron";
import type { PlaybackBridge } from "../../server/contract/ipc/ipc.ts";

const bridge: PlaybackBridge = {
  on: (order, listener) => {
    const hear = (_event: IpcRendererEvent, value: unknown) =>
      listener(value as Parameters<typeof listener>[0]);
    ipcRenderer.on(`playback:${order}`, hear);
    return () => ipcRenderer.off(`playback:${order}`, hear);
  },
  report: (report, value) => ipcRenderer.send(`playback:${report}`, value),
};

contextBridge.exposeInMainWorld("playback", bridge);
