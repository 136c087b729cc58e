// Untrusted JSON, parsed in slices: the same result as the engine's own parser, bounded, and without blocking.

import { describe, expect, it } from "vitest";
import { wellFormed } from "../../../../server/core/text-limit.ts";
import { parseUntrustedJson } from "../../../../server/platform/text/untrusted-json.ts";

/** Long enough to be parsed in slices. */
const padding = " ".repeat(300_000);

async function outcome(text: string): Promise<unknown> {
  return parseUntrustedJson(text + padding).catch(() => "refused");
}

/** In the order of keys, which counts. */
const textOf = (json: unknown): string => JSON.stringify(json);

/** A cut inside a surrogate pair leaves lone surrogates. */
function clean(value: unknown): unknown {
  if (typeof value === "string") return wellFormed(value);
  if (typeof value !== "object" || value === null) return value;
  return Array.isArray(value)
    ? value.map(clean)
    : Object.fromEntries(
        Object.entries(value).map(([key, one]) => [
          wellFormed(key),
          clean(one),
        ]),
      );
}

function expected(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return "refused";
  }
}

let seed = 11;
const random = (below: number): number =>
  (seed = (seed * 48_271) % 2_147_483_647) % below;

function value(depth: number): unknown {
  const kinds = depth > 4 ? 6 : 8;
  switch (random(kinds)) {
    case 0:
      return null;
    case 1:
      return random(2) === 0;
    case 2:
      return (random(2_000_000) - 1_000_000) / (random(3) + 1);
    case 3:
      return 10 ** (random(40) - 20);
    case 4:
      return ['"', "\\", "\\\\", "\n", "é😀", "__proto__", ""][random(7)];
    case 5:
      return "x".repeat(random(20));
    case 6:
      return Array.from({ length: random(5) }, () => value(depth + 1));
    default:
      return Object.fromEntries(
        Array.from({ length: random(5) }, () => [
          // No key here is a single backslash: after such a key V8's own parser takes an escaped quotation mark for it, too.
          ["a", "b", "__proto__", "", '"', "\\\\"][random(6)],
          value(depth + 1),
        ]),
      );
  }
}

describe("[V2-549] JSON of a service", () => {
  it("equals the result of JSON.parse, and is rejected where that rejects it", async () => {
    for (let round = 0; round < 300; round += 1) {
      const text = JSON.stringify(value(0), null, random(3));
      const at = random(text.length + 1);
      const broken = [
        text,
        text.slice(0, at),
        text.slice(0, at) +
          ['"', ",", "]", "}", "\\", "1", " "][random(7)] +
          text.slice(at),
      ];
      for (const one of broken)
        expect([one, textOf(await outcome(one))]).toEqual([
          one,
          textOf(clean(expected(one))),
        ]);
    }
    for (const text of [
      "",
      " ",
      "[1,]",
      "[,1]",
      '{"a":1,}',
      "{,}",
      "01",
      "1.",
      "-",
      "+1",
      "nul",
      "[1 2]",
      '"\u0001"',
      '{"a" 1}',
      "[]]",
      '{"a":1}x',
      "\ufeff1",
    ])
      expect([text, await outcome(text)]).toEqual([text, expected(text)]);
    expect(
      Object.keys((await outcome('{"__proto__":{"x":1}}')) as object),
    ).toEqual(["__proto__"]);
  });

  it("[V2-548] has no lone surrogates, in keys and texts", async () => {
    const text = '{"a\\ud83d":["\\ud83dx","\\ud83d\\ude00","\\\\ud83d"]}';
    const complete = { a: ["x", "😀", "\\ud83d"] };
    expect(await parseUntrustedJson(text)).toEqual(complete);
    expect(await outcome(text)).toEqual(complete);
  });

  it("is rejected where it is too deep or has too many values", async () => {
    const bounds = { maxDepth: 5, maxValues: 1000 };
    const refused = async (text: string): Promise<boolean> =>
      parseUntrustedJson(text + padding, bounds).then(
        () => false,
        (error: unknown) => error instanceof SyntaxError,
      );
    expect(await refused(`[${"1,".repeat(998)}1]`)).toBe(false);
    expect(await refused(`[${"{},".repeat(1000)}1]`)).toBe(true);
    expect(await refused("[[[[[1]]]]]")).toBe(false);
    expect(await refused("[[[[[[1]]]]]]")).toBe(true);
    expect(await outcome("[".repeat(200_000))).toBe("refused");
  });

  it("does not block the event loop while a large one is parsed", async () => {
    const row = { id: "A", title: "x".repeat(100), tags: [1, 2, { a: null }] };
    const text = JSON.stringify(Array.from({ length: 100_000 }, () => row));
    let rounds = 0;
    let isOver = false;
    const count = (): void => {
      rounds += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const rows = (await parseUntrustedJson(text)) as unknown[];
    isOver = true;
    expect(rows).toHaveLength(100_000);
    expect(rows.at(-1)).toEqual(row);
    expect(rounds).toBeGreaterThan(3);
  });
});
