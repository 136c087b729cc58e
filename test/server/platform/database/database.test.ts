// Classification of driver and system errors: rejected by the database, lost connection, or neither.

import { open } from "node:fs/promises";
import { connect } from "node:net";
import path from "node:path";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import {
  asDatabaseError,
  DatabaseError,
} from "../../../../server/platform/database/database.ts";
import { temporaryFolder } from "../../../support/folder.ts";

const stateOf = (error: unknown): string | null => {
  const translated = asDatabaseError(error);
  return translated instanceof DatabaseError ? translated.sqlState : null;
};

describe("errors of a database", () => {
  it("a missing socket is a lost connection, a missing file is not [V4-33]", async () => {
    const nowhere = path.join(await temporaryFolder(), "nowhere");
    const [ofSocket] = (await once(connect(nowhere), "error").catch(
      (error: unknown) => [error],
    )) as [unknown];
    const ofFile: unknown = await open(nowhere).catch(
      (error: unknown) => error,
    );
    expect(ofSocket).toMatchObject({ code: "ENOENT" });
    expect(ofFile).toMatchObject({ code: "ENOENT" });
    expect([stateOf(ofSocket), stateOf(ofFile)]).toEqual(["08006", null]);
  });

  it.each(["EPERM", "EBUSY", "EROFS", "EPIPE", "EXDEV"])(
    "%s of a file is not an SQLSTATE, though it has five letters [V4-33]",
    (code) => {
      const message = `${code}: rename '/srv/files/a' -> '/srv/files/b'`;
      const fields = { code, syscall: "rename", path: "/srv/files/a" };
      expect(stateOf(Object.assign(new Error(message), fields))).toBeNull();
    },
  );

  it("a PostgreSQL error keeps its SQLSTATE, also one of five letters", () => {
    const refused = { code: "23505", severity: "ERROR" };
    expect(stateOf(Object.assign(new Error("duplicate"), refused))).toBe(
      "23505",
    );
    const odd = { code: "XXXXX", severity: "FATAL" };
    expect(stateOf(Object.assign(new Error("odd"), odd))).toBe("XXXXX");
  });

  it.each(["28P01", "3D000", "53300", "55000"])(
    "[V4-322] a connection that PostgreSQL rejects with %s is unavailable",
    (code) => {
      const refused = { code, severity: "FATAL" };
      expect(stateOf(Object.assign(new Error("refused"), refused))).toBe(
        "08004",
      );
    },
  );

  it.each([
    ["SQLITE_READONLY_DIRECTORY", "58030"],
    ["SQLITE_IOERR_WRITE", "58030"],
    ["SQLITE_CANTOPEN", "58030"],
    ["SQLITE_IOERR_SHORT_READ", "XX001"],
    ["SQLITE_CORRUPT_VTAB", "XX001"],
    ["SQLITE_NOTADB", "XX001"],
    ["SQLITE_BUSY_SNAPSHOT", "55P03"],
    ["SQLITE_FULL", "53100"],
  ])("%s of a disk or of the database itself is %s [V4-318]", (code, state) => {
    expect(stateOf(Object.assign(new Error("refused"), { code }))).toBe(state);
  });
});
