// Stills of pages: which screenshots of a page are kept.

import { expect, it } from "vitest";
import { createStillCache } from "../../../../electron/web/stills/still-cache.ts";
import type { WebView } from "../../../../electron/web/web-view.ts";

it("[V2-737] keeps no screenshot on which nothing is drawn: the page is opened again for the next showing", async () => {
  const pixels = Buffer.alloc(4 * 64 * 36);
  const image = {
    isEmpty: () => false,
    toBitmap: () => pixels,
    toDataURL: () => "data:,",
  } as unknown as Awaited<ReturnType<WebView["capture"]>>;
  let opened = 0;
  let closed = 0;
  const page = {
    ready: Promise.resolve(),
    capture: () => Promise.resolve(image),
    close: () => (closed += 1),
  } as unknown as WebView;
  const stills = createStillCache();
  const still = (): Promise<unknown> =>
    stills.stillFor(
      {
        ...{ key: "page", maxAgeMs: 60_000, orientation: 0 as const },
        bounds: { x: 0, y: 0, width: 64, height: 36 },
        openPage: () => {
          opened += 1;
          return page;
        },
        hide: () => () => undefined,
      },
      true,
    );
  for (const round of [1, 2]) {
    await expect(still()).rejects.toThrow("could not be taken");
    expect([opened, closed]).toEqual([round, round]);
  }
});
