// SVG detection by the start of a file, in linear time.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isSvg } from "../../../../server/platform/media/svg-detection.ts";

describe("an SVG", () => {
  it.each([
    "<svg/>",
    "<SVG width='1'>",
    "\uFEFF  \n<svg>",
    "<?xml version='1.0'?><!-- a --><!-- b -->\n<!DOCTYPE svg PUBLIC 'x'><!-- c --><svg>",
  ])("is %j", (text) => expect(isSvg(text)).toBe(true));

  it.each([
    "",
    "<svgs>",
    "<!-- <svg> ",
    "<html><svg></svg></html>",
    "<!DOCTYPE html><svg>",
    "<?xml version='1.0'?><rss/>",
    "text <svg>",
  ])("is not %j", (text) => expect(isSvg(text)).toBe(false));

  it("is searched for once from each position: unterminated comments cost nothing", () => {
    const comments = "<!---->".repeat(500_000);
    expect(isSvg(comments)).toBe(false);
    expect(isSvg(`${comments}<svg>`)).toBe(true);
    expect(isSvg("<!--".repeat(1_000_000))).toBe(false);
  });

  it("is recognised after any valid prolog", () => {
    const space = fc.constantFrom("", " ", "\n", "\t \n");
    const comment = fc
      .string()
      .filter((text) => !text.includes("-->"))
      .map((text) => `<!--${text} -->`);
    fc.assert(
      fc.property(fc.array(fc.oneof(space, comment)), (prolog) =>
        isSvg(`${prolog.join("")}<svg xmlns="http://www.w3.org/2000/svg"/>`),
      ),
    );
  });
});
