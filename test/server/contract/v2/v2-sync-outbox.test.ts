// Changes for a content service: what they may contain is what assets may contain.

import { describe, expect, it } from "vitest";
import { readChange } from "../../../../server/contract/v2/v2-sync-outbox.ts";
import { assetLimits } from "../../../../server/core/asset-limits.ts";

const changeTo = (fields: Record<string, unknown>) => () =>
  readChange({
    ...{ collection: "assets", action: "change", id: "A", fields },
    base: { js_injection: "", metadata: {}, headers: {} },
  });

describe("[V2-548] a change of an asset", () => {
  it("may have a script as long as that of an asset, and no longer", () => {
    const longest = "x".repeat(assetLimits.scriptLetters);
    expect(changeTo({ js_injection: longest })).not.toThrow();
    expect(changeTo({ js_injection: `${longest}x` })).toThrow("not valid");
  });

  it("may have metadata and headers as those of an asset, and no more", () => {
    // With the name, the braces and the quotes.
    const longest = "x".repeat(assetLimits.metadataLetters - 8);
    expect(changeTo({ metadata: { a: longest } })).not.toThrow();
    expect(changeTo({ metadata: { a: `${longest}x` } })).toThrow("not valid");
    const nested = JSON.parse(
      `${'{"a":'.repeat(assetLimits.metadataDepth)}{}${"}".repeat(assetLimits.metadataDepth)}`,
    ) as object;
    expect(changeTo({ metadata: nested })).toThrow("not valid");
    const value = "x".repeat(assetLimits.headerValueLetters);
    expect(changeTo({ headers: { a: value } })).not.toThrow();
    expect(changeTo({ headers: { a: `${value}x` } })).toThrow("not valid");
    const many = Array.from({ length: assetLimits.headers + 1 }, (_, at) => [
      ...[`a${at}`, ""],
    ]);
    expect(changeTo({ headers: Object.fromEntries(many) as object })).toThrow(
      "not valid",
    );
  });
});
