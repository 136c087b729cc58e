// Request headers of a page, and where they are removed again.

import { describe, expect, it } from "vitest";
import {
  agentOf,
  headerValue,
  customHeaders,
  withCustomHeaders,
} from "../../../electron/web/request-headers.ts";
import type { ScreenFacts } from "../../../server/contract/page-context.ts";
import { plainWebOptions } from "../../../server/core/asset.ts";

const screen: ScreenFacts = {
  hostname: "srly-1",
  screenName: "Foyer",
  location: "",
  coordinates: null,
  hardware: "x86",
  version: "1.2.3",
  groups: ["a, b", "c"],
};

describe("the headers of a page", () => {
  it("[V2-170] are the asset's, without hop-by-hop headers", () => {
    const headers = {
      ...{ "X-Key": "1", Host: "evil.example", "sec-fetch-site": "none" },
      ...{ "Content-Length": "5", "Proxy-Authorization": "x", "no name": "x" },
    };
    expect(customHeaders({ ...plainWebOptions, headers }, screen)).toEqual({
      "X-Key": "1",
    });
  });

  it("[V2-172] include screen metadata only where enabled, and omit unknown values", () => {
    expect(customHeaders(plainWebOptions, screen)).toEqual({});
    expect(
      customHeaders({ ...plainWebOptions, isMetadataSent: true }, screen),
    ).toEqual({
      "X-Screenly-hostname": "srly-1",
      "X-Screenly-screen-name": "Foyer",
      "X-Screenly-location-name": "",
      "X-Screenly-hardware": "x86",
      "X-Screenly-version": "1.2.3",
      "X-Screenly-tags": "srly-1,a  b,c",
    });
  });

  it.each([
    ["a\r\nX-Evil: 1", "a X-Evil: 1"],
    ["\u0000x\u007f", "x"],
    ["Grüße 字 🙂", "Gr%C3%BC%C3%9Fe %E5%AD%97 %F0%9F%99%82"],
    ["\ud83dhalf", "half"],
    ["plain ~ text", "plain ~ text"],
  ])("[V2-172] convert %j to a legal value", (text, value) => {
    expect(headerValue(text)).toBe(value);
  });

  it("[V2-171] contain the asset's user agent, else the browser's with the player's tokens", () => {
    const browsers = "Mozilla/5.0 Chrome/130";
    expect(agentOf(plainWebOptions, browsers)).toBe(
      "Mozilla/5.0 Chrome/130 screenly-viewer/2.0 ScreenlyWebview",
    );
    const web = { ...plainWebOptions, userAgent: "Board/1" };
    expect(agentOf(web, browsers)).toBe("Board/1");
    const headers = { "user-agent": "Header/1" };
    expect(customHeaders({ ...web, headers }, screen)).toEqual({});
    expect(customHeaders({ ...plainWebOptions, headers }, screen)).toEqual(
      headers,
    );
  });

  it("[V2-170] are added to requests to the own origin, removed where a redirect leads elsewhere, and leave every other request unchanged", () => {
    const custom = { "X-Key": "1", "User-Agent": "Board/1" };
    const sent = { "x-key": "the page's own", "User-Agent": "Whole/1" };
    const amended = (toPageOrigin: boolean, redirected: boolean) =>
      withCustomHeaders(sent, custom, { toPageOrigin, redirected }, "Whole/1");
    expect(amended(true, false)).toEqual(custom);
    expect(amended(true, true)).toEqual(custom);
    expect(amended(false, true)).toEqual({ "User-Agent": "Whole/1" });
    expect(amended(false, false)).toEqual(sent);
  });

  it("[V2-100] add their cookie to those that the site has set, and only where it belongs", () => {
    const headers = { Cookie: "door=open; a=1" };
    const custom = customHeaders({ ...plainWebOptions, headers }, screen);
    expect(custom).toEqual(headers);
    const amended = (cookie: string, toPageOrigin: boolean) =>
      withCustomHeaders(
        cookie === "" ? {} : { cookie },
        custom,
        { toPageOrigin, redirected: true },
        "",
      );
    expect(amended("", true)).toEqual(headers);
    expect(amended("site=2; a=1", true)).toEqual({
      Cookie: "door=open; a=1; site=2",
    });
    expect(amended("door=open; a=1; other=3", false)).toEqual({
      Cookie: "other=3",
    });
    expect(amended("door=open; a=1", false)).toEqual({});
  });
});
