// Many pages verified before their assets are stored: each has its own timeout.

import { expect, it } from "vitest";
import { assertReachable } from "../../../../server/content/ingest/page-reachability.ts";
import { addAssetAndWait } from "../../../support/content/ingest-asset.ts";
import { temporaryFolder } from "../../../support/folder.ts";
import {
  anotherProtocol,
  serveSources,
} from "../../../support/http/sources.ts";
import { startContent } from "../../../support/content/start-content.ts";

it("[V4-304] rejects no working page of a long list because earlier ones took their time", async () => {
  const names = Array.from({ length: 30 }, (_, index) => `/${index}`);
  const { address, requests } = await serveSources(
    Object.fromEntries(names.map((name) => [name, "<p>Page</p>"])),
  );
  // By the time the next pages are requested, the timeout of those before them has passed.
  let running: AbortController[] = [];
  const rounds: number[] = [];
  const complete = new AbortController();
  await assertReachable(
    names.map((name) => ({ source_url: address + name })),
    () => true,
    (ms) => {
      if (ms > 10_000) return complete.signal;
      expect(ms).toBe(10_000);
      if (running.length === 8) {
        rounds.push(running.length);
        for (const each of running) each.abort();
        running = [];
      }
      const controller = new AbortController();
      running.push(controller);
      return controller.signal;
    },
  );
  expect(rounds).toEqual([8, 8, 8]);
  expect(names.map((name) => requests(name).length)).toEqual(
    names.map(() => 1),
  );
});

it("[V4-217] [V2-670] rejects a page whose server switches to another protocol, and gives up such a source", async () => {
  const { address } = await serveSources({
    "/page": anotherProtocol,
    "/film.mp4": anotherProtocol,
  });
  const content = await startContent(await temporaryFolder());
  const answer = await content.request("/v4/assets", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ source_url: `${address}/page` }),
  });
  expect([answer.status, await answer.json()]).toEqual([
    400,
    expect.objectContaining({ type: ["AssetUnreachableError"] }),
  ]);
  expect(
    await addAssetAndWait(content, { source_url: `${address}/film.mp4` }),
  ).toMatchObject({
    status: "error",
    processing_error: expect.stringContaining("the connection was lost"),
  });
});
