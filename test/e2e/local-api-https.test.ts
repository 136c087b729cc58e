// Isolation of the local API where it is open by HTTPS: no page on the screen reaches it there either.

import { expect, it } from "vitest";
import { problemOf } from "../support/app/shared-screen.ts";
import { launch, speakTo } from "../support/app/start-app.ts";
import { afterThisTest } from "../support/after-this-test.ts";
import { temporaryFolder } from "../support/folder.ts";
import { holdPort } from "../support/machine/reserved-port.ts";

it("[V2-451][V2-787] a page at the player's own HTTPS address is not loaded, even if its certificate is not checked", async () => {
  const port = await holdPort();
  const app = launch([
    ...["--data-dir", await temporaryFolder(), "--no-manager"],
    ...["--api-port", String(port), "--https-port", "0"],
  ]);
  afterThisTest(app.stop);
  const secure = await app.printed(/API (https:\/\/\S+)\s/);
  const api = `http://127.0.0.1:${port}`;
  const player = speakTo(api);
  const page = await player.add({
    ...{ name: "own page", uri: `${secure}/api/docs`, duration: 5 },
    ...{ skip_asset_check: true, skip_ssl_verify: true },
    js_injection: `fetch("/api/v2/tokens", { method: "POST", headers: { "Content-Type": "application/json" }, body: '{"name":"stolen"}' });`,
  });
  await expect.poll(() => problemOf(player, page.asset_id)).not.toBe("");
  const tokens = await fetch(`${api}/api/v2/tokens`);
  expect(await tokens.json()).toEqual([]);
});
