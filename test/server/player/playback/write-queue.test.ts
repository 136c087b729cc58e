// Write queue: playback records and failures are written when the database accepts them; showing never waits for that.

import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createLog } from "../../../../server/platform/log.ts";
import {
  openSqlite,
  type Sqlite,
} from "../../../../server/platform/sqlite/sqlite.ts";
import {
  createWriteQueue,
  type WriteQueue,
  type WriteQueueOptions,
} from "../../../../server/player/playback/write-queue.ts";
import {
  manualClock,
  flushPromises,
  type ManualClock,
} from "../../../support/clock.ts";
import { temporaryFolder } from "../../../support/folder.ts";
import {
  problemOf,
  startDirector,
} from "../../../support/player/start-director.ts";

interface Setup {
  readonly database: Sqlite;
  readonly queue: WriteQueue;
  readonly clock: ManualClock;
  readonly lost: readonly number[];
  /** Another process locks the database until the returned function is called. */
  lock(): () => void;
  write(reported: string): () => void;
  written(): string;
}

async function createSetup(
  options: Partial<WriteQueueOptions> = {},
): Promise<Setup> {
  const file = path.join(await temporaryFolder(), "vitrine.db");
  const database = openSqlite(file);
  database.exec("CREATE TABLE said (said TEXT)");
  const clock = manualClock();
  const log = createLog({ toStandardOutput: false });
  const queue = createWriteQueue({ database, clock, log, ...options });
  const lost: number[] = [];
  queue.onLost((count) => lost.push(count));
  onTestFinished(() => void database.close());
  return {
    ...{ database, queue, clock, lost },
    lock: () => lockOf(file),
    write: (reported) => () =>
      void database.prepare("INSERT INTO said VALUES (?)").run(reported),
    written: () =>
      database
        .prepare<[], string>("SELECT said FROM said")
        .pluck()
        .all()
        .join(" "),
  };
}

function lockOf(file: string): () => void {
  const other = openSqlite(file);
  other.exec("BEGIN IMMEDIATE");
  onTestFinished(() => void other.close());
  return () => other.exec("ROLLBACK");
}

describe("the write queue", () => {
  it("[V2-414] writes at once when the database accepts it", async () => {
    const { queue, write, written } = await createSetup();
    queue.put(write("a"));
    expect(written()).toBe("a");
  });

  it("[V2-414] does not wait for a lock, keeps the order, and catches up when the lock is released", async () => {
    const { queue, clock, database, lock, write, written } =
      await createSetup();
    const timeout = () => database.pragma("busy_timeout", { simple: true });
    const free = lock();
    const waits: unknown[] = [];
    queue.put(() => {
      waits.push(timeout());
      write("a")();
    });
    for (const reported of ["b", "c"]) queue.put(write(reported));
    await clock.advance(10_000);
    expect([written(), new Set(waits), timeout()]).toEqual([
      ...["", new Set([0]), 5000],
    ]);
    free();
    await clock.advance(60_000);
    expect(written()).toBe("a b c");
    queue.put(write("d"));
    expect(written()).toBe("a b c d");
  });

  it("[V2-414] keeps writes that a full disk rejects", async () => {
    const { queue, clock, database, write, written } = await createSetup();
    const pages = Number(database.pragma("page_count", { simple: true }));
    database.pragma(`max_page_count = ${pages}`);
    const long = "x".repeat(100_000);
    queue.put(write(long));
    queue.put(write("b"));
    await clock.advance(600_000);
    expect(written()).toBe("");
    database.pragma("max_page_count = 1000000");
    await clock.advance(60_000);
    expect(written()).toBe(`${long} b`);
  });

  it("[V2-414] replaces a pending write with the same key", async () => {
    const { queue, clock, lock, write, written } = await createSetup();
    const free = lock();
    queue.put(write("a"), "key");
    queue.put(write("b"));
    queue.put(write("c"), "key");
    free();
    await clock.advance(1000);
    expect(written()).toBe("b c");
  });

  it("[V2-414] is bounded: it drops the oldest and reports that once, until the database accepts a write again", async () => {
    const setup = await createSetup({ maxWaiting: 3 });
    const { queue, clock, lost, lock, write, written } = setup;
    for (let round = 1; round <= 2; round += 1) {
      const free = lock();
      for (const reported of ["a", "b", "c", "d", "e"])
        queue.put(write(reported));
      expect(lost).toHaveLength(round);
      free();
      await clock.advance(60_000);
    }
    expect(written()).toBe("c d e c d e");
  });

  it("drops a write that fails for a reason of its own, and continues", async () => {
    const { queue, database, write, written } = await createSetup();
    queue.put(() => void database.exec("INSERT INTO nothing VALUES (1)"));
    queue.put(write("b"));
    expect(written()).toBe("b");
  });

  it("tries once more when it is stopped", async () => {
    const { queue, lock, write, written } = await createSetup();
    const free = lock();
    queue.put(write("a"));
    free();
    queue.stop();
    expect(written()).toBe("a");
  });
});

describe("the director with a database that rejects writes", () => {
  it("[V2-414] keeps playing while another process has the lock, and records failures when it is released", async () => {
    const running = await startDirector();
    const { add, stage, clock, visible, file } = running;
    stage.fail("B", "It is no image.");
    for (const name of ["A", "B", "C"]) add(name);
    const free = lockOf(file);
    await flushPromises();
    expect(visible()).toBe("A");
    await clock.advance(10_000);
    expect(visible()).toBe("C");
    await clock.advance(20_000);
    expect(stage.shown.slice(-3)).toEqual(["C", "A", "C"]);
    expect(problemOf(running, "B")).toBeNull();
    free();
    await clock.advance(60_000);
    expect(problemOf(running, "B")).toContain("It is no image.");
  });

  it("[V2-414] drops a pending failure reason when its asset has been shown after all", async () => {
    const running = await startDirector();
    const { add, stage, clock, visible, file } = running;
    stage.fail("B", "It is no image.");
    for (const name of ["A", "B"]) add(name);
    const free = lockOf(file);
    await flushPromises();
    stage.heal("B");
    while (visible() !== "B") await clock.advance(1000);
    free();
    await clock.advance(60_000);
    expect(problemOf(running, "B")).toBeNull();
  });
});
