// Preload of the manager: exposes window.manager, generated from the contract, with a function per call and events by name.

import {
  contextBridge,
  ipcRenderer,
  webUtils,
  type IpcRendererEvent,
} from "electron";
import type { Crossing, ManagerBridge } from "../../server/contract/ipc/ipc.ts";

const flag = "--questions=";
const questions =
  process.argv
    .find((word) => word.startsWith(flag))
    ?.slice(flag.length)
    .split(",") ?? [];

async function invoke(question: string, input: unknown): Promise<unknown> {
  const answer = (await ipcRenderer.invoke(
    `manager:${question}`,
    input,
  )) as Crossing<unknown>;
  if (answer.ok) return answer.value;
  const { code, message } = answer;
  throw Object.assign(new Error(message), { code });
}

const on: ManagerBridge["on"] = (event, listener) => {
  const receive = (_event: IpcRendererEvent, value: unknown) =>
    listener(value as Parameters<typeof listener>[0]);
  ipcRenderer.on(`manager:${event}`, receive);
  return () => ipcRenderer.off(`manager:${event}`, receive);
};

contextBridge.exposeInMainWorld("manager", {
  ...Object.fromEntries(
    questions.map((question) => [
      question,
      (input: unknown) => invoke(question, input),
    ]),
  ),
  on,
  pathOf: (file: unknown) => webUtils.getPathForFile(file as File),
});
