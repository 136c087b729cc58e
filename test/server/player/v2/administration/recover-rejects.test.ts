// API v2: recovery rejects archives damaged in every way, and nothing changes.

import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import {
  openSqlite,
  type Sqlite,
} from "../../../../../server/platform/sqlite/sqlite.ts";
import {
  membersOf,
  repacked,
  sha256,
  tar,
  tarGz,
  type TarMember,
} from "../../../../support/player/archives.ts";
import {
  temporaryFolder,
  untilAllHaveRun,
} from "../../../../support/folder.ts";
import { png } from "../../../../support/media/media.ts";
import {
  backup,
  furnished,
  leftAside,
  recover,
  stateOf,
  withDatabase,
} from "../../../../support/player/recover.ts";
import {
  answerOf,
  startPlayer,
  type RunningPlayer,
} from "../../../../support/player/start-player.ts";
import { isLong } from "../../../../support/long-form.ts";

/** The state that a rejected upload must not change. */
async function expectRefused(
  running: RunningPlayer,
  archive: Buffer | string,
  before: unknown,
  status = 400,
): Promise<string> {
  const answer = await recover(running, archive);
  expect(answer.status).toBe(status);
  expect(answer.body.backup_upload).toEqual([expect.any(String)]);
  expect(await stateOf(running)).toEqual(before);
  expect(await leftAside(running.dataDir)).toEqual([]);
  return (answer.body.backup_upload as string[])[0] ?? "";
}

describe("recovery rejects", () => {
  /** One for all of them: each finds it unchanged. */
  let running: RunningPlayer;
  let archive: Buffer;
  let before: unknown;
  beforeAll(() =>
    untilAllHaveRun(async (atEnd) => {
      running = await startPlayer({}, atEnd);
      await running.add({ name: "a" }, png([1, 1, 1]));
      await running.add({ name: "b" }, png([2, 2, 2]));
      archive = await backup(running);
      await running.add({ name: "only here" });
      before = await stateOf(running);
    }),
  );

  /** Each case makes an invalid archive from a valid one. */
  type Spoil = (good: TarMember[], archive: Buffer) => Buffer | string;
  const some = png([50, 60, 70]);
  const listed = (extra: object) => (manifest: Record<string, unknown>) => ({
    ...manifest,
    members: [...(manifest.members as object[]), extra],
  });
  const cases: Record<string, Spoil> = {
    "a text instead of a file": () => "hello",
    nothing: () => Buffer.alloc(0),
    "bytes that are not gzip": () =>
      Buffer.from("hello, this is no archive at all"),
    "gzip without a tar": () => gzipSync("hello".repeat(500)),
    "a tar without gzip": (good) => tar(good),
    "gzip within gzip": (_, archive) => gzipSync(archive),
    "an empty tar": () => tarGz([]),
    "a tar with other content": () =>
      tarGz([{ path: "holiday.png", content: some }]),
    "a manifest that is not the first member": ([first, second, ...rest]) =>
      tarGz([second, first, ...rest] as TarMember[]),
    "a manifest that is not JSON": ([first, ...rest]) =>
      tarGz([{ path: first?.path ?? "", content: "{" }, ...rest]),
    "a manifest that is a list": ([first, ...rest]) =>
      tarGz([{ path: first?.path ?? "", content: "[]" }, ...rest]),
    "a manifest of null": ([first, ...rest]) =>
      tarGz([{ path: first?.path ?? "", content: "null" }, ...rest]),
    "another product": (good) =>
      repacked(good, (manifest) => ({ ...manifest, product: "other" })),
    "a newer format": (good) =>
      repacked(good, (manifest) => ({ ...manifest, format: 2 })),
    "an invalid format": (good) =>
      repacked(good, (manifest) => ({ ...manifest, format: "1" })),
    "a missing database": ([first, , ...rest]) =>
      repacked([first as TarMember, ...rest]),
    "a missing file": (good) => {
      const bytes = repacked(good);
      return tarGz(membersOf(bytes).slice(0, -1));
    },
    "a file without a row": (good) =>
      repacked([...good, { path: `files/${sha256(some)}`, content: some }]),
    "a row whose file is missing": (good) => repacked(good.slice(0, -1)),
    "a file under a wrong hash": (good) =>
      repacked([...good, { path: `files/${"a".repeat(64)}`, content: some }]),
    "an unlisted member": (good, archive) =>
      tarGz([...membersOf(archive), { path: "extra", content: "x" }]),
    "a listed member twice": (_, archive) => {
      const members = membersOf(archive);
      return tarGz([...members, members.at(-1) as TarMember]);
    },
    "the database twice": (_, archive) => {
      const members = membersOf(archive);
      return tarGz([...members, members[1] as TarMember]);
    },
    "the manifest twice": (_, archive) => {
      const members = membersOf(archive);
      return tarGz([...members, members[0] as TarMember]);
    },
    "a duplicate path in the manifest": (good) =>
      repacked(good, (manifest) => {
        const members = manifest.members as object[];
        return { ...manifest, members: [...members, members[0]] };
      }),
    "bytes that do not match the manifest": (_, archive) => {
      const members = membersOf(archive);
      const last = members.at(-1) as TarMember;
      const content = Buffer.from(last.content ?? "");
      content[9] = (content[9] ?? 0) ^ 1;
      return tarGz([...members.slice(0, -1), { ...last, content }]);
    },
    "a member longer than listed": (_, archive) => {
      const members = membersOf(archive);
      const last = members.at(-1) as TarMember;
      const content = Buffer.concat([Buffer.from(last.content ?? ""), some]);
      return tarGz([...members.slice(0, -1), { ...last, content }]);
    },
    "a negative size": (good) =>
      repacked(good, listed({ path: "x", size: -1, sha256: sha256("") })),
    "a folder": (_, archive) =>
      tarGz([...membersOf(archive), { path: "files/", type: "Directory" }]),
    "a header with a size beyond the end": (_, archive) => {
      const members = membersOf(archive);
      const last = members.at(-1) as TarMember;
      return tarGz([...members.slice(0, -1), { ...last, size: 1e9 }]);
    },
    "data after the end": (_, archive) =>
      gzipSync(Buffer.concat([tar(membersOf(archive)), some])),
    "megabytes of zeros after the end": (_, archive) =>
      gzipSync(
        Buffer.concat([tar(membersOf(archive)), Buffer.alloc(3_000_000)]),
      ),
  };
  for (const evil of [
    "../evil.png",
    "files/../../../evil.png",
    "/tmp/evil.png",
    "C:\\evil.png",
    "files\\..\\..\\evil.png",
    "./manifest.json",
    "files/",
    "vitrine.db-wal",
    "vitrine.db/",
  ]) {
    cases[`a path such as ${evil}`] = (_, archive) =>
      tarGz([...membersOf(archive), { path: evil, content: some }]);
    cases[`a listed path such as ${evil}`] = (good) =>
      repacked([...good, { path: evil, content: some }]);
  }
  for (const type of [
    "SymbolicLink",
    "Link",
    "CharacterDevice",
    "BlockDevice",
    "FIFO",
    "GlobalExtendedHeader",
    "SparseFile",
  ] as const) {
    const linkpath = "/etc/passwd";
    cases[`a member of type ${type}`] = (_, archive) => {
      const members = membersOf(archive);
      const last = members.pop() as TarMember;
      return tarGz([...members, { path: last.path, type, linkpath }]);
    };
    cases[`a first member of type ${type}`] = (_, archive) =>
      tarGz([{ path: "x", type, linkpath }, ...membersOf(archive)]);
  }

  it.each(Object.entries(cases))("[V2-53] %s", async (_title, spoil) => {
    await expectRefused(running, spoil(membersOf(archive), archive), before);
  });

  const insertAsset = (values: string) =>
    `INSERT INTO assets (id, name, uri, mimetype, duration_seconds, is_enabled, play_order, starts_at)
     VALUES (${values})`;
  const databases: Record<string, (database: Sqlite) => void> = {
    "an extra table": (db) => void db.exec("CREATE TABLE more (x)"),
    "a missing table": (db) => void db.exec("DROP TABLE settings"),
    "a trigger": (db) =>
      void db.exec(
        "CREATE TRIGGER t AFTER INSERT ON assets BEGIN DELETE FROM files; END",
      ),
    "a view": (db) => void db.exec("CREATE VIEW v AS SELECT 1"),
    "a missing index": (db) => void db.exec("DROP INDEX assets_in_order"),
    "no version": (db) => void db.pragma("user_version = 0"),
    "a dangling reference": (db) =>
      void db.exec(`UPDATE assets SET file_hash = '${"b".repeat(64)}'`),
    "a wrong file size": (db) =>
      void db.exec("UPDATE files SET size_bytes = size_bytes + 1"),
    "a file name that is not a hash": (db) =>
      void db.exec(
        `UPDATE files SET hash = '../../x'
           WHERE hash = (SELECT file_hash FROM assets WHERE name = 'a');
         UPDATE assets SET file_hash = '../../x' WHERE name = 'a'`,
      ),
    "a timestamp beyond the range of dates": (db) =>
      void db.exec("UPDATE assets SET starts_at = 9007199254740991"),
    "a negative duration": (db) =>
      void db.exec("UPDATE assets SET duration_seconds = -5"),
    "a page with a file address": (db) =>
      void db.exec(
        insertAsset("'i', 'n', 'file:///etc/passwd', 'webpage', 1, 1, 0, 0"),
      ),
    "a page with a javascript address": (db) =>
      void db.exec(
        insertAsset("'i', 'n', 'javascript:alert(1)', 'webpage', 1, 1, 0, 0"),
      ),
    "a setting that is not JSON": (db) =>
      void db.exec("INSERT INTO settings VALUES ('playerName', '{')"),
    "an id that is a path": (db) =>
      void db.exec("UPDATE assets SET id = '../../../x' WHERE name = 'a'"),
    "a download without an address": (db) =>
      void db.exec("UPDATE assets SET is_processing = 1"),
    "a media type with a line break": (db) =>
      void db.exec(
        "UPDATE files SET type = 'image/png' || char(13, 10) || 'X: y'",
      ),
  };
  it.each(Object.entries(databases))(
    "[V2-53] a database with %s",
    async (_title, change) => {
      const bad = await withDatabase(archive, change);
      await expectRefused(running, bad, before);
    },
  );

  const noDatabases: Record<string, (complete: Buffer) => Promise<Buffer>> = {
    empty: async () => Buffer.alloc(0),
    "only the file header": async () => Buffer.from("SQLite format 3\0"),
    "only letters": async () => Buffer.alloc(8192, "x"),
    truncated: async (complete) => complete.subarray(0, 9000),
    "encoded in UTF-16": async () => {
      const file = path.join(await temporaryFolder(), "wide.db");
      const wide = openSqlite(file);
      wide.pragma("encoding = 'UTF-16'");
      wide.pragma("journal_mode = DELETE");
      wide.exec("CREATE TABLE assets (x)");
      wide.close();
      return readFile(file);
    },
  };
  it.each(Object.entries(noDatabases))(
    "[V2-53] a database that is %s",
    async (_title, made) => {
      const [manifest, database, ...files] = membersOf(archive);
      const content = await made(Buffer.from(database?.content ?? ""));
      const bad = repacked([
        manifest as TarMember,
        { path: "vitrine.db", content },
        ...files,
      ]);
      await expectRefused(running, bad, before);
    },
  );

  it("[V2-53] any truncation", { timeout: 180_000 }, async () => {
    const count = isLong ? 40 : 10;
    const places = Array.from({ length: count }, (_, at) =>
      Math.floor((archive.length * at) / count),
    );
    for (const at of [...places, archive.length - 1, archive.length - 9])
      await expectRefused(running, archive.subarray(0, at), before);
    const plain = tar(membersOf(archive));
    // An odd number of blocks: headers, contents and padding are each cut in turn.
    const step = (isLong ? 1 : 7) * 512;
    for (let at = 0; at < plain.length - 1024; at += step)
      await expectRefused(running, gzipSync(plain.subarray(0, at)), before);
  });

  it("[V2-54] what expands beyond the limit with 413, before it is written", async () => {
    const running = await startPlayer({ maxRecoverBytes: 1_000_000 });
    await running.add({ name: "here" });
    const donor = await startPlayer();
    const members = membersOf(await backup(donor));
    const zeros = Buffer.alloc(20_000_000);
    const bomb = repacked([
      ...members,
      { path: `files/${sha256(zeros)}`, content: zeros },
    ]);
    expect(bomb.length).toBeLessThan(200_000);
    const before = await stateOf(running);
    const sentence = await expectRefused(running, bomb, before, 413);
    expect(sentence).toMatch(/expands/);
    const peers = tarGz([{ path: ".anthias/anthias.db", content: zeros }]);
    await expectRefused(running, peers, before, 413);
  });

  it("[V2-54] what would use the disk's reserve with 507", async () => {
    const donor = await startPlayer();
    await donor.add();
    const archive = await backup(donor);
    const full = await startPlayer({ reserveBytes: 2 ** 60 });
    await expectRefused(full, archive, await stateOf(full), 507);
  });

  it("[V2-55] a body that is not multipart, has no such file or breaks off", async () => {
    const running = await startPlayer();
    const { request, dataDir } = running;
    await running.add();
    const before = await stateOf(running);
    const archive = await backup(running);
    const post = async (init: RequestInit) =>
      answerOf(await request("/recover", { method: "POST", ...init }));
    expect((await post({})).status).toBe(415);
    const json = { "Content-Type": "application/json" };
    expect((await post({ body: "{}", headers: json })).status).toBe(415);
    const other = new FormData();
    other.set("file_upload", new Blob([new Uint8Array(archive)]), "b.tar.gz");
    expect((await post({ body: other })).body).toHaveProperty("backup_upload");
    const headers = { "Content-Type": "multipart/form-data; boundary=x" };
    const head =
      "--x\r\nContent-Disposition: form-data; name=backup_upload; filename=b\r\n\r\n";
    // The archive is complete, and the body around it is not.
    const cut = Buffer.concat([Buffer.from(head), archive]);
    const { status } = await post({ body: new Uint8Array(cut), headers });
    expect(status).toBe(400);
    const body = new ReadableStream({
      start: (controller) => {
        controller.enqueue(cut.subarray(0, -20));
      },
      // Once the request body has begun to arrive.
      pull: async (controller) => {
        await expect.poll(() => leftAside(dataDir)).not.toEqual([]);
        controller.error(new Error("cable pulled"));
      },
    });
    const init = { method: "POST", headers, body, duplex: "half" };
    await expect(request("/recover", init as RequestInit)).rejects.toThrow();
    await expect.poll(() => leftAside(dataDir)).toEqual([]);
    expect(await stateOf(running)).toEqual(before);
    await expect
      .poll(async () => (await recover(running, archive)).status)
      .toBe(200);
  });

  it("[V2-55] a large invalid file, with a message that its sender can read", async () => {
    const running = await startPlayer();
    const before = await stateOf(running);
    const sentence = await expectRefused(running, randomBytes(30e6), before);
    expect(sentence).toMatch(/gzip/);
  });

  it(
    "[V2-53] any archive with a changed byte, unless its content is the same after all",
    { timeout: 180_000 },
    async () => {
      const running = await furnished();
      const archive = await backup(running);
      const before = await stateOf(running);
      const plain = tar(membersOf(archive));
      const flip = (bytes: Buffer, at: number, bit: number): Buffer => {
        const changed = Buffer.from(bytes);
        const place = at % bytes.length;
        changed[place] = (changed[place] ?? 0) ^ (1 << bit);
        return changed;
      };
      await fc.assert(
        fc.asyncProperty(
          fc.nat(),
          fc.nat(7),
          fc.boolean(),
          async (at, bit, isInside) => {
            const bytes = isInside
              ? gzipSync(flip(plain, at, bit), { level: 1 })
              : flip(archive, at, bit);
            const { status } = await recover(running, bytes);
            expect([200, 400, 413, 507]).toContain(status);
            expect(await stateOf(running)).toEqual(before);
            expect(await leftAside(running.dataDir)).toEqual([]);
          },
        ),
        { numRuns: isLong ? 1000 : 40 },
      );
    },
  );
});
