// Process ids of a running app's renderers, GPU process, network process and zygotes.

import { readdir, readFile } from "node:fs/promises";

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
  const parents = new Map<number, number>();
  const collected: { pid: number; startedAt: number }[] = [];
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const pid = Number(name);
    const stat = await readFile(`/proc/${name}/stat`, "utf8").catch(() => "");
    const command = await readFile(`/proc/${name}/cmdline`, "utf8").catch(
      () => "",
    );
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    parents.set(pid, Number(fields[1]));
    // Process ids are reused from the start when they run out, so the kernel's start ticks tell which came first.
    const expectedFlags = [`--type=${type}`, ...also];
    if (expectedFlags.every((word) => command.includes(word)))
      collected.push({ pid, startedAt: Number(fields[19]) });
  }
  return collected
    .toSorted((a, b) => a.startedAt - b.startedAt || a.pid - b.pid)
    .map(({ pid }) => pid)
    .filter((pid) => {
      let at: number | undefined = pid;
      while (at !== undefined && at > 1 && at !== ancestor)
        at = parents.get(at);
      return at === ancestor;
    });
}
