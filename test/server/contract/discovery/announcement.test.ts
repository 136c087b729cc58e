// What players and content services announce to their network, written and read.

import { describe, expect, it } from "vitest";
import {
  announcedTypes,
  cleanName,
  contentValues,
  isNearAddress,
  playerValues,
  readValues,
} from "../../../../server/contract/discovery/announcement.ts";

const read = (values: Readonly<Record<string, string>>) =>
  readValues(new Map(Object.entries(values)));

describe("an announcement", () => {
  it("[V2-763] has a player's name, version, whether it waits and whether it uses HTTPS, and nothing else", () => {
    const announced = {
      ...{ name: "Foyer", version: "0.1.0", isWaiting: true, isTls: true },
    };
    const values = playerValues(announced);
    expect(values).toEqual({
      ...{ v: "1", name: "Foyer", version: "0.1.0", pairing: "waiting" },
      tls: "1",
    });
    expect(read(values)).toMatchObject(announced);
  });

  it("[L-57] has a service's name, version and address", () => {
    const url = "https://content.example.lan/signage";
    const values = contentValues({
      ...{ name: "server", version: "0.1.0", isTls: true, publicUrl: url },
    });
    expect(read(values)).toMatchObject({ isTls: true, publicUrl: url });
  });

  it("[V2-763] [L-57] uses service names of at most 15 characters", () => {
    for (const type of Object.values(announcedTypes))
      expect(type).toMatch(/^_[a-z-]{1,15}\._tcp$/);
  });

  it.each([
    ["Kantine", "Kantine"],
    ["  two \n lines\t", "two lines"],
    ["a\u202Egpj.exe", "agpj.exe"],
    ["\u2066left\u2069\u200F\uFEFF", "left"],
    ["bell\u0007 \u001B[31mred", "bell [31mred"],
    ["z\u0300\u0301\u0302\u0303\u0304", "z\u0300\u0301"],
    ["\u05E9\u05DC\u05D5\u05DD", "\u05E9\u05DC\u05D5\u05DD"],
    ["\uD83D\uDE00 1", "\uD83D\uDE00 1"],
    ["\uD83D", null],
    ["\u200B\u200B", null],
    ["---", null],
    ["", null],
  ])("[V2-764] cleans the name %j", (given, expected) => {
    expect(cleanName(given)).toBe(expected);
  });

  it("[V2-764] shortens a name of any length, between characters", () => {
    expect(cleanName("x".repeat(100_000))).toHaveLength(60);
    expect([...(cleanName("\u{1F600}1".repeat(100)) ?? "")]).toHaveLength(60);
  });

  it.each([
    "https://user:pass@content.example",
    "https://content.example@evil.example",
    "https://content.example?x=1",
    "https://content.example#x",
    "ftp://content.example",
    "javascript:alert(1)",
    "https://8.8.8.8",
    "https://127.0.0.1",
    "https://0x7f000001",
    "https://2130706433",
    "https://[::1]",
    "https://-x.example",
    `https://${"a".repeat(64)}.example`,
    `https://content.example/${"a".repeat(200)}`,
    "https://content.example\u202E",
  ])("[V2-765] does not offer %s", (url) => {
    expect(read({ url }).publicUrl).toBeNull();
  });

  it.each([
    "https://content.example:8443",
    "http://server.local:8090",
    "https://192.168.1.7",
  ])("[V2-765] offers %s", (url) => {
    expect(read({ url }).publicUrl).toBe(url);
  });

  it("[V2-764] ignores a version that is none", () => {
    expect(read({ version: "1.0 <b>" }).version).toBeNull();
    expect(read({ version: "1".repeat(31) }).version).toBeNull();
  });

  it.each([
    ["10.0.0.1", true],
    ["172.16.0.1", true],
    ["172.31.255.255", true],
    ["192.168.0.1", true],
    ["169.254.7.7", true],
    ["172.32.0.1", false],
    ["127.0.0.1", false],
    ["8.8.8.8", false],
    ["224.0.0.251", false],
    ["10.0.0.256", false],
    ["010.0.0.1", false],
    ["10.0.0", false],
    ["fe80::1", false],
  ])("[V2-765] judges the address %s", (address, isNear) => {
    expect(isNearAddress(address)).toBe(isNear);
  });
});
