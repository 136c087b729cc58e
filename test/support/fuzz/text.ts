// Fuzzing: values that no client should send: text, numbers, times, addresses, and anything JSON can hold.

import fc from "fast-check";
import { anyCharacter } from "./any-character.ts";

const one = fc.constantFrom;

/** Text of any kind, including unpaired surrogates and null characters. */
export const text = fc.oneof(
  fc.string({ unit: anyCharacter }),
  one("", " ", "\0", "\ud800", "a\udc00b", "\u202e", "😀".repeat(300)),
  // prettier-ignore
  one(
    "__proto__", "constructor", "toString", "../../etc/passwd", "'; DROP TABLE assets; --",
  ),
  // prettier-ignore
  one(
    "x".repeat(1001), "9".repeat(400), "NaN", "Infinity", "0x10", "1e3", "-0",
  ),
);

const number = fc.oneof(
  fc.double(),
  one(2 ** 53, -(2 ** 53), 2 ** 31, 1e308, 5e-324, -0, 0.1),
);

export const moment = fc.oneof(
  one("2026-02-30", "0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59"),
  one("+010000-01-01T00:00:00Z", "2026-01-31T24:00Z", "2026-01-31T09:30:00Z"),
  fc.integer({ min: 0, max: 99_999 }).map((year) => `${year}-06-15T12:00:00Z`),
);

/** Nothing listens there, so that connecting fails at once. */
export const uri = fc.oneof(
  one("http://127.0.0.1:1/", "http://[::1]:1/a?b#c", "http://localhost:1/%00"),
  one("javascript:alert(1)", "file:///etc/passwd", "data:text/html,x", "//x/y"),
  one("http://", "http://[", "upload:", `upload:${"0".repeat(32)}`, "rtsp://x"),
  one(`http://127.0.0.1:1/${"x".repeat(9000)}`, "http://u:p@127.0.0.1:1\\@x/"),
  text,
);

const deep = one(10, 1000, 20_000).map(
  (depth) => `${"[".repeat(depth)}${"]".repeat(depth)}`,
);

/** As JSON text, since not all of it survives being a value. */
export const jsonText = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.stringify(value)),
  text.map((value) => JSON.stringify(value)),
  number.map((value) => JSON.stringify(value)),
  one("1e999", "-1e999", "123456789012345678901234567890", '"\\ud800"'),
  one('{"__proto__":{"is_enabled":true}}', '{"constructor":{"prototype":{}}}'),
  deep,
);
