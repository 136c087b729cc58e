// A service started on a full disk: stored content is readable, nothing is written, and all of it works once there is space.

import { rm } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it, vi } from "vitest";
import { eachContent } from "../../../support/content/each-content.ts";
import {
  serveContent,
  startContent,
  type ContentClient,
} from "../../../support/content/start-content.ts";
import {
  fillUp,
  mayMount,
  smallDisk,
} from "../../../support/machine/volume.ts";

const titles = "/v4/assets?select=title&order=title";

async function posted(content: ContentClient, title: string) {
  const answer = await content.request("/v4/assets", {
    ...{ method: "POST", body: JSON.stringify({ title }) },
    headers: { "Content-Type": "application/json" },
  });
  const text = await answer.text();
  return { status: answer.status, code: /"code":"(\w+)"/.exec(text)?.[1] };
}

const health = async ({ address }: ContentClient): Promise<unknown> =>
  (await fetch(`${address}/health`)).json();

const readOnly = {
  ...{ status: "read-only", problem: "the disk cannot be written to" },
};
const full = { status: 507, code: "53100" };

describe.runIf(mayMount)("a start on a full disk", () => {
  eachContent(({ ground, kind }) => {
    it("[V4-325] serves reads, reports it, and accepts all writes again once there is space", async () => {
      const { databaseUrl } = await ground();
      const disk = await smallDisk(700);
      const dataDir = path.join(disk, "data");
      const first = await startContent(dataDir, { databaseUrl });
      await first.add("/v4/assets", { title: "a" });
      await first.stop();
      const filler = await fillUp(disk, 0);
      // Twice: the end of one start leaves what the next one needs.
      for (const start of [1, 2]) {
        const content = await startContent(dataDir, { databaseUrl });
        expect(await content.rows(titles), `start ${start}`).toEqual([
          { title: "a" },
        ]);
        expect(await health(content)).toEqual(readOnly);
        const uploaded = await content.upload(Buffer.from("<p>"), {});
        expect(uploaded.status).toBe(507);
        if (kind === "sqlite") expect(await posted(content, "b")).toEqual(full);
        if (start === 1) await content.stop();
        else {
          await rm(filler);
          await expect.poll(() => health(content)).toEqual({ status: "ok" });
          await content.add("/v4/assets", { title: "b" });
          expect(await content.rows(titles)).toHaveLength(2);
        }
      }
    });
  });

  it("[V4-325] after a power cut serves what was acknowledged before, logs again once there is space, and stops when told to", async () => {
    const disk = await smallDisk(700);
    const dataDir = path.join(disk, "data");
    const first = await serveContent(dataDir);
    await first.add("/v4/assets", { title: "a" });
    const isGone = new Promise((resolve) =>
      first.process.once("exit", resolve),
    );
    first.process.kill("SIGKILL");
    await isGone;
    const filler = await fillUp(disk, 0);
    const content = await serveContent(dataDir);
    expect(await content.rows(titles)).toEqual([{ title: "a" }]);
    expect(await posted(content, "b")).toEqual(full);
    await rm(filler);
    await vi.waitFor(async () =>
      expect((await posted(content, "b")).status).toBe(201),
    );
    const ended = new Promise((resolve) => {
      content.process.once("exit", (code, signal) => resolve([code, signal]));
    });
    content.process.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
  });
});
