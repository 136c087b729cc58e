// Content and uploads as streams: megabytes per second compared with the limit, and the memory needed.

import { rm } from "node:fs/promises";
import path from "node:path";
import type { Row } from "../../../build/bench.ts";
import type { Job, Outcome } from "./load.ts";
import { clientCounts, type Pace } from "./pairs.ts";
import {
  growthMbOf,
  startBare,
  startPlayer,
  type Clients,
} from "./processes.ts";
import { megabyte, storeContent } from "./store.ts";

/** Half of what a browser tab takes: buffers, not whole files. */
const maxGrowthMb = 64;
const contentMs = 1500;

export async function measureStreams(
  dir: string,
  clients: Clients,
  pace: Pace,
): Promise<readonly Row[]> {
  const contentBytes = 100 * megabyte * pace.streamShare;
  const uploadBytes = 1000 * megabyte * pace.streamShare;
  const store = await storeContent(dir, contentBytes);
  const bare = await startBare(
    store.copy,
    store.contentFile,
    path.join(dir, "upload"),
  );
  const rows: Row[] = [];
  for (const many of clientCounts) {
    const both = async (
      figure: string,
      peerMbps: number,
      job: (port: number, isOurs: boolean) => Job,
    ): Promise<void> => {
      const theirs = await clients.run(job(bare.ports.http, false));
      // Each on a fresh player, so that memory retained by one stream does not count for the next.
      const player = await startPlayer(store.dataDir);
      for (const job of warmUps(player.port)) await clients.run(job);
      const { growthMb, result } = await growthMbOf(player.pid, () =>
        clients.run(job(player.port, true)),
      );
      await player.stop();
      const name = `${figure}, ${many} client${many === 1 ? "" : "s"}`;
      rows.push(...rowsOf(name, mbps(result), mbps(theirs), peerMbps));
      rows.push(memoryRow(name, growthMb));
    };
    const id = store.ids[0] ?? "";
    // 133 MB of JSON in 2.6 s.
    await both("content of 100 MB", 51, (port, isOurs) => ({
      ...{ kind: "request", port, clients: many, ms: contentMs },
      cutMs: contentMs,
      requests: [
        {
          method: "GET",
          path: isOurs ? `/api/v2/assets/${id}/content` : "/content",
        },
      ],
    }));
    // 100 MB in 1.2 s.
    await both("upload of 1 GB in all", 83, (port, isOurs) => ({
      ...{ kind: "upload", port, clients: many, bytes: uploadBytes },
      path: isOurs ? "/api/v2/file_asset" : "/upload",
    }));
    // prettier-ignore
    await rm(path.join(store.dataDir, "files/aside"), { recursive: true, force: true });
  }
  await bare.stop();
  return rows;
}

/** What is loaded with the first request of a kind does not count as part of a stream. */
function warmUps(port: number): readonly Job[] {
  const requests = [{ method: "GET", path: "/api/v2/assets" }];
  const path = "/api/v2/file_asset";
  return [
    { kind: "request", port, clients: 1, ms: 300, requests },
    { kind: "upload", port, path, clients: 8, bytes: 80 * megabyte },
  ];
}

function mbps({ bytes, seconds }: Outcome): number {
  return bytes / megabyte / seconds;
}

function rowsOf(
  figure: string,
  ours: number,
  theirs: number,
  peer: number,
): Row[] {
  const value = Math.round(ours);
  const row = { figure, value, unit: "MB/s", goal: null, met: null };
  return [
    {
      ...row,
      against: `bare node:http ${theirs.toFixed(0)}`,
      ratio: ours / theirs,
    },
    { ...row, against: `the peer ${peer}`, ratio: ours / peer },
  ];
}

function memoryRow(figure: string, growthMb: number | null): Row {
  return {
    figure: `${figure}: memory`,
    value: growthMb === null ? null : Math.round(growthMb),
    unit: "MB more",
    ...{ against: null, ratio: null },
    goal: `less than ${maxGrowthMb}`,
    met: growthMb === null ? null : growthMb < maxGrowthMb,
  };
}
