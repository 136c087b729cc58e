// Addresses of object storages.

import { describe, expect, it } from "vitest";
import { readContentConfig } from "../../../../server/content/config.ts";
import {
  readStorageAddress,
  storageText,
} from "../../../../server/content/files/storage-address.ts";

describe("[V4-354] the address of an object storage", () => {
  it("names bucket, prefix, region and endpoints", () => {
    const address = readStorageAddress(
      "s3://films/vitrine/a?endpoint=https://storage.example.org&region=eu-west-1&public-endpoint=https://files.example.org",
    );
    expect(address).toEqual({
      ...{ bucket: "films", prefix: "vitrine/a/", region: "eu-west-1" },
      endpoint: "https://storage.example.org",
      publicEndpoint: "https://files.example.org",
    });
    expect(address && storageText(address)).toBe("s3://films/vitrine/a");
    expect(readStorageAddress("s3://films")).toMatchObject({
      ...{ bucket: "films", prefix: "", region: "us-east-1" },
    });
  });

  it.each([
    ...["", "films", "https://films", "s3://", "s3://Films?", "s3://a"],
    ...["s3://films/a//b", "s3://films/ä", "s3://films#a"],
    ...["s3://key:secret@films", "s3://films:80", "s3://films?other=1"],
    ...[
      "s3://films?endpoint=ftp://a",
      "s3://films?endpoint=",
      "s3://films?region=",
    ],
    ...["s3://films?endpoint=http://a:b@c", "s3://films?region=a&region=b"],
    `s3://films/${"a".repeat(201)}`,
  ])("is not %j", (text) => {
    expect(readStorageAddress(text)).toBeNull();
    const reading = readContentConfig(
      ["--data-dir", "a", "--storage", text],
      {},
    );
    expect(reading.ok).toBe(false);
  });

  it("is not that of the previous storage", () => {
    const words = ["--storage", "--previous-storage"].flatMap((flag) => [
      ...[flag, "s3://films"],
    ]);
    expect(readContentConfig(["--data-dir", "a", ...words], {})).toMatchObject({
      ok: false,
      message: "--storage and --previous-storage must be different.",
    });
  });
});
