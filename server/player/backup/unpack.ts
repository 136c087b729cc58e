// Unpacks an archive of this player: checks every member against the manifest and writes it to a temporary file.

import path from "node:path";
import { Readable } from "node:stream";
import { playerSentences } from "../../contract/sentences/player-sentences.ts";
import { composeSentence } from "../../contract/sentence-templates.ts";
import type { ArrivingMember } from "../../platform/archive/archive.ts";
import type { Aside } from "../../platform/files/partial-file.ts";
import { openFileStore } from "../../platform/files/file-store.ts";
import { OutsideError } from "../../platform/outside-error.ts";
import {
  databasePath,
  makerIn,
  manifestPath,
  membersOfManifest,
  maxManifestBytes,
  type Maker,
} from "./manifest.ts";
import type { Workspace } from "./workspace.ts";

/** Everything in an archive, in temporary files and not yet trusted. */
export interface Unpacked {
  readonly database: string;
  /** By hash. */
  readonly files: ReadonlyMap<string, Aside>;
  /** As stated in its manifest; null for an archive of the peer. */
  readonly madeBy: Maker | null;
}

export interface UnpackOptions {
  readonly workspace: Workspace;
  /** All members together, both as declared and as received. */
  readonly maxBytes: number;
}

export function isOurs(first: ArrivingMember): boolean {
  return first.path === manifestPath;
}

/** Throws `corrupt`, `too-large` or `no-space`. */
export async function unpackOurs(
  first: ArrivingMember,
  following: AsyncIterable<ArrivingMember>,
  { workspace, maxBytes }: UnpackOptions,
): Promise<Unpacked> {
  const manifest = await readManifest(first);
  const listed = membersOfManifest(manifest);
  const sizeBytes = [...listed.values()].reduce(
    (sum, { size }) => sum + size,
    0,
  );
  assertWithin(sizeBytes, maxBytes);
  await workspace.assertDiskSpaceFor(sizeBytes);

  const lay = await layAside(workspace);
  const files = new Map<string, Aside>();
  let database: Aside | null = null;
  for await (const member of following) {
    const { path: name, kind } = member;
    const expected = listed.get(name);
    if (!expected || kind !== "file") throw corrupt("entry-unlisted", name);
    if (files.has(expected.sha256) || (name === databasePath && database))
      throw corrupt("entry-twice", name);
    if (member.sizeBytes !== expected.size) throw corrupt("entry-size", name);
    const aside = await lay(member);
    if (aside.hash !== expected.sha256) throw corrupt("entry-damaged", name);
    if (name === databasePath) database = aside;
    else files.set(aside.hash, aside);
  }
  if (!database || files.size !== listed.size - 1)
    throw new OutsideError("corrupt", playerSentences["archive-files-missing"]);
  return { database: database.path, files, madeBy: makerIn(manifest) };
}

async function readManifest(member: ArrivingMember): Promise<Buffer> {
  if (member.kind !== "file" || member.sizeBytes > maxManifestBytes)
    throw new OutsideError("corrupt", playerSentences["archive-manifest"]);
  return Buffer.concat(await Readable.from(member.content).toArray());
}

/** Streams a member to a file of its own; checks the disk's reserve on the way. */
export async function layAside(
  workspace: Workspace,
): Promise<(member: ArrivingMember) => Promise<Aside>> {
  // The workspace checks the reserve for the declared size, the store for the bytes received.
  const store = await openFileStore(path.join(workspace.dir, "members"), {
    reserveBytes: workspace.reserveBytes,
  });
  return ({ content, sizeBytes }) =>
    store.receive(Readable.from(content), sizeBytes);
}

export function assertWithin(sizeBytes: number, maxBytes: number): void {
  if (sizeBytes > maxBytes)
    throw new OutsideError(
      "too-large",
      composeSentence(playerSentences["archive-too-large"], {
        limit: maxBytes,
      }),
    );
}

export function corrupt(
  code: Extract<keyof typeof playerSentences, `entry-${string}`>,
  name: string,
): OutsideError {
  const shown = { name: name.slice(0, 100) };
  return new OutsideError(
    "corrupt",
    composeSentence(playerSentences[code], shown),
  );
}
