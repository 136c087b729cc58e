// Folders of the store that are removed while the service runs.

import { rename, rm } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { eachContent } from "../../support/content/each-content.ts";
import { picture } from "../../support/media/media.ts";
import { startContent } from "../../support/content/start-content.ts";

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
});
