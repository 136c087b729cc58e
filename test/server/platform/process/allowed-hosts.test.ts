// Which requests without a body were sent deliberately.

import { describe, expect, it } from "vitest";
import { isOrdered } from "../../../../server/platform/process/allowed-hosts.ts";

const browser = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36";

describe("a command without a body", () => {
  it.each([
    ["a program that says its name", { "user-agent": "curl/8.5.0" }],
    [
      "the built-in client of Node",
      { "user-agent": "node", "sec-fetch-mode": "cors" },
    ],
    ["a token as Bearer", { authorization: "Bearer abc" }],
    [
      "a token as Bearer of a browser's",
      { authorization: "Bearer abc", "user-agent": browser },
    ],
    [
      "a page of the interface's own",
      { "sec-fetch-site": "same-origin", "user-agent": browser },
    ],
  ])("[V2-450] is accepted from %s", (_who, headers) => {
    expect(isOrdered(headers)).toBe(true);
  });

  it.each([
    ["nobody", {}],
    ["a browser where nothing is encrypted", { "user-agent": browser }],
    [
      "a page's redirect, as if it had been typed",
      { "user-agent": "curl/8.5.0", "sec-fetch-site": "none" },
    ],
    [
      "a page elsewhere",
      { "user-agent": "curl/8.5.0", "sec-fetch-site": "cross-site" },
    ],
    [
      "a page elsewhere with a password that the browser keeps",
      { authorization: "Basic eDp5", "user-agent": browser },
    ],
    ["the player, which fetches a source", { "user-agent": "Vitrine" }],
  ])("[V2-450] is rejected from %s", (_who, headers) => {
    expect(isOrdered(headers)).toBe(false);
  });
});
