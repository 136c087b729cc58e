// Retention of stored files when the database's clock is set back or ahead.

import { Readable } from "node:stream";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { openServiceFiles } from "../../../../server/content/files/service-files.ts";
import { StorageAwayError } from "../../../../server/content/files/storage-away.ts";
import { filesInFolder } from "../../../../server/content/files/stored-files.ts";
import {
  createFileRetention,
  restoredTask,
} from "../../../../server/content/ingest/file-retention.ts";
import { openFileStore } from "../../../../server/platform/files/file-store.ts";
import { startObjectStorage } from "../../../support/content/object-storage.ts";
import {
  eachDatabase,
  type AnyDatabase,
} from "../../../support/database/each-database.ts";
import { temporaryFolder } from "../../../support/folder.ts";

const hourMs = 3_600_000;

/** A held file, the file of an upload, and one that nothing needs. */
async function storedOn(any: AnyDatabase) {
  const database = await any.open();
  const { kysely } = database;
  const store = await openFileStore(await temporaryFolder(), {
    reserveBytes: 0,
  });
  const steady = { ms: 0 };
  const retention = createFileRetention(
    database,
    filesInFolder(store),
    () => steady.ms,
  );
  const receive = (text: string) =>
    store.receive(Readable.from([Buffer.from(text)]), 99);
  const [held, sent, loose] = [
    await receive("held"),
    await receive("sent"),
    await receive("loose"),
  ] as const;
  await retention.keep(held, "holder");
  await retention.keepUpload(sent, "asset");
  await store.keep(loose);
  await retention.sweep(hourMs);

  /** As if the database's clock had been set by this much since. */
  async function setClock(byMs: number): Promise<void> {
    const moved = (column: string) =>
      sql<number>`${sql.ref(column)} - ${sql.lit(byMs)}`;
    await kysely
      .updateTable("stored_files")
      .set({ kept_at: moved("kept_at") })
      .execute();
    await kysely
      .updateTable("file_holds")
      .set({ held_at: moved("held_at") })
      .execute();
    await kysely
      .updateTable("uploads")
      .set({ received_at: moved("received_at") })
      .execute();
  }
  const here = () => [held, sent, loose].map(({ hash }) => store.has(hash));
  return { kysely, retention, setClock, here, steady };
}

const all = [true, true, true];
const none = [false, false, false];

eachDatabase((any) => {
  it("[V4-341] files and claims dated later than now, since the clock was set back, count from now", async () => {
    const { retention, setClock, here } = await storedOn(any);
    await setClock(-5 * hourMs);
    expect(await retention.sweep(hourMs)).toBe(0);
    expect(here()).toEqual(all);
    // An hour later by the clock that is right now.
    await setClock(hourMs);
    expect(await retention.sweep(hourMs)).toBe(3);
    expect(here()).toEqual(none);
  });

  it("[V4-341] nothing is deleted because the clock was set ahead, until it is old by a clock that is never set", async () => {
    const { retention, setClock, here, steady } = await storedOn(any);
    await setClock(5 * hourMs);
    // The database's clock advanced by five hours more than the monotonic one.
    steady.ms -= 5 * hourMs;
    expect(await retention.sweep(hourMs)).toBe(0);
    steady.ms += hourMs - 1;
    expect(await retention.sweep(hourMs)).toBe(0);
    expect(here()).toEqual(all);
    steady.ms += 1;
    expect(await retention.sweep(hourMs)).toBe(3);
    expect(here()).toEqual(none);
  });

  it("[V4-341] [V4-301] files held after a restore are held for a week at most, from now", async () => {
    const { kysely, retention, setClock, here } = await storedOn(any);
    await kysely
      .updateTable("file_holds")
      .set({
        holder: "restored",
        held_at: sql<number>`held_at + ${sql.lit(7 * 24 * hourMs)}`,
      })
      .execute();
    await setClock(-1000 * hourMs);
    expect(await retention.sweep(hourMs)).toBe(0);
    await setClock(7 * 24 * hourMs);
    await retention.sweep(hourMs);
    expect(here()).toEqual([true, false, false]);
    await setClock(hourMs);
    await retention.sweep(hourMs);
    expect(here()).toEqual(none);
  });

  it("[V4-355] objects are listed once a day, and one that no row needs is removed by the second list", async () => {
    const database = await any.open();
    const { kysely } = database;
    const { address: storage } = await startObjectStorage();
    const dataDir = await temporaryFolder();
    const { store } = await openServiceFiles({ dataDir, storage });
    const retention = createFileRetention(database, store);
    const receive = (text: string) =>
      store.receive(Readable.from([Buffer.from(text)]), 99);
    const held = await receive("held");
    await retention.keep(held, "holder");
    const loose = await receive("loose");
    await store.keep(loose);
    const stored = async () =>
      [await store.sizeOf(held.hash), await store.sizeOf(loose.hash)] as const;
    const aDayLater = async (): Promise<void> => {
      const before = (column: string) =>
        sql<number>`${sql.ref(column)} - ${sql.lit(24 * hourMs)}`;
      await kysely
        .updateTable("periodic_tasks")
        .set({ due_at: before("due_at") })
        .execute();
      // A negative one is the time since which it has not been needed.
      await kysely
        .updateTable("stored_files")
        .set({
          kept_at: sql`kept_at - ${sql.lit(24 * hourMs)} * sign(kept_at)`,
        })
        .execute();
    };
    // The day begins with the first start.
    await retention.sweep(hourMs);
    await aDayLater();
    // Stored long ago, but not known to be unneeded before.
    await kysely.updateTable("stored_files").set({ kept_at: 1 }).execute();
    await retention.sweep(hourMs);
    expect(await stored()).toEqual([4, 5]);
    // Not due.
    await retention.sweep(hourMs);
    expect(await stored()).toEqual([4, 5]);
    await aDayLater();
    await retention.sweep(hourMs);
    expect(await stored()).toEqual([4, null]);
  });

  it("[V4-355] bytes are stored again only once their object is certainly deleted", async () => {
    const database = await any.open();
    const { kysely } = database;
    const storage = await startObjectStorage();
    const dataDir = await temporaryFolder();
    const { store } = await openServiceFiles({
      ...{ dataDir, storage: storage.address },
    });
    let isAnswered = true;
    const remove = (hash: string): Promise<void> =>
      isAnswered
        ? store.remove(hash)
        : Promise.reject(new StorageAwayError(new Error("no answer")));
    const retention = createFileRetention(database, { ...store, remove });
    const receive = () =>
      store.receive(Readable.from([Buffer.from("again")]), 99);
    const first = await receive();
    await retention.keep(first, "holder");
    // Nothing is asked of a storage that is known to be away.
    storage.set("closed");
    await retention.giveUp("holder");
    await expect(retention.sweepDropped()).rejects.toThrow(StorageAwayError);
    storage.set("open");
    await retention.keep(await receive(), "holder");
    await retention.giveUp("holder");
    // The request may still take effect.
    isAnswered = false;
    await expect(retention.sweepDropped()).rejects.toThrow(StorageAwayError);
    isAnswered = true;
    await expect(retention.keep(await receive(), "next")).rejects.toThrow(
      StorageAwayError,
    );
    expect(await kysely.selectFrom("file_holds").selectAll().execute()).toEqual(
      [],
    );
    // Nor is it deleted a second time, which would be answered before the first.
    await retention.sweepDropped();
    expect(await store.sizeOf(first.hash)).toBe(5);
    // As if it were ten minutes ago.
    await kysely
      .updateTable("stored_files")
      .set({ kept_at: sql`kept_at + 660000` })
      .execute();
    await retention.keep(await receive(), "next");
    await retention.giveUp("next");
    // Right after a restore, rows may refer to it that were lost.
    const task = kysely
      .insertInto("periodic_tasks")
      .values({ name: restoredTask, due_at: Date.now() + hourMs });
    await task.execute();
    expect(await retention.sweepDropped()).toBe(0);
    expect(await store.sizeOf(first.hash)).toBe(5);
    await kysely.deleteFrom("periodic_tasks").execute();
    await retention.sweepDropped();
    expect(await store.sizeOf(first.hash)).toBeNull();
    // Deleted with an answer: at once.
    await retention.keep(await receive(), "last");
    expect(await store.sizeOf(first.hash)).toBe(5);
  });
});
