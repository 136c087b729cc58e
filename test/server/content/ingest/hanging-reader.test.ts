// The service stops while its media reader process hangs on a file, and processes the file again afterwards.

import { writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it, vi } from "vitest";
import {
  forkMediaScript,
  startMediaProcessesBy,
} from "../../../../server/platform/media/start-media-process.ts";
import {
  addAsset,
  addAssetAndWait,
} from "../../../support/content/ingest-asset.ts";
import { temporaryFolder } from "../../../support/folder.ts";
import { png } from "../../../support/media/media.ts";
import { serveSources } from "../../../support/http/sources.ts";
import { startContent } from "../../../support/content/start-content.ts";

const realScript = new URL(
  "../../../../server/platform/media/media-process.ts",
  import.meta.url,
);

it("[V4-260] responds and stops while the beginning of a source hangs its reader process", async () => {
  const script = path.join(await temporaryFolder(), "child.mjs");
  await writeFile(script, 'process.on("message", () => { for (;;); });');
  let started = 0;
  startMediaProcessesBy(() => {
    started += 1;
    return forkMediaScript(pathToFileURL(script));
  });
  const { address } = await serveSources({
    "/page": (_request, response) => {
      response.setHeader("Content-Type", "text/html");
      response.end(Buffer.from("fLaC\0\0\0\u0022", "latin1"));
    },
  });
  const content = await startContent(await temporaryFolder());
  await addAsset(content, { source_url: `${address}/page` });
  await vi.waitFor(() => expect(started).toBe(1));
  expect(await content.rows("/v4/assets?select=status")).toEqual([
    { status: "downloading" },
  ]);
  await content.stop();
  startMediaProcessesBy(() => forkMediaScript(realScript));
});

it("[V4-260] treats a source that its server calls a page according to its bytes", async () => {
  const { address } = await serveSources({
    "/image": (_request, response) => {
      response.setHeader("Content-Type", "text/html");
      response.end(png([1, 2, 3]));
    },
  });
  const content = await startContent(await temporaryFolder());
  const row = await addAssetAndWait(content, {
    source_url: `${address}/image`,
  });
  expect(row).toMatchObject({ status: "finished", type: "image" });
});

it("[V2-427] [V4-213] stops at once, and the next run completes what hung", async () => {
  const script = path.join(await temporaryFolder(), "child.mjs");
  await writeFile(script, 'process.on("message", () => { for (;;); });');
  const dataDir = await temporaryFolder();
  let started = 0;
  startMediaProcessesBy(() => {
    started += 1;
    return forkMediaScript(pathToFileURL(script));
  });
  const first = await startContent(dataDir);
  const answer = await first.upload(png([1, 2, 3]), { title: "one" });
  expect(answer.ok).toBe(true);
  await vi.waitFor(() => expect(started).toBe(1));
  await first.stop();
  startMediaProcessesBy(() => forkMediaScript(realScript));
  const second = await startContent(dataDir);
  await expect
    .poll(async () => (await second.rows("/v4/assets?select=status"))[0])
    .toEqual({ status: "finished" });
});
