// Full-text search in texts of any length: the same results on both databases.

import { expect, it } from "vitest";
import { eachContent } from "../../../support/content/each-content.ts";

const words = (count: number, begin: string): string =>
  Array.from({ length: count }, (_, index) => `${begin}${index}`).join(" ");

/** Beyond the limits of PostgreSQL's own text search: in bytes, in words, in positions of one word, in letters of a word. */
const texts: Readonly<Record<string, string>> = {
  large: `${words(90_000, "wörd")} needle end`,
  repeated: `${"echo other ".repeat(9000)}echo needle. Then: the last words`,
  long: `${"x".repeat(5000)} needle ${"é".repeat(3000)}y`,
  small: "The needle, in a small text",
  none: "",
};

type Scenario = readonly [search: string, found: readonly string[]];

const scenarios: readonly Scenario[] = [
  ["plfts.needle", ["large", "long", "repeated", "small"]],
  ["fts.wörd89999", ["large"]],
  ["fts.wörd8999:*", ["large"]],
  ["phfts.wörd89999 needle end", ["large"]],
  ["phfts.needle wörd89999", []],
  ["phfts.echo needle", ["repeated"]],
  ["phfts.the last words", ["repeated"]],
  ["fts.echo <2> last", []],
  ["fts.needle <3> last", ["repeated"]],
  ["fts.(echo | small) <-> (needle | text)", ["repeated", "small"]],
  ["fts.then <-> (the <-> last)", ["repeated"]],
  ["fts.need:* <-> th:*", ["repeated"]],
  ["fts.need:* <-> i:* <-> a", ["small"]],
  ["fts.needle %26 !echo", ["large", "long", "small"]],
  ["not.plfts.needle", ["none"]],
  [`fts.${"x".repeat(400)}:*`, ["long"]],
];

eachContent(({ start }) => {
  it("[V4-303] finds words and phrases in scripts and JSON of more than 1 MiB, at any position", async () => {
    const content = await start();
    for (const [title, text] of Object.entries(texts))
      await content.add("/v4/assets", {
        ...{ title, js_injection: text, headers: { deep: text } },
      });
    const found = async (filter: string): Promise<readonly string[]> =>
      (
        await content.rows<{ title: string }>(
          `/v4/assets?select=title&order=title&${filter}`,
        )
      ).map(({ title }) => title);
    for (const column of ["js_injection", "headers"])
      for (const [search, expected] of scenarios)
        expect([column, search, await found(`${column}=${search}`)]).toEqual([
          ...[column, search, expected],
        ]);
  });
});
