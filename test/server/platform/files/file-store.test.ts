// File store: bytes are stored completely and once, or not at all.

import { open, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { openFileStore } from "../../../../server/platform/files/file-store.ts";
import { temporaryFolder } from "../../../support/folder.ts";

const hello =
  "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";

describe("the file store", () => {
  it("stores the same content once, under its hash", async () => {
    const store = await openFileStore(await temporaryFolder(), {
      reserveBytes: 0,
    });
    for (let time = 0; time < 2; time += 1)
      await store.keep(
        await store.receive(
          Readable.from([Buffer.from("hel"), Buffer.from("lo")]),
          100,
        ),
      );
    expect(await store.list()).toEqual([hello]);
    expect(await readFile(store.pathOf(hello), "utf8")).toBe("hello");
    await store.remove(hello);
    expect(store.has(hello)).toBe(false);
  });

  it("[V2-708] stores the same content again while it is being read, together with its rendition", async () => {
    const dir = await temporaryFolder();
    const store = await openFileStore(dir, { reserveBytes: 0 });
    const keep = async (): Promise<void> => {
      const shownPath = store.newAside();
      await writeFile(shownPath, "shown");
      const source = Readable.from([Buffer.from("hello")]);
      await store.keep({ ...(await store.receive(source, 100)), shownPath });
    };
    await keep();
    const places = [store.pathOf(hello), store.shownPathOf(hello) ?? ""];
    const readers = await Promise.all(places.map((file) => open(file, "r")));
    try {
      await keep();
      const again = store.newAside();
      await writeFile(again, "shown");
      await store.keepShown(hello, again);
    } finally {
      for (const reader of readers) await reader.close();
    }
    expect(await readdir(path.join(dir, "aside"))).toEqual([]);
    const found = await Promise.all(
      places.map((file) => readFile(file, "utf8")),
    );
    expect(found).toEqual(["hello", "shown"]);
  });

  it.each([
    { title: "is too large", most: 3, reserve: 0, kind: "too-large" },
    {
      title: "would touch the reserve",
      most: 99,
      reserve: 2 ** 60,
      kind: "no-space",
    },
  ])(
    "rejects what $title and leaves no temporary file",
    async ({ most, reserve, kind }) => {
      const dir = await temporaryFolder();
      const store = await openFileStore(dir, { reserveBytes: reserve });
      await expect(
        store.receive(Readable.from([Buffer.from("hello")]), most),
      ).rejects.toMatchObject({ kind });
      expect(await readdir(path.join(dir, "aside"))).toEqual([]);
    },
  );

  it("leaves no temporary file when the source breaks off", async () => {
    const dir = await temporaryFolder();
    const store = await openFileStore(dir, { reserveBytes: 0 });
    const broken = Readable.from(
      (function* () {
        yield Buffer.from("hel");
        throw new Error("cable pulled");
      })(),
    );
    await expect(store.receive(broken, 100)).rejects.toThrow("cable pulled");
    expect(await readdir(path.join(dir, "aside"))).toEqual([]);
  });

  it("deletes only temporary files that are old enough", async () => {
    const dir = await temporaryFolder();
    const store = await openFileStore(dir, { reserveBytes: 0 });
    await store.receive(Readable.from([Buffer.from("hello")]), 100);
    expect(await store.sweepAside(3_600_000)).toBe(0);
    expect(await store.sweepAside(-1)).toBe(1);
    expect(await readdir(path.join(dir, "aside"))).toEqual([]);
  });

  it("rejects an invalid hash", async () => {
    const store = await openFileStore(await temporaryFolder(), {
      reserveBytes: 0,
    });
    expect(() => store.pathOf("../../etc/passwd")).toThrow();
  });
});
