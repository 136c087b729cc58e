// Fuzzing: bodies for the content service, from nearly valid to nonsense, with their content types.

import fc from "fast-check";
import { anyCharacter } from "./any-character.ts";

const fieldNames = [
  ...["title", "source_url", "headers", "metadata", "folder_name", "name"],
  ...["js_injection", "disable_verification", "screens", "assets", "groups"],
  ...["predicate", "is_enabled", "priority", "pin", "coords", "timezone"],
  ...["config", "location", "at", "kind", "manifest", "file_tree", "facts"],
  ...["sync", "done", "playbacks", "id", "duration", "source_size", "a"],
  ...["__proto__", "constructor", "toString", "settings", "entrypoint"],
];

const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>(
      ...[null, true, false, 0, -1, 1e308, 0.1, "", " ", "TRUE", "$TIME ="],
      ...["all-screens", "\u0000", "\ud800", "💡", "http://127.0.0.1:9/x"],
      ...["{}", "[]", "a".repeat(5000), "2026-01-01T00:00:00Z", "null"],
    ),
    fc.string({ unit: anyCharacter, maxLength: 20 }),
    fc.integer(),
    fc.double(),
    fc.array(tie("any"), { maxLength: 3 }),
    tie("object"),
  ),
  object: fc.dictionary(fc.constantFrom(...fieldNames), tie("any"), {
    maxKeys: 6,
    noNullPrototype: false,
  }),
}));

export const anyBody = fc.oneof(
  value.object.map((json) => JSON.stringify(json)),
  value.any.map((json) => JSON.stringify(json) ?? ""),
  fc.string({ unit: anyCharacter, maxLength: 60 }),
);

export const anyType = fc.constantFrom(
  ...["application/json", "application/x-www-form-urlencoded", "text/plain"],
  ...["multipart/form-data; boundary=x", "", "application/json; charset=x"],
);
