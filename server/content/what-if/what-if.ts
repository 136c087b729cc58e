// Entry point of what if: simulates a write before it is made, checks the assertions, and holds back what would break them
// (V3-100 to V3-109).

import { Failure } from "../../core/failure.ts";
import { dayMs } from "../../core/wall-clock.ts";
import type {
  AssertionCheckV3,
  WhatIfV3,
} from "../../contract/v3/v3-what-if.ts";
import type { Database, Run } from "../../platform/database/database.ts";
import type { Log } from "../../platform/log.ts";
import type { ContentTables } from "../tables.ts";
import {
  brokenAssertions,
  checkResult,
  failedCheck,
  whatIfAnswer,
  type Simulated,
} from "./answer.ts";
import {
  enabledAssertions,
  isAnyHoldingBack,
  type StoredAssertion,
} from "./assertions.ts";
import { HeldBackRefusal, Uncheckable } from "./held-back-errors.ts";
import { createNightlyCheck } from "./nightly-check.ts";
import { outcomesOf } from "./outcomes.ts";
import { readFleet, type Fleet } from "./read-fleet.ts";
import { createSimulations } from "./simulations.ts";

/** A write in a transaction; it may run more than once. */
export type Work = (run: Run) => Promise<unknown>;

export interface WhatIf {
  /** What the write would change; it is rolled back. */
  preview(team: string, work: Work): Promise<WhatIfV3>;
  /** Whether writes of this team are to be checked first. */
  isHoldingBack(team: string): Promise<boolean>;
  /** Throws if the write would break an assertion that holds changes back (V3-107). */
  refuseIfBreaking(team: string, work: Work): Promise<void>;
  /** Checks the enabled assertions of a team and stores what was found (V3-109). */
  check(team: string): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

export interface WhatIfOptions {
  readonly database: Database<ContentTables>;
  readonly log: Log;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Delay between two looks whether a nightly check is due. */
  readonly checkMs?: number | undefined;
}

const horizonMs = 30 * dayMs;
const minuteMs = 60_000;

export function createWhatIf(options: WhatIfOptions): WhatIf {
  const { database, log, now } = options;
  const { kysely } = database;
  const simulations = createSimulations({ log });
  const nightly = createNightlyCheck({ ...options, check });

  const current = (team: string): Promise<Fleet> =>
    readFleet(database.readHeavy, database.kind, team);

  async function simulated(
    before: Fleet,
    after: Fleet,
    assertions: readonly StoredAssertion[],
    isForChangesOnly: boolean,
  ): Promise<Simulated> {
    const from = Math.floor(now() / minuteMs) * minuteMs;
    const until = from + horizonMs;
    const outcomes = await outcomesOf(simulations, before, after, {
      ...{ from, until, assertions, isForChangesOnly },
    });
    return { before, after, outcomes, assertions, from, until };
  }

  /** The fleet as the write would leave it. */
  async function dryRun(team: string, work: Work): Promise<Fleet> {
    try {
      return await database.write(async (run) => {
        await work(run);
        throw new RolledBack(await readFleet(run, database.kind, team));
      });
    } catch (error) {
      if (error instanceof RolledBack) return error.fleet;
      throw error;
    }
  }

  async function check(team: string): Promise<void> {
    const assertions = await enabledAssertions(kysely, team);
    if (assertions.length === 0) return;
    const outcomes = await outcomesNow(team, assertions);
    if (outcomes instanceof Failure) {
      const at = now();
      for (const { id } of assertions)
        await storeCheck(id, failedCheck(outcomes, at), at);
      log.warn("assertions.not-checked", { team, reason: outcomes.message });
      return;
    }
    for (const { id, name } of assertions) {
      const at = now();
      const found = checkResult(id, outcomes, at);
      await storeCheck(id, found, at);
      if (found.is_broken)
        log.warn("assertion.broken", {
          ...{ team, assertion: id, name, screens: found.screens.count },
        });
    }
  }

  /** A Failure where there is too much to simulate: trying again sooner than with the next check would not help (V3-125). */
  async function outcomesNow(
    team: string,
    assertions: readonly StoredAssertion[],
  ): Promise<Simulated["outcomes"] | Failure> {
    try {
      const fleet = await current(team);
      return (await simulated(fleet, fleet, assertions, false)).outcomes;
    } catch (error) {
      if (error instanceof Failure && error.code === "too-large") return error;
      throw error;
    }
  }

  async function storeCheck(
    id: string,
    found: AssertionCheckV3,
    at: number,
  ): Promise<void> {
    await kysely
      .updateTable("assertions")
      .set({ checked_at: at, last_check: JSON.stringify(found) })
      .where("id", "=", id)
      .execute();
  }

  return {
    preview: async (team, work) => {
      const before = await current(team);
      const after = await dryRun(team, work);
      const assertions = await enabledAssertions(kysely, team);
      return whatIfAnswer(await simulated(before, after, assertions, false));
    },
    isHoldingBack: (team) => isAnyHoldingBack(database, team),
    refuseIfBreaking: async (team, work) => {
      const before = await current(team);
      const after = await dryRun(team, work);
      const all = await enabledAssertions(kysely, team);
      const holding = all.filter(({ isHoldingBack }) => isHoldingBack);
      const result = await simulated(before, after, holding, true).catch(
        (error: unknown) => {
          throw error instanceof Failure ? new Uncheckable(error) : error;
        },
      );
      const broken = brokenAssertions(result).filter(
        ({ is_newly_broken }) => is_newly_broken,
      );
      if (broken.length > 0)
        throw new HeldBackRefusal({
          ...whatIfAnswer(result),
          assertions: broken,
        });
    },
    check,
    start: nightly.start,
    stop: async () => {
      await simulations.stop();
      await nightly.stop();
    },
  };
}

/** Thrown within a transaction to undo it. */
class RolledBack extends Error {
  readonly fleet: Fleet;

  constructor(fleet: Fleet) {
    super("This transaction was only a simulation.");
    this.fleet = fleet;
  }
}
