// Cleanup after a test; a bench, which is not a test, cleans up itself.

import { onTestFinished } from "vitest";

export function afterThisTest(putAway: () => Promise<unknown>): void {
  try {
    onTestFinished(async () => {
      await putAway();
    });
  } catch {
    // Outside a test there is nothing to wait for.
  }
}
