// An offline bundle with apps is imported while another connection releases its files.

import { generateKeyPairSync } from "node:crypto";
import { Readable } from "node:stream";
import { expect, it } from "vitest";
import type { DesiredApp } from "../../../../server/core/sync-plan/desired-content.ts";
import { signatureToBytes } from "../../../../server/player/sync/offline-bundle/bundle-manifest.ts";
import { md5OfApp } from "../../../../server/player/sync/edge-apps/map-app.ts";
import { oneService } from "../../../support/content/one-service.ts";
import {
  exported,
  membersOf,
  packed,
  startShop,
} from "../../../support/sync/offline-bundles.ts";
import { startFullSync } from "../../../support/sync/start-full-sync.ts";
import { sweptMeanwhile } from "../../../support/sync/sweep-during-import.ts";

const startService = oneService();

/** The same bundle, each of its images the only file of an app, signed by another player. */
async function withApps(archive: Buffer): Promise<Buffer> {
  const complete = await membersOf(archive);
  const plan = JSON.parse(String(complete.get("plan.json"))) as Record<
    string,
    any
  >;
  for (const asset of plan["wanted"].assets) {
    if (!asset.file) continue;
    const app: DesiredApp = {
      entry: { kind: "file", path: "index.html" },
      ...{ waitsForSignal: false, settings: {}, secretsMark: null },
      files: [{ path: "index.html", ...asset.file }],
    };
    asset.app = app;
    asset.file = { md5: md5OfApp(app), sizeBytes: null };
  }
  const { privateKey } = generateKeyPairSync("ed25519");
  const manifest = Buffer.from(JSON.stringify(plan));
  return packed([
    ["plan.json", manifest],
    ["plan.sig", signatureToBytes(privateKey, manifest)],
    ...[...complete].slice(2),
  ]);
}

it("[V2-322] the import loses no app to another connection that releases its files meanwhile", async () => {
  const shop = await startShop(await startService());
  const archive = await withApps(await exported(shop.running));
  const far = await startFullSync();
  const { offlineBundles, isSwept } = await sweptMeanwhile(far, "admitApp");
  const take = (trust: string) =>
    offlineBundles.importPlan(
      Readable.from([archive]),
      { trust },
      Promise.resolve(),
    );
  const refused = await take("0".repeat(64)).then(
    () => "",
    ({ message }: Error) => message,
  );
  await take(/[0-9a-f]{64}/.exec(refused)?.[0] ?? "");
  expect(isSwept()).toBe(true);
  // Two pages and the manifests of their apps.
  expect(far.player.forSync.library.files().size).toBe(4);
  expect(await far.list()).toHaveLength(3);
  for (const asset of await far.list())
    expect(asset).toMatchObject({ is_processing: false });
});
