// What assets and playlists bring: how it is read, and that nothing is described that would be refused.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { anyCharacter } from "../../../support/fuzz/any-character.ts";
import {
  extraFields,
  type ExtraName,
} from "../../../../server/contract/v2/v2-extras.ts";
import {
  patchPlaylistV2,
  playlistV2,
} from "../../../../server/contract/v2/v2-playlists.ts";

const one = fc.constantFrom;
const names = Object.keys(extraFields) as ExtraName[];

const raw = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }),
  fc.integer({ min: -2, max: 600 }),
  fc.string({ unit: anyCharacter }),
  one("fit", "fill", "natural", "09:30", "23:59:59", "24:00", "9:30", ""),
  one(0, 90, 180, 270, "90", true, null),
  fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 9 }),
  fc.dictionary(
    fc.oneof(
      fc.string(),
      one("Host", "hOsT", "Sec-Ch-Ua", "proxy-x", "X-A", "Cookie", "TE", "Tea"),
    ),
    fc.oneof(fc.string(), fc.string({ unit: anyCharacter }), one("a\nb", "")),
  ),
);

/** Patterns cannot say that a null or half a letter is no text. */
function isText(value: unknown): boolean {
  return typeof value !== "string" || !/[\0\uD800-\uDFFF]/u.test(value);
}

describe.each(names)("%s", (name) => {
  const { read, byDefault } = extraFields[name] as {
    readonly read: (typeof extraFields)["metadata"]["read"];
    readonly byDefault: unknown;
  };
  const allows = z.fromJSONSchema(read.schema);

  it("[V2-91] allows nothing in its description that is refused", () => {
    fc.assert(
      fc.property(raw, (value) => {
        if (isText(value) && allows.safeParse(value).success)
          expect(read(value)).toHaveProperty("value");
      }),
      { numRuns: 500 },
    );
  });

  it("[V2-109] takes null and empty text for its default, and the default for itself", () => {
    for (const value of [null, "", " "])
      expect(read(value)).toEqual({ value: byDefault });
    expect(read(byDefault)).toEqual({ value: byDefault });
  });

  it("reads again what it has read, as it is and as it comes out of a column", () => {
    fc.assert(
      fc.property(raw, (value) => {
        const reading = read(value);
        if (!("value" in reading)) return;
        const stored: unknown = JSON.parse(JSON.stringify(reading.value));
        expect(read(stored)).toEqual({ value: stored });
      }),
      { numRuns: 500 },
    );
  });
});

describe("custom_headers", () => {
  const { read } = extraFields.headers;

  it("[V2-100] takes the last of one name in two spellings", () => {
    const value = { "x-a": "1", "X-B": " 2 ", "X-A": "3" };
    expect(read(value)).toEqual({ value: { "X-A": "3", "X-B": "2" } });
  });
});

describe("a playlist", () => {
  it("[V2-91] has nothing in its description that is refused, but predicates that cannot be read", () => {
    const complete = z.fromJSONSchema(
      z.toJSONSchema(playlistV2, {
        ...{ io: "input", unrepresentable: "any" },
      }),
    );
    const bodies = fc.record(
      {
        name: fc.oneof(fc.string(), one("Lunch", "Dinner")),
        predicate: one("TRUE", "$TIME > 1"),
        priority: one(0, 1, 100, 101),
        is_enabled: one(true, false, 2),
        groups: one([], ["a"], ["a", "b c"], ["a,b"], [" "]),
        transition: one("cut", "cross-fade", "wipe", null),
        shuffle: one(true, null, 7),
        items: fc.array(
          fc.record(
            { asset_id: one("a", "b", "c", ""), duration: one(0, null, 7, -1) },
            { requiredKeys: ["asset_id"] },
          ),
          { maxLength: 3 },
        ),
      },
      { requiredKeys: ["name"] },
    );
    let taken = 0;
    fc.assert(
      fc.property(bodies, (body) => {
        if (!complete.safeParse(body).success) return;
        // Names of blanks alone are text all the same.
        fc.pre(body.name.trim() !== "" && !body.name.includes("\0"));
        taken += 1;
        expect(playlistV2.safeParse(body).success).toBe(true);
        expect(patchPlaylistV2.safeParse(body).success).toBe(true);
      }),
      { numRuns: 2000 },
    );
    expect(taken).toBeGreaterThan(100);
  });
});
