// A small site in processes of their own against the real content service, with one player killed: the short form of the bench.

import { expect, it } from "vitest";
import { runSite } from "../../../../bench/site/site-run.ts";

const mebibyte = 1024 * 1024;

it("[V2-823] [V2-824] a site of three players, one of them killed in the middle, downloads its content once", async () => {
  const { contentBytes, wanBytes } = await runSite({
    ...{ players: 3, kills: 1, files: 3, isOn: true },
    ...{ fileBytes: 4 * mebibyte, wanBytesPerSecond: 4 * mebibyte },
  });
  // Besides the content, lists and heartbeats pass the line; a second copy would be twelve mebibytes.
  expect(wanBytes).toBeLessThan(1.05 * contentBytes + mebibyte);
});
