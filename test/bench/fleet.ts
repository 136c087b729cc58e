// Players that hold a socket to one content service on SQLite: what they cost while nothing happens, and how soon they hear. The
// link client is the real one, its stage is simulated; both sides run on this machine, each in a process of its own.
// `npm run bench -- fleet 1000 2500 5000 10000` names the sizes; the last is predicted from the others before it is measured.

import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Row } from "../../build/bench.ts";
import { openStore } from "../../server/content/store/open-store.ts";
import { cpuMicrosecondsOf } from "./content/cpu.ts";
import { percentile } from "./change/changes.ts";
import type { FleetCall, FleetReport, Player } from "./fleet/players.ts";
import { startService } from "./fleet/service.ts";
import { benchKey, claimScreens } from "./fleet/team.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const idleMs = 60_000;
const commandCount = 100;
const storm = { withinMs: 300_000, pollMs: 100 };

interface Measured {
  readonly players: number;
  /** Of one core. */
  readonly idleCores: number;
  readonly memoryKib: number;
  readonly commandMs: readonly number[];
  readonly changeMs: number;
  readonly changeCores: number;
  readonly reconnectedMs: number;
}

export async function* run(): AsyncGenerator<Row> {
  const given = process.argv.slice(3).map(Number);
  const sizes = given.length > 0 ? given : [1000, 2500, 5000, 10_000];
  const done: Measured[] = [];
  for (const size of sizes) {
    const isLast = done.length >= 2 && size === sizes.at(-1);
    const predicted = isLast ? predict(done, size) : null;
    const measured = await measure(size);
    done.push(measured);
    yield* rowsOf(measured, predicted);
  }
}

async function measure(count: number): Promise<Measured> {
  const dataDir = await mkdtemp(path.join(tmpdir(), "vitrine-fleet-"));
  const database = await openStore({
    ...{ dataDir, binding: undefined, log: null },
  });
  const players = await claimScreens(database, count);
  await database.close();
  let service = await startService(dataDir, 0);
  const before = memoryKibOf(service.process);
  const fleet = startFleet();
  try {
    fleet.start(service.address, players);
    await fleet.until(({ open }) => open === count);
    // What came with connecting is over.
    await pause(10_000);
    const cores = await coresOf(service.process, () => pause(idleMs));
    const memoryKib = memoryKibOf(service.process);
    const commandMs: number[] = [];
    for (let at = 0; at < commandCount; at += 1)
      commandMs.push(await command(service.address, players[at % count]));
    fleet.forgetNews();
    const changedAt = Date.now();
    let lastHeardAt = changedAt;
    const changeCores = await coresOf(service.process, async () => {
      await post(service.address, "/playlists/", { title: "Change" });
      ({ lastHeardAt } = await fleet.until(({ heard }) => heard === count));
    });
    const { port } = new URL(service.address);
    service.process.kill("SIGKILL");
    await once(service.process, "exit");
    service = await startService(dataDir, Number(port));
    const backAt = Date.now();
    await fleet.until(({ open }) => open === count);
    return {
      ...{ players: count, idleCores: cores, commandMs, changeCores },
      memoryKib: (memoryKib - before) / count,
      changeMs: lastHeardAt - changedAt,
      reconnectedMs: Date.now() - backAt,
    };
  } finally {
    fleet.stop();
    service.process.kill("SIGKILL");
    await rm(dataDir, { recursive: true, force: true });
  }
}

function startFleet() {
  const child = fork(path.join(root, "test/bench/fleet/players.ts"));
  const send = (call: FleetCall): void => void child.send(call);
  async function until(
    isSo: (report: FleetReport) => boolean,
  ): Promise<FleetReport> {
    const late = Date.now() + storm.withinMs;
    for (;;) {
      send({ kind: "report" });
      const [report] = (await once(child, "message")) as [FleetReport];
      if (isSo(report)) return report;
      if (Date.now() > late)
        throw new Error(`The fleet is not there: ${JSON.stringify(report)}`);
      await pause(storm.pollMs);
    }
  }
  return {
    until,
    start: (baseUrl: string, players: readonly Player[]) =>
      send({ kind: "start", baseUrl, players }),
    forgetNews: () => send({ kind: "forget-news" }),
    stop: () => child.kill("SIGKILL"),
  };
}

async function post(address: string, route: string, body: object) {
  const response = await fetch(`${address}/api/v3${route}`, {
    method: "POST",
    headers: {
      Authorization: `Token ${benchKey}`,
      "Content-Type": "application/json",
    },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as { readonly id: string };
}

/** Until its verified result is stored, by the times that the service notes. */
async function command(address: string, player?: Player): Promise<number> {
  const from = performance.now();
  const { id } = await post(
    address,
    `/screens/${player?.screenId ?? ""}/commands/`,
    { kind: "next" },
  );
  for (;;) {
    const response = await fetch(
      `${address}/api/v3/screens/commands/?id=${id}`,
      { headers: { Authorization: `Token ${benchKey}` } },
    );
    const [row] = (await response.json()) as { readonly state: string }[];
    if (row?.state === "done") return performance.now() - from;
    await pause(5);
  }
}

async function coresOf(
  { pid = 0 }: ChildProcess,
  act: () => Promise<unknown>,
): Promise<number> {
  const [cpu, from] = [cpuMicrosecondsOf(pid) ?? 0, performance.now()];
  await act();
  const spentMs = ((cpuMicrosecondsOf(pid) ?? 0) - cpu) / 1000;
  return spentMs / (performance.now() - from);
}

function memoryKibOf({ pid = 0 }: ChildProcess): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0);
}

/** From the cost of each further player between the smallest and the largest size so far. */
function predict(done: readonly Measured[], players: number): number {
  const [first, last] = [done[0], done.at(-1)];
  if (!first || !last || first === last) return 0;
  const each =
    (last.idleCores - first.idleCores) / (last.players - first.players);
  return last.idleCores + each * (players - last.players);
}

function rowsOf(measured: Measured, predicted: number | null): Row[] {
  const { players, idleCores, memoryKib, commandMs } = measured;
  const of = `${players} players: `;
  const row = (
    figure: string,
    value: number,
    unit: string,
    goal: number | null,
  ): Row => ({
    ...{ figure: of + figure, value: Number(value.toPrecision(3)), unit },
    ...{ against: null, ratio: null },
    goal: goal === null ? null : `at most ${goal}`,
    met: goal === null ? null : value <= goal,
  });
  return [
    row("service while nothing happens", idleCores, "cores", 0.25),
    ...(predicted === null
      ? []
      : [
          {
            ...row(
              "predicted from the smaller sizes",
              predicted,
              "cores",
              null,
            ),
            against: Number(idleCores.toPrecision(3)),
            ratio: predicted / idleCores,
          },
        ]),
    row("memory of the service for each", memoryKib, "KiB", 25),
    row(
      "command to its result, median",
      percentile(commandMs, 0.5),
      "ms",
      null,
    ),
    row("command to its result, p99", percentile(commandMs, 0.99), "ms", 300),
    row("a change is heard by all", measured.changeMs / 1000, "s", 5),
    row("service during that time", measured.changeCores, "cores", 2),
    row("all are back after a kill", measured.reconnectedMs / 1000, "s", 60),
  ];
}
