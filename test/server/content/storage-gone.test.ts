// Folders of the store that are removed while the service runs.

import { rename, rm } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { eachContent } from "../../support/content/each-content.ts";
import { png } from "../../support/media/media.ts";
import { waitUntilProcessed } from "../../support/content/ingest-asset.ts";
import { secondConnection } from "../../support/content/second-connection.ts";
import { startContent, type Row } from "../../support/content/start-content.ts";
import { mayMount, readOnlyAt } from "../../support/machine/volume.ts";
import { createLog } from "../../../server/platform/log.ts";

eachContent(({ ground }) => {
  it("[V4-272] an upload is 503 while the store is gone, which is not a full disk, and accepted again once it is back", async () => {
    const { dataDir, databaseUrl } = await ground();
    const content = await startContent(dataDir, { databaseUrl });
    const files = path.join(dataDir, "files");
    await rename(files, `${files}-away`);
    const errorResponse = await content.upload(png([1, 2, 3]), {});
    expect([
      errorResponse.status,
      errorResponse.headers.has("Retry-After"),
      await errorResponse.json(),
    ]).toMatchObject([503, true, { code: "58030" }]);
    await rename(`${files}-away`, files);
    expect((await content.upload(png([1, 2, 3]), {})).status).toBe(201);
  });

  it("[V4-328] a folder removed from beside the stored files is created again", async () => {
    const { dataDir, databaseUrl } = await ground();
    const content = await startContent(dataDir, { databaseUrl });
    for (const name of ["aside", "shown", "damaged"])
      await rm(path.join(dataDir, "files", name), { recursive: true });
    const { status } = await content.upload(png([1, 2, 3]), {});
    expect(status).toBe(201);
    await expect
      .poll(() => content.rows("/v4/assets?select=status"))
      .toEqual([{ status: "finished" }]);
    await expect
      .poll(async () => (await fetch(`${content.address}/health`)).json())
      .toEqual({ status: "ok" });
  });

  it.runIf(mayMount)(
    "[V4-335] a sound upload is not called damaged while the disk rejects its preview, and is finished once it does not, however long that takes",
    async () => {
      const place = await ground();
      const failed: unknown[] = [];
      const log = createLog({ toStandardOutput: false });
      const content = await startContent(place.dataDir, {
        ...{ databaseUrl: place.databaseUrl, pausesMs: [10, 20] },
        log: {
          ...log,
          warn: (event) => {
            if (event === "ingest.failed") failed.push(event);
          },
        },
      });
      const answer = await content.upload(png([1, 2, 3]), {});
      const [{ id } = { id: "" }] = (await answer.json()) as Row[];
      await waitUntilProcessed(content, id);
      const end = readOnlyAt(path.join(place.dataDir, "files", "aside"));
      // As if it had just arrived.
      const { writeOne } = secondConnection(place);
      await writeOne({
        text: "UPDATE assets SET status = 'processing'",
        values: [],
      });
      await writeOne({
        text: "UPDATE asset_intakes SET due_at = 0, source_hash = file_hash",
        values: [],
      });
      // More often than other failures are retried.
      await expect.poll(() => failed.length).toBeGreaterThan(6);
      expect(await content.rows("/v4/assets?select=status")).toEqual([
        { status: "processing" },
      ]);
      end();
      expect(await waitUntilProcessed(content, id)).toMatchObject({
        ...{ status: "finished", processing_error: "" },
      });
    },
  );
});
