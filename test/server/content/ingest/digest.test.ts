// File hashes, equal to what clients compute of the same bytes.

import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { digestFile } from "../../../../server/content/ingest/digest.ts";
import { temporaryFolder } from "../../../support/folder.ts";

const hash = (algorithm: string, bytes: Buffer): string =>
  createHash(algorithm).update(bytes).digest("hex");

describe("the digest of a file", () => {
  it("[V4-222] equals the signature that a command-line client computes of a short text", async () => {
    const file = path.join(await temporaryFolder(), "index.html");
    const text = Buffer.from("test test test test");
    await writeFile(file, text);
    const { md5, signature, sizeBytes } = await digestFile(file);
    expect({ md5, sizeBytes }).toEqual({
      md5: hash("md5", text),
      sizeBytes: 19,
    });
    expect(signature).toBe(
      [
        ...["0a20", hash("sha256", text)],
        ...[
          "1220",
          "b24375dfa261c3cb47029f5dd0dc00bd081dffc440916c1ff45e9ff0144a6176",
        ],
        ...["1a18", "0a14", hash("sha1", text), "1000"],
      ].join(""),
    );
  });

  it("[V4-222] lists each block of 512 KiB by its hash and offset", async () => {
    const file = path.join(await temporaryFolder(), "large");
    const pieceBytes = 512 * 1024;
    const bytes = Buffer.alloc(2 * pieceBytes + 1, "vitrine");
    await writeFile(file, bytes);
    const pieces = [0, 1, 2].map((at) =>
      createHash("sha1")
        .update(bytes.subarray(at * pieceBytes, (at + 1) * pieceBytes))
        .digest(),
    );
    const { signature, sizeBytes } = await digestFile(file);
    expect(sizeBytes).toBe(bytes.length);
    const [first, second, third] = pieces.map((piece) => piece.toString("hex"));
    expect(signature).toBe(
      [
        ...["0a20", hash("sha256", bytes)],
        ...["1220", hash("sha256", Buffer.concat(pieces))],
        ...["1a18", "0a14", first, "10", "00"],
        ...["1a1a", "0a14", second, "10", "808020"],
        ...["1a1a", "0a14", third, "10", "808040"],
      ].join(""),
    );
  });

  it("[V4-222] of an empty file has no blocks", async () => {
    const file = path.join(await temporaryFolder(), "empty");
    await writeFile(file, "");
    const none = hash("sha256", Buffer.alloc(0));
    expect((await digestFile(file)).signature).toBe(`0a20${none}1220${none}`);
  });
});
