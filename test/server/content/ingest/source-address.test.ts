// Allowed source addresses for clients on other machines.

import { describe, expect, it } from "vitest";
import {
  isPublicAddress,
  parseSource,
} from "../../../../server/content/ingest/source-address.ts";

describe("a network address", () => {
  it.each([
    "8.8.8.8",
    "172.15.255.255",
    "172.32.0.1",
    "100.128.0.1",
    "2606:4700:4700::1111",
    "2001:4860:4860::8888",
  ])("[V4-211] %s is public", (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    ...["0.0.0.0", "10.1.2.3", "100.64.0.1", "127.0.0.1", "127.8.8.8"],
    ...["169.254.169.254", "172.16.0.1", "172.31.255.255", "192.168.1.1"],
    ...["198.18.0.1", "203.0.113.9", "224.0.0.1", "255.255.255.255"],
    ...[
      "::",
      "::1",
      "fe80::1",
      "fe80::1%eth0",
      "fc00::1",
      "fd12::1",
      "ff02::1",
    ],
    ...["::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:7f00:1", "::127.0.0.1"],
    ...["64:ff9b::7f00:1", "2002:7f00:1::", "2001:0:1::1", "2001:db8::1"],
    ...["", "localhost", "1.2.3", "127.1"],
  ])("[V4-211] %j is not", (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

describe("a source", () => {
  it.each([
    "http://example.org/a.png",
    "https://user:word@example.org:8443/?a=b",
  ])("[V4-210] %s is valid", (text) => {
    expect(parseSource(text)).toMatchObject({ address: { href: text } });
  });

  it.each([
    ...["", "a.png", "//example.org", "http://", "file:///etc/passwd"],
    ...["ftp://example.org/a", "javascript:alert(1)", "data:text/html,a"],
    `http://example.org/${"a".repeat(8192)}`,
  ])("[V4-210] %.40j is invalid", (text) => {
    expect(parseSource(text)).toHaveProperty("problem");
  });
});
