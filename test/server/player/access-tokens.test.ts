// API tokens: what is stored of them, when they were last used, revocation.

import { readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  migrateSqlite,
  openSqlite,
} from "../../../server/platform/sqlite/sqlite.ts";
import {
  createAccess,
  type Access,
} from "../../../server/player/access-tokens.ts";
import { playerMigrations } from "../../../server/player/migrations.ts";
import { manualClock, type ManualClock } from "../../support/clock.ts";
import { temporaryFolder } from "../../support/folder.ts";

interface Opened {
  readonly access: Access;
  readonly clock: ManualClock;
  readonly file: string;
}

async function openAccess(): Promise<Opened> {
  const file = path.join(await temporaryFolder(), "vitrine.db");
  const database = openSqlite(file);
  onTestFinished(() => void database.close());
  migrateSqlite(database, playerMigrations);
  const clock = manualClock();
  let count = 0;
  const makeId = () => String((count += 1)).padStart(32, "0");
  return {
    file,
    clock,
    access: createAccess({ database, now: clock.now, makeId }),
  };
}

describe("API tokens", () => {
  it("[V2-64] have 256 random bits, of which only a hash is stored", async () => {
    const { access, file } = await openAccess();
    const { secret } = access.add("desk");
    expect(Buffer.from(secret, "base64url")).toHaveLength(32);
    for (const ending of ["", "-wal"])
      expect((await readFile(file + ending)).includes(secret)).toBe(false);
  });

  it("authenticate a request with a valid token and reject any other", async () => {
    const { access } = await openAccess();
    const managerToken = access.add("desk");
    const script = access.add("script");
    expect(access.idFor(managerToken.secret)).toBe(managerToken.token.id);
    expect(access.idFor(script.secret)).toBe(script.token.id);
    for (const wrong of [
      "",
      "x",
      managerToken.secret.slice(1),
      `${managerToken.secret} `,
    ])
      expect(access.idFor(wrong)).toBeNull();
    access.revoke(managerToken.token.id);
    expect(access.idFor(managerToken.secret)).toBeNull();
    expect(access.idFor(script.secret)).toBe(script.token.id);
  });

  it("[V2-64] record their last use at most once a minute", async () => {
    const { access, clock } = await openAccess();
    const { secret } = access.add("desk");
    const startedAt = clock.now();
    const usedAt = () => access.tokens()[0]?.lastUsedAt;
    expect(usedAt()).toBeNull();
    access.idFor(secret);
    expect(usedAt()).toBe(startedAt);
    await clock.advance(59_999);
    access.idFor(secret);
    expect(usedAt()).toBe(startedAt);
    await clock.advance(1);
    access.idFor(secret);
    expect(usedAt()).toBe(startedAt + 60_000);
    // A clock that was set back does not prevent it.
    clock.jumpTo(startedAt - 3_600_000);
    access.idFor(secret);
    expect(usedAt()).toBe(startedAt - 3_600_000);
  });

  it("reject a name in use, more than a hundred tokens, and revoking one twice", async () => {
    const { access } = await openAccess();
    const { token } = access.add("0");
    expect(() => access.add("0")).toThrow("already exists");
    for (let count = 1; count < 100; count += 1) access.add(String(count));
    expect(() => access.add("one more")).toThrow("100 tokens");
    access.revoke(token.id);
    expect(() => access.revoke(token.id)).toThrow("not found");
    expect(access.add("one more").token.name).toBe("one more");
  });
});
