// Retention of stored files when the database's clock is set back or ahead.

import { Readable } from "node:stream";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { createFileRetention } from "../../../../server/content/ingest/file-retention.ts";
import { openFileStore } from "../../../../server/platform/files/file-store.ts";
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
  const retention = createFileRetention(database, store, () => steady.ms);
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
});
