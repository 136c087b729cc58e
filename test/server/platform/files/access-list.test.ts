// Windows access lists, as its icacls and whoami print them: created for a folder's owner alone, and read back.

import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import {
  othersIn,
  othersInAccessList,
  ownerOnlyArguments,
  restrictToOwner,
  userIn,
} from "../../../../server/platform/files/access-list.ts";
import { createLog } from "../../../../server/platform/log.ts";
import {
  makePrivateFolder,
  othersWhoMayRead,
  warnOfOthers,
} from "../../../../server/platform/files/private-folder.ts";
import { temporaryFolder } from "../../../support/folder.ts";

const user = "S-1-5-21-1004336348-1177238915-682003330-1001";
const whoami = `"pc-7\\signage","${user}"\r\n`;

/** As `icacls /save` writes it. */
const saved = (list: string): Buffer =>
  Buffer.from(`signage\r\nD:${list}\r\n`, "utf16le");

/** A folder of C:\ inherits that users may read, and authenticated users may change. */
const inheritedFromDrive = saved(
  "AI(A;OICIID;FA;;;BA)(A;OICIID;FA;;;SY)(A;OICIID;0x1200a9;;;BU)(A;ID;0x1301bf;;;AU)(A;OICIIOID;SDGXGWGR;;;AU)",
);
/** One of the user's own profile. */
const ofProfile = saved(
  `AI(A;OICIID;FA;;;SY)(A;OICIID;FA;;;BA)(A;OICIID;FA;;;${user})`,
);
/** After our own command. */
const ownersAlone = saved(
  `PAI(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)(A;OICI;FA;;;${user})`,
);

describe("the access list of a folder on Windows", () => {
  it("[V2-692] inherits nothing and grants access to the user, the system and the administrators", () => {
    expect(ownerOnlyArguments("C:\\signage", user)).toEqual([
      ...["C:\\signage", "/inheritance:r", "/grant:r"],
      ...[`*${user}:(OI)(CI)F`, "*S-1-5-18:(OI)(CI)F"],
      "*S-1-5-32-544:(OI)(CI)F",
    ]);
  });

  it("[V2-692] is set on a new folder, by the user's own identifier", async () => {
    const ran: (readonly string[])[] = [];
    const dir = path.join(await temporaryFolder(), "data");
    const giveAccessList = (to: string): void =>
      restrictToOwner(to, (program, args) => {
        ran.push([program, ...args]);
        return program === "whoami" ? whoami : "";
      });
    makePrivateFolder(dir, { platform: "win32", giveAccessList });
    expect(ran).toEqual([
      ["whoami", "/user", "/fo", "csv", "/nh"],
      ["icacls", ...ownerOnlyArguments(dir, user)],
    ]);
    // Later changes by an operator are kept.
    await writeFile(path.join(dir, "vitrine.db"), "");
    makePrivateFolder(dir, { platform: "win32", giveAccessList });
    expect(ran).toHaveLength(2);
  });

  it("[V2-692] delays no start on a disk without access lists", async () => {
    const dir = path.join(await temporaryFolder(), "data");
    makePrivateFolder(dir, {
      platform: "win32",
      giveAccessList: () => {
        throw new Error("The file system does not support this.");
      },
    });
    expect(existsSync(dir)).toBe(true);
  });

  it.each([
    [
      "of a folder in C:\\",
      inheritedFromDrive,
      ["Users", "Authenticated Users"],
    ],
    ["of one in the user's profile", ofProfile, []],
    ["after its creation", ownersAlone, []],
    [
      "with access for the owners of its contents",
      saved("PAI(A;OICIIO;FA;;;CO)(A;;FA;;;OW)(A;OICI;FA;;;SY)"),
      [],
    ],
    ["that is missing", saved("NO_ACCESS_CONTROL"), ["Everyone"]],
    [
      "that also denies access, and lets a domain group read",
      saved(
        `PAI(D;OICI;FA;;;BG)(A;OICI;FA;;;${user})(A;OICI;FR;;;S-1-5-21-1-2-3-1105)`,
      ),
      ["S-1-5-21-1-2-3-1105"],
    ],
    [
      "with a conditional entry",
      saved(`PAI(XA;OICI;FR;;;WD;(@User.a == "b"))(A;OICI;FA;;;${user})`),
      ["Everyone"],
    ],
  ])("[V2-693] %s: reports other users with access", (_which, list, others) => {
    expect(othersIn(list, user)).toEqual(others);
  });

  it.each([
    ["LS", "S-1-5-19"],
    ["NS", "S-1-5-20"],
    ["LA", "S-1-5-21-1004336348-1177238915-682003330-500"],
  ])(
    "[V2-693] recognises a service's or an administrator's user by its short name %s",
    (short, identifier) => {
      const list = saved(`PAI(A;OICI;FA;;;${short})(A;OICI;FA;;;SY)`);
      expect(othersIn(list, identifier)).toEqual([]);
      expect(othersIn(list, user)).toEqual([short]);
    },
  );

  it("[V2-693] reads the user from whoami in any language, and rejects other output", () => {
    expect(userIn(whoami)).toBe(user);
    expect(userIn('"nt-autorit\ufffdt\\lokaler dienst","S-1-5-19"\r\n')).toBe(
      "S-1-5-19",
    );
    expect(() => userIn("")).toThrow("names no user");
  });

  it("[V2-693] is read from what icacls saves, which is deleted afterwards", async () => {
    let place = "";
    const run = async (
      program: string,
      args: readonly string[],
    ): Promise<string> => {
      if (program === "whoami") return whoami;
      place = args[2] ?? "";
      expect(args).toEqual(["C:\\signage", "/save", place]);
      await writeFile(place, inheritedFromDrive);
      return "";
    };
    expect(await othersInAccessList("C:\\signage", run)).toEqual([
      ...["Users", "Authenticated Users"],
    ]);
    expect(existsSync(path.dirname(place))).toBe(false);
    // Where nothing is saved, nothing is known.
    await expect(
      othersInAccessList("C:\\signage", (program) =>
        Promise.resolve(program === "whoami" ? whoami : ""),
      ),
    ).rejects.toThrow("ENOENT");
  });

  it("[V2-693] is logged where others may read, or where that cannot be determined", async () => {
    const logs = await temporaryFolder();
    const log = createLog({ dir: logs, toStandardOutput: false });
    const dir = "C:\\signage";
    expect(await warnOfOthers(dir, log, () => Promise.resolve([]))).toBe(true);
    const listOthers = () => Promise.resolve(["Users"]);
    expect(await warnOfOthers(dir, log, listOthers)).toBe(false);
    const fail = () => Promise.reject(new Error("It is gone."));
    expect(await warnOfOthers(dir, log, fail)).toBe(false);
    await log.close();
    const [name = ""] = await readdir(logs);
    const lines = (await readFile(path.join(logs, name), "utf8")).trim();
    expect(
      lines.split("\n").map((line) => JSON.parse(line) as unknown),
    ).toEqual([
      expect.objectContaining({
        ...{ event: "data-folder.permissions-too-open", others: ["Users"] },
      }),
      expect.objectContaining({ event: "data-folder.check-failed" }),
    ]);
  });

  it("[V2-693] is read on Windows alone; elsewhere file modes are used", async () => {
    const dir = await temporaryFolder();
    const inAccessList = () => Promise.resolve(["Users"]);
    const listOthers = (platform: NodeJS.Platform) =>
      othersWhoMayRead(dir, { platform, inAccessList });
    expect(await listOthers("win32")).toEqual(["Users"]);
    if (process.platform !== "win32")
      expect(await listOthers("linux")).toEqual([]);
  });
});
