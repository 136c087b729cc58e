// The processes of the pages that a running app shows.

import { readdir, readFile } from "node:fs/promises";

/** Process ids of the pages among the descendants of this process. */
export async function renderersOf(ancestor: number): Promise<number[]> {
  const parents = new Map<number, number>();
  const renderers: number[] = [];
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
    if (command.includes("--type=renderer")) renderers.push(Number(name));
  }
  return renderers.filter((pid) => {
    let at: number | undefined = pid;
    while (at !== undefined && at > 1 && at !== ancestor) at = parents.get(at);
    return at === ancestor;
  });
}
