// Which requests without a body were sent deliberately.

import { describe, expect, it } from "vitest";
import { isOrdered } from "../../../../server/platform/http/allowed-hosts.ts";

const browser = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36";

describe("a command without a body", () => {
  it.each([
    ["a program with its own user agent", { "user-agent": "curl/8.5.0" }],
    [
      "the built-in client of Node",
      { "user-agent": "node", "sec-fetch-mode": "cors" },
    ],
    ["a token as Bearer", { authorization: "Bearer abc" }],
    [
      "a browser with a Bearer token",
      { authorization: "Bearer abc", "user-agent": browser },
    ],
    [
      "a page of the interface itself",
      { "sec-fetch-site": "same-origin", "user-agent": browser },
    ],
  ])("[V2-450] is accepted from %s", (_who, headers) => {
    expect(isOrdered(headers)).toBe(true);
  });

  it.each([
    ["a client without headers", {}],
    ["a browser without encryption", { "user-agent": browser }],
    [
      "a redirect of a page, as if the address had been typed",
      { "user-agent": "curl/8.5.0", "sec-fetch-site": "none" },
    ],
    [
      "a page of another site",
      { "user-agent": "curl/8.5.0", "sec-fetch-site": "cross-site" },
    ],
    [
      "a page of another site with a password stored in the browser",
      { authorization: "Basic eDp5", "user-agent": browser },
    ],
    ["the player, which fetches a source", { "user-agent": "Vitrine" }],
  ])("[V2-450] is rejected from %s", (_who, headers) => {
    expect(isOrdered(headers)).toBe(false);
  });
});
