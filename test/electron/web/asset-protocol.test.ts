// asset: protocol: what the stage receives of a file that changes while it is read.

import { rm, truncate, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { serveAssets } from "../../../electron/web/asset-protocol.ts";
import {
  hasDescriptorLimits,
  openDescriptors,
  takeAllDescriptors,
} from "../../support/machine/descriptors.ts";
import { temporaryFolder } from "../../support/folder.ts";

const hash = "a".repeat(64);
const sizeBytes = 200_000;

type Session = Parameters<typeof serveAssets>[0];
type Answer = (request: Request) => Promise<Response>;

/** The handler of a session over one file, which `onRequest` may change as soon as it has been looked up. */
async function serveOneFile(
  onRequest: (file: string) => Promise<void>,
  onNoDescriptor: () => void = () => undefined,
  verifiedAtMs: number | null = null,
) {
  const file = path.join(await temporaryFolder(), "file");
  await writeFile(file, Buffer.alloc(sizeBytes, 7));
  const damaged: string[] = [];
  let answer: Answer | undefined;
  serveAssets(
    {
      protocol: {
        handle: (_scheme: string, given: Answer) => (answer = given),
      },
    } as unknown as Session,
    async () => {
      await onRequest(file);
      return { path: file, type: "image/png", sizeBytes, verifiedAtMs };
    },
    () => ({ path: file, type: "image/png" }),
    (one) => damaged.push(one),
    onNoDescriptor,
  );
  const request = (headers: Record<string, string> = {}, host = "store") =>
    answer?.(new Request(`asset://${host}/${hash}`, { headers }));
  return { file, damaged, request };
}

it("sends a file complete, and in ranges", async () => {
  const { damaged, request } = await serveOneFile(async () => undefined);
  const complete = await request();
  expect(complete?.status).toBe(200);
  expect((await complete?.arrayBuffer())?.byteLength).toBe(sizeBytes);
  const part = await request({ range: "bytes=199990-" });
  expect(part?.status).toBe(206);
  expect((await part?.arrayBuffer())?.byteLength).toBe(10);
  expect(damaged).toEqual([]);
});

it("[V2-761] sends a file that has changed since it was verified, and reports it", async () => {
  const minuteMs = 60_000;
  for (const [agoMs, reported] of [
    [minuteMs, [hash]],
    [-minuteMs, []],
  ] as const) {
    const { damaged, request } = await serveOneFile(
      async () => undefined,
      undefined,
      Date.now() - agoMs,
    );
    const answer = await request();
    expect((await answer?.arrayBuffer())?.byteLength).toBe(sizeBytes);
    expect(damaged).toEqual(reported);
  }
});

it("sends nothing where the file is truncated before it is read, and reports the file", async () => {
  const { damaged, request } = await serveOneFile((file) =>
    truncate(file, 100),
  );
  expect((await request())?.status).toBe(404);
  expect(damaged).toEqual([hash]);
});

it("sends nothing where the file is missing, and reports the file", async () => {
  const { damaged, request } = await serveOneFile((file) => rm(file));
  expect((await request())?.status).toBe(404);
  expect(damaged).toEqual([hash]);
});

it("sends nothing for a thumbnail that has not been made yet, and reports nothing", async () => {
  const { file, damaged, request } = await serveOneFile(async () => undefined);
  await rm(file);
  expect((await request({}, "thumbnail"))?.status).toBe(404);
  expect(damaged).toEqual([]);
});

it("aborts where the file is truncated while it is read, closes it, and reports it", async () => {
  const { file, damaged, request } = await serveOneFile(async () => undefined);
  const before = hasDescriptorLimits ? openDescriptors(process.pid) : 0;
  const answer = await request();
  await truncate(file, 100);
  await expect(answer?.arrayBuffer()).rejects.toThrow();
  expect(damaged).toEqual([hash]);
  if (hasDescriptorLimits)
    await expect
      .poll(() => openDescriptors(process.pid))
      .toBeLessThanOrEqual(before);
});

it.skipIf(!hasDescriptorLimits)(
  "[V2-653] waits where no descriptor is left, and reports that instead of the file",
  async () => {
    let reports = 0;
    let giveBack = (): void => undefined;
    const { damaged, request } = await serveOneFile(
      async () => void (giveBack = takeAllDescriptors()),
      () => {
        reports += 1;
        if (reports === 2) giveBack();
      },
    );
    const answer = await request();
    expect(answer?.status).toBe(200);
    expect((await answer?.arrayBuffer())?.byteLength).toBe(sizeBytes);
    expect([reports, damaged]).toEqual([2, []]);
  },
);

it.skipIf(!hasDescriptorLimits)(
  "[V2-653] answers 503 where no descriptor becomes free, and does not report the file",
  async () => {
    const { damaged, request } = await serveOneFile(
      async () => void takeAllDescriptors(),
      () =>
        void setImmediate(() => {
          if (vi.isFakeTimers()) vi.advanceTimersByTime(1000);
        }),
    );
    vi.useFakeTimers({ toFake: ["setTimeout", "performance"] });
    onTestFinished(() => void vi.useRealTimers());
    expect((await request())?.status).toBe(503);
    expect(damaged).toEqual([]);
  },
);
