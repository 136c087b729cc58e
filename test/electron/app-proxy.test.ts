// Which addresses are the player's own, whatever they are called.

import os from "node:os";
import { describe, expect, it } from "vitest";
import { isOwnInterface } from "../../electron/app-proxy.ts";
import { networkAddresses } from "../../server/platform/addresses.ts";

const own = "http://127.0.0.1:8080";

describe("the player's own interface", () => {
  it.each([
    "http://127.0.0.1:8080/api/v2/assets",
    "http://127.9.9.9:8080/",
    "http://localhost:8080/",
    "http://LOCALHOST.:8080/",
    "http://player.localhost:8080/",
    "http://0.0.0.0:8080/",
    "http://2130706433:8080/",
    "http://0x7f.1:8080/",
    "http://[::1]:8080/",
    "http://[::]:8080/",
    "http://[::ffff:127.0.0.1]:8080/",
    "ws://127.0.0.1:8080/",
    "https://127.0.0.1:8080/",
    `http://${os.hostname()}:8080/`,
    ...networkAddresses().map(({ address }) =>
      address.includes(":")
        ? `http://[${address}]:8080/`
        : `http://${address}:8080/`,
    ),
  ])("[V2-182] is found behind %s", (address) => {
    expect(isOwnInterface(address, own)).toBe(true);
  });

  it.each([
    "http://127.0.0.1:8081/",
    "http://127.0.0.1/",
    "http://example.org:8080/",
    "https://example.org/",
    "not an address",
  ])("[V2-182] is not taken for %s", (address) => {
    expect(isOwnInterface(address, own)).toBe(false);
  });

  it("[V2-182] is not there before it listens", () => {
    expect(isOwnInterface("http://127.0.0.1:8080/", "")).toBe(false);
  });
});
