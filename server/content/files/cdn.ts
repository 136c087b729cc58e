// A CDN in front of the bucket: addresses signed for Amazon CloudFront (V4-357).

import { createPrivateKey } from "node:crypto";
import { readFile } from "node:fs/promises";
import { getSignedUrl } from "@aws-sdk/cloudfront-signer";
import { Failure } from "../../core/failure.ts";
import type { ContentConfig } from "../config.ts";

export interface Cdn {
  /** The address of an object until that moment, in milliseconds since the epoch. */
  addressOf(
    key: string,
    query: Readonly<Record<string, string>>,
    until: number,
  ): string;
}

export type CdnOptions = Pick<
  ContentConfig,
  "cdnUrl" | "cdnKeyPair" | "cdnKeyFile"
>;

/** Undefined: players download from the bucket. Throws a Failure when the key is unusable. */
export async function openCdn({
  cdnUrl,
  cdnKeyPair,
  cdnKeyFile,
}: CdnOptions): Promise<Cdn | undefined> {
  if (!cdnUrl || !cdnKeyPair || !cdnKeyFile) return undefined;
  const privateKey = await readPrivateKey(cdnKeyFile);
  return {
    addressOf: (key, query, until) =>
      getSignedUrl({
        ...{ privateKey, keyPairId: cdnKeyPair },
        url: `${cdnUrl}/${key}?${new URLSearchParams(query).toString()}`,
        dateLessThan: new Date(until),
      }),
  };
}

async function readPrivateKey(file: string): Promise<string> {
  const text = await readFile(file, "utf8").catch(() => {
    throw new Failure("not-found", `The file ${file} cannot be read.`);
  });
  try {
    if (createPrivateKey(text).asymmetricKeyType === "rsa") return text;
  } catch {
    // Reported below.
  }
  throw new Failure("invalid", `${file} must contain an RSA private key.`);
}
