// Backups of the content service: written while it runs, verified, and restored into either database.

import { existsSync } from "node:fs";
import { readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, inject, it } from "vitest";
import {
  backUpTo,
  restoreFrom,
  verifyBackup,
} from "../../../../server/content/backup/backup-command.ts";
import { newsLink } from "../../../../server/contract/link/link.ts";
import { afterThisTest } from "../../../support/after-this-test.ts";
import {
  addAssetAndWait,
  waitUntilProcessed,
} from "../../../support/content/ingest-asset.ts";
import {
  eachContent,
  type Ground,
} from "../../../support/content/each-content.ts";
import { clientV3 } from "../../../support/content/each-v3.ts";
import {
  claimedPlayer,
  playbackOf,
} from "../../../support/content/linked-player.ts";
import {
  contentKey,
  runContent,
  startContent,
  type Row,
  type StartedContent,
} from "../../../support/content/start-content.ts";
import { drawing } from "../../../support/database/damage.ts";
import { makeDatabase } from "../../../support/database/postgres.ts";
import { hasModes } from "../../../support/file-modes.ts";
import { temporaryFolder } from "../../../support/folder.ts";
import { png } from "../../../support/media/media.ts";
import { pdf } from "../../../support/media/pdfs.ts";

const lists = [
  ...["assets", "asset-groups", "labels", "screens", "playlists"],
  "playlist-items",
];

/** Files, pages that refer to their document, a playlist, a paired screen, and values that databases store differently. */
async function fill(content: StartedContent): Promise<string> {
  const answer = await content.upload(png([1, 2, 3]), {
    title: "Poster 🖼 שלט",
  });
  const [{ id } = { id: "" }] = (await answer.json()) as Row[];
  await waitUntilProcessed(content, id);
  const book = await content.upload(
    await pdf([{ colour: [4, 5, 6] }, { colour: [7, 8, 9] }]),
    { title: "Menu.pdf" },
  );
  const [{ id: bookId } = { id: "" }] = (await book.json()) as Row[];
  await waitUntilProcessed(content, bookId);
  await addAssetAndWait(content, {
    ...{ source_url: "data:text/html,x", type: "web", title: "\\ \"'\n" },
    metadata: { nested: [1.5, null, "ä"] },
  }).catch(() => undefined);
  const [playlist] = await content.add("/v4/playlists", { title: "Morning" });
  await content.add("/v4/playlist-items", {
    ...{ playlist_id: playlist?.id, asset_id: id, duration: 7.25 },
  });
  return id;
}

async function everything(content: StartedContent) {
  const rows: Record<string, readonly Row[]> = {};
  for (const list of lists)
    rows[list] = (await content.rows(`/v4.1/${list}?order=id`)).map(
      // Addresses are those of the instance, and signed anew.
      ({ asset_url: _address, thumbnail_uri: _preview, ...row }) => row,
    ) as Row[];
  rows["playbacks"] = await content.rows("/v3/playbacks");
  return rows;
}

async function fileOf(content: StartedContent, id: string): Promise<Buffer> {
  const [row] = await content.rows(`/v4/assets?id=eq.${id}`);
  const answer = await fetch(String(row?.["asset_url"]));
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
}

/** An empty place for a service with the same kind of database, or the other one. */
async function otherGround({ databaseUrl }: Ground, isSame: boolean) {
  const dataDir = await temporaryFolder();
  if ((databaseUrl === undefined) === isSame)
    return { dataDir, databaseUrl: undefined };
  const made = await makeDatabase(inject("postgresUrl"));
  afterThisTest(made.drop);
  return { dataDir, databaseUrl: made.url };
}

describe("a backup of the content service", () => {
  eachContent(({ ground }) => {
    it.skipIf(inject("postgresUrl") === "").each([
      ["the same database", true],
      ["the other database", false],
    ])(
      "[V4-351] [V4-353] is written while it runs, and restores rows, files, keys and paired players into %s",
      async (_which, isSame) => {
        const place = await ground();
        const content = await startContent(place.dataDir, place);
        const id = await fill(content);
        const player = await claimedPlayer(
          clientV3(content.address, contentKey),
        );
        const { revision } = await player.beat();
        // Of this month and of an odd date: on PostgreSQL in two tables.
        const started_at = new Date().toISOString();
        await player.send([playbackOf("A", { started_at }), playbackOf("B")]);
        const before = await everything(content);
        expect(before["assets"]?.length).toBeGreaterThan(3);
        expect(before["playbacks"]).toHaveLength(2);
        const file = path.join(await temporaryFolder(), "backup.tar.gz");
        expect(await backUpTo(file, place)).toMatch(/ rows and \d+ files /);
        if (hasModes) expect((await stat(file)).mode & 0o777).toBe(0o600);
        expect(await verifyBackup(file)).toMatch(
          /^The backup of .*Z is complete/,
        );
        const bytes = await fileOf(content, id);
        await content.stop();

        const target = await otherGround(place, isSame);
        expect(await restoreFrom(file, target)).toMatch(/Z is restored: /);
        const restored = await startContent(target.dataDir, target);
        expect(await everything(restored)).toEqual(before);
        expect(await fileOf(restored, id)).toEqual(bytes);
        // The player is still paired, and its content counts as changed.
        const answer = await fetch(`${restored.address}/link/v1/heartbeat`, {
          method: "POST",
          headers: {
            Authorization: `Bearer ${player.credential}`,
            "Content-Type": "application/json",
          },
          body: JSON.stringify({ sync: "in-sync" }),
        });
        expect(answer.status).toBe(200);
        const news = newsLink.parse(await answer.json());
        expect(news.revision).not.toBe(revision);
        await restored.stop();
        await expect(restoreFrom(file, target)).rejects.toThrow(
          /already content in .*Restore into an empty/,
        );
      },
    );

    it("[V4-351] contains files whose rows are deleted while it is written, and holds none afterwards", async () => {
      const place = await ground();
      const content = await startContent(place.dataDir, place);
      const id = await fill(content);
      const folder = await temporaryFolder();
      const file = path.join(folder, "backup.tar.gz");
      const writing = backUpTo(file, place);
      await content.request(`/v4/assets?id=eq.${id}`, { method: "DELETE" });
      expect(await writing).not.toMatch(/missing/);
      await verifyBackup(file);
      await expect(backUpTo(file, place)).rejects.toThrow(/already exists/);
    });
  });
});

describe("a backup that is not intact", () => {
  const backedUp = async () => {
    const dataDir = await temporaryFolder();
    const content = await startContent(dataDir);
    await fill(content);
    const file = path.join(await temporaryFolder(), "backup.tar.gz");
    await backUpTo(file, { dataDir, databaseUrl: undefined });
    return { content, dataDir, file };
  };

  it("[V4-352] [V4-353] is rejected with the reason, wherever it is damaged, and nothing is restored from it", async () => {
    const { file } = await backedUp();
    const whole = await readFile(file);
    for (let seed = 0; seed < 40; seed += 1) {
      const draw = drawing(seed);
      const bytes = Buffer.from(whole);
      // The first ten bytes have a date and a system that mean nothing.
      const at = 10 + draw(whole.length - 10);
      if (seed % 2 === 0) bytes[at] = (bytes[at] ?? 0) ^ (1 << draw(8));
      await writeFile(file, seed % 2 === 0 ? bytes : whole.subarray(0, at));
      const target = {
        dataDir: await temporaryFolder(),
        databaseUrl: undefined,
      };
      // Trailing zeros and the padding of tar may change without any change of content.
      const verdict = await verifyBackup(file).then(
        () => "complete",
        (error: Error) => error.message,
      );
      if (verdict === "complete") continue;
      expect(verdict).toMatch(/damaged|incomplete|not a|neither/);
      await expect(restoreFrom(file, target)).rejects.toThrow(verdict);
      expect(existsSync(path.join(target.dataDir, "content.db"))).toBe(false);
    }
  });

  it("[V4-352] [V4-353] is reported in one sentence if another program wrote it, or if it does not exist", async () => {
    const file = path.join(await temporaryFolder(), "any.tar.gz");
    const there = ["--data-dir", await temporaryFolder()];
    await writeFile(file, "not a backup");
    const { code, complained } = await runContent("verify", file);
    expect([code, complained]).toEqual([
      ...[1, "The file is not a gzip archive, or it is damaged.\n"],
    ]);
    await rm(file);
    for (const command of ["verify", "restore"])
      expect(
        await runContent(
          command,
          file,
          ...(command === "restore" ? there : []),
        ),
      ).toMatchObject({
        ...{ code: 1, complained: `The file ${file} does not exist.\n` },
      });
    const nowhere = path.join(file, "backup.tar.gz");
    expect(await runContent("backup", nowhere, ...there)).toMatchObject({
      ...{ code: 1, complained: `The folder ${file} does not exist.\n` },
    });
  });

  it("[V4-353] is not restored into a data folder in use, and one restore that failed prevents no other", async () => {
    const { content, dataDir, file } = await backedUp();
    const here = ["restore", file, "--data-dir", dataDir];
    expect(await runContent(...here)).toMatchObject({
      ...{ code: 1, complained: expect.stringMatching(/running/) as string },
    });
    await content.stop();
    expect(await runContent(...here)).toMatchObject({
      ...{ code: 1, complained: expect.stringMatching(/already/) as string },
    });
    const half = `${file}.half`;
    await writeFile(half, await readFile(file));
    await truncate(half, 2000);
    const elsewhere = ["--data-dir", await temporaryFolder()];
    expect((await runContent("restore", half, ...elsewhere)).code).toBe(1);
    expect(await runContent("restore", file, ...elsewhere)).toMatchObject({
      ...{ code: 0, complained: "" },
    });
  });
});
