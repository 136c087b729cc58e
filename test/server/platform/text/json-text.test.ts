// Lossless JSON: as JavaScript itself reads it, with every digit; stored values may exceed the limits for input.

import fc from "fast-check";
import { expect, it } from "vitest";
import {
  readJson,
  readStoredJson,
  writeJson,
  writeJsonInOrder,
} from "../../../../server/platform/text/json-text.ts";

it("reads back a number that is longer than accepted input, and expands none without limit", () => {
  const long = "1".repeat(1001);
  expect(() => readJson(long, 100)).toThrow("The number is too long");
  expect(writeJson(readStoredJson(long))).toBe(long);
  for (const endless of ["1e999999999", "1e-999999999", "1".repeat(10_001)])
    expect(() => readStoredJson(endless)).toThrow("The number is too long");
});

/** Of one value: its source where that is a number, as JavaScript passes it since V8 11.4. */
type Reviver = (
  key: string,
  value: unknown,
  context: { readonly source?: string },
) => unknown;

/** With numbers as the texts they were sent as. */
function parsedWithSource(text: string): unknown {
  const keepDigits: Reviver = (_key, value, { source }) =>
    typeof value === "number" ? `digits ${source ?? ""}` : value;
  return JSON.parse(text, keepDigits as (key: string, value: unknown) => never);
}

const numberText = fc.stringMatching(/^-?[1-9][0-9]{0,40}(\.[0-9]{1,40})?$/);
/** Every spelling of JSON, blanks and names that mean something to JavaScript included. */
const { text: jsonText } = fc.letrec<{ text: string }>((tie) => ({
  text: fc.oneof(
    { maxDepth: 5 },
    numberText,
    fc.constantFrom("true", "false", "null", "0"),
    fc.string({ unit: "grapheme" }).map((each) => JSON.stringify(each)),
    fc.array(tie("text")).map((items) => `[${items.join(" ,\n")}]`),
    fc
      .array(
        fc.tuple(
          fc.constantFrom("a", "b", "7", "__proto__", "constructor"),
          tie("text"),
        ),
      )
      .map(
        (members) =>
          `{${members.map(([name, each]) => `\t"${name}" : ${each}`).join(",")} }`,
      ),
  ),
}));

it("reads what JavaScript reads, each number with all its digits and every name as plain data", () => {
  fc.assert(
    fc.property(jsonText, (text) => {
      fc.pre(!/\\u(0000|d[89a-f])/i.test(text));
      const written = writeJsonInOrder(readJson(text, 100));
      expect(parsedWithSource(written)).toEqual(parsedWithSource(text));
    }),
  );
});
