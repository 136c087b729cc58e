// Screens of version 3: list, claim by pin, change, delete, send commands (V3-40 to V3-46).

import { hash } from "node:crypto";
import type { Request } from "express";
import {
  screenCommandV3,
  screenCreateV3,
  screenUpdateV3,
  type ScreenUpdateV3,
} from "../../../contract/v3/v3.ts";
import { fieldFailure } from "../../../core/failure.ts";
import { secretFrom, teamOf } from "../../access/access.ts";
import { judged } from "../../http/json-body.ts";
import { type Handler, type Methods, sendJson } from "../../http/routes.ts";
import { dialectFlag } from "../operation/stored-values.ts";
import { lockRows } from "../../v4/write/locks.ts";
import {
  joined,
  named,
  sql,
  trusted,
  type Sql,
  statementOf,
} from "../../sql.ts";
import {
  notFound,
  sendFound,
  sendList,
  sendText,
} from "../operation/responses.ts";
import { changedFieldsOf, fieldsOf } from "../operation/fields.ts";
import { groupLabels, refuseUnknown } from "../operation/references.ts";
import {
  bodyIn,
  lockOf,
  reading,
  writing,
  type RunQuery,
  type V3,
} from "../operation/v3.ts";
import { screenRows } from "../operation/views.ts";
import type { Database } from "../../../platform/database/database.ts";
import type { ContentTables } from "../../tables.ts";
import { Refusal } from "../../http/refusal.ts";

// Rate limit for wrong pins, per key across all instances: too many are blocked for a while (V3-42).

interface PinGuesses {
  /** Called before the pin is checked, so that parallel attempts count, too; throws when there are too many. */
  count(guesser: string): Promise<void>;
  /** Called when the pin was right. */
  takeBack(guesser: string): Promise<void>;
}

interface PinGuessesOptions {
  readonly database: Database<ContentTables>;
  readonly now: () => number;
}

const maxWrong = 30;
const windowMs = 15 * 60_000;
/** A window that began later than now dates from before the database's clock was set back (L-37). */
const clockStepMs = 60_000;

export function createPinGuesses({
  database,
  now,
}: PinGuessesOptions): PinGuesses {
  const write = (of: ReturnType<typeof sql>) =>
    database.write((run) => run(statementOf(of, database.kind)));
  return {
    count: async (guesser) => {
      const moment = now();
      const isOver = sql`(pin_guesses.since <= ${moment - windowMs} OR pin_guesses.since > ${moment + clockStepMs})`;
      const [row] = await write(
        sql`INSERT INTO pin_guesses (guesser, count, since) VALUES (${guesser}, 1, ${moment})
          ON CONFLICT (guesser) DO UPDATE SET
            count = CASE WHEN ${isOver} THEN 1 ELSE pin_guesses.count + 1 END,
            since = CASE WHEN ${isOver} THEN ${moment} ELSE pin_guesses.since END
          RETURNING count, since`,
      );
      if (Number(row?.["count"]) <= maxWrong) return;
      const left = Number(row?.["since"]) + windowMs - moment;
      const seconds = Math.max(1, Math.ceil(left / 1000));
      throw new Refusal(
        429,
        "53400",
        `More than ${maxWrong} wrong PINs were sent with this key. Try again in ${seconds} seconds.`,
        { headers: { "Retry-After": String(seconds) } },
      );
    },
    takeBack: async (guesser) => {
      await write(
        sql`UPDATE pin_guesses SET count = count - 1 WHERE guesser = ${guesser} AND count > 0`,
      );
    },
  };
}

export interface Screens {
  readonly collection: Methods;
  readonly item: Methods;
  readonly commands: Methods;
}

const detailed = { isDetailed: true };

export function createScreens(v3: V3): Screens {
  const { dialect, link } = v3;
  const guesses = createPinGuesses(v3);

  const list: Handler = (_request, response) =>
    sendList(
      v3,
      response,
      screenRows(dialect, teamOf(response), sql`ORDER BY s.id`, {
        isDetailed: false,
      }),
    );

  async function bodyOf(
    runQuery: RunQuery,
    team: string,
    id: string,
  ): Promise<string | null> {
    const one = sql`AND s.id = ${id}`;
    return bodyIn(await runQuery(screenRows(dialect, team, one, detailed)));
  }

  const claim: Handler = async (request, response) => {
    const team = teamOf(response);
    const { pin, name } = judged(screenCreateV3, fieldsOf(request));
    const guesser = guesserOf(request);
    await guesses.count(guesser);
    const requestedName = name?.trim() ? name : null;
    const claimed = await link.players.claim(pin, team, requestedName);
    if (claimed === null)
      throw fieldFailure(
        "pin",
        "No waiting player shows this PIN. It may be mistyped, already used, or older than 15 minutes.",
      );
    await guesses.takeBack(guesser);
    const body = await bodyOf(reading(v3), team, claimed.screenId);
    sendText(response, 201, body ?? "null");
  };

  const read: Handler = async (request, response) => {
    const id = request.params["id"] ?? "";
    sendFound(response, await bodyOf(reading(v3), teamOf(response), id));
  };

  const change: Handler = async (request, response) => {
    const id = request.params["id"] ?? "";
    const team = teamOf(response);
    const shown = await bodyOf(reading(v3), team, id);
    if (shown === null) throw notFound();
    const body = judged(screenUpdateV3, changedFieldsOf(request, shown));
    const text = await writing(v3, async (runQuery) => {
      await writeScreen(v3, runQuery, { team, id }, body);
      return bodyOf(runQuery, team, id);
    });
    sendFound(response, text);
  };

  const remove: Handler = async (request, response) => {
    const id = request.params["id"] ?? "";
    await writing(v3, async (runQuery) => {
      const team = teamOf(response);
      const gone = await runQuery(
        sql`DELETE FROM screens WHERE team_id = ${team} AND id = ${id} RETURNING id`,
      );
      if (gone.length === 0) throw notFound();
      await runQuery(
        sql`DELETE FROM labels WHERE team_id = ${team} AND id = ${id} AND type = 'screen'`,
      );
    });
    response.status(200).end();
  };

  const command: Handler = async (request, response) => {
    const id = request.params["id"] ?? "";
    const team = teamOf(response);
    if ((await bodyOf(reading(v3), team, id)) === null) throw notFound();
    const { kind } = judged(screenCommandV3, fieldsOf(request));
    const ordered = await link.news.order(team, id, kind);
    link.changes.announceSoon();
    sendJson(response, 201, ordered);
  };

  return {
    collection: { GET: list, POST: claim },
    item: { GET: read, PUT: change, PATCH: change, DELETE: remove },
    commands: { POST: command },
  };
}

async function writeScreen(
  v3: V3,
  runQuery: RunQuery,
  { team, id }: { readonly team: string; readonly id: string },
  body: ScreenUpdateV3,
): Promise<void> {
  const { dialect } = v3;
  const locked = await runQuery(
    sql`SELECT id FROM screens WHERE team_id = ${team} AND id = ${id}${trusted(lockOf(v3))}`,
  );
  if (locked.length === 0) throw notFound();
  const sets: Sql[] = [];
  const set = (name: string, value: Sql): void => {
    sets.push(sql`${named(name)} = ${value}`);
  };
  for (const name of ["name", "location", "timezone"] as const)
    if (body[name] !== undefined) set(name, sql`${body[name]}`);
  for (const name of ["coords", "config"] as const)
    if (body[name] !== undefined) set(name, sql`${JSON.stringify(body[name])}`);
  if (body.is_enabled !== undefined)
    set("is_enabled", dialectFlag(dialect, body.is_enabled));
  if (sets.length > 0)
    await runQuery(
      sql`UPDATE screens SET ${joined(sets, ", ")} WHERE team_id = ${team} AND id = ${id}`,
    );
  // Its own label carries its name.
  if (body.name !== undefined)
    await runQuery(
      sql`UPDATE labels SET name = ${body.name}, human_name = ${body.name}
        WHERE team_id = ${team} AND id = ${id} AND type = 'screen'`,
    );
  if (body.groups !== undefined)
    await replaceGroups(v3, runQuery, { team, id }, body.groups);
}

/** All Screens and its own label always stay (V3-44). */
async function replaceGroups(
  v3: V3,
  runQuery: RunQuery,
  { team, id }: { readonly team: string; readonly id: string },
  groups: readonly string[],
): Promise<void> {
  const { dialect } = v3;
  const existing = await groupLabels(v3, runQuery, team, groups);
  refuseUnknown("groups", groups, existing);
  const others = [...existing.values()].filter(
    (label) => label.type === "screen" && label.id !== id,
  );
  if (others.length > 0)
    throw fieldFailure(
      "groups",
      "groups must not contain the label of another screen",
    );
  const labelIds = [...existing.values()]
    .filter(({ type }) => type === "manual")
    .map((label) => label.id)
    .sort();
  await lockRows(
    { dialect, team, runQuery },
    "labels",
    "own",
    sql`type = 'manual' AND (id IN (SELECT label_id FROM label_screen WHERE team_id = ${team} AND screen_id = ${id})
      OR ${dialect.keysOneOf(named("id"), labelIds)})`,
  );
  await runQuery(
    sql`DELETE FROM label_screen WHERE team_id = ${team} AND screen_id = ${id}
      AND NOT ${dialect.keysOneOf(named("label_id"), labelIds)}
      AND label_id IN (SELECT id FROM labels WHERE team_id = ${team} AND type = 'manual')`,
  );
  for (const label of labelIds)
    await runQuery(
      sql`INSERT INTO label_screen (row_id, team_id, label_id, screen_id, created_at)
        VALUES (${v3.makeId()}, ${team}, ${label}, ${id}, ${v3.now()}) ON CONFLICT DO NOTHING`,
    );
}

function guesserOf(request: Request): string {
  return hash("sha256", secretFrom(request.headers.authorization) ?? "", "hex");
}
