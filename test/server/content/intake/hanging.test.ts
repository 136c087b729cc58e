// The service ends while the process that reads a file hangs over it, and takes the file up again.

import { writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it, vi } from "vitest";
import {
  forkMediaScript,
  startMediaProcessesBy,
} from "../../../../server/platform/media/media-processes.ts";
import { temporaryFolder } from "../../../support/folder.ts";
import { picture } from "../../../support/media.ts";
import { startContent } from "../../../support/start-content.ts";

const realScript = new URL(
  "../../../../server/platform/media/media-process.ts",
  import.meta.url,
);

it("[V2-427] [V4-213] stops at once, and the next run finishes what hung", async () => {
  const script = path.join(await temporaryFolder(), "child.mjs");
  await writeFile(script, 'process.on("message", () => { for (;;); });');
  const dataDir = await temporaryFolder();
  let started = 0;
  startMediaProcessesBy(() => {
    started += 1;
    return forkMediaScript(pathToFileURL(script));
  });
  const first = await startContent(dataDir);
  const answer = await first.upload(picture([1, 2, 3]), { title: "one" });
  expect(answer.ok).toBe(true);
  await vi.waitFor(() => expect(started).toBe(1));
  await first.stop();
  startMediaProcessesBy(() => forkMediaScript(realScript));
  const second = await startContent(dataDir);
  await expect
    .poll(async () => (await second.rows("/v4/assets?select=status"))[0])
    .toEqual({ status: "finished" });
});
