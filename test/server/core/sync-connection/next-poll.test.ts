// Time of the next poll, as an operator reads it.

import { expect, it } from "vitest";
import { reduce } from "../../../../server/core/sync-connection/connection-reducer.ts";
import {
  emptyMemory,
  initialState,
  nextPollAtOf,
} from "../../../../server/core/sync-connection/connection-state.ts";
import {
  connectionDefaults,
  type SyncConnection,
} from "../../../../server/core/sync-plan/sync-state.ts";

const now = Date.UTC(2026, 4, 5, 12);
const at = (moment: number) => ({ now: moment, zone: "UTC", random: 0.5 });

it("[V2-572] is never further away than the pause, even after the clock was set back", () => {
  const connection: SyncConnection = {
    ...{
      ...connectionDefaults,
      name: "One",
      baseUrl: "https://service.example",
    },
    ...{ id: "one", tokenKept: null, tokensGiven: 0 },
    kind: "cloud",
  };
  const began = reduce(
    initialState(connection, emptyMemory),
    { kind: "restarted", connection, memory: emptyMemory, waiting: null },
    at(now),
  );
  const failure = { code: "unavailable", message: "away" } as const;
  const { state } = reduce(
    began.state,
    { kind: "poll-failed", failure, retryAfterMs: 0 },
    at(now),
  );
  expect(nextPollAtOf(state, at(now))).toBe(now + 60_000);
  const dayMs = 24 * 3_600_000;
  expect(nextPollAtOf(state, at(now - dayMs))).toBe(now - dayMs + 60_000);
  expect(nextPollAtOf(state, at(now + 30_000))).toBe(now + 60_000);
});
