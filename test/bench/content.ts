// Benchmark of the content service on both databases, compared with the same statements behind bare Express in the same run.
// `npm run bench -- content "single row|insert"` measures only the figures with these names, and no long list.

import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { Row } from "../../build/bench.ts";
import { makeDatabase, startPostgres } from "../support/database/postgres.ts";
import { startClients } from "./api/processes.ts";
import { measureLongList } from "./content/long-list.ts";
import { measureContent, type ContentPace } from "./content/pairs.ts";
import { fillPlaybacks } from "./content/playbacks.ts";
import { fillContent } from "./content/store.ts";

const counts = [100, 100_000];
/** A million of them take a while to create. */
const hasPlaybacks = /^$|version|playback/.test(process.argv[3] ?? "");

export async function* run(): AsyncGenerator<Row> {
  const isShort = process.env.VITRINE_BENCH_SHORT === "1";
  const pace: ContentPace = isShort
    ? { rounds: 1, ms: 200, warmMs: 100, wakeMs: 100 }
    : { rounds: 9, ms: 350, warmMs: 200, wakeMs: 2500 };
  const dir = await mkdtemp(path.join(os.tmpdir(), "vitrine-bench-"));
  const postgres = await startPostgres();
  if (!postgres) console.warn("PostgreSQL is not installed: SQLite only.");
  const clients = startClients();
  try {
    for (const server of [undefined, ...(postgres ? [postgres.url] : [])])
      for (const count of counts) {
        const created = server ? await makeDatabase(server) : undefined;
        const place = path.join(
          dir,
          `${created ? "postgres" : "sqlite"}-${count}`,
        );
        const filled = await fillContent(place, created?.url, count);
        if (count === counts.at(-1) && !process.argv[3])
          yield* await measureLongList(filled);
        const isLarge = count === counts.at(-1);
        const playbacks =
          isLarge && hasPlaybacks ? (isShort ? 20_000 : 1_000_000) : 0;
        if (playbacks > 0) await fillPlaybacks(filled, playbacks);
        yield* measureContent(filled, clients, pace, playbacks);
        await created?.drop();
      }
  } finally {
    await clients.stop();
    await postgres?.stop();
    await rm(dir, { recursive: true, force: true });
  }
}
