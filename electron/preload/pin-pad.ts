// Preload of the PIN pad: exposes window.pinPad with its two calls.

import { contextBridge, ipcRenderer } from "electron";
import type { PinPadBridge } from "../../server/contract/ipc/ipc-pin-pad.ts";

const bridge: PinPadBridge = {
  state: () => ipcRenderer.invoke("pin-pad:state"),
  request: (request) => ipcRenderer.invoke("pin-pad:request", request),
};

contextBridge.exposeInMainWorld("pinPad", bridge);
