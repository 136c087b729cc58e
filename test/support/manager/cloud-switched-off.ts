// A cloud that the player knows and never asks, for what the desk says about one.

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
