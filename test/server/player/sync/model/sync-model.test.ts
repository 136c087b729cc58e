// Random sequences on the real player, the real sync and a fake service of each version, compared with a naive oracle.

import { describe, it } from "vitest";
import { assertModel, countOf, timeoutOf } from "./assert-model.ts";

const count = countOf(300);

describe("the model of a sync", () => {
  it(
    `finds no wrong state in ${count} sequences`,
    () =>
      assertModel(count, [
        "a process of the sync is killed",
        "a process of the player is killed",
      ]),
    timeoutOf(count),
  );
});
