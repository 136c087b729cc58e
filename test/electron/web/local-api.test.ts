// Which addresses lead to the player's own interface, by any name.

import os from "node:os";
import { describe, expect, it } from "vitest";
import { leadsHere, portOf } from "../../../electron/web/local-api.ts";

const localAddresses = Object.values(os.networkInterfaces())
  .flatMap((entries) => entries ?? [])
  .map(({ address }) => address);
const mapped = (address: string) =>
  address.includes(":") ? address : `::ffff:${address}`;
const inUrl = (address: string) =>
  address.includes(":") ? `[${address}]` : address;

/** Name resolution on this network; other names have no address. */
const names: Readonly<Record<string, readonly string[]>> = {
  "rebound.example": ["203.0.113.7", "127.0.0.1"],
  "six.example": ["::1"],
  "mapped.example": ["::ffff:127.0.0.1"],
  "nowhere.example": ["0.0.0.0"],
  "other.example": ["203.0.113.7", "2001:db8::7"],
};

function resolve(name: string): Promise<readonly string[]> {
  const found = names[name];
  return found
    ? Promise.resolve(found)
    : Promise.reject(new Error(`${name} has no address.`));
}

describe("the player's own interface", () => {
  it.each([
    "http://127.0.0.1:8080/api/v2/assets",
    "http://127.9.9.9:8080/",
    "http://localhost:8080/",
    "http://LOCALHOST.:8080/",
    "http://player.localhost:8080/",
    "http://0.0.0.0:8080/",
    "http://0.1.2.3:8080/",
    "http://2130706433:8080/",
    "http://0x7f.1:8080/",
    "http://[::1]:8080/",
    "http://[::]:8080/",
    "http://[::ffff:127.0.0.1]:8080/",
    "http://[::ffff:0.0.0.0]:8080/",
    "ws://127.0.0.1:8080/",
    "wss://127.0.0.1:8080/",
    "https://127.0.0.1:8080/",
    `http://${os.hostname()}:8080/`,
    ...localAddresses.flatMap((address) => [
      `http://${inUrl(address)}:8080/`,
      `http://${inUrl(mapped(address))}:8080/`,
    ]),
    "http://rebound.example:8080/",
    "http://Rebound.Example.:8080/",
    "ws://six.example:8080/",
    "http://mapped.example:8080/",
    "http://nowhere.example:8080/",
  ])("[V2-182][V2-451] is recognised behind %s", async (address) => {
    expect(portOf(address)).toBe(8080);
    expect(await leadsHere(address, resolve)).toBe(true);
  });

  it.each([
    "http://other.example:8080/",
    "http://203.0.113.7:8080/",
    "http://[2001:db8::7]:8080/",
    "http://[::ffff:203.0.113.7]:8080/",
    "not an address",
  ])("[V2-182][V2-451] is not mistaken for %s", async (address) => {
    expect(await leadsHere(address, resolve)).toBe(false);
  });

  it("[V2-451] has the default port of its scheme where none is given", () => {
    expect(
      ["http://a/", "ws://a/", "https://a/", "wss://a/", "x"].map(portOf),
    ).toEqual([80, 80, 443, 443, null]);
  });
});
