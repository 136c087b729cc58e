// Credentials of an app with a remote page: a token takes precedence over name and password, and neither reaches the page's
// scripts.

import { expect, it } from "vitest";
import { entryCredentials } from "../../../electron/web/entry-credentials.ts";

const pair = {
  screenly_http_basic_auth_username: "Zoë",
  screenly_http_basic_auth_password: "a:b",
};

it("[V2-338] uses a token, else a name and a password, else nothing", () => {
  const token = { screenly_http_bearer_token: "t0p" };
  expect(entryCredentials({ ...pair, ...token }).authorization).toBe(
    "Bearer t0p",
  );
  expect(entryCredentials(pair).authorization).toBe(
    `Basic ${Buffer.from("Zoë:a:b").toString("base64")}`,
  );
  expect(entryCredentials({ screenly_http_bearer_token: "" })).toEqual({
    authorization: null,
    settings: {},
  });
  const set = { ...pair, ...token, theme: "dark" };
  expect(entryCredentials(set).settings).toEqual({ theme: "dark" });
});
