// The processes with the simulated players: each holds a part of them, so that none is the bottleneck and none runs out of
// descriptors.

import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { FleetCall, FleetReport, Player } from "./players.ts";

const playersEach = 2500;
const withinMs = 600_000;
const pollMs = 100;

export interface Fleet {
  /** Distributes the players over the addresses in turn, at a limited rate per second. */
  start(
    addresses: readonly string[],
    players: readonly Player[],
    perSecond: number,
  ): void;
  forgetNews(): void;
  report(): Promise<FleetReport>;
  until(isSo: (report: FleetReport) => boolean): Promise<FleetReport>;
  stop(): void;
}

export function createFleet(isBare = false): Fleet {
  const children: ChildProcess[] = [];
  const send = (child: ChildProcess, call: FleetCall): void =>
    void child.send(call);

  async function report(): Promise<FleetReport> {
    const reports = await Promise.all(
      children.map(async (child) => {
        send(child, { kind: "report" });
        const [one] = (await once(child, "message")) as [FleetReport];
        return one;
      }),
    );
    return {
      open: reports.reduce((sum, { open }) => sum + open, 0),
      receivedNews: reports.reduce(
        (sum, { receivedNews }) => sum + receivedNews,
        0,
      ),
      lastReceivedAt: Math.max(
        ...reports.map(({ lastReceivedAt }) => lastReceivedAt),
      ),
    };
  }

  return {
    start: (addresses, players, perSecond) => {
      const parts = Math.ceil(players.length / playersEach) * addresses.length;
      const everyMs = (1000 * parts) / perSecond;
      for (let from = 0; from < players.length; from += playersEach) {
        const child = fork(path.join(import.meta.dirname, "players.ts"));
        children.push(child);
        const some = players.slice(from, from + playersEach);
        addresses.forEach((baseUrl, at) => {
          const theirs = some.filter((_, no) => no % addresses.length === at);
          send(child, {
            ...{ kind: "start", baseUrl, isBare, everyMs },
            players: theirs,
          });
        });
      }
    },
    forgetNews: () => {
      for (const child of children) send(child, { kind: "forget-news" });
    },
    report,
    until: async (isSo) => {
      const late = Date.now() + withinMs;
      for (;;) {
        const now = await report();
        if (isSo(now)) return now;
        if (Date.now() > late)
          throw new Error(`The fleet is not there: ${JSON.stringify(now)}`);
        await pause(pollMs);
      }
    },
    stop: () => {
      for (const child of children) child.kill("SIGKILL");
    },
  };
}
