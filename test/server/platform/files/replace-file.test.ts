// Atomic file replacement: complete or as before, for its owner alone, and retried while another process has the file open.

import { readdirSync, readFileSync } from "node:fs";
import {
  mkdir,
  open,
  readFile,
  readdir,
  rename,
  stat,
  writeFile,
} from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import {
  insist,
  insistSync,
  moveFile,
  putInPlace,
  replaceFile,
  replaceFileSync,
} from "../../../../server/platform/files/replace-file.ts";
import { temporaryFolder } from "../../../support/folder.ts";

class DiskRefusal extends Error {
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

/** Fails this many times, and then works. */
function refusing(code: string, times: number) {
  let tries = 0;
  const act = (): number => {
    tries += 1;
    if (tries <= times) throw new DiskRefusal(code);
    return tries;
  };
  return { act, tries: () => tries };
}

describe("replacing a file", () => {
  it("writes it completely, for its owner alone, and leaves nothing beside it", async () => {
    const dir = await temporaryFolder();
    const file = path.join(dir, "state.json");
    await replaceFile(file, "one");
    expect(await readFile(file, "utf8")).toBe("one");
    replaceFileSync(file, "two");
    expect(await readFile(file, "utf8")).toBe("two");
    await replaceFile(file, Buffer.from("three"));
    expect(await readFile(file, "utf8")).toBe("three");
    await writeFile(path.join(dir, "ready"), "four");
    await putInPlace(path.join(dir, "ready"), file);
    expect(await readFile(file, "utf8")).toBe("four");
    await writeFile(path.join(dir, "ready"), "five");
    await moveFile(path.join(dir, "ready"), file);
    expect(await readFile(file, "utf8")).toBe("five");
    expect(await readdir(dir)).toEqual(["state.json"]);
    await replaceFile(file, "six");
    if (process.platform !== "win32")
      expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it("throws when it fails, keeps the former content, and leaves nothing", async () => {
    const dir = await temporaryFolder();
    const taken = path.join(dir, "taken");
    await mkdir(path.join(taken, "within"), { recursive: true });
    await expect(replaceFile(taken, "one")).rejects.toThrow();
    expect(() => replaceFileSync(taken, "one")).toThrow();
    expect(await readdir(dir)).toEqual(["taken"]);
  });

  it.each(["EPERM", "EACCES", "EBUSY"])(
    "is retried while it fails with %s, and given up in the end",
    async (code) => {
      const pauses = [1, 1, 1];
      const soon = refusing(code, 3);
      expect(await insist(async () => soon.act(), pauses)).toBe(4);
      expect(insistSync(refusing(code, 3).act, pauses)).toBe(4);
      const never = refusing(code, 4);
      await expect(insist(async () => never.act(), pauses)).rejects.toThrow(
        code,
      );
      expect(never.tries()).toBe(4);
      expect(() => insistSync(refusing(code, 4).act, pauses)).toThrow(code);
    },
  );

  it("is not retried for any other reason", async () => {
    const full = refusing("ENOSPC", 1);
    await expect(insist(async () => full.act(), [1, 1])).rejects.toThrow(
      "ENOSPC",
    );
    expect(full.tries()).toBe(1);
    const gone = refusing("ENOENT", 1);
    expect(() => insistSync(gone.act, [1, 1])).toThrow("ENOENT");
    expect(gone.tries()).toBe(1);
  });

  it.runIf(process.platform === "win32")(
    "[V4-332] is retried until another program has closed the file",
    async () => {
      const dir = await temporaryFolder();
      const [from, to] = [path.join(dir, "from"), path.join(dir, "to")];
      await writeFile(from, "new");
      await writeFile(to, "old");
      const reader = await open(to, "r");
      let tries = 0;
      await insist(async () => {
        tries += 1;
        if (tries === 3) await reader.close();
        await rename(from, to);
      });
      expect(tries).toBe(3);
      expect(await readFile(to, "utf8")).toBe("new");
    },
  );

  it("[V4-332] is done by this module alone in the whole product", () => {
    const root = fileURLToPath(new URL("../../../../", import.meta.url));
    const own = "server/platform/files/replace-file.ts";
    const sources = ["server", "electron"].flatMap((folder) =>
      readdirSync(path.join(root, folder), {
        ...{ recursive: true, encoding: "utf8" },
      })
        .filter((name) => name.endsWith(".ts"))
        .map((name) => `${folder}/${name.replaceAll(path.sep, "/")}`),
    );
    const renaming = sources.filter((file) =>
      /\brename(?:Sync)?,? [^;]*from "node:fs|\bfs\.rename/.test(
        readFileSync(path.join(root, file), "utf8").replaceAll("\n", " "),
      ),
    );
    expect(sources.length).toBeGreaterThan(300);
    expect(renaming).toEqual([own]);
  });
});
