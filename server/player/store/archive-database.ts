// The database of a backup alone, without the files that follow it in the archive.

import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { Readable } from "node:stream";
import { readArchive, type ArrivingMember } from "../../platform/archive.ts";
import { OutsideError } from "../../platform/outside-error.ts";
import {
  databasePath,
  manifestPath,
  membersOfManifest,
  mostManifestBytes,
} from "../backup/manifest.ts";

/** Rows without their history: far beyond what any player has. */
const mostDatabaseBytes = 1024 ** 3;

/** Throws when it is no archive of ours, or its database is not the one its manifest lists. */
export async function readDatabaseOf(
  archive: Readable,
  target: string,
): Promise<void> {
  const members = readArchive(archive);
  try {
    const manifest = await bytesOf(
      await next(members, manifestPath),
      mostManifestBytes,
    );
    const listed = membersOfManifest(manifest).get(databasePath);
    const bytes = await bytesOf(
      await next(members, databasePath),
      mostDatabaseBytes,
    );
    const hash = createHash("sha256").update(bytes).digest("hex");
    if (hash !== listed?.sha256) throw damaged();
    await writeFile(target, bytes);
  } finally {
    // What follows is not read: nobody needs its end.
    archive.destroy();
    await members.return(undefined).catch(() => undefined);
  }
}

async function next(
  members: AsyncGenerator<ArrivingMember>,
  name: string,
): Promise<ArrivingMember> {
  const { value } = (await members.next()) as {
    value: ArrivingMember | undefined;
  };
  if (value?.path !== name) throw damaged();
  return value;
}

async function bytesOf(
  { content, sizeBytes }: ArrivingMember,
  mostBytes: number,
): Promise<Buffer> {
  if (sizeBytes > mostBytes) throw damaged();
  return Buffer.concat(await Readable.from(content).toArray());
}

function damaged(): OutsideError {
  return new OutsideError("corrupt", "This backup is damaged.");
}
