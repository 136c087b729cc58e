// Fuzzing: fields beyond the specification, of assets and of playlists, from nearly valid to nonsense.

import fc from "fast-check";
import { jsonText, text } from "./text.ts";

const one = fc.constantFrom;
const quoted = (arbitrary: fc.Arbitrary<string>) =>
  arbitrary.map((value) => JSON.stringify(value));

const headerName = fc.oneof(
  one("X-A", "Cookie", "Authorization", "x-a", "Host", "Sec-X", "", "a b"),
  text,
);
const headerValue = fc.oneof(one("1", "a\r\nb", "é", "x".repeat(5000)), text);

const time = fc.oneof(
  one("09:30", "23:59:59", "00:00", "24:00", "9:30", "09:30:00.000", ""),
  text,
);

const numbers = fc.oneof(
  quoted(one("1,2,3", "[1,2]", "1,,2", "[", "7", "0")),
  one("[]", "[1]", "[8]", "[1.5]", "[null]", "[[1]]", "7"),
  one(`[${"1,".repeat(10_001)}1]`, `[${"9".repeat(30)}]`),
);

export const fieldsOfExtras: Readonly<Record<string, fc.Arbitrary<string>>> = {
  custom_headers: fc.oneof(
    fc.dictionary(headerName, headerValue).map((all) => JSON.stringify(all)),
    one('{"__proto__":"x"}', "{}", "null", '"{\\"X-A\\":\\"b\\"}"'),
    jsonText,
  ),
  refresh_interval_s: one("1", "86400", "0", "86401", "null", '"9"'),
  play_days: numbers,
  play_time_from: fc.oneof(quoted(time), one("null", "7")),
  play_time_to: fc.oneof(quoted(time), one("null", "[]")),
  all_assets: one('"off"', '"library"', '"rotation"', "null", '"all"'),
  finish_current_item: one("true", "0", "null", '"maybe"'),
  skip_ssl_verify: one("true", "0", "null", '"maybe"'),
  metadata: fc.oneof(
    jsonText,
    one("{}", "null", '{"error_message":"x"}', '{"__proto__":{"a":1}}'),
    one(
      `{"a":"${"x".repeat(16_400)}"}`,
      `${'{"a":'.repeat(500)}1${"}".repeat(500)}`,
    ),
  ),
  fit: one('"fit"', '"fill"', '"natural"', "null", '"stretch"', "{}"),
  volume: one("0", "100", "101", "-1", "null", '"50"', "1.5"),
  muted: one("true", "null", "[]"),
  pages: numbers,
  rotation: one("0", "90", '"270"', "45", "null"),
  user_agent: fc.oneof(quoted(text), one("null", '"a\\nb"')),
  zoom_level: one("25", "500", "24", "501", "null"),
  js_injection: fc.oneof(
    quoted(text),
    one("null", `"${"x".repeat(100_001)}"`, '"document.title=1"'),
  ),
  send_metadata: one("true", "null", "7"),
  player_side_render: one("false", "null", "7"),
  screenshot_cache_seconds: one("0", "300", "-1", "null"),
  playlist_only: one("true", "false", "null", '"x"'),
};

const item = fc.oneof(
  one('{"asset_id":"KNOWN"}', '"KNOWN"', '{"asset_id":"nobody"}'),
  one('{"asset_id":"KNOWN","duration":5}', '{"duration":5}', "null", "7"),
  one('{"asset_id":"KNOWN","duration":-1}', '{"asset_id":{}}', "[]"),
);

export const fieldsOfPlaylists: Readonly<Record<string, fc.Arbitrary<string>>> =
  {
    predicate: fc.oneof(
      quoted(
        one(
          "TRUE",
          "$TIME >= 0",
          "$DATE BETWEEN {1, 2}",
          "$X = 1",
          "NOT NOT",
          "",
        ),
      ),
      quoted(text),
      one(`"${"(".repeat(20_000)}"`, `"${"NOT ".repeat(1000)}TRUE"`, "null"),
    ),
    priority: one("0", "100", "101", "-1", '"5"', "null"),
    groups: fc.oneof(
      quoted(fc.array(text).map(String)),
      fc.array(text).map((all) => JSON.stringify(all)),
      one("null", "{}", "[[]]"),
    ),
    transition: one('"cut"', '"cross-fade"', '"wipe"', "null"),
    shuffle: one("true", "null", "7"),
    items: fc.oneof(
      fc.array(item).map((items) => `[${items.join()}]`),
      one("[]", "null", "{}", '"[]"', `[${'"KNOWN",'.repeat(10_001)}"KNOWN"]`),
    ),
  };
