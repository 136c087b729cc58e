// Model-based test of sync with very many sequences, and with kills of a real process at random moments.

import { describe, it } from "vitest";
import {
  assertModel,
  countOf,
  timeoutOf,
} from "../server/player/sync/model/assert-model.ts";

const count = countOf(process.env.VITRINE_LONG === "1" ? 20_000 : 20);

describe("the model of a sync whose process is killed", () => {
  it(
    `finds no invalid state in ${count} sequences`,
    () => assertModel(count),
    timeoutOf(count),
  );
});
