// API v2: recovery from valid archives, on idle and on busy players.

import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import {
  migrateSqlite,
  openSqlite,
} from "../../../../../server/platform/sqlite/sqlite.ts";
import { playerMigrations } from "../../../../../server/player/migrations.ts";
import { membersOf, sha256 } from "../../../../support/player/archives.ts";
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
  startPlayer,
  completeBody,
} from "../../../../support/player/start-player.ts";

describe("recovery", () => {
  it("[V2-28] [V2-47] restores everything, on another player too", async () => {
    const one = await furnished();
    const archive = await backup(one);
    const before = await stateOf(one);
    for (const { asset_id: id } of await one.list())
      await one.request(`/assets/${id}`, { method: "DELETE" });
    await one.send("PATCH", "/device_settings", { player_name: "Other" });
    await one.add({ name: "only here" });
    expect(await recover(one, archive)).toMatchObject({
      status: 200,
      body: "Recovery successful.",
    });
    await expect.poll(() => stateOf(one)).toEqual(before);
    const another = await startPlayer();
    expect((await recover(another, archive)).status).toBe(200);
    await expect.poll(() => stateOf(another)).toEqual(before);
    expect(await leftAside(one.dataDir)).toEqual([]);
    // Backed up again it is the same archive, except for its time.
    expect(membersOf(await backup(another))[1]).toEqual(membersOf(archive)[1]);
  });

  it("[V2-48] switches what is on the screen, and notifies running components", async () => {
    const one = await startPlayer();
    await one.add({ name: "old" });
    await one.clock.advance(0);
    const archive = await backup(one);
    const two = await startPlayer();
    await two.add({ name: "new" });
    await two.clock.advance(0);
    expect(two.stage.visible()?.name).toBe("new");
    let received = 0;
    two.player.onChanged(() => (received += 1));
    await recover(two, archive);
    await two.clock.advance(0);
    expect(received).toBeGreaterThan(0);
    expect(two.stage.visible()?.name).toBe("old");
  });

  it("[V2-49] keeps this machine's tokens and pending uploads", async () => {
    const one = await furnished();
    const archive = await backup(one);
    const two = await startPlayer();
    const database = openSqlite(path.join(two.dataDir, "vitrine.db"));
    database
      .prepare(
        "INSERT INTO tokens (id, name, hash, created_at) VALUES ('i', 'mine', zeroblob(32), 0)",
      )
      .run();
    const bytes = png([7, 7, 7]);
    const { body: upload } = await two.upload(bytes);
    const sameAsTheirs = await two.upload(png([0, 9, 9]));
    expect((await recover(two, archive)).status).toBe(200);
    expect(database.prepare("SELECT name FROM tokens").all()).toEqual([
      { name: "mine" },
    ]);
    database.close();
    for (const { uri } of [upload, sameAsTheirs.body]) {
      const created = await two.send("POST", "/assets", {
        ...completeBody,
        uri,
        mimetype: "image",
      });
      expect(created.status).toBe(201);
    }
    expect(await two.list()).toHaveLength(6);
  });

  it("[V2-50] runs one at a time", async () => {
    const running = await furnished();
    const archive = await backup(running);
    const before = await stateOf(running);
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => recover(running, archive)),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses).toContain(200);
    for (const status of statuses) expect([200, 409]).toContain(status);
    await expect.poll(() => stateOf(running)).toEqual(before);
  });

  it("[V2-47] leaves no partial state with concurrent writes, backups and recoveries", async () => {
    const running = await furnished();
    const { add, request, dataDir } = running;
    const archive = await backup(running);
    const writing = Array.from({ length: 4 }, async () => {
      for (let count = 0; count < 5; count += 1) {
        const { asset_id: id } = await add();
        await request(`/assets/${id}`, { method: "DELETE" });
      }
    });
    const packing = Array.from({ length: 4 }, () => backup(running));
    const recovering = (async () => {
      for (let count = 0; count < 4; count += 1)
        expect((await recover(running, archive)).status).toBe(200);
    })();
    // A creation may find that its upload is gone with the switch, and nothing else.
    await Promise.allSettled(writing);
    await recovering;
    for (const packed of await Promise.all(packing)) {
      const fresh = await startPlayer();
      expect((await recover(fresh, packed)).status).toBe(200);
    }
    expect((await recover(running, archive)).status).toBe(200);
    for (const { asset_id: id } of await running.list())
      expect((await request(`/assets/${id}/content`)).status).toBe(200);
    expect(await leftAside(dataDir)).toEqual([]);
  });

  it("[V2-51] restores an archive of an older schema, and rejects one of a newer", async () => {
    const running = await furnished();
    const archive = await backup(running);
    const before = await stateOf(running);
    const older = await withDatabase(archive, (database) => {
      const tables = ["files", "assets", "settings"];
      for (const table of tables)
        database.exec(
          `CREATE TEMP TABLE old_${table} AS SELECT * FROM ${table}`,
        );
      const all = database
        .prepare<[], string>(
          "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name <> 'sqlite_sequence'",
        )
        .pluck()
        .all();
      for (const table of all) database.exec(`DROP TABLE main.${table}`);
      database.pragma("user_version = 0");
      migrateSqlite(database, playerMigrations.slice(0, 1));
      for (const table of tables) {
        const columns = database
          .prepare<[], string>(
            `SELECT name FROM pragma_table_info('${table}', 'main')`,
          )
          .pluck()
          .all()
          .join();
        database.exec(
          `INSERT INTO main.${table} (${columns}) SELECT ${columns} FROM old_${table}`,
        );
      }
    });
    expect((await recover(running, older)).status).toBe(200);
    await expect.poll(() => stateOf(running)).toEqual(before);
    const newer = await withDatabase(archive, (database) => {
      database.pragma("user_version = 9999");
    });
    const answer = await recover(running, newer);
    expect(answer.status).toBe(400);
    expect(answer.body.backup_upload[0]).toMatch(/newer version/);
  });

  it.each(["http:example.org/", "https:/example.org", "\u0001http://a/"])(
    "[V2-47] accepts an archive with the address %j, which was valid once",
    async (uri) => {
      const running = await startPlayer();
      await running.send("POST", "/assets", completeBody);
      const archive = await withDatabase(await backup(running), (database) =>
        database.prepare("UPDATE assets SET uri = ?").run(uri),
      );
      expect((await recover(running, archive)).status).toBe(200);
      expect(await running.list()).toMatchObject([{ uri }]);
    },
  );

  it("[V2-52] repairs a file that has changed on disk", async () => {
    const running = await startPlayer();
    const bytes = png([1, 2, 3]);
    await running.add({}, bytes);
    const archive = await backup(running);
    const hash = sha256(bytes);
    const file = path.join(
      running.dataDir,
      "files/kept",
      hash.slice(0, 2),
      hash,
    );
    await writeFile(file, Buffer.alloc(bytes.length, 1));
    expect((await recover(running, archive)).status).toBe(200);
    expect(await readFile(file)).toEqual(bytes);
  });
});
