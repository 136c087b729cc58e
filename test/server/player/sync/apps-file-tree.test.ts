// Apps published through version 4 alone: each file has its base name, and the revision says which path it belongs to.

import { describe, expect, it } from "vitest";
import { appOf, follow } from "../../../support/sync/synced-app.ts";
import {
  install,
  newApp,
  oneAppService,
  publish,
  showEverywhere,
} from "../../../support/content/app-service.ts";
import { startSync } from "../../../support/sync/start-sync.ts";

const startService = oneAppService();

const scaffold = {
  "index.html": '<!doctype html><script src="js/main.js"></script>',
  "js/main.js": "document.title = 'one'",
  "js/vendor/main.js": "window.vendor = true",
  "css/main.css": "html{background:#123}",
  "css/print/main.css": "html{background:#fff}",
  "css/copy/main.css": "html{background:#fff}",
};

describe.each(["paired", "by a key"] as const)(
  "an app that was published through version 4 alone, on a player that is %s",
  (kind) => {
    it("[V2-547] has each file at the path of its revision, including several with one name", async () => {
      const service = await startService();
      const { client } = service;
      const appId = await newApp(client);
      await publish(client, appId, scaffold);
      const { assetId } = await install(client, appId, "Board");
      await showEverywhere(client, [assetId]);
      const running = await startSync();
      if (kind === "paired") await follow(service, running);
      else await running.connect({ baseUrl: service.path.address }, client.key);
      expect(running.sync.status()).toMatchObject([
        { isInSync: true, problem: null, itemFailures: [] },
      ]);
      const bytesOf = (files: Readonly<Record<string, string>>) =>
        Object.fromEntries(
          Object.entries(files).map(([path, text]) => [
            path,
            Buffer.from(text),
          ]),
        );
      expect((await appOf(running))?.bytes).toEqual(bytesOf(scaffold));
      await expect.poll(() => running.stage.visible()?.name).toBe("Board");

      const { "css/copy/main.css": _, ...others } = scaffold;
      const next = { ...others, "js/main.js": "document.title = 'two'" };
      await publish(client, appId, next);
      expect(await running.syncNow()).toMatchObject({
        ...{ isInSync: true, itemFailures: [] },
      });
      expect((await appOf(running))?.bytes).toEqual(bytesOf(next));
    });
  },
);
