// Staging of an offline bundle: verifies signature, members, sizes and hashes completely and stages the bytes; nothing is changed
// yet.

import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { bundleSentences } from "../../../contract/sentences/bundle-sentences.ts";
import { playerSentences } from "../../../contract/sentences/player-sentences.ts";
import { composeSentence } from "../../../contract/sentence-templates.ts";
import { Failure } from "../../../core/failure.ts";
import type { ArrivingMember } from "../../../platform/archive/archive.ts";
import type { Aside } from "../../../platform/files/partial-file.ts";
import type { FileStore } from "../../../platform/files/file-store.ts";
import { OutsideError } from "../../../platform/outside-error.ts";
import {
  corrupt,
  manifestFrom,
  manifestPath,
  maxManifestBytes,
  maxSignatureBytes,
  pathOfFile,
  signaturePath,
  signerOf,
  type PlanManifest,
} from "./bundle-manifest.ts";
import type { PlanMembers } from "./bundle-source.ts";

export interface StagedPlan {
  readonly manifest: PlanManifest;
  readonly fingerprint: string;
  /** By MD5; without files that were here already. */
  readonly files: ReadonlyMap<string, Aside>;
}

export interface StageOptions {
  readonly store: FileStore;
  readonly maxBytes: number;
  /** Throws a Failure for a key that is not trusted. */
  readonly assertTrusted: (fingerprint: string, manifest: PlanManifest) => void;
  /** Verified bytes that need not be staged again. */
  readonly isHere: (md5: string) => boolean;
}

/** Throws a Failure or an OutsideError and leaves nothing behind in that case. */
export async function stagePlan(
  members: PlanMembers,
  options: StageOptions,
): Promise<StagedPlan> {
  const files = new Map<string, Aside>();
  try {
    const bytes = await small(members, manifestPath, maxManifestBytes);
    const signature = await small(members, signaturePath, maxSignatureBytes);
    // Signature before content: nothing from an unknown signer is parsed.
    const fingerprint = signerOf(signature, bytes);
    const manifest = manifestFrom(bytes);
    options.assertTrusted(fingerprint, manifest);
    await takeFiles(members, manifest, files, options);
    return { manifest, fingerprint, files };
  } catch (error) {
    for (const aside of files.values()) await options.store.discard(aside);
    throw error;
  } finally {
    await members.return();
  }
}

async function small(
  members: PlanMembers,
  path: string,
  maxBytes: number,
): Promise<Buffer> {
  const { value: member } = await members.next();
  if (member?.kind !== "file" || member.path !== path)
    throw corrupt(
      composeSentence(bundleSentences["part-missing"], { name: path }),
    );
  if (member.sizeBytes > maxBytes)
    throw corrupt(
      composeSentence(playerSentences["app-manifest-large"], { name: path }),
    );
  return Buffer.concat(await Readable.from(member.content).toArray());
}

async function takeFiles(
  members: PlanMembers,
  { files: listed }: PlanManifest,
  files: Map<string, Aside>,
  options: StageOptions,
): Promise<void> {
  const total = listed.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  if (total > options.maxBytes)
    throw new OutsideError(
      "too-large",
      composeSentence(bundleSentences["too-large"], {
        limit: options.maxBytes,
      }),
    );
  const expected = new Map(listed.map((file) => [pathOfFile(file.md5), file]));
  const seen = new Set<string>();
  for await (const member of {
    [Symbol.asyncIterator]: () => unclosed(members),
  }) {
    const file = expected.get(member.path);
    const shown = member.path.slice(0, 100);
    if (!file || member.kind !== "file")
      throw corrupt(
        composeSentence(bundleSentences["file-unlisted"], { name: shown }),
      );
    if (seen.has(file.md5))
      throw corrupt(
        composeSentence(playerSentences["entry-twice"], { name: shown }),
      );
    seen.add(file.md5);
    if (member.sizeBytes !== file.sizeBytes)
      throw corrupt(
        composeSentence(bundleSentences["file-size"], { name: shown }),
      );
    const md5 = createHash("md5");
    const aside = await options.store.receive(
      Readable.from(hashed(member, md5)),
      file.sizeBytes,
    );
    const isRight =
      aside.hash === file.sha256 &&
      aside.sizeBytes === file.sizeBytes &&
      md5.digest("hex") === file.md5;
    // Read to the end nevertheless: a bundle is complete or rejected.
    if (!isRight || options.isHere(file.md5))
      await options.store.discard(aside);
    else files.set(file.md5, aside);
    if (!isRight)
      throw corrupt(
        composeSentence(bundleSentences["file-damaged"], { name: shown }),
      );
  }
  if (seen.size !== listed.length)
    throw corrupt(bundleSentences["files-missing"]);
}

/** Hides `return`, so that leaving the loop does not close the iterator: its owner does. */
function unclosed(members: PlanMembers): AsyncIterator<ArrivingMember> {
  return { next: () => members.next() };
}

async function* hashed(
  { content }: ArrivingMember,
  md5: ReturnType<typeof createHash>,
): AsyncGenerator<Buffer> {
  for await (const chunk of content) {
    md5.update(chunk);
    yield chunk;
  }
}

/** Converts an OutsideError into a Failure of the player. */
export function planFailure(error: unknown, field: string): unknown {
  if (!(error instanceof OutsideError)) return error;
  const fields = { [field]: [error.message] };
  switch (error.kind) {
    case "no-space":
      return new Failure("no-space", error.message);
    case "too-large":
      return new Failure("too-large", error.message, fields);
    case "broken-off":
    case "corrupt":
      return new Failure("invalid", error.message, fields);
    case "address-in-use":
      return error;
  }
}
