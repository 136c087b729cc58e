// Random requests on SQLite, on PostgreSQL and on a naive implementation over plain objects: the same response.

import fc from "fast-check";
import { mkdtemp } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { expect, inject, it } from "vitest";
import { contentMigrations } from "../../server/content/migrations.ts";
import type { ContentTables } from "../../server/content/tables.ts";
import type { Database } from "../../server/platform/database/database.ts";
import { migrate } from "../../server/platform/database/migrate.ts";
import { openPostgres } from "../../server/platform/database/postgres.ts";
import { openSqliteDatabase } from "../../server/platform/sqlite/sqlite-database.ts";
import { afterThisTest } from "../support/after-this-test.ts";
import { removeFolder } from "../support/folder.ts";
import { makeDatabase } from "../support/database/postgres.ts";
import {
  firstMoment,
  serveV4,
  type V4Service,
} from "../support/content/serve-v4.ts";
import { textOf, querySpecs } from "../support/content/v4-grammar.ts";
import { expectedRows } from "../support/content/v4-oracle.ts";
import { addSamples } from "../support/content/v4-rows.ts";

const { VITRINE_LONG, VITRINE_SEED } = process.env;
const runs = VITRINE_LONG === "1" ? 5_000 : 150;
const seed = Number(VITRINE_SEED ?? Date.now() % 1_000_000);
if (VITRINE_LONG === "1")
  console.error(`To see this again: VITRINE_SEED=${seed}`);
const server = inject("postgresUrl");

async function served(
  database: Database<ContentTables>,
  drop: () => Promise<unknown>,
): Promise<V4Service> {
  afterThisTest(async () => {
    await database.close();
    await drop();
  });
  await migrate(database.kysely as never, database.kind, contentMigrations);
  const v4 = await serveV4({ kind: database.kind, open: async () => database });
  await addSamples(database, v4.team, v4.otherTeam);
  return v4;
}

/** Two services with the same rows, on SQLite and on PostgreSQL. */
async function serveBoth(): Promise<readonly [V4Service, V4Service]> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "vitrine-test-"));
  const created = await makeDatabase(server);
  return [
    await served(openSqliteDatabase(path.join(folder, "content.db")), () =>
      removeFolder(folder),
    ),
    await served(openPostgres(created.url, { connections: 4 }), created.drop),
  ];
}

/** Adds rows with numbers at their limits and JSON of every shape. */
async function addOddRows(
  database: Database<ContentTables>,
  team_id: string,
): Promise<void> {
  const durations = [
    ...[0.1, 1e-7, 1.5e-10, Number.MIN_VALUE, 1e21, 1e15, 2 ** 60],
    ...[Number.MAX_VALUE, 2.5, 3.5, 0, 1 / 3, 2 ** 52 + 1],
  ];
  const documents = [
    ...[
      '{"":{"":1},"n":1e400}',
      '"text"',
      "7",
      "true",
      "null",
      "[]",
      "[[1],2]",
    ],
    ...['{"n":"x","s":null}', '{"tags":{"0":"zero"}}', '{"n":0.10}', "[{}]"],
    ...['{"n":1e-7,"s":"Ünder way"}', '{"s":"a b c","tags":["red one"]}'],
  ];
  const texts = [
    ...["12", " 12 ", "1e3", "99999999999999999999", "t", "yes", "0x10"],
    ...["1e400", "-0", ".5", "5.", "Infinity", "12abc"],
  ];
  const sizes = [
    ...["9223372036854775807", "-9223372036854775808", "9007199254740993"],
    ...["0", "-1", "2147483648", "1", "10", "100", "3", "4", "5", "6"],
  ];
  for (const [at, duration] of durations.entries())
    await database.kysely
      .insertInto("assets")
      .values({
        ...{ id: `B${String(at).padStart(2, "0")}`, team_id, duration },
        ...{ title: texts[at], metadata: documents[at] },
        ...{ source_size: BigInt(sizes[at] ?? "0"), created_at: firstMoment },
      } as never)
      .execute();
}

const casts = [
  "",
  "::text",
  "::int",
  "::bigint",
  "::float",
  "::numeric",
  "::boolean",
];
const shown = [
  ...["id", "title", "duration", "source_size", "width", "created_at"],
  ...["metadata", "metadata->0", "metadata->1", "metadata->>0", "metadata->n"],
  ...["metadata->>n", 'metadata->""', 'metadata->""->>""', "metadata->tags->0"],
  ...["metadata->tags->>0", "metadata->0->0", "metadata->>-1", "send_metadata"],
  ...["pdf_page_enabled", "md5", "type", "metadata->deep->a->1->>b"],
];
/** The databases write an object with different blanks and in a different order. */
const isJson = (column: string): boolean => /^metadata(?!.*->>)/.test(column);
const chosen = fc
  .constantFrom(...shown)
  .chain((column) =>
    isJson(column)
      ? fc.constant(column)
      : fc.constantFrom(...casts).map((cast) => column + cast),
  );
const searched = ["title", "md5", "metadata", "metadata->>s", "metadata->>n"];
const search = fc.record({
  column: fc.constantFrom(...searched),
  not: fc.constantFrom("", "not."),
  operator: fc.constantFrom("fts", "plfts", "phfts", "wfts"),
  words: fc.constantFrom(
    ...[
      "welcome",
      "the lobby",
      "red",
      "five",
      "x",
      "a b",
      "Ünder",
      "b c",
      "12",
    ],
  ),
});
const condition = fc.record({
  column: fc.constantFrom(...shown),
  not: fc.constantFrom("", "not."),
  operator: fc.constantFrom("eq", "neq", "lt", "gte", "is", "isdistinct"),
  value: fc.constantFrom(
    ...["null", "0", "1", "5", "0.1", "true", '"x"', "[]", "1e21", "text"],
    ...["9223372036854775807", "2026-01-01", "1e-7", '"text"', "{}"],
  ),
});
const requests = fc.oneof(
  querySpecs.map(textOf),
  fc
    .record({
      columns: fc.uniqueArray(chosen, { minLength: 1, maxLength: 3 }),
      filter: fc.oneof(
        fc.constant(""),
        search.map(
          ({ column, not, operator, words }) =>
            `&${encodeURIComponent(column)}=${not}${operator}.${encodeURIComponent(words)}`,
        ),
        condition.map(
          ({ column, not, operator, value }) =>
            `&${encodeURIComponent(column)}=${not}${operator}.${encodeURIComponent(value)}`,
        ),
      ),
      order: fc.oneof(
        fc.constant(""),
        fc
          .constantFrom(...shown)
          .map((column) => `&order=${encodeURIComponent(column)}`),
      ),
    })
    .map(({ columns, filter, order }) => {
      const select = columns.map((column, at) => `c${at}:${column}`);
      return `select=id,${encodeURIComponent(select.join())}${filter}${order}`;
    }),
);

it.skipIf(server === "")(
  "[V4-290] the same request gets the same response from both databases",
  async () => {
    const [lite, great] = await serveBoth();
    for (const { database, team } of [lite, great])
      await addOddRows(database, team);
    const form = fc.constantFrom("application/json", "text/csv");
    await fc.assert(
      fc.asyncProperty(requests, form, async (query, Accept) => {
        const requests = decodeURIComponent(query);
        const hasJson = /metadata(?!(->\w*)*->>)/.test(requests);
        const answerOf = async (v4: V4Service) => {
          const { status, text } = await v4.get(`/assets?${query}`, {
            Accept: hasJson ? "application/json" : Accept,
          });
          // Each database words its own error message for an invalid value.
          if (status >= 300) return [status, ""];
          return [status, /^[[{]/.test(text) ? JSON.parse(text) : text];
        };
        expect([requests, ...(await answerOf(great))]).toEqual([
          ...[requests, ...(await answerOf(lite))],
        ]);
      }),
      { seed, numRuns: runs },
    );
  },
);

it.skipIf(server === "")(
  "[V4-8] [V4-9] [V4-10] [V4-16] [V4-290] both databases find the same rows as a naive filter over all rows",
  async () => {
    const [lite, great] = await serveBoth();
    await fc.assert(
      fc.asyncProperty(querySpecs, async (querySpec) => {
        const query = textOf(querySpec);
        const expected = [200, expectedRows(querySpec)];
        for (const v4 of [lite, great]) {
          const { status, json } = await v4.get(`/assets?${query}`);
          expect([
            ...[decodeURIComponent(query), v4.database.kind, status, json],
          ]).toEqual([
            ...[decodeURIComponent(query), v4.database.kind, ...expected],
          ]);
        }
      }),
      { seed, numRuns: runs },
    );
  },
);
