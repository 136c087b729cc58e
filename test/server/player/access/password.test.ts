// The password: what is stored of it, what it is compared with, and how the provisioning file sets it.

import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createLog } from "../../../../server/platform/log.ts";
import {
  migrateSqlite,
  openSqlite,
} from "../../../../server/platform/sqlite/sqlite.ts";
import { createPassword } from "../../../../server/player/access/password.ts";
import { takeProvisionedPassword } from "../../../../server/player/access/provisioned-password.ts";
import { playerMigrations } from "../../../../server/player/migrations.ts";
import { afterThisTest } from "../../../support/after-this-test.ts";
import { temporaryFolder } from "../../../support/folder.ts";

async function openPassword() {
  const dir = await temporaryFolder();
  const database = openSqlite(path.join(dir, "vitrine.db"));
  afterThisTest(async () => database.close());
  migrateSqlite(database, playerMigrations);
  let count = 0;
  const makeId = () => String((count += 1)).padStart(32, "0");
  const password = createPassword({ database, makeId, now: () => 7000 });
  const hash = () =>
    database.prepare("SELECT hash FROM password").pluck().get() as string;
  return { dir, database, password, hash };
}

describe("the password", () => {
  it("[V2-779] is stored as a salted hash that names its parameters", async () => {
    const { dir, password, hash } = await openPassword();
    expect([password.id(), password.setAt()]).toEqual([null, null]);
    password.setSync("Grüße vom Empfang");
    const [first, firstId] = [hash(), password.id()];
    expect(first).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$[\w+/]{22}\$[\w+/]{43}$/);
    expect(password.setAt()).toBe(7000);
    for (const name of await readdir(dir))
      expect(
        (await readFile(path.join(dir, name))).includes("vom Empfang"),
      ).toBe(false);
    await password.set("Grüße vom Empfang");
    expect(hash()).not.toBe(first);
    expect(password.id()).not.toBe(firstId);
    // The same letters, composed in another way.
    expect(await password.check("Gru\u0308ße vom Empfang")).toBe(password.id());
    expect(await password.check("grüße vom empfang")).toBeNull();
    expect([password.remove(), password.remove()]).toEqual([true, false]);
    expect(password.id()).toBeNull();
  });

  it("[V2-779] is never right while its hash is damaged", async () => {
    const { database, password } = await openPassword();
    const damage = database.prepare(
      "INSERT OR REPLACE INTO password VALUES (1, 'x', ?, 0)",
    );
    damage.run("$scrypt$ln=31,r=8,p=3$AAAA$AAAA");
    expect(await password.check("")).toBeNull();
  });
});

describe("the provisioning file", () => {
  const quiet = createLog({ toStandardOutput: false });

  it("[V2-783] sets the password and is deleted", async () => {
    const dir = await temporaryFolder();
    const set: string[] = [];
    const password = { set: async (next: string) => void set.push(next) };
    const take = () => takeProvisionedPassword(dir, password, quiet);
    expect([await take(), set]).toEqual([null, []]);
    const file = path.join(dir, "provision.json");
    await writeFile(file, '\uFEFF{"password": " from a file "}\r\n');
    expect([await take(), set]).toEqual([null, ["from a file"]]);
    expect(await readdir(dir)).toEqual([]);
  });

  it.each([
    ["secret words", /It must be JSON/],
    ['{"password": "secret words", "token": 1}', /It must be JSON/],
    ['["secret words"]', /It must be JSON/],
    ['{"password": "secret"}', /password must have 10 to 200 characters/],
    [
      `{"password": "${"secret ".repeat(10_000)}"}`,
      /must be a file of at most/,
    ],
    [null, /must be a file of at most/],
  ])("[V2-783] is left if it is %s", async (content, reason) => {
    const dir = await temporaryFolder();
    const file = path.join(dir, "provision.json");
    await (content === null ? mkdir(file) : writeFile(file, content));
    const password = { set: () => Promise.reject(new Error("set")) };
    const fault = await takeProvisionedPassword(dir, password, quiet);
    expect(fault).toMatch(reason);
    expect(fault).not.toContain("secret");
    expect(await readdir(dir)).toEqual(["provision.json"]);
  });
});
