// The processes of the pages that a running app shows, and the one that draws them all.

import { readdir, readFile } from "node:fs/promises";

/** Process ids of the pages among the descendants of this process. */
export function renderersOf(ancestor: number): Promise<number[]> {
  return descendantsOf(ancestor, "renderer");
}

/** Of the one process that puts on the glass what they paint. */
export async function drawerOf(ancestor: number): Promise<number> {
  const [pid] = await descendantsOf(ancestor, "gpu-process");
  if (pid === undefined) throw new Error("Nothing is drawn in a process.");
  return pid;
}

async function descendantsOf(
  ancestor: number,
  type: string,
): Promise<number[]> {
  const parents = new Map<number, number>();
  const found: number[] = [];
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, "utf8").catch(() => "");
    const command = await readFile(`/proc/${name}/cmdline`, "utf8").catch(
      () => "",
    );
    parents.set(
      Number(name),
      Number(stat.slice(stat.lastIndexOf(")") + 4).split(" ")[0]),
    );
    if (command.includes(`--type=${type}`)) found.push(Number(name));
  }
  return found.filter((pid) => {
    let at: number | undefined = pid;
    while (at !== undefined && at > 1 && at !== ancestor) at = parents.get(at);
    return at === ancestor;
  });
}
