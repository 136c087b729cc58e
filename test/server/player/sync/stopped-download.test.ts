// The end of a sync while a file that it downloaded is being stored.

import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { both, startTrial } from "../../../support/sync/one-connection.ts";

it("waits for the file, so that none is stored after the end, when no row can be written for it", async () => {
  const reached = Promise.withResolvers<void>();
  const continued = Promise.withResolvers<void>();
  const stored = Promise.withResolvers<void>();
  const events: string[] = [];
  let isHeld = false;
  const { cloud, sync, stopSync } = await startTrial(
    {},
    {
      breakLibrary: (library) => ({
        ...library,
        admit: async (...file) => {
          if (isHeld) {
            reached.resolve();
            await continued.promise;
          }
          await library.admit(...file);
          if (!isHeld) return;
          events.push("stored");
          stored.resolve();
        },
      }),
    },
  );
  isHeld = true;
  cloud.playlists = both;
  sync.run();
  await reached.promise;
  const stopped = stopSync().then(() => events.push("stopped"));
  // Whatever else it waits for has ended by then.
  for (let turn = 0; turn < 100; turn += 1) await setImmediate();
  continued.resolve();
  await Promise.all([stopped, stored.promise]);
  expect(events).toEqual(["stored", "stopped"]);
});
