// Plans on a stick: packed and signed by one player, taken whole by another, or not at all.

import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { createGzip } from "node:zlib";
import { describe, expect, it, vi } from "vitest";
import type {
  ImportedPlanV2,
  PlanKeysV2,
} from "../../../server/contract/v2-sync-upwards.ts";
import { packArchive, readArchive } from "../../../server/platform/archive.ts";
import { planCommand } from "../../../server/sync/main-plan.ts";
import { signatureToBytes } from "../../../server/sync/air-gap-manifest.ts";
import { clientV3, type ClientV3 } from "../../support/each-v3.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { picture } from "../../support/media.ts";
import { runSync } from "../../support/serve-sync.ts";
import { startBeside, type RunningBeside } from "../../support/start-beside.ts";
import { answerOf, type Answer } from "../../support/start-player.ts";
import {
  contentKey,
  startContent,
  type Row,
  type StartedContent,
} from "../../support/start-content.ts";

const patience = { timeout: 8000, interval: 10 };
type Members = Map<string, Buffer>;

interface Shop {
  readonly service: StartedContent;
  readonly v3: ClientV3;
  readonly running: RunningBeside;
  readonly playlistId: string;
}

/** A player with two pictures and a page from our own service. */
async function startShop(): Promise<Shop> {
  const service = await startContent(await temporaryFolder());
  const v3 = clientV3(service.address, contentKey);
  const ids: string[] = [];
  for (const title of ["One", "Two"]) {
    const answer = await service.upload(
      picture([title.length, ids.length, 4]),
      { title },
    );
    ids.push(...((await answer.json()) as Row[]).map(({ id }) => id));
  }
  const page = (await v3.make("/assets/", {
    source_url: "https://example.org/",
    title: "Page",
    disable_verification: true,
  })) as Row;
  await vi.waitUntil(async () => {
    const rows = await service.rows(
      "/v4.1/assets?status=eq.finished&select=id",
    );
    return rows.length === 3;
  }, patience);
  const playlist = (await v3.make("/playlists/", {
    title: "Shop",
    predicate: "$TIME >= 0",
    assets: [...ids, page.id].map((id) => ({ id, duration: 5 })),
    groups: [{ id: "all-screens" }],
  })) as Row;
  const running = await startBeside();
  await running.connect({ baseUrl: service.address });
  await running.until(({ isInSync }) => isInSync === true);
  return { service, v3, running, playlistId: playlist.id };
}

async function exported(running: RunningBeside): Promise<Buffer> {
  const answer = await running.ask("/sync/export", { method: "POST" });
  expect([answer.status, answer.headers.get("content-type")]).toEqual([
    200,
    "application/gzip",
  ]);
  expect(answer.headers.get("content-disposition")).toMatch(
    /-plan-\d{4}.*\.tar\.gz$/,
  );
  return Buffer.from(await answer.arrayBuffer());
}

async function imported(
  running: RunningBeside,
  archive: Buffer,
  query = "",
): Promise<Answer> {
  const form = new FormData();
  form.set("plan_upload", new Blob([new Uint8Array(archive)]), "plan.tar.gz");
  return answerOf(
    await running.ask(`/sync/import${query}`, { method: "POST", body: form }),
  );
}

async function membersOf(archive: Buffer): Promise<Members> {
  const members: Members = new Map();
  for await (const { path: name, content } of readArchive(
    Readable.from([archive]),
  ))
    members.set(name, Buffer.concat(await Readable.from(content).toArray()));
  return members;
}

async function packed(
  members: Iterable<readonly [string, Buffer]>,
): Promise<Buffer> {
  async function* all() {
    for (const [name, bytes] of members)
      yield { path: name, sizeBytes: bytes.length, content: [bytes] };
  }
  return Buffer.concat(await packArchive(all(), 0).toArray());
}

const keysOf = async (running: RunningBeside): Promise<PlanKeysV2> =>
  (await running.ask("/sync/keys")).json() as Promise<PlanKeysV2>;

/** Everything that an import could change. */
async function everything(running: RunningBeside) {
  const ask = async (at: string): Promise<unknown> =>
    (await running.ask(at)).json();
  const kept = path.join(running.dataDir, "files", "kept");
  return {
    assets: await ask("/assets"),
    playlists: await ask("/playlists"),
    accounts: await ask("/sync/accounts"),
    keys: await keysOf(running),
    files: await readdir(kept, { recursive: true }),
    aside: await readdir(
      path.join(running.dataDir, "sync", "import", "aside"),
    ).catch(() => []),
  };
}

describe("a plan on a stick", () => {
  it("[V2-320] [V2-321] [V2-323] [V2-325] goes from one player to another that never had a network", async () => {
    const shop = await startShop();
    const archive = await exported(shop.running);
    const far = await startBeside();
    const { own } = await keysOf(shop.running);
    expect(own).toMatch(/^[0-9a-f]{64}$/);
    expect(await imported(far, archive)).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining(own) as string },
    });
    expect(await far.list()).toEqual([]);
    const taken = await imported(far, archive, `?trust=${own}`);
    expect(taken).toMatchObject({
      status: 200,
      body: { fingerprint: own, assets: 3, playlists: 1, files: 2 },
    });
    const { account_id: accountId } = taken.body as ImportedPlanV2;
    expect(
      (await far.list()).map(({ name, mimetype }) => [name, mimetype]),
    ).toEqual(
      expect.arrayContaining([
        ["One", "image"],
        ["Two", "image"],
        ["Page", "webpage"],
      ]),
    );
    await vi.waitUntil(
      () => ["One", "Two"].includes(far.stage.shown.at(-1) ?? ""),
      patience,
    );
    expect(await keysOf(far)).toMatchObject({
      trusted: [{ fingerprint: own, name: shop.running.player.forSync.name() }],
    });
    expect(far.sync.status()).toMatchObject([
      { accountId, phase: "off", assets: 3, kept: [{ isCurrent: true }] },
    ]);
    // The next one takes its place, without being asked again, and can be gone back from.
    await shop.v3.call("PATCH", `/playlists/${shop.playlistId}/`, {
      title: "Store",
    });
    await shop.running.look();
    expect(await imported(far, await exported(shop.running))).toMatchObject({
      status: 200,
      body: { account_id: accountId },
    });
    const names = async () =>
      ((await (await far.ask("/playlists")).json()) as { name: string }[]).map(
        ({ name }) => name,
      );
    expect(await names()).toEqual(["Store"]);
    expect(
      (await far.send("POST", "/sync/back", { account_id: accountId })).status,
    ).toBe(200);
    expect(await names()).toEqual(["Shop"]);
    expect(
      (await far.ask(`/sync/keys/${own}`, { method: "DELETE" })).status,
    ).toBe(204);
    expect(await imported(far, archive)).toMatchObject({ status: 409 });
    expect(
      (await far.ask(`/sync/keys/${own}`, { method: "DELETE" })).status,
    ).toBe(404);
  });

  it("[V2-320] holds the plan, its signature and its files, and no token", async () => {
    const { running } = await startShop();
    const members = await membersOf(await exported(running));
    expect([...members.keys()].slice(0, 2)).toEqual(["plan.json", "plan.sig"]);
    expect(members.size).toBe(4);
    for (const bytes of members.values())
      expect(bytes.includes(contentKey)).toBe(false);
  });

  it("[V2-322] is taken from a folder, and from a folder with the archive in it", async () => {
    const { running } = await startShop();
    const archive = await exported(running);
    const { own } = await keysOf(running);
    const far = await startBeside();
    const stick = await temporaryFolder();
    await writeFile(path.join(stick, "shop-plan.tar.gz"), archive);
    await expect(far.beside.airGap.importFrom(stick, {})).rejects.toMatchObject(
      { code: "conflict" },
    );
    const one = await far.beside.airGap.importFrom(stick, { trust: own });
    const folder = await temporaryFolder();
    await mkdir(path.join(folder, "files"));
    for (const [name, bytes] of await membersOf(archive))
      await writeFile(path.join(folder, name), bytes);
    expect(await far.beside.airGap.importFrom(folder, {})).toEqual(one);
    expect(await far.list()).toHaveLength(3);
    for (const place of [path.join(folder, "none"), await temporaryFolder()])
      await expect(
        far.beside.airGap.importFrom(place, {}),
      ).rejects.toMatchObject({ code: "not-found" });
  });

  it("[V2-323] [V2-322] is refused whole, whatever is wrong with it, and leaves nothing behind", async () => {
    const { running } = await startShop();
    const archive = await exported(running);
    const { own } = await keysOf(running);
    const far = await startBeside();
    expect((await imported(far, archive, `?trust=${own}`)).status).toBe(200);
    const { privateKey } = generateKeyPairSync("ed25519");
    const before = await everything(far);
    const whole = await membersOf(archive);
    const [manifest, signature] = ["plan.json", "plan.sig"].map(
      (name) => whole.get(name) ?? Buffer.alloc(0),
    ) as [Buffer, Buffer];
    const files = [...whole].slice(2);
    const [[fileName, bytes] = ["", Buffer.alloc(0)], ...others] = files;
    const plan = JSON.parse(manifest.toString()) as Record<string, any>;
    /** Changed, and signed with a key that is trusted for this one question. */
    const signedAnew = (
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
      const { body } = await imported(far, await signedAnew(() => undefined));
      return /[0-9a-f]{64}/.exec(String(body.detail))?.[0] ?? "";
    };
    const trusted = `?trust=${await fingerprint()}`;
    const flipped = Buffer.from(bytes);
    flipped[flipped.length - 1] = (flipped.at(-1) ?? 0) ^ 1;
    const noMedia = Buffer.from("no picture at all");
    const { createHash } = await import("node:crypto");
    const hash = (kind: string, of: Buffer) =>
      createHash(kind).update(of).digest("hex");
    const bomb = async () => {
      const gzip = createGzip();
      gzip.end(Buffer.alloc(40_000_000));
      return Buffer.concat(await gzip.toArray());
    };
    const cases: Record<string, Buffer> = {
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
      "an address of this machine": await signedAnew((one) => {
        one["wanted"].assets[0].facts.uri = "file:///etc/passwd";
      }),
      "an identifier with a path": await signedAnew((one) => {
        one["wanted"].assets[0].remoteId = "../x";
      }),
      "a predicate that is none": await signedAnew((one) => {
        one["wanted"].playlists[0].facts.predicate = "$NEVER";
      }),
      "an item that is not there": await signedAnew((one) => {
        one["wanted"].playlists[0].facts.items[0].assetId = "nobody";
      }),
      "a header of two lines": await signedAnew((one) => {
        one["wanted"].assets[0].facts.web.headers = { A: "b\r\nc: d" };
      }),
      "a newer format": await signedAnew((one) => {
        one["format"] = 2;
      }),
      "a file that is no media": await signedAnew(
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
    expect(await far.ask("/sync/import", { method: "POST" })).toMatchObject({
      status: 415,
    });
    for (const query of ["?trust=abc", "?account_id=../x"])
      expect(await imported(far, archive, query)).toMatchObject({
        status: 400,
      });
    expect(await imported(far, archive, "?account_id=00000000")).toMatchObject({
      status: 404,
    });
    // After all that it still takes what is right.
    expect((await imported(far, archive)).status).toBe(200);
  });

  it("[V2-320] [V2-323] is packed and taken at the command line", async () => {
    const { running } = await startShop();
    const { own } = await keysOf(running);
    await running.stopAll();
    const file = path.join(await temporaryFolder(), "shop-plan.tar.gz");
    const dir = ["--data-dir", running.dataDir];
    const done = await runSync(["export", file, ...dir]);
    expect([done.complained, done.code]).toEqual(["", 0]);
    expect(done.said).toBe(`${file}\nsigned by ${own}\n`);
    const far = ["--data-dir", await temporaryFolder()];
    const taken = await runSync(["import", file, ...far, "--trust", own]);
    expect([taken.complained, taken.code]).toEqual(["", 0]);
    expect(taken.said).toContain("3 assets, 1 playlists");
    for (const words of [
      ["import", ...far],
      ["export", ...far],
      ["keys", "x", ...far],
      ["keys"],
    ])
      expect(() => planCommand(words)).toThrow(/Usage/);
  });

  it("[V2-320] is refused where there is no plan, or a file of it is missing", async () => {
    const far = await startBeside();
    expect(await far.send("POST", "/sync/export", {})).toMatchObject({
      status: 409,
    });
    expect(
      await far.send("POST", "/sync/export", { account_id: "00000000" }),
    ).toMatchObject({ status: 404 });
  });
});
