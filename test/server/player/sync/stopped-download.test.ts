// The end of a sync while a file that it downloaded is being stored.

import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import {
  both,
  startConnectedPlayer,
} from "../../../support/sync/connected-player.ts";

function createSignal() {
  let give = (): void => undefined;
  const given = new Promise<void>((resolve) => (give = resolve));
  return { given, give: () => give() };
}

it("waits for the file, so that none is stored after the end, when no row can be written for it", async () => {
  const reached = createSignal();
  const continued = createSignal();
  const stored = createSignal();
  const events: string[] = [];
  let isHeld = false;
  const { cloud, sync, stopSync } = await startConnectedPlayer(
    {},
    {
      breakLibrary: (library) => ({
        ...library,
        admit: async (...file) => {
          if (isHeld) {
            reached.give();
            await continued.given;
          }
          await library.admit(...file);
          if (!isHeld) return;
          events.push("stored");
          stored.give();
        },
      }),
    },
  );
  isHeld = true;
  cloud.playlists = both;
  sync.run();
  await reached.given;
  const stopped = stopSync().then(() => events.push("stopped"));
  // Whatever else it waits for has ended by then.
  for (let turn = 0; turn < 100; turn += 1) await setImmediate();
  continued.give();
  await Promise.all([stopped, stored.given]);
  expect(events).toEqual(["stored", "stopped"]);
});
