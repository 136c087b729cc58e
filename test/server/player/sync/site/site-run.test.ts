// A small site in processes of their own against the real content service, with one player killed: the short form of the bench.

import { expect, it } from "vitest";
import { runSite } from "../../../../bench/site/site-run.ts";

const mebibyte = 1024 * 1024;

it("[V2-823] [V2-824] a site of three players, one of them killed in the middle, downloads less than two copies for all of them", async () => {
  const { contentBytes, wanBytes } = await runSite({
    ...{ players: 3, kills: 1, files: 3, isOn: true },
    ...{ fileBytes: 4 * mebibyte, wanBytesPerSecond: 4 * mebibyte },
  });
  // What arrived at the killed one alone is downloaded again: on a busy machine up to what it had begun. The bench has the share.
  expect(wanBytes).toBeLessThan(2 * contentBytes);
});
