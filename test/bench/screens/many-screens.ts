// A team with thousands of screens, each with a state, a report and labels, written straight into the database of a service that is
// not running yet; and changes of some of them while it runs.

import { createKeys } from "../../../server/content/access/keys.ts";
import { addTeam } from "../../../server/content/access/teams.ts";
import type { ContentTables } from "../../../server/content/tables.ts";
import type {
  ScreenReport,
  ScreenState,
} from "../../../server/contract/link/screen-report.ts";
import { createUlids } from "../../../server/core/ulid.ts";
import type { Database } from "../../../server/platform/database/database.ts";
import { createRandomBytes } from "../../../server/platform/random-bytes.ts";
import { benchKey } from "../fleet/team.ts";

const labels = ["Lobby", "Canteen", "Menu boards", "Meeting rooms"];
const places = ["Hamburg", "Lyon", "Toronto", "Osaka", "Porto"];
const shown = ["Spring collection", "Lunch menu", "Welcome", "Departures"];
const rowsAtOnce = 500;

/** Returns the identifiers of the screens. */
export async function addManyScreens(
  database: Database<ContentTables>,
  count: number,
): Promise<readonly string[]> {
  const makeUlid = createUlids(createRandomBytes());
  const moment = Date.now();
  const makeId = (): string => makeUlid(moment);
  const team = makeId();
  const allScreens = makeId();
  await addTeam(database.kysely, {
    ...{ id: team, name: "Bench", labelId: allScreens, moment },
  });
  await createKeys({ database, makeId, now: () => moment }).add({
    ...{ name: "bench", team: "Bench", secret: benchKey },
  });
  const labelIds = labels.map(makeId);
  const common = { team_id: team, created_at: moment };
  const ids = Array.from({ length: count }, makeId);
  const many = ids.map((id, at) => ({ id, at, name: nameAt(at) }));
  await database.transaction(async (transaction) => {
    await inBatches(
      labels.map((name, at) => ({
        ...{ ...common, id: labelIds[at] ?? "", type: "manual" as const },
        ...{ name, human_name: name },
      })),
      (rows) => transaction.insertInto("labels").values(rows).execute(),
    );
    await inBatches(
      many.map(({ id, at, name }) => ({
        ...{ ...common, id, name, hostname: `srly-${at}` },
        ...{ location: places[at % places.length] ?? "", status: "In Sync" },
        ...{ in_sync: true, last_ping: moment, software_version: "1.4.0" },
        item_counts: JSON.stringify({ wanted: 24, here: 24, failed: 0 }),
        is_enabled: true,
      })),
      (rows) => transaction.insertInto("screens").values(rows).execute(),
    );
    await inBatches(
      many.map(({ id, name }) => ({
        ...{ ...common, id, type: "screen" as const, name, human_name: name },
      })),
      (rows) => transaction.insertInto("labels").values(rows).execute(),
    );
    await inBatches(
      many.flatMap(({ id, at }) =>
        [id, allScreens, labelIds[at % labelIds.length] ?? ""].map(
          (label_id) => ({
            ...{ ...common, row_id: makeId(), label_id, screen_id: id },
          }),
        ),
      ),
      (rows) => transaction.insertInto("label_screen").values(rows).execute(),
    );
    await inBatches(
      many.map(({ id, at }) => ({
        ...{ screen_id: id, team_id: team, ...stateAt(at), since: moment },
        ...{ report: reportAt(at, 0), reported_at: moment },
      })),
      (rows) => transaction.insertInto("screen_states").values(rows).execute(),
    );
  });
  return ids;
}

/** As if their players had reported the next item. */
export async function changeReports(
  { kysely }: Database<ContentTables>,
  ids: readonly string[],
  round: number,
): Promise<void> {
  await kysely.transaction().execute(async (transaction) => {
    for (const [at, id] of ids.entries())
      await transaction
        .updateTable("screen_states")
        .set({ report: reportAt(at, round), reported_at: Date.now() })
        .where("screen_id", "=", id)
        .execute();
  });
}

async function inBatches<T>(
  rows: readonly T[],
  insert: (rows: readonly T[]) => Promise<unknown>,
): Promise<void> {
  for (let from = 0; from < rows.length; from += rowsAtOnce)
    await insert(rows.slice(from, from + rowsAtOnce));
}

function nameAt(at: number): string {
  return `${labels[at % labels.length] ?? ""} ${places[at % places.length] ?? ""} ${at + 1}`;
}

/** Of a hundred screens, 3 are wrong and 2 incomplete. */
function stateAt(at: number): {
  readonly state: ScreenState;
  readonly reason: string | null;
} {
  const of = at % 100;
  if (of < 3)
    return {
      ...{ state: "wrong" as const },
      reason: "The screen is blank instead of showing “Lunch menu”.",
    };
  if (of < 5)
    return { state: "incomplete", reason: "2 of 24 items are missing." };
  return { state: "right", reason: null };
}

function reportAt(at: number, round: number): string {
  const since = new Date(Date.now() - 240_000).toISOString();
  const { state } = stateAt(at);
  const report: ScreenReport = {
    showing: {
      ...{ asset_id: "asset-1", kind: "image", reason: "schedule" },
      name: shown[(at + round) % shown.length] ?? "",
      ...{ explanation: "It is scheduled.", playlist: "All day" },
      ...{ since, until: null, verdict_since: since },
      verdict: state === "wrong" ? "blank" : "verified",
    },
    next: shown[(at + round + 1) % shown.length] ?? "",
    ...{ paused_until: null, is_dark: false, missing: [] },
    displays: [{ width: 1920, height: 1080, rotation: 0, is_playback: true }],
    storage: { free_bytes: 21_400_000_000, total_bytes: 64_000_000_000 },
    clock_skew_ms: 400,
  };
  return JSON.stringify(report);
}
