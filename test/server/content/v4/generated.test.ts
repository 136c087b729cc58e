// Random requests: the same rows as a naive search through plain objects, and never a server error.

import fc from "fast-check";
import { expect, it } from "vitest";
import { eachDatabase } from "../../../support/database/each-database.ts";
import { serveV4, type V4Service } from "../../../support/content/serve-v4.ts";
import { textOf, querySpecs } from "../../../support/content/v4-grammar.ts";
import { expectedRows } from "../../../support/content/v4-oracle.ts";
import { addSamples } from "../../../support/content/v4-rows.ts";

const runs = 100;

eachDatabase((database) => {
  async function serveSamples(): Promise<V4Service> {
    const v4 = await serveV4(database);
    await addSamples(v4.database, v4.team, v4.otherTeam);
    return v4;
  }

  it("[V4-8] [V4-9] [V4-10] [V4-16] finds what a naive search through the rows finds", async () => {
    const v4 = await serveSamples();
    await fc.assert(
      fc.asyncProperty(querySpecs, async (querySpec) => {
        const query = textOf(querySpec);
        const { status, json } = await v4.get(`/assets?${query}`);
        expect([decodeURIComponent(query), status, json]).toEqual([
          ...[decodeURIComponent(query), 200, expectedRows(querySpec)],
        ]);
      }),
      { numRuns: runs },
    );
  });

  it("[V4-33] [V4-40] never returns a server error, whatever is sent", async () => {
    const v4 = await serveSamples();
    const spoilt = fc
      .tuple(
        querySpecs.map(textOf),
        fc.array(fc.tuple(fc.nat(200), fc.constantFrom(...snippets)), {
          ...{ minLength: 1, maxLength: 4 },
        }),
        fc.constantFrom("GET", "HEAD", "PATCH", "DELETE", "POST"),
        fc.oneof(fc.json(), fc.constantFrom(...bodies)),
      )
      .map(([text, edits, method, body]) => ({
        ...{ method, body },
        query: edits.reduce(
          (all, [place, snippet]) =>
            all.slice(0, place) + snippet + all.slice(place + snippet.length),
          text,
        ),
      }));
    await fc.assert(
      fc.asyncProperty(spoilt, async ({ method, query, body }) => {
        const isWrite = method !== "GET" && method !== "HEAD";
        const { status, text } = await v4.request(method, `/assets?${query}`, {
          ...(isWrite && { body }),
        });
        expect([status < 500, text]).toEqual([true, text]);
      }),
      { numRuns: runs },
    );
  });
});

const snippets = [
  ...["(", ")", ",", ".", '"', "\\", "->", "->>", "::", "!", "...", "*", "{"],
  ...["}", "&", "=", "not.", "or=(", "and(", "in.(", "is.null", "%00", "%ff"],
  ...["::int", "::text", "select=", "order=", "limit=-1", "id=eq.A1&", "count"],
  ...["assets(", "asset_groups(", "metadata->", "created_at=gt.", "fts.", "'"],
  ...[
    "match.",
    "999999999999999999999",
    "%F0%9F%92%A9",
    "any).{",
    "on_conflict=",
  ],
];

const bodies = [
  ...['{"title": "x"}', '[{"title": "x"}, {"title": null}]', "[]", "{}", "5"],
  ...['{"duration": 1}', '{"metadata": [1]}', '{"zoom_level": "x"}', "{", ""],
];
