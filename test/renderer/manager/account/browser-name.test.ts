// Names of browsers in the list of sessions.

import { expect, it } from "vitest";
import { browserName } from "../../../../renderer/manager/account/browser-name.ts";

const chrome =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36";

const agents: readonly (readonly [string, string | null, string | null])[] = [
  [chrome, "Chrome", "Linux"],
  [`${chrome} Edg/130.0.0.0`, "Edge", "Linux"],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1",
    "Safari",
    "iOS",
  ],
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:132.0) Gecko/20100101 Firefox/132.0",
    "Firefox",
    "Windows",
  ],
  ["curl/8.0", null, null],
  ["", null, null],
];

it.each(agents)("%s", (agent, browser, system) => {
  expect(browserName(agent)).toEqual({ browser, system });
});
