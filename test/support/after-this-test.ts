// What a test leaves behind is put away when it ends; a bench, which is no test, puts it away itself.

import { onTestFinished } from "vitest";

export function afterThisTest(putAway: () => Promise<unknown>): void {
  try {
    onTestFinished(async () => {
      await putAway();
    });
  } catch {
    // Outside of a test there is nothing to wait for.
  }
}
