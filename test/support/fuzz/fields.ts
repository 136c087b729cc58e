// Fuzzing: bodies of fields, as JSON and as forms, from nearly valid to nonsense.

import fc from "fast-check";
import { settingFields } from "../../../server/contract/v2/v2-settings.ts";
import { fieldsOfExtras, fieldsOfPlaylists } from "./extension-fields.ts";
import { request, typed } from "./request.ts";
import { jsonText, moment, text, uri } from "./text.ts";

const one = fc.constantFrom;

const quoted = (arbitrary: fc.Arbitrary<string>) =>
  arbitrary.map((value) => JSON.stringify(value));

/** Nearly valid, so that they pass the first checks often enough. */
const fields: Readonly<Record<string, fc.Arbitrary<string>>> = {
  name: fc.oneof(quoted(text), jsonText),
  uri: fc.oneof(quoted(uri), jsonText),
  start_date: fc.oneof(quoted(moment), jsonText),
  end_date: fc.oneof(quoted(moment), jsonText),
  duration: one("0", "10", "31536000", "31536001", '"7"', "1.5", "-1", "null"),
  mimetype: one('"webpage"', '"streaming"', '"x/\\u0000"', "7", "{}"),
  is_enabled: one("true", "1", '"off"', '"maybe"', "2", "null", "[]"),
  play_order: one("0", "2147483647", "2147483648", "-2147483648", "1e10"),
  skip_asset_check: one("true", "true", "false", "null"),
  ...fieldsOfExtras,
  ...fieldsOfPlaylists,
  ids: fc.oneof(quoted(fc.array(text).map(String)), jsonText, one('"KNOWN"')),
};

const settingNames = Object.values(settingFields).map(
  (field) => field.wireName,
);

const members = fc
  .uniqueArray(
    fc.oneof(
      { weight: 6, arbitrary: one(...Object.keys(fields)) },
      { weight: 2, arbitrary: one(...settingNames) },
      one("__proto__", "constructor", "asset_id", "is_processing", "metadata"),
      text,
    ),
    { maxLength: 14 },
  )
  .chain((names) =>
    fc.tuple(
      ...names.map((name) =>
        fc
          .oneof({ weight: 4, arbitrary: fieldFor(name) }, jsonText)
          .map((value) => [name, value] as const),
      ),
    ),
  );

function fieldFor(name: string): fc.Arbitrary<string> {
  return (Object.hasOwn(fields, name) ? fields[name] : undefined) ?? jsonText;
}

/** A complete, valid creation, except for what then replaces its fields. */
// prettier-ignore
const completeMembers: readonly (readonly [name: string, value: string])[] = [
  ["name", '"a"'], ["uri", '"http://127.0.0.1:1/"'], ["mimetype", '"webpage"'],
  ["start_date", '"2020-01-01"'], ["end_date", '"2030-01-01"'], ["duration", "5"],
  ["is_enabled", "true"], ["skip_asset_check", "true"],
];

const objectText = fc.tuple(fc.boolean(), members).map(([isComplete, own]) => {
  const all = [...(isComplete ? completeMembers : []), ...own];
  return `{${all.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(",")}}`;
});

const jsonBody = fc
  .oneof(
    { weight: 8, arbitrary: objectText },
    jsonText,
    one("", "{", '{"name":}', "\ufeff{}", `{"name":"${"x".repeat(2 ** 20)}"}`),
  )
  .map((value) => Buffer.from(value))
  .chain((bytes) =>
    fc.oneof({ weight: 9, arbitrary: one(bytes) }, broken(bytes)),
  );

/** The same with a byte that is not UTF-8, or truncated. */
function broken(bytes: Buffer): fc.Arbitrary<Buffer> {
  return fc.nat(bytes.length).chain((at) => {
    const [head, tail] = [bytes.subarray(0, at), bytes.subarray(at)];
    return one(head, Buffer.concat([head, Buffer.from([0xff, 0xc0]), tail]));
  });
}

const formBody = fc
  .oneof(
    members.map((all) =>
      new URLSearchParams(
        all.map(([name, value]) => [name, value.replace(/^"|"$/g, "")]),
      ).toString(),
    ),
    one("ids=KNOWN", "&&&=&=&", "a=%", "a=%zz&%00=%00", "__proto__[x]=1"),
    one(1001, 5000).map((count) => "a=1&".repeat(count)),
    one(`ids=${"a,".repeat(400_000)}`, `name=${"%41".repeat(300_000)}`),
  )
  .map((value) => Buffer.from(value));

/** Every operation that takes a body of fields. */
// prettier-ignore
export const bodyTargets = one(
  ["POST", "/api/v2/assets"], ["POST", "/api/v2/assets"],
  ["PATCH", "/api/v2/assets/KNOWN"], ["PUT", "/api/v2/assets/KNOWN"],
  ["PATCH", "/api/v2/assets/nobody"], ["POST", "/api/v2/assets/order"],
  ["PATCH", "/api/v2/device_settings"], ["POST", "/api/v2/tokens"],
  ["POST", "/api/v2/playlists"], ["PATCH", "/api/v2/playlists/LISTED"],
  ["PUT", "/api/v2/playlists/LISTED"], ["PATCH", "/api/v2/playlists/nobody"],
);

export const jsonRequest = request(
  bodyTargets,
  typed(
    "application/json",
    "application/json",
    "application/json; charset=utf-16",
    "application/vnd.api+json",
  ),
  jsonBody,
);

export const formRequest = request(
  bodyTargets,
  typed("application/x-www-form-urlencoded"),
  formBody,
);
