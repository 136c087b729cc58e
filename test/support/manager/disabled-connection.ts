// A disabled connection, which the player never polls, for tests of what the manager shows about connections.

import type { Page } from "playwright";

/** Nothing listens at its address. */
export async function addCloudSwitchedOff(
  page: Page,
  called = "Office",
): Promise<void> {
  await page.evaluate(
    (name) =>
      window.manager.operate({
        operation: "createSyncAccount",
        body: {
          ...{ base_url: "http://127.0.0.1:9", token: "a-token" },
          ...{ name, is_enabled: false },
        },
      }),
    called,
  );
}
