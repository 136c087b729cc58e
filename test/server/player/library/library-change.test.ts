// Listeners of the library learn whether it only grew: additions may be batched, all other changes may not.

import { expect, it } from "vitest";
import {
  migrateSqlite,
  openSqlite,
} from "../../../../server/platform/sqlite/sqlite.ts";
import { createLibrary } from "../../../../server/player/library/library.ts";
import { maxWaitMsFor } from "../../../../server/player/library/library-change.ts";
import { playerMigrations } from "../../../../server/player/migrations.ts";

const draft = (name: string, playOrder?: number) => ({
  ...{ name, uri: "https://example.org/", mimetype: "webpage" },
  ...{ startsAt: 0, endsAt: 1, durationSeconds: 1, isEnabled: true },
  ...(playOrder !== undefined && { playOrder }),
});

it("[V2-339] announces additions within a second, and changes or removals within 40 ms", () => {
  const database = openSqlite(":memory:");
  migrateSqlite(database, playerMigrations);
  let number = 0;
  const makeId = (): string => `a${(number += 1)}`;
  const library = createLibrary({ database, now: () => 0, makeId });
  const received: number[] = [];
  library.onChanged((change) => received.push(maxWaitMsFor(change)));
  library.create(draft("one"));
  library.create(draft("two", 0));
  expect(received).toEqual([1000, 1000]);
  received.length = 0;
  library.change("a1", { isEnabled: false });
  library.order(["a1"]);
  library.setProblem("a2", "It is torn.");
  library.remove("a1");
  expect(received).toEqual([40, 40, 40, 40]);
  database.close();
});

it("[V2-792] names the assets that were written, unless the places of others changed", () => {
  const database = openSqlite(":memory:");
  migrateSqlite(database, playerMigrations);
  let number = 0;
  const makeId = (): string => `a${(number += 1)}`;
  const library = createLibrary({ database, now: () => 0, makeId });
  const received: (readonly string[] | null)[] = [];
  library.onChanged(({ ids }) => received.push(ids));
  library.create(draft("one"));
  library.create(draft("two", 0));
  library.change("a1", { isEnabled: false });
  library.change("a1", { playOrder: 0 });
  library.order(["a1"]);
  library.setProblem("a2", "It is torn.");
  library.remove("a1");
  library.notifyChanged();
  expect(received).toEqual([
    ...[["a1"], null, ["a1"], null, null, ["a2"], ["a1"], null],
  ]);
  database.close();
});
