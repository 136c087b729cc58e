// A list of everything: its time to the first byte, its throughput, and its memory use.

import { request } from "node:http";
import type { Row } from "../../../build/bench.ts";
import {
  contentKey,
  serveContent,
} from "../../support/content/start-content.ts";
import { growthMbOf } from "../api/processes.ts";
import type { FilledContent } from "./store.ts";

/** Buffers, not rows. */
const maxGrowthMb = 64;
const maxFirstByteMs = 500;

export async function measureLongList({
  dataDir,
  databaseUrl,
  ids,
}: FilledContent): Promise<readonly Row[]> {
  const words = databaseUrl ? ["--database-url", databaseUrl] : [];
  const served = await serveContent(dataDir, words);
  // What is loaded with the first request does not count as part of a list.
  await takeList(`${served.address}/v4.1/assets?limit=2000`);
  const { growthMb, result } = await growthMbOf(served.process.pid ?? 0, () =>
    takeList(`${served.address}/v4.1/assets`),
  );
  // Memory allocated for a long list is retained; whether another one needs still more is a separate figure.
  const again = await growthMbOf(served.process.pid ?? 0, () =>
    takeList(`${served.address}/v4.1/assets`),
  );
  served.process.kill("SIGKILL");
  const { firstByteMs, seconds, bytes } = result;
  const name = `${databaseUrl ? "PostgreSQL" : "SQLite"}, list of ${ids.length.toLocaleString("en")}`;
  const plain = { against: null, ratio: null, goal: null, met: null };
  return [
    {
      ...{ ...plain, figure: `${name}: first byte`, unit: "ms" },
      ...{ value: firstByteMs, goal: `less than ${maxFirstByteMs}` },
      met: firstByteMs < maxFirstByteMs,
    },
    {
      ...{ ...plain, figure: `${name}: whole`, unit: "MB/s" },
      value: bytes / 1_000_000 / seconds,
      against: `${(bytes / 1_000_000).toFixed(0)} MB in ${seconds.toFixed(1)} s`,
    },
    {
      ...{
        ...plain,
        figure: `${name}: memory`,
        unit: "MB more",
      },
      ...{ value: growthMb, goal: `less than ${maxGrowthMb}` },
      met: growthMb === null ? null : growthMb < maxGrowthMb,
    },
    {
      ...{ ...plain, figure: `${name}, once more: memory`, unit: "MB more" },
      value: again.growthMb,
    },
  ];
}

function takeList(
  url: string,
): Promise<{ firstByteMs: number; seconds: number; bytes: number }> {
  const startedAt = performance.now();
  const headers = { Authorization: `Token ${contentKey}` };
  return new Promise((resolve, reject) => {
    request(url, { headers }, (answer) => {
      let firstByteMs = 0;
      let bytes = 0;
      answer.on("data", (chunk: Buffer) => {
        if (bytes === 0) firstByteMs = performance.now() - startedAt;
        bytes += chunk.length;
      });
      answer.once("error", reject).once("end", () =>
        resolve({
          ...{ firstByteMs, bytes },
          seconds: (performance.now() - startedAt) / 1000,
        }),
      );
    })
      .once("error", reject)
      .end();
  });
}
