// Changes for a content service: what they may contain is what assets may contain.

import { describe, expect, it } from "vitest";
import { readChange } from "../../../../server/contract/v2/v2-sync-outbox.ts";
import { assetLimits } from "../../../../server/core/asset-limits.ts";

const changeTo = (fields: Record<string, unknown>) => () =>
  readChange({
    ...{ collection: "assets", action: "change", id: "A", fields },
    base: { js_injection: "" },
  });

describe("[V2-548] a change of an asset", () => {
  it("may have a script as long as that of an asset, and no longer", () => {
    const longest = "x".repeat(assetLimits.scriptLetters);
    expect(changeTo({ js_injection: longest })).not.toThrow();
    expect(changeTo({ js_injection: `${longest}x` })).toThrow("not valid");
  });
});
