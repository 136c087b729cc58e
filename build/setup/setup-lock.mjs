// Lock between concurrent set-up runs, which never waits for a process that has died.

import {
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { say } from "./progress.mjs";
import { readText } from "./paths.mjs";

const held = new Set();
let saidThatWeWait = false;
process.on("exit", () => held.forEach(release));

/**
 * Runs `work` while no other process holds `folder`. The folder contains one file per process that works under the
 * lock, named by its pid: `work` may add one for a child that would outlive this process.
 */
export async function withLock(folder, work) {
  mkdirSync(dirname(folder), { recursive: true });
  while (!take(folder)) {
    const holders = holdersOf(folder);
    if (!holders.some(isAlive)) {
      discard(folder, holders);
      continue;
    }
    if (!saidThatWeWait) say("Another setup is running; waiting for it…");
    saidThatWeWait = true;
    await pause(300);
  }
  held.add(folder);
  try {
    return await work((pid) =>
      writeFileSync(join(folder, String(pid)), startOf(pid)),
    );
  } finally {
    release(folder);
  }
}

/** The same, held until this process ends. */
export function holdLock(folder) {
  return new Promise((resolve, reject) => {
    withLock(folder, () => {
      resolve();
      return new Promise(() => undefined);
    }).catch(reject);
  });
}

// A folder with its holder already inside is renamed into place, which succeeds for one process only.
function take(folder) {
  const lockFolder = `${folder}.${process.pid}`;
  rmSync(lockFolder, { recursive: true, force: true });
  mkdirSync(lockFolder, { recursive: true });
  writeFileSync(join(lockFolder, String(process.pid)), startOf(process.pid));
  try {
    renameSync(lockFolder, folder);
    return true;
  } catch {
    rmSync(lockFolder, { recursive: true, force: true });
    return false;
  }
}

// Moved away atomically: emptied in place, it could belong to another process by the time it is removed.
function release(folder) {
  held.delete(folder);
  const aside = `${folder}.${process.pid}.released`;
  try {
    renameSync(folder, aside);
  } catch {
    return;
  }
  rmSync(aside, { recursive: true, force: true });
}

function holdersOf(folder) {
  try {
    return readdirSync(folder).map((pid) => ({
      pid: Number(pid),
      start: readText(join(folder, pid)) ?? "",
    }));
  } catch {
    return [];
  }
}

function discard(folder, holders) {
  const aside = `${folder}.${process.pid}.stale`;
  try {
    renameSync(folder, aside);
  } catch {
    return;
  }
  // Another process may have cleared and taken it between our check and our rename.
  const same = holdersOf(aside).every(({ pid }) =>
    holders.some((holder) => holder.pid === pid),
  );
  if (same) rmSync(aside, { recursive: true, force: true });
  else renameSync(aside, folder);
}

function isAlive({ pid, start }) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error.code !== "EPERM") return false;
  }
  return start === "" || startOf(pid) === start;
}

// Pids are reused, most likely after a restart; Linux reports when a process started.
function startOf(pid) {
  const stat = readText(`/proc/${pid}/stat`);
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
}
