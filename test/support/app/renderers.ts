// Process ids of a running app's renderers, GPU process, network process and zygotes.

import { readFile } from "node:fs/promises";
import { processTree } from "../machine/process-tree.ts";

/** Process ids of the pages among the descendants of this process, the oldest first. */
export function renderersOf(ancestor: number): Promise<number[]> {
  return descendantsOf(ancestor, ["renderer"]);
}

/** Of the GPU process. */
export async function drawerOf(ancestor: number): Promise<number> {
  const [pid] = await descendantsOf(ancestor, ["gpu-process"]);
  if (pid === undefined) throw new Error("Nothing is drawn in a process.");
  return pid;
}

/** Of the network process. */
export async function networkProcessOf(ancestor: number): Promise<number> {
  const [pid] = await descendantsOf(ancestor, [
    "utility",
    "--utility-sub-type=network.mojom.NetworkService",
  ]);
  if (pid === undefined) throw new Error("The network has no process.");
  return pid;
}

/** Of the audio process. */
export async function audioProcessOf(ancestor: number): Promise<number> {
  const [pid] = await descendantsOf(ancestor, [
    "utility",
    "--utility-sub-type=audio.mojom.AudioService",
  ]);
  if (pid === undefined) throw new Error("The audio has no process.");
  return pid;
}

/** Of the processes that launch the renderers. */
export function launchersOf(ancestor: number): Promise<number[]> {
  return descendantsOf(ancestor, ["zygote"]);
}

async function descendantsOf(
  ancestor: number,
  [type, ...also]: readonly string[],
): Promise<number[]> {
  const found: number[] = [];
  for (const pid of processTree(ancestor)) {
    const command = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(
      () => "",
    );
    const expectedFlags = [`--type=${type}`, ...also];
    if (expectedFlags.every((word) => command.includes(word))) found.push(pid);
  }
  return found;
}
