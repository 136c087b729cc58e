// Two hundred slow and half-open clients: the glass changes in time, and others are answered as before.

import { spawn } from "node:child_process";
import { describe, expect, it, onTestFinished } from "vitest";
import { readEvents } from "../../../support/event-reader.ts";
import { temporaryFolder } from "../../../support/folder.ts";
import { openConnection } from "../../../support/raw-request.ts";
import { servePlayer } from "../../../support/serve-player.ts";
import { wholeBody } from "../../../support/start-player.ts";

const frameMs = 1000 / 60;
const at = "/api/v2/assets";

/** Each kind fifty times. */
const slowTexts = [
  // Half-open: connected, and nothing more.
  "",
  `GET ${at} HTTP/1.1\r\nHost: localhost\r\nX-Half`,
  `POST ${at} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n{"name":`,
  // Slow readers: they ask for more than they ever take.
  `GET ${at} HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(5),
];

/** How late timers come on this machine to a process that has nothing else to do. */
function watchMachine(): () => Promise<number> {
  const idle = spawn(process.execPath, [
    "-e",
    `let worst = 0, due = performance.now() + 5;
     setInterval(() => { worst = Math.max(worst, performance.now() - due); due = performance.now() + 5; }, 5);
     process.on("SIGTERM", () => { console.log(worst); process.exit(); });`,
  ]);
  onTestFinished(() => void idle.kill("SIGKILL"));
  let said = "";
  idle.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
  return async () => {
    idle.kill("SIGTERM");
    await new Promise((resolve) => idle.once("close", resolve));
    return Number(said);
  };
}

describe("two hundred slow clients", () => {
  it("[V2-71] delay neither a swap by more than a frame nor another client's list", async () => {
    const { address } = await servePlayer(await temporaryFolder());
    const ask = (path: string, init?: RequestInit) =>
      fetch(`${address}/api/v2${path}`, init);
    for (let count = 0; count < 100; count += 1)
      await ask("/assets", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({
          ...wholeBody,
          end_date: "9999-01-01",
          name: `page ${count}`,
          duration: 1,
        }),
      });

    // A player that has been up for a while: a cold engine is slower by a multiple.
    for (let count = 0; count < 500; count += 1)
      await (await ask("/assets")).arrayBuffer();
    const worstOfMachine = watchMachine();
    const reader = await readEvents(ask("/events"));
    const swapAt = async (): Promise<number> => {
      const { showing } = await reader.nextOf("showing");
      return Date.parse(showing.since as string);
    };
    await swapAt();
    const times = [await swapAt()];
    const sockets = await Promise.all(
      slowTexts.flatMap((text) =>
        Array.from({ length: 50 }, async () => {
          const socket = await openConnection(address, "");
          socket.pause();
          return { socket, text };
        }),
      ),
    );
    // All at once, and so that the next swap is due in the midst of it.
    const wait = (times[0] ?? 0) + 980 - Date.now();
    await new Promise((resolve) => setTimeout(resolve, wait));
    for (const { socket, text } of sockets) socket.write(text);

    const listTimes: number[] = [];
    while (times.length < 6) {
      const startedAt = performance.now();
      expect(await (await ask("/assets")).json()).toHaveLength(100);
      listTimes.push(performance.now() - startedAt);
      times.push(await swapAt());
    }
    const noiseMs = await worstOfMachine();
    const late = times
      .slice(1)
      .map((time, index) => time - (times[index] ?? 0) - 1000);
    // One for whole milliseconds on both sides of a difference, and what the machine itself takes.
    expect(Math.max(...late)).toBeLessThanOrEqual(frameMs + 1 + noiseMs);
    expect(Math.max(...listTimes)).toBeLessThan(250 + noiseMs);
    expect(sockets.filter(({ socket }) => socket.destroyed)).toHaveLength(0);
  }, 30_000);
});
