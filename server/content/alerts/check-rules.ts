// Compares the screens with the alert rules every few seconds; of all instances, one at a time does (V3-93).

import type { Kysely } from "kysely";
import type { Database } from "../../platform/database/database.ts";
import type { ContentTables } from "../tables.ts";
import { isQuietAt } from "./quiet-hours.ts";
import {
  excludedScreens,
  failingScreens,
  lockRule,
  ruleFrom,
  type AlertRule,
} from "./rules.ts";
import { hasIncidents, readIncidents, takeStep } from "./stored-incidents.ts";

export interface RuleCheckOptions {
  readonly database: Database<ContentTables>;
  readonly makeId: () => string;
  readonly now: () => number;
}

const rulesAtOnce = 500;

/** True when the outbox has new messages. `hold` is called between rules; false ends the check. */
export async function checkRules(
  options: RuleCheckOptions,
  hold: () => Promise<boolean>,
): Promise<boolean> {
  let hasMessages = false;
  for (let last = ""; ;) {
    const rows = await options.database.kysely
      .selectFrom("alert_rules")
      .selectAll()
      .where("is_enabled", "=", true)
      .where("id", ">", last)
      .orderBy("id")
      .limit(rulesAtOnce)
      .execute();
    for (const row of rows) {
      if (!(await hold())) return hasMessages;
      if (await checkRule(options, ruleFrom(row))) hasMessages = true;
    }
    if (rows.length < rulesAtOnce) return hasMessages;
    last = rows.at(-1)?.id ?? "";
  }
}

async function checkRule(
  { database, makeId, now }: RuleCheckOptions,
  { id, ...found }: AlertRule,
): Promise<boolean> {
  // Mostly nothing is wrong: no transaction is opened.
  if (!(await isAnythingGoing(database.kysely, { id, ...found }))) return false;
  return database.transaction(async (transaction) => {
    const rule = await lockRule(transaction, database.kind, id);
    if (!rule?.isEnabled) return false;
    const before = await readIncidents(transaction, rule);
    const going = new Set(
      [...before.incidents.values()]
        .filter(({ endedAt }) => endedAt === null)
        .map(({ screenId }) => screenId),
    );
    const failing = (await failingScreens(transaction, rule)).map((screen) =>
      going.has(screen.screenId) ? screen : { ...screen, newId: makeId() },
    );
    const failingIds = new Set(failing.map(({ screenId }) => screenId));
    const over = [...going].filter((screenId) => !failingIds.has(screenId));
    const at = now();
    const messages = await takeStep(
      { transaction, makeId, now: at, rule },
      before,
      {
        ...{ kind: "observed", at, failing, afterMs: rule.afterMs },
        isQuiet: isQuietAt(rule.quietHours, at),
        excluded: await excludedScreens(transaction, rule, over),
      },
    );
    return messages.length > 0;
  });
}

async function isAnythingGoing(
  kysely: Kysely<ContentTables>,
  rule: AlertRule,
): Promise<boolean> {
  if (await hasIncidents(kysely, rule.id)) return true;
  return (await failingScreens(kysely, rule, 1)).length > 0;
}
