// Stored files that are overwritten or missing: found by the check in the background or by a request, then fetched again or
// reported.

import { createHash } from "node:crypto";
import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { createPeriodicTask } from "../../../../server/content/files/periodic-task.ts";
import { eachContent } from "../../../support/content/each-content.ts";
import { waitUntilProcessed } from "../../../support/content/ingest-asset.ts";
import {
  startContent,
  type ContentClient,
  type Row,
} from "../../../support/content/start-content.ts";
import { eachDatabase } from "../../../support/database/each-database.ts";
import { serveSources } from "../../../support/http/sources.ts";
import { png } from "../../../support/media/media.ts";

const rowOf = async (content: ContentClient, id: string) =>
  (await content.rows(`/v4/assets?id=eq.${id}`))[0];

/** Where the service stores these bytes. */
function placeOf(dataDir: string, bytes: Buffer): string {
  const hash = createHash("sha256").update(bytes).digest("hex");
  return path.join(dataDir, "files", "kept", hash.slice(0, 2), hash);
}

const bytesAt = async (url: unknown): Promise<Buffer> =>
  Buffer.from(await (await fetch(String(url))).arrayBuffer());

/** A finished asset that was sent. */
async function send(content: ContentClient, bytes: Buffer): Promise<Row> {
  const answer = await content.upload(bytes, { title: "Sent" });
  const [row] = (await answer.json()) as Row[];
  const done = await waitUntilProcessed(content, row?.id ?? "");
  expect(done["status"]).toBe("finished");
  return done;
}

const isMissing = {
  ...{ status: "error", asset_url: "" },
  processing_error: expect.stringMatching(
    /is missing from the .* disk.* put the file back/,
  ) as string,
};

eachContent(({ ground }) => {
  it("[V4-333] a missing file is found by a request: fetched again where it has a source, otherwise an error until it is put back", async () => {
    const { dataDir, databaseUrl } = await ground();
    const fetched = png([1, 2, 3], 64, 36);
    const sent = png([4, 5, 6], 64, 36);
    const { address, requests } = await serveSources({ "/a.png": fetched });
    const content = await startContent(dataDir, { databaseUrl });
    // Without a third one no stored file would be left.
    await send(content, png([7, 8, 9]));
    const ofUpload = await send(content, sent);
    const [added] = await content.add("/v4/assets", {
      ...{ title: "Fetched", source_url: `${address}/a.png` },
    });
    const ofSource = await waitUntilProcessed(content, added?.id ?? "");
    const requestsBefore = requests("/a.png").length;
    for (const bytes of [fetched, sent])
      await rename(placeOf(dataDir, bytes), path.join(dataDir, "away"));
    await rename(path.join(dataDir, "away"), path.join(dataDir, "sent"));
    for (const { asset_url } of [ofSource, ofUpload])
      expect((await fetch(String(asset_url))).status).toBe(404);
    await expect
      .poll(() => rowOf(content, ofUpload.id))
      .toMatchObject(isMissing);
    await expect
      .poll(() => requests("/a.png").length)
      .toBeGreaterThan(requestsBefore);
    const row = await waitUntilProcessed(content, ofSource.id);
    expect(await bytesAt(row["asset_url"])).toEqual(fetched);
    await content.stop();

    await rename(path.join(dataDir, "sent"), placeOf(dataDir, sent));
    const later = await startContent(dataDir, {
      ...{ databaseUrl, fileCheckMs: 100 },
    });
    await expect
      .poll(() => rowOf(later, ofUpload.id))
      .toMatchObject({ status: "finished", processing_error: "" });
    const back = await rowOf(later, ofUpload.id);
    expect(await bytesAt(back?.["asset_url"])).toEqual(sent);
  });

  it("[V4-333] a missing file and a missing preview are found by the check in the background", async () => {
    const { dataDir, databaseUrl } = await ground();
    const content = await startContent(dataDir, {
      ...{ databaseUrl, fileCheckMs: 100 },
    });
    const [first, second] = [
      png([1, 5, 6], 64, 36),
      png([2, 5, 6], 64, 36),
    ] as const;
    const withoutFile = await send(content, first);
    const withoutPreview = await send(content, second);
    const preview = await bytesAt(withoutPreview["thumbnail_uri"]);
    await rm(placeOf(dataDir, first));
    await rm(placeOf(dataDir, preview));
    await expect
      .poll(() => rowOf(content, withoutFile.id))
      .toMatchObject(isMissing);
    await expect
      .poll(() => rowOf(content, withoutPreview.id))
      .toMatchObject({ status: "finished", thumbnail_uri: null });
  });

  it("[V4-333] no asset changes while no stored file is there at all, and /health reports it", async () => {
    const { dataDir, databaseUrl } = await ground();
    const content = await startContent(dataDir, { databaseUrl });
    const { id, asset_url: url } = await send(content, png([1, 2, 3]));
    const filesFolder = path.join(dataDir, "files", "kept");
    await rename(filesFolder, `${filesFolder}-away`);
    await mkdir(filesFolder);
    expect((await fetch(String(url))).status).toBe(404);
    const health = async () =>
      (await fetch(`${content.address}/health`)).json() as Promise<object>;
    await expect.poll(health).toMatchObject({
      files_problem: expect.stringMatching(
        /all stored files are missing/,
      ) as string,
    });
    expect(await rowOf(content, id)).toMatchObject({ status: "finished" });
    await rm(filesFolder, { recursive: true });
    await rename(`${filesFolder}-away`, filesFolder);
    expect((await fetch(String(url))).status).toBe(200);
    await expect.poll(health).toEqual({ status: "ok" });
  });

  it("[V4-330] an overwritten file is detected: downloaded again where it has a source, otherwise an error that says so", async () => {
    const { dataDir, databaseUrl } = await ground();
    const fetched = png([1, 2, 3], 64, 36);
    const sent = png([4, 5, 6], 64, 36);
    const { address, requests } = await serveSources({ "/a.png": fetched });
    const content = await startContent(dataDir, {
      ...{ databaseUrl, fileCheckMs: 300 },
    });
    const [ofSource] = await content.add("/v4/assets", {
      ...{ title: "Fetched", source_url: `${address}/a.png` },
    });
    const answer = await content.upload(sent, { title: "Sent" });
    const [ofUpload] = (await answer.json()) as Row[];
    const ids = [ofSource?.id ?? "", ofUpload?.id ?? ""] as const;
    for (const id of ids)
      expect((await waitUntilProcessed(content, id))["status"]).toBe(
        "finished",
      );
    const requestsBefore = requests("/a.png").length;
    const filesFolder = path.join(dataDir, "files", "kept");
    for (const name of await readdir(filesFolder, { recursive: true }))
      if (/[0-9a-f]{64}$/.test(name))
        await writeFile(path.join(filesFolder, name), "junk");
    await expect
      .poll(() => rowOf(content, ids[1]), { timeout: 30_000 })
      .toMatchObject({
        ...{ status: "error", asset_url: "" },
        processing_error: expect.stringMatching(/damaged\. Upload it again/),
      });
    await expect
      .poll(() => requests("/a.png").length)
      .toBeGreaterThan(requestsBefore);
    const row = await waitUntilProcessed(content, ids[0]);
    expect(row["status"]).toBe("finished");
    const bytes = await (await fetch(String(row["asset_url"]))).arrayBuffer();
    expect(Buffer.from(bytes)).toEqual(fetched);
    // The same bytes repair it wherever they come from.
    const again = await content.upload(sent, { title: "Sent again" });
    const [fresh] = (await again.json()) as Row[];
    const complete = await waitUntilProcessed(content, fresh?.id ?? "");
    expect((await fetch(String(complete["asset_url"]))).status).toBe(200);
  });
});

eachDatabase((any) => {
  it("[V4-334] of two instances one checks at a time, and the other continues where it ended", async () => {
    const database = await any.open();
    const taskOf = () =>
      createPeriodicTask({
        ...{ database, name: "test", pauseMs: 0, leaseMs: 600_000 },
      });
    const [one, other] = [taskOf(), taskOf()];
    expect(await one.take()).toBe("");
    expect(await other.take()).toBeNull();
    // It ended without a word: its lease runs out.
    await one.hold("a");
    await database.kysely
      .updateTable("periodic_tasks")
      .set({ lease_until: 0, progress: "a" })
      .execute();
    expect(await other.take()).toBe("a");
    await one.finish();
    expect(await one.take()).toBeNull();
    await other.release();
    expect(await one.take()).toBe("a");
    await one.finish();
    expect(await other.take()).toBe("");
  });

  it("[V4-334] the next check is due after the pause, also for an instance that starts meanwhile", async () => {
    const database = await any.open();
    const taskOf = () =>
      createPeriodicTask({
        ...{ database, name: "test", pauseMs: 600_000, leaseMs: 600_000 },
      });
    const become = (due_at: number) =>
      database.kysely.updateTable("periodic_tasks").set({ due_at }).execute();
    const first = taskOf();
    expect(await first.take()).toBeNull();
    await become(0);
    expect(await first.take()).toBe("");
    await first.finish();
    const second = taskOf();
    expect(await second.take()).toBeNull();
    // From before the clock was set back.
    await become(Date.now() + 7_200_000);
    expect(await second.take()).toBe("");
  });

  it("[V4-334] an instance that lost its lease stops, and a lease from before the clock was set back is over", async () => {
    const database = await any.open();
    const taskOf = (leaseMs: number) =>
      createPeriodicTask({ database, name: "test", pauseMs: 0, leaseMs });
    const [one, other] = [taskOf(0), taskOf(600_000)];
    expect(await one.take()).toBe("");
    expect(await one.hold("b")).toBe(true);
    expect(await other.take()).toBe("b");
    expect(await one.hold("c")).toBe(false);
    await database.kysely
      .updateTable("periodic_tasks")
      .set({ lease_until: Date.now() + 7_200_000 })
      .execute();
    expect(await one.take()).toBe("b");
  });
});
