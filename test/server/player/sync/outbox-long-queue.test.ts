// An outbox of ten thousand changes: the cost of sending one does not grow with those sent before.

import { expect, it } from "vitest";
import type { CloudChange } from "../../../../server/core/sync-plan/outbox.ts";
import { openQueue } from "../../../../server/player/sync/outbox/outbox-queue.ts";
import type { OutboxRows } from "../../../../server/player/sync/outbox/outbox-rows.ts";

const most = 10_000;

const rows = {
  changes: () => [],
  putChange: () => undefined,
  dropChanges: () => undefined,
} as Partial<OutboxRows> as OutboxRows;

function create(id: string, fields: CloudChange["fields"]): CloudChange {
  return {
    sentTo: null,
    ...{ id, collection: "playlists", action: "create", target: null },
    ...{ fields, base: null, state: "waiting", tries: 0, reason: null },
    ...{ theirs: null, clashes: [], madeId: null, alikeBefore: null },
    ...{ file: null, createdAt: 0, doneAt: null, begun: null },
  };
}

it("[V2-310] [V2-343] reads once what a change needs, however many others complete, and keeps that and the last hundred", () => {
  const queue = openQueue("a", rows);
  let reads = 0;
  const needed = Array.from({ length: most / 2 }, (_, place) => ({
    asset_id: `change:c${2 * place}`,
  }));
  const needing = create("last", {
    get items() {
      reads += 1;
      return needed;
    },
  });
  for (let place = 0; place < most; place += 1)
    queue.put(create(`c${place}`, { title: "One" }));
  queue.put(needing);
  const send = (id: string): void => {
    const change = queue.get(id) ?? needing;
    queue.put({ ...change, state: "sending" });
    queue.put({ ...change, state: "sending", madeId: id });
    queue.put({ ...change, state: "done", madeId: id, doneAt: 1 });
  };
  const begun = 1000;
  for (let place = 0; place < begun; place += 1) send(`c${place}`);
  expect(reads).toBe(1);
  const done = queue.all().filter(({ state }) => state === "done");
  // Every other one is needed; of the rest the last hundred of all are listed, and the one that was the hundredth before.
  expect(done.length).toBeGreaterThanOrEqual(begun / 2 + 50);
  expect(done.length).toBeLessThanOrEqual(begun / 2 + 51);
});
