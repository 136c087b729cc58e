// How late swaps are while two hundred slow clients flood the interface, compared with the same player without load.

import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { Row } from "../../build/bench.ts";
import { readEvents } from "../support/http/event-reader.ts";
import { servePlayer } from "../support/player/serve-player.ts";
import { addPages, openSlowClients } from "../support/http/slow-clients.ts";

const frameMs = 1000 / 60;
const rounds = 5;

export async function run(): Promise<readonly Row[]> {
  const dir = await mkdtemp(path.join(os.tmpdir(), "vitrine-bench-"));
  const { process: player, address } = await servePlayer(dir);
  try {
    await addPages(address, 100);
    // As on a player that has been running for a while: a cold engine is several times slower.
    for (let count = 0; count < 500; count += 1)
      await (await fetch(`${address}/api/v2/assets`)).arrayBuffer();
    const reader = await readEvents(fetch(`${address}/api/v2/events`));
    const nextSwap = async (): Promise<number> =>
      Date.parse((await reader.nextOf("showing")).showing.since as string);
    const alone: number[] = [];
    const stormed: number[] = [];
    let last = await nextSwap();
    const lateness = async (): Promise<number> => {
      const at = await nextSwap();
      const late = at - last - 1000;
      last = at;
      return late;
    };
    for (let round = 0; round < rounds; round += 1) {
      alone.push(await lateness());
      const slow = await openSlowClients(address);
      // So that the next swap is due in the middle of it.
      await new Promise((resolve) =>
        setTimeout(resolve, last + 980 - Date.now()),
      );
      slow.send();
      stormed.push(await lateness());
      for (const socket of slow.sockets) socket.destroy();
      await lateness();
    }
    const value = Math.max(...stormed);
    const against = Math.max(...alone);
    return [
      {
        figure: "latest swap in a storm of 200 slow clients",
        value,
        unit: "ms late",
        against: `left alone ${against} ms`,
        ratio: null,
        goal: `at most a frame (${frameMs.toFixed(1)} ms) later than left alone`,
        met: value - Math.max(0, against) <= frameMs,
      },
    ];
  } finally {
    player.kill("SIGKILL");
    await rm(dir, { recursive: true, force: true });
  }
}
