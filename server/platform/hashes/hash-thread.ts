// Thread that computes the hashes of large files.

import { createHash, type Hash } from "node:crypto";
import { parentPort } from "node:worker_threads";
import type { Digests } from "./digests.ts";

/** To the thread. The first about a file has its blocks. */
export type HashJob = { readonly file: number } & (
  | { readonly kind: "open"; readonly blocks: readonly Uint8Array[] }
  | { readonly kind: "hash"; readonly block: number; readonly bytes: number }
  | { readonly kind: "digests" }
  | { readonly kind: "close" }
);

/** From the thread, in the order of the jobs. */
export type HashWord = { readonly file: number } & (
  | { readonly kind: "hashed"; readonly block: number }
  | ({ readonly kind: "digests" } & Omit<Digests, "sizeBytes">)
);

interface OpenFile {
  readonly blocks: readonly Uint8Array[];
  readonly md5: Hash;
  readonly sha256: Hash;
}

const files = new Map<number, OpenFile>();

const post = (word: HashWord): void => parentPort?.postMessage(word);

parentPort?.on("message", (job: HashJob) => {
  const { file } = job;
  if (job.kind === "open") {
    const hashes = { md5: createHash("md5"), sha256: createHash("sha256") };
    files.set(file, { blocks: job.blocks, ...hashes });
    return;
  }
  const open = files.get(file);
  if (!open) return;
  if (job.kind === "hash") {
    const bytes = open.blocks[job.block]?.subarray(0, job.bytes);
    if (!bytes) return;
    open.md5.update(bytes);
    open.sha256.update(bytes);
    post({ file, kind: "hashed", block: job.block });
  } else if (job.kind === "digests") {
    const [md5, sha256] = [open.md5.digest("hex"), open.sha256.digest("hex")];
    post({ file, kind: "digests", md5, sha256 });
  } else files.delete(file);
});
