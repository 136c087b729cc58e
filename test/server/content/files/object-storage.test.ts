// Files in object storage: stored, downloaded from there, removed, moved there and back, and what happens while it is away.

import { createVerify, generateKeyPairSync } from "node:crypto";
import { copyFile, readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it, vi } from "vitest";
import {
  backUpTo,
  restoreFrom,
  verifyBackup,
} from "../../../../server/content/backup/backup-command.ts";
import { openServiceFiles } from "../../../../server/content/files/service-files.ts";
import type { ContentTables } from "../../../../server/content/tables.ts";
import { createLog } from "../../../../server/platform/log.ts";
import { openSqliteDatabase } from "../../../../server/platform/sqlite/sqlite-database.ts";
import { afterThisTest } from "../../../support/after-this-test.ts";
import {
  eachContent,
  type Ground,
} from "../../../support/content/each-content.ts";
import { waitUntilProcessed } from "../../../support/content/ingest-asset.ts";
import {
  isSigned,
  startObjectStorage,
  type ObjectStorage,
} from "../../../support/content/object-storage.ts";
import {
  startContent,
  type Row,
  type StartedContent,
} from "../../../support/content/start-content.ts";
import { temporaryFolder } from "../../../support/folder.ts";
import { serveSources } from "../../../support/http/sources.ts";
import { png } from "../../../support/media/media.ts";
import { pdf } from "../../../support/media/pdfs.ts";
import { startSync } from "../../../support/sync/start-sync.ts";

const hashPattern = /[0-9a-f]{64}/;

/** The hashes of all objects in a bucket. */
async function objectsIn(
  { folder }: ObjectStorage,
  bucket = "screens",
): Promise<readonly string[]> {
  const names = await readdir(path.join(folder, bucket), { recursive: true });
  const found = names.flatMap((name) =>
    name.endsWith("_object") ? (hashPattern.exec(name)?.[0] ?? []) : [],
  );
  return found.toSorted();
}

/** The files that are left in the data folder. */
async function keptIn(dataDir: string): Promise<readonly string[]> {
  const kept = path.join(dataDir, "files/kept");
  const names = await readdir(kept, { recursive: true });
  return names.filter((name) => hashPattern.test(name));
}

async function uploaded(
  content: StartedContent,
  bytes: Buffer,
): Promise<Row & { readonly url: string }> {
  const answer = await content.upload(bytes, { title: "a" });
  expect(answer.status).toBe(201);
  const [{ id } = { id: "" }] = (await answer.json()) as Row[];
  const row = await waitUntilProcessed(content, id);
  return { ...row, url: String(row["asset_url"]) };
}

const started = (
  { dataDir, databaseUrl }: Ground,
  options: Parameters<typeof startContent>[1],
): Promise<StartedContent> =>
  startContent(dataDir, { databaseUrl, ...options });

async function bytesAt(url: string, init?: RequestInit): Promise<Buffer> {
  const answer = await fetch(url, init);
  expect(answer.ok).toBe(true);
  return Buffer.from(await answer.arrayBuffer());
}

describe("object storage", () => {
  eachContent(({ ground, kind }) => {
    it("[V4-354] [V3-129] stores file and preview, sends clients there, and is emptied when the asset is deleted", async () => {
      const storage = await startObjectStorage();
      const place = await ground();
      const content = await started(place, { storage: storage.address });
      const bytes = png([1, 2, 3]);
      const { id, url, ...row } = await uploaded(content, bytes);
      expect(row["status"]).toBe("finished");
      expect(await objectsIn(storage)).toHaveLength(2);
      expect(await keptIn(place.dataDir)).toEqual([]);

      const redirect = await fetch(url, { redirect: "manual" });
      const target = redirect.headers.get("location") ?? "";
      expect(redirect.status).toBe(302);
      expect(target).toMatch(/^http:\/\/127.0.0.1:\d+\/screens\/vitrine\//);
      const complete = await fetch(url);
      expect(complete.headers.get("content-type")).toBe("image/png");
      expect(Buffer.from(await complete.arrayBuffer())).toEqual(bytes);
      expect(await bytesAt(url, { headers: { Range: "bytes=4-7" } })).toEqual(
        bytes.subarray(4, 8),
      );
      expect(await bytesAt(String(row["thumbnail_uri"]))).not.toHaveLength(0);
      // The page of the manager loads nothing from elsewhere (V3-129).
      const direct = await fetch(url, {
        ...{ redirect: "manual", headers: { "X-Vitrine-Manager": "1" } },
      });
      expect([direct.status, direct.headers.get("content-type")]).toEqual([
        ...[200, "image/png"],
      ]);
      expect(Buffer.from(await direct.arrayBuffer())).toEqual(bytes);
      const head = await fetch(url, { method: "HEAD" });
      expect([head.status, head.headers.get("content-length")]).toEqual([
        ...[200, String(bytes.length)],
      ]);
      expect(isSigned(target)).toBe(true);
      expect(isSigned(target.replace(hashPattern, "0".repeat(64)))).toBe(false);
      const { searchParams } = new URL(target);
      // From the beginning of the hour on.
      expect(searchParams.get("X-Amz-Expires")).toBe("7200");
      expect(searchParams.get("X-Amz-Date")).toMatch(/T\d\d0000Z$/);

      const deleted = await content.request(`/v4/assets?id=eq.${id}`, {
        method: "DELETE",
      });
      expect(deleted.ok).toBe(true);
      await expect.poll(() => objectsIn(storage)).toEqual([]);
    });

    it("[V4-354] stores the same bytes once, and a file larger than one part completely", async () => {
      const storage = await startObjectStorage();
      const content = await started(await ground(), {
        storage: storage.address,
      });
      const bytes = Buffer.concat([
        png([9, 9, 9]),
        Buffer.alloc(32 * 1024 ** 2, 7),
      ]);
      const first = await uploaded(content, bytes);
      const second = await uploaded(content, bytes);
      expect(second["md5"]).toBe(first["md5"]);
      expect((await bytesAt(second.url)).equals(bytes)).toBe(true);
      const parts = storage.requests.filter((one) => /partNumber=/.test(one));
      expect(parts).toHaveLength(3);
    });

    it("[V4-354] a PDF and its pages are read again from the storage by another instance", async () => {
      const storage = await startObjectStorage();
      const place = await ground();
      const content = await started(place, { storage: storage.address });
      await uploaded(
        content,
        await pdf([{ colour: [4, 5, 6] }, { colour: [7, 8, 9] }]),
      );
      await content.stop();
      const next = await started(
        {
          ...place,
          dataDir: place.databaseUrl ? await temporaryFolder() : place.dataDir,
        },
        { storage: storage.address },
      );
      const pages = await next.rows("/v4.1/assets?type=eq.pdf-page");
      expect(pages).toHaveLength(2);
      for (const page of pages)
        expect(
          (await bytesAt(String(page["asset_url"]))).subarray(0, 5).toString(),
        ).toBe("%PDF-");
    });

    it("[V4-355] while it is away, uploads and files are 503 with Retry-After, what is processed waits, and all is well afterwards", async () => {
      const storage = await startObjectStorage();
      const failed: unknown[] = [];
      const log = createLog({ toStandardOutput: false });
      const content = await started(await ground(), {
        ...{ storage: storage.address, pausesMs: [10, 20] },
        log: {
          ...log,
          warn: (event) => {
            if (event === "ingest.failed") failed.push(event);
          },
        },
      });
      const before = await uploaded(content, png([1, 1, 1]));
      let glitches = 1;
      const sources = await serveSources({
        "/a.png": (_request, response) => {
          // The outage has used up none of the attempts that the source gets.
          if (storageState === "closed" || glitches-- <= 0)
            response.end(png([4, 4, 4]));
          else response.writeHead(503).end();
        },
      });
      let storageState = "open";
      storage.set("closed");
      storageState = "closed";
      for (const answer of [
        await content.upload(png([2, 2, 2]), {}),
        await fetch(before.url),
      ])
        expect([
          ...[answer.status, answer.headers.has("retry-after")],
          await answer.json(),
        ]).toMatchObject([503, true, { code: "58030" }]);
      const [waiting] = await content.add("/v4/assets", {
        source_url: `${sources.address}/a.png`,
      });
      // More often than a source would be tried, which is not downloaded in vain.
      await expect.poll(() => failed.length).toBeGreaterThan(4);
      expect(sources.requests("/a.png").length).toBeLessThan(3);
      await expect
        .poll(async () => (await fetch(`${content.address}/health`)).json())
        .toEqual({ status: "the files cannot be read" });
      storage.set("open");
      storageState = "open";
      expect(await bytesAt(before.url)).toEqual(png([1, 1, 1]));
      expect(
        await waitUntilProcessed(content, waiting?.id ?? ""),
      ).toMatchObject({ status: "finished" });
      expect((await uploaded(content, png([2, 2, 2])))["status"]).toBe(
        "finished",
      );
    });

    it("[V4-355] while it is silent, a file is 503 within ten seconds, and everything else is answered at once", async () => {
      const storage = await startObjectStorage();
      const content = await started(await ground(), {
        storage: storage.address,
      });
      const { url } = await uploaded(content, png([1, 1, 1]));
      storage.set("silent");
      const file = fetch(url);
      expect(
        await Promise.race([
          file.then(() => "file"),
          content.rows("/v4/assets"),
        ]),
      ).toHaveLength(1);
      expect((await file).status).toBe(503);
      storage.set("open");
      expect(await bytesAt(url)).toEqual(png([1, 1, 1]));
    });

    it("[V4-355] when it goes away in the middle of uploads, each is either refused, or stored and finished afterwards", async () => {
      const storage = await startObjectStorage();
      const content = await started(await ground(), {
        ...{ storage: storage.address, pausesMs: [10, 20] },
      });
      const stored: [id: string, bytes: Buffer][] = [];
      for (let round = 0; round < 6; round += 1) {
        const { length } = storage.requests;
        const uploads = [0, 1, 2, 3].map(async (each) => {
          const bytes = png([round, each, 99]);
          const answer = await content.upload(bytes, {});
          const body = (await answer.json()) as Row[];
          if (answer.status === 201) stored.push([body[0]?.id ?? "", bytes]);
          else expect(answer.status).toBe(503);
        });
        let isAnswered = false;
        const answering = Promise.all(uploads).then(() => (isAnswered = true));
        // Each round is cut off a little later; the last ones may need fewer requests altogether.
        await vi.waitUntil(
          () => isAnswered || storage.requests.length >= length + 3 * round + 2,
          { interval: 1 },
        );
        storage.set("closed");
        await answering;
        storage.set("open");
      }
      expect(stored.length).toBeGreaterThan(0);
      expect(stored.length).toBeLessThan(24);
      for (const [id, bytes] of stored) {
        const row = await waitUntilProcessed(content, id);
        expect(row["status"]).toBe("finished");
        expect(await bytesAt(String(row["asset_url"]))).toEqual(bytes);
      }
    });

    it("[V4-333] an asset whose object is gone is not finished any more; if none is left, the storage is taken for unavailable", async () => {
      const storage = await startObjectStorage();
      const content = await started(await ground(), {
        storage: storage.address,
      });
      const first = await uploaded(content, png([3, 3, 3]));
      const second = await uploaded(content, png([3, 4, 5]));
      const { store } = await openServiceFiles({
        dataDir: await temporaryFolder(),
        storage: storage.address,
      });
      const remove = async (url: string): Promise<void> => {
        const { headers } = await fetch(url, { redirect: "manual" });
        const target = headers.get("location") ?? "";
        await store.remove(hashPattern.exec(target)?.[0] ?? "");
        expect((await fetch(url)).status).toBe(404);
      };
      await remove(first.url);
      await expect
        .poll(() => content.rows(`/v4/assets?id=eq.${first.id}`))
        .toMatchObject([{ status: "error" }]);
      for await (const hash of store.list())
        if (!second.url.includes(hash)) await store.remove(hash);
      expect((await fetch(second.url)).status).toBe(404);
      await expect
        .poll(async () => (await fetch(`${content.address}/health`)).json())
        .toMatchObject({ files_problem: expect.any(String) as string });
      expect(await content.rows(`/v4/assets?id=eq.${second.id}`)).toMatchObject(
        [{ status: "finished" }],
      );
    });

    it("[V4-356] files of the data folder are served and copied while the service runs, on to another bucket, and back again", async () => {
      const storage = await startObjectStorage();
      const place = await ground();
      const bytes = png([5, 6, 7]);
      const inFolder = await started(place, {});
      const { id } = await uploaded(inFolder, bytes);
      await inFolder.stop();
      const bytesOf = async (content: StartedContent): Promise<Buffer> => {
        const [row] = await content.rows(`/v4/assets?id=eq.${id}`);
        return bytesAt(String(row?.["asset_url"]));
      };

      const copying = await started(place, { storage: storage.address });
      expect(await bytesOf(copying)).toEqual(bytes);
      await expect.poll(() => objectsIn(storage)).toHaveLength(2);
      await copying.stop();
      // Nothing is deleted from where it was; without it, the copies are enough.
      expect(await keptIn(place.dataDir)).toHaveLength(2);
      const kept = path.join(place.dataDir, "files/kept");
      await rm(kept, { recursive: true });

      const other = storage.bucket("other");
      const between = await started(place, {
        ...{ storage: other, previousStorage: storage.address },
      });
      expect(await bytesOf(between)).toEqual(bytes);
      await expect.poll(() => objectsIn(storage, "other")).toHaveLength(2);
      await between.stop();

      const back = await started(place, { previousStorage: other });
      await expect.poll(() => keptIn(place.dataDir)).toHaveLength(2);
      await back.stop();
      const again = await started(place, {});
      expect(await bytesOf(again)).toEqual(bytes);
    });

    it("[V4-356] a damaged file is not copied, and the others are, once the bucket is there", async () => {
      const storage = await startObjectStorage();
      const place = await ground();
      const inFolder = await started(place, {});
      await uploaded(inFolder, png([5, 6, 7]));
      await inFolder.stop();
      const [name = ""] = await keptIn(place.dataDir);
      await writeFile(path.join(place.dataDir, "files/kept", name), "damaged");
      const failed: unknown[] = [];
      const log = createLog({ toStandardOutput: false });
      await started(place, {
        storage: storage.address,
        log: {
          ...log,
          warn: (event, fields) => {
            if (event === "storage.copy-failed") failed.push(fields?.["hash"]);
          },
        },
      });
      await expect.poll(() => objectsIn(storage)).toHaveLength(1);
      await expect.poll(() => failed).toEqual([path.basename(name)]);
    });

    it.runIf(kind === "sqlite")(
      "[V4-301] with a database restored from its backup, no object is taken for lost, and none is deleted for a week",
      async () => {
        const storage = await startObjectStorage();
        const place = await ground();
        const options = { storage: storage.address, firstBackupMs: 0 };
        const content = await started(place, options);
        const { id } = await uploaded(content, png([5, 6, 7]));
        const backups = path.join(place.dataDir, "backups");
        const backup = await vi.waitUntil(
          async () =>
            (await readdir(backups).catch(() => [])).find((name) =>
              name.endsWith(".db"),
            ),
          { interval: 20 },
        );
        await content.stop();
        // The backup may be from before the upload: a second start makes none that day, so it is made here.
        await copyFile(
          path.join(place.dataDir, "content.db"),
          path.join(backups, backup),
        );
        await writeFile(path.join(place.dataDir, "content.db"), "damaged");
        await rm(path.join(place.dataDir, "content.db-wal"), { force: true });
        const restored = await started(place, options);
        expect(
          await restored.rows(`/v4/assets?id=eq.${id}&select=status`),
        ).toEqual([{ status: "finished" }]);
        await restored.stop();
        const database = openSqliteDatabase<ContentTables>(
          path.join(place.dataDir, "content.db"),
        );
        afterThisTest(() => database.close());
        const [task] = await database.read({
          text: "SELECT due_at FROM periodic_tasks WHERE name = 'restored-objects'",
          values: [],
        });
        expect(Number(task?.["due_at"]) - Date.now()).toBeGreaterThan(
          6.9 * 24 * 3_600_000,
        );
      },
    );

    it("[V4-351] [V4-353] a backup in a bucket contains the objects, and is restored into another bucket", async () => {
      const storage = await startObjectStorage();
      const place = await ground();
      const content = await started(place, { storage: storage.address });
      const { id } = await uploaded(content, png([8, 8, 8]));
      const at = `s3://other/backups/monday.tar.gz?endpoint=${storage.endpoint}`;
      const written = await backUpTo(at, {
        ...place,
        storage: storage.address,
      });
      expect(written).toMatch(/^s3:\/\/other\/backups\/monday.tar.gz contains/);
      await expect(
        backUpTo(at, { ...place, storage: storage.address }),
      ).rejects.toThrow("already exists");
      await content.stop();
      expect(await verifyBackup(at)).toContain("is complete");
      await expect(verifyBackup(at.replace("monday", "no"))).rejects.toThrow(
        "The object s3://other/backups/no.tar.gz does not exist.",
      );
      const fresh = await ground();
      const elsewhere = { ...fresh, storage: storage.bucket("other") };
      await restoreFrom(at, elsewhere);
      const restored = await started(fresh, { storage: elsewhere.storage });
      const [row] = await restored.rows(`/v4/assets?id=eq.${id}`);
      expect(await bytesAt(String(row?.["asset_url"]))).toEqual(png([8, 8, 8]));
    });
  });

  it("[V4-354] a player downloads from it what its service has", async () => {
    const storage = await startObjectStorage();
    const content = await startContent(await temporaryFolder(), {
      storage: storage.address,
    });
    const { id } = await uploaded(content, png([10, 20, 30]));
    const [playlist] = await content.add("/v4/playlists", { title: "Morning" });
    await content.add("/v4/playlist-items", {
      ...{ playlist_id: playlist?.id, asset_id: id, duration: 7 },
    });
    const [label] = await content.rows("/v4.1/labels?type=eq.all-screens");
    await content.add("/v4.1/labels/playlists", {
      ...{ playlist_id: playlist?.id, label_id: label?.id },
    });
    const player = await startSync();
    await player.connect({ baseUrl: content.address });
    expect(player.sync.status()).toMatchObject([
      { isInSync: true, problem: null, items: { wanted: 1, here: 1 } },
    ]);
  });

  it("[V4-355] a file that stalls on its way from the storage is read again, and the service can be stopped meanwhile", async () => {
    const storage = await startObjectStorage();
    const place = { dataDir: await temporaryFolder(), databaseUrl: undefined };
    const content = await started(place, { storage: storage.address });
    storage.set("stalled");
    const bytes = Buffer.concat([png([6, 6, 6]), Buffer.alloc(1024 ** 2, 7)]);
    const answer = await content.upload(bytes, {});
    expect(answer.status).toBe(201);
    const [{ id } = { id: "" }] = (await answer.json()) as Row[];
    await vi.waitUntil(
      () => storage.requests.some((one) => one.startsWith("GET ")),
      { interval: 20 },
    );
    await content.stop();
    const next = await started(place, {
      ...{ storage: storage.address, pausesMs: [10], leaseMs: 600 },
    });
    await vi.waitUntil(
      () => storage.requests.filter((one) => one.startsWith("GET ")).length > 1,
      { interval: 20 },
    );
    storage.set("open");
    expect(await waitUntilProcessed(next, id)).toMatchObject({
      ...{ status: "finished", source_size: bytes.length },
    });
  });

  it("[V4-357] clients are sent to the CDN, with a signature of its key", async () => {
    const storage = await startObjectStorage();
    const dataDir = await temporaryFolder();
    const { privateKey, publicKey } = generateKeyPairSync("rsa", {
      modulusLength: 2048,
      privateKeyEncoding: { type: "pkcs8", format: "pem" },
      publicKeyEncoding: { type: "spki", format: "pem" },
    });
    const cdnKeyFile = path.join(dataDir, "cdn.pem");
    await writeFile(cdnKeyFile, privateKey);
    const content = await startContent(dataDir, {
      ...{ storage: storage.address, cdnKeyFile, cdnKeyPair: "K2JCJMDEHXQW5F" },
      cdnUrl: `${storage.endpoint}/screens`,
    });
    const bytes = png([11, 12, 13]);
    const { url } = await uploaded(content, bytes);
    const { headers } = await fetch(url, { redirect: "manual" });
    const target = headers.get("location") ?? "";
    const { searchParams } = new URL(target);
    expect(searchParams.get("Key-Pair-Id")).toBe("K2JCJMDEHXQW5F");
    const expires = Number(searchParams.get("Expires"));
    expect(expires * 1000 - Date.now()).toBeGreaterThan(3_600_000 - 60_000);
    const policy = JSON.stringify({
      Statement: [
        {
          Resource: target.replace(/&Expires=.*/, ""),
          Condition: { DateLessThan: { "AWS:EpochTime": expires } },
        },
      ],
    });
    const signature = (searchParams.get("Signature") ?? "")
      .replaceAll("-", "+")
      .replaceAll("_", "=")
      .replaceAll("~", "/");
    expect(
      createVerify("RSA-SHA1")
        .update(policy)
        .verify(publicKey, signature, "base64"),
    ).toBe(true);
    // The server in these tests allows the type of an answer to be set by signed requests only; a CDN signs its own.
    expect(searchParams.get("response-content-type")).toBe("image/png");
    expect(await bytesAt(target.replace(/\?.*/, ""))).toEqual(bytes);

    await writeFile(cdnKeyFile, "no key");
    await expect(
      startContent(await temporaryFolder(), {
        ...{ storage: storage.address, cdnKeyFile, cdnKeyPair: "K" },
        cdnUrl: `${storage.endpoint}/screens`,
      }),
    ).rejects.toThrow(/must contain an RSA private key/);
  });

  it("[V4-354] the service does not start where the bucket does not exist, and starts where the storage is away", async () => {
    const storage = await startObjectStorage();
    const dataDir = await temporaryFolder();
    await expect(
      startContent(dataDir, { storage: storage.bucket("missing") }),
    ).rejects.toThrow("The bucket missing does not exist.");
    storage.set("closed");
    const content = await startContent(dataDir, { storage: storage.address });
    expect((await content.request("/v4/assets")).status).toBe(200);
  });
});
