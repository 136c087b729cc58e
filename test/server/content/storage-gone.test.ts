// Folders and files of the store that are removed or overwritten while the service runs.

import { readdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { waitUntilProcessed } from "../../support/content/ingest-asset.ts";
import { eachContent } from "../../support/content/each-content.ts";
import { picture } from "../../support/media/media.ts";
import { serveSources } from "../../support/http/sources.ts";
import { startContent, type Row } from "../../support/content/start-content.ts";

eachContent(({ ground }) => {
  it("[V4-272] an upload is 503 while the store is gone, which is not a full disk, and accepted again once it is back", async () => {
    const { dataDir, databaseUrl } = await ground();
    const content = await startContent(dataDir, { databaseUrl });
    const files = path.join(dataDir, "files");
    await rename(files, `${files}-away`);
    const errorResponse = await content.upload(picture([1, 2, 3]), {});
    expect([
      errorResponse.status,
      errorResponse.headers.has("Retry-After"),
      await errorResponse.json(),
    ]).toMatchObject([503, true, { code: "58030" }]);
    await rename(`${files}-away`, files);
    expect((await content.upload(picture([1, 2, 3]), {})).status).toBe(201);
  });

  it("[V4-328] a folder removed from beside the stored files is created again", async () => {
    const { dataDir, databaseUrl } = await ground();
    const content = await startContent(dataDir, { databaseUrl });
    for (const name of ["aside", "shown", "damaged"])
      await rm(path.join(dataDir, "files", name), { recursive: true });
    const { status } = await content.upload(picture([1, 2, 3]), {});
    expect(status).toBe(201);
    await expect
      .poll(() => content.rows("/v4/assets?select=status"))
      .toEqual([{ status: "finished" }]);
    await expect
      .poll(async () => (await fetch(`${content.address}/health`)).json())
      .toEqual({ status: "ok" });
  });
  it("[V4-330] an overwritten file is detected: downloaded again where it has a source, otherwise an error that says so", async () => {
    const { dataDir, databaseUrl } = await ground();
    const fetched = picture([1, 2, 3], 64, 36);
    const sent = picture([4, 5, 6], 64, 36);
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
    const kept = path.join(dataDir, "files", "kept");
    for (const name of await readdir(kept, { recursive: true }))
      if (/[0-9a-f]{64}$/.test(name))
        await writeFile(path.join(kept, name), "junk");
    const rowOf = async (id: string) =>
      (await content.rows(`/v4/assets?id=eq.${id}`))[0];
    await expect
      .poll(() => rowOf(ids[1]), { timeout: 30_000 })
      .toMatchObject({
        ...{ status: "error", asset_url: "" },
        processing_error: expect.stringMatching(/damaged .* send it again/),
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
