// Invalid offline bundles: rejected completely, with nothing changed.

import { createHash, generateKeyPairSync, type KeyObject } from "node:crypto";
import { createGzip } from "node:zlib";
import { expect, it } from "vitest";
import type { DesiredApp } from "../../../../server/core/sync-plan/desired-content.ts";
import { signatureToBytes } from "../../../../server/player/sync/offline-bundle/bundle-manifest.ts";
import { md5OfApp } from "../../../../server/player/sync/edge-apps/map-app.ts";
import { oneService } from "../../../support/content/one-service.ts";
import {
  everything,
  exported,
  imported,
  keysOf,
  membersOf,
  packed,
  startShop,
} from "../../../support/sync/offline-bundles.ts";
import { startFullSync } from "../../../support/sync/start-full-sync.ts";

const startService = oneService();

it("[V2-323] [V2-322] an invalid bundle is rejected completely, whatever is wrong with it, and leaves nothing behind", async () => {
  const { running } = await startShop(await startService());
  const archive = await exported(running);
  const { own } = await keysOf(running);
  const far = await startFullSync();
  expect((await imported(far, archive, `?trust=${own}`)).status).toBe(200);
  const { privateKey } = generateKeyPairSync("ed25519");
  const before = await everything(far);
  const complete = await membersOf(archive);
  const [manifest, signature] = ["plan.json", "plan.sig"].map(
    (name) => complete.get(name) ?? Buffer.alloc(0),
  ) as [Buffer, Buffer];
  const files = [...complete].slice(2);
  const [[fileName, bytes] = ["", Buffer.alloc(0)], ...others] = files;
  const plan = JSON.parse(manifest.toString()) as Record<string, any>;
  /** Changed, and signed with a key that is trusted for this one request. */
  const signedAgain = (
    change: (plan: Record<string, any>) => void,
    key: KeyObject = privateKey,
    rest = files,
  ) => {
    const changed = structuredClone(plan);
    change(changed);
    const text = Buffer.from(JSON.stringify(changed));
    return packed([
      ["plan.json", text],
      ["plan.sig", signatureToBytes(key, text)],
      ...rest,
    ]);
  };
  const fingerprint = async (): Promise<string> => {
    const { body } = await imported(far, await signedAgain(() => undefined));
    return /[0-9a-f]{64}/.exec(String(body.detail))?.[0] ?? "";
  };
  const trusted = `?trust=${await fingerprint()}`;
  const flipped = Buffer.from(bytes);
  flipped[flipped.length - 1] = (flipped.at(-1) ?? 0) ^ 1;
  const noMedia = Buffer.from("no image at all");
  const hash = (kind: string, of: Buffer) =>
    createHash(kind).update(of).digest("hex");
  const bomb = async () => {
    const gzip = createGzip();
    gzip.end(Buffer.alloc(40_000_000));
    return Buffer.concat(await gzip.toArray());
  };
  /** Its first image as the only file of an app. */
  const asApp = (
    change: (asset: Record<string, any>) => void,
    described: (app: DesiredApp) => string = md5OfApp,
  ) =>
    signedAgain(({ wanted }) => {
      const asset = wanted.assets.find((one: { file: unknown }) => one.file);
      asset.app = {
        entry: { kind: "file", path: "index.html" },
        ...{ waitsForSignal: false, settings: {}, secretsMark: null },
        files: [{ path: "index.html", ...asset.file }],
      };
      change(asset.app);
      asset.file = { md5: described(asset.app), sizeBytes: null };
    });
  const cases: Record<string, Buffer> = {
    "an app with a path that leads out of it": await asApp((app) => {
      app["files"][0].path = app["entry"].path = "../index.html";
    }),
    "an app without its beginning": await asApp((app) => {
      app["entry"].path = "start.html";
    }),
    "an app with a path twice": await asApp((app) => {
      app["files"].push(app["files"][0]);
    }),
    "an app with a file that is not there": await asApp((app) => {
      app["files"][0].md5 = "0".repeat(32);
    }),
    "an app that begins at no web address": await asApp((app) => {
      app["entry"] = { kind: "remote", url: "file:///etc/passwd" };
    }),
    "an app that is described otherwise": await asApp(
      () => undefined,
      (app) => md5OfApp({ ...app, waitsForSignal: true }),
    ),
    "no archive": Buffer.from("nothing of the kind"),
    "a bomb of zeros": await bomb(),
    "cut off": archive.subarray(0, archive.length - 700),
    "a changed plan": await packed([
      ["plan.json", Buffer.from(manifest.toString().replace("Shop", "Shed"))],
      ["plan.sig", signature],
      ...files,
    ]),
    "another plan's signature": await packed([
      ["plan.json", manifest],
      ["plan.sig", signatureToBytes(privateKey, Buffer.from("{}"))],
      ...files,
    ]),
    "no signature": await packed([["plan.json", manifest], ...files]),
    "a signature that is none": await packed([
      ["plan.json", manifest],
      ["plan.sig", Buffer.from("{}")],
      ...files,
    ]),
    "a damaged file": await packed([
      ["plan.json", manifest],
      ["plan.sig", signature],
      [fileName, flipped],
      ...others,
    ]),
    "a shorter file": await packed([
      ["plan.json", manifest],
      ["plan.sig", signature],
      [fileName, bytes.subarray(1)],
      ...others,
    ]),
    "a file too few": await packed([
      ["plan.json", manifest],
      ["plan.sig", signature],
      ...others,
    ]),
    "a file too many": await packed([
      ["plan.json", manifest],
      ["plan.sig", signature],
      ...files,
      ["files/../../x", bytes],
    ]),
    "a file twice": await packed([
      ["plan.json", manifest],
      ["plan.sig", signature],
      ...files,
      [fileName, bytes],
    ]),
    "an address of this machine": await signedAgain((one) => {
      one["wanted"].assets[0].facts.uri = "file:///etc/passwd";
    }),
    "an identifier with a path": await signedAgain((one) => {
      one["wanted"].assets[0].remoteId = "../x";
    }),
    "a predicate that is none": await signedAgain((one) => {
      one["wanted"].playlists[0].facts.predicate = "$NEVER";
    }),
    "an item that is not there": await signedAgain((one) => {
      one["wanted"].playlists[0].facts.items[0].assetId = "nobody";
    }),
    "a header of two lines": await signedAgain((one) => {
      one["wanted"].assets[0].facts.web.headers = { A: "b\r\nc: d" };
    }),
    "a newer format": await signedAgain((one) => {
      one["format"] = 2;
    }),
    "a file that is no media": await signedAgain(
      (one) => {
        const file = one["files"][0] as {
          md5: string;
          sha256: string;
          sizeBytes: number;
        };
        for (const asset of one["wanted"].assets)
          if (asset.file?.md5 === file.md5)
            asset.file = {
              md5: hash("md5", noMedia),
              sizeBytes: noMedia.length,
            };
        Object.assign(file, {
          md5: hash("md5", noMedia),
          sha256: hash("sha256", noMedia),
          sizeBytes: noMedia.length,
        });
      },
      privateKey,
      [[`files/${hash("md5", noMedia)}`, noMedia], ...others],
    ),
  };
  for (const [name, wrong] of Object.entries(cases)) {
    const { status, body } = await imported(far, wrong, trusted);
    expect([name, status, typeof Object.values(body as object)[0]]).toEqual([
      name,
      400,
      "object",
    ]);
    expect([name, await everything(far)]).toEqual([name, before]);
  }
  expect(await far.request("/sync/import", { method: "POST" })).toMatchObject({
    status: 415,
  });
  for (const query of ["?trust=abc", "?account_id=../x"])
    expect(await imported(far, archive, query)).toMatchObject({
      status: 400,
    });
  expect(await imported(far, archive, "?account_id=00000000")).toMatchObject({
    status: 404,
  });
  // After all these it still accepts valid bundles, one with an app among them.
  const app = await asApp(() => undefined);
  expect((await imported(far, app, trusted)).status).toBe(200);
  expect((await imported(far, archive)).status).toBe(200);
});
