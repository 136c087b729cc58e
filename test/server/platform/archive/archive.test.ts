// Archives (tar): what is packed is unpacked unchanged, and invalid archives are rejected.

import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { Pax } from "tar";
import { describe, expect, it } from "vitest";
import {
  packArchive,
  readArchive,
  type ArchiveMember,
} from "../../../../server/platform/archive/archive.ts";
import { tar, tarGz, tarNamed } from "../../../support/player/archives.ts";

async function* membersOf(
  ...members: readonly ArchiveMember[]
): AsyncGenerator<ArchiveMember> {
  yield* members;
}

function member(path: string, text: string, isDense = false): ArchiveMember {
  const content = Buffer.from(text);
  return { path, sizeBytes: content.length, content: [content], isDense };
}

async function contentsOf(bytes: Buffer): Promise<[string, string][]> {
  const collected: [string, string][] = [];
  for await (const { path, content } of readArchive(Readable.from([bytes]))) {
    const chunks = await Readable.from(content).toArray();
    collected.push([path, Buffer.concat(chunks as Buffer[]).toString()]);
  }
  return collected;
}

async function packed(...members: ArchiveMember[]): Promise<Buffer> {
  const chunks = await packArchive(membersOf(...members), 0).toArray();
  return Buffer.concat(chunks as Buffer[]);
}

describe("an archive", () => {
  it("unpacks what was packed, compressed and not, with empty files and full blocks", async () => {
    const members: [string, string, boolean][] = [
      ["a", "x".repeat(512), false],
      ["b", "", true],
      ["c", "y".repeat(100_000), true],
      ["d", "z", false],
    ];
    const bytes = await packed(...members.map((entry) => member(...entry)));
    expect(await contentsOf(bytes)).toEqual(
      members.map(([path, text]) => [path, text]),
    );
  });

  it("is aborted when a member is not as long as announced", async () => {
    const wrong = { ...member("a", "abc"), sizeBytes: 4 };
    await expect(packed(wrong)).rejects.toThrow(/3 bytes instead of 4/);
  });

  it("lets a reader skip the content of members", async () => {
    const bytes = tarGz([
      { path: "a", content: "x".repeat(5000) },
      { path: "b", content: "wanted" },
    ]);
    const paths: string[] = [];
    for await (const { path } of readArchive(Readable.from([bytes])))
      paths.push(path);
    expect(paths).toEqual(["a", "b"]);
  });

  it("reads names from extended headers, and rejects a chain of them", async () => {
    const name = `${"ä".repeat(200)}.png`;
    const extension = {
      path: "PaxHeader",
      type: "ExtendedHeader" as const,
      content: new Pax({ path: name }).encodeBody(),
    };
    const file = { path: "short", content: "x" };
    expect(await contentsOf(tarGz([extension, file]))).toEqual([[name, "x"]]);
    const chain = contentsOf(tarGz([extension, extension, file]));
    await expect(chain).rejects.toMatchObject({ kind: "corrupt" });
    const alone = contentsOf(tarGz([extension]));
    await expect(alone).rejects.toMatchObject({ kind: "corrupt" });
  });

  it("[V2-373] reads names that are not UTF-8 as Windows writes them, in a header, its prefix and before it", async () => {
    const folder = "Men~".padEnd(110, "x");
    const bytes = Buffer.concat([
      tarNamed(
        ["B~ro", "Caf!", "B#$ro", `${folder}/B~ro`].map((path) => ({ path })),
        { "~": 0xfc, "!": 0xe9, "#": 0xc3, $: 0xbc },
      ).subarray(0, -1024),
      tar([
        {
          ...{ path: "././@LongLink", type: "NextFileHasLongPath" },
          content: Buffer.from(`B\xfcro${"x".repeat(200)}\0`, "latin1"),
        },
        { path: "B?ro" },
      ]),
    ]);
    const found = await contentsOf(gzipSync(bytes));
    expect(found.map(([path]) => path)).toEqual([
      ...["Büro", "Café", "Büro", `${folder.replace("~", "ü")}/Büro`],
      `Büro${"x".repeat(200)}`,
    ]);
  });

  it("ends when the source was gone before anything was read", async () => {
    const source = new Readable({ read: () => undefined });
    source.on("error", () => undefined).destroy(new Error("gone"));
    await new Promise(setImmediate);
    const reading = readArchive(source).next();
    await expect(reading).rejects.toMatchObject({ kind: "broken-off" });
  });

  it("rejects a header with a wrong checksum", async () => {
    const bytes = tar([{ path: "a", content: "x" }]);
    bytes[0] = 98;
    const reading = contentsOf(gzipSync(bytes));
    await expect(reading).rejects.toMatchObject({ kind: "corrupt" });
  });
});
