// API v2: the parameters of a query are read by their schemas, and a wrong one changes nothing.

import { describe, expect, it } from "vitest";
import {
  answerOf,
  startPlayer,
} from "../../../../support/player/start-player.ts";

const account = "/sync/accounts/3f9a1c2e";
const change = "/sync/local-changes/3f9a1c2e-red";
const moment = "must be a date and time such as 2026-01-31T09:30:00Z";
const names = "must be names of fields, separated by commas";
const trueOrFalse = "must be true or false";

const wrong = [
  ["GET", "/activity", "kind=weather", /^kind must be one of player, /],
  ["GET", "/activity", "from=soon", `from ${moment}; got "soon"`],
  ["GET", "/activity", "limit=0", /^limit must be a whole number from 1 to /],
  ["GET", "/activity", "limit=5&limit=6", /from 1 to 10000; got an array$/],
  ["GET", "/playbacks", "before=-1", /^before must be a whole number from 0/],
  ["GET", "/playbacks", "format=xml", /^format must be one of json, csv; got/],
  ["GET", "/playbacks/report", "to=2026-02-31x", /^to must be a day such as /],
  ["GET", "/why", "at=", `at ${moment}; got ""`],
  ["POST", "/backup", "stream=maybe", `stream ${trueOrFalse}; got "maybe"`],
  ["GET", `${account}/cloud/labels`, "after=%2e%2e", /^after must be the next/],
  ["GET", `${account}/cloud/labels`, "limit=501", /^limit must be a whole/],
  ["DELETE", account, "keep=2", `keep ${trueOrFalse}; got "2"`],
  ["DELETE", account, "keep=", `keep ${trueOrFalse}; got ""`],
  ["DELETE", change, "fields=", `fields ${names}; got ""`],
  [
    "DELETE",
    change,
    "fields=name&fields=muted",
    `fields ${names}; got an array`,
  ],
  ["DELETE", "/sync/local-changes", "", "account_id is required"],
  ["DELETE", "/sync/local-changes", "account_id=", /^account_id must not be e/],
] as const;

describe("[V2-755] a parameter of a query", () => {
  it("is 400 with a sentence under its name when it is wrong, empty or sent twice", async () => {
    const { request } = await startPlayer();
    for (const [method, path, query, sentence] of wrong) {
      const at = `${path}?${query}`;
      const { status, body } = await answerOf(await request(at, { method }));
      const name = query.split("=")[0] || "account_id";
      const expected =
        typeof sentence === "string"
          ? sentence
          : (expect.stringMatching(sentence) as string);
      expect([status, body], at).toEqual([400, { [name]: [expected] }]);
    }
  });

  it("of a list counts as left out when it is empty, and is ignored when it is unknown", async () => {
    const { request } = await startPlayer();
    const queries = [
      "kind=&from=&to=&search=&before=&limit=&format=",
      ...["colour=red", "from=2026-01-01T00:00:00+02:00"],
    ];
    const [all, ...same] = await Promise.all(
      ["", ...queries].map(async (query) =>
        answerOf(await request(`/activity?${query}`)),
      ),
    );
    for (const answer of same)
      expect(answer).toMatchObject({ status: 200, body: all?.body });
  });
});
