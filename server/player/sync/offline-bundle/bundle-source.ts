// Reads the members of an offline bundle from an archive or from a folder it was unpacked to.

import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { Failure } from "../../../core/failure.ts";
import {
  bytesOfFile,
  readArchive,
  type ArrivingMember,
} from "../../../platform/archive/archive.ts";
import {
  namesIn,
  placeIn,
  placeOf,
  type Place,
} from "../../../platform/files/raw-path.ts";
import { manifestPath, signaturePath } from "./bundle-manifest.ts";

export type PlanMembers = AsyncGenerator<ArrivingMember, void, undefined>;

/** A file, a folder with an unpacked bundle, or a folder with one archive in it. Throws `not-found` and `conflict`. */
export async function planMembersAt(named: string): Promise<PlanMembers> {
  const place = await placeOf(named);
  const entry = await stat(place).catch(() => null);
  if (entry?.isFile()) return readArchive(createReadStream(place));
  if (!entry?.isDirectory())
    throw new Failure("not-found", `${named} does not exist.`);
  const names = await namesIn(place);
  if (names.some((name) => name.toString() === manifestPath))
    return membersOfFolder(place);
  const archives = names.filter((name) => name.toString().endsWith(".tar.gz"));
  const [only] = archives;
  if (only === undefined)
    throw new Failure("not-found", `There is no offline bundle in ${named}.`);
  if (archives.length > 1)
    throw new Failure(
      "conflict",
      `There are several archives in ${named}; choose one of them.`,
    );
  return readArchive(createReadStream(placeIn(place, only)));
}

/** Manifest and signature first, as in an archive. */
async function* membersOfFolder(folder: Place): PlanMembers {
  const files = await readdir(placeIn(folder, "files")).catch(() => []);
  const names = [
    ...[manifestPath, signaturePath],
    ...files.toSorted().map((name) => `files/${name}`),
  ];
  for (const name of names) {
    const place = placeIn(folder, name);
    const entry = await stat(place).catch(() => null);
    if (!entry) continue;
    const isFile = entry.isFile();
    yield {
      ...{ path: name, kind: isFile ? "file" : "folder" },
      sizeBytes: entry.size,
      content: isFile ? bytesOfFile(place) : nothing(),
    };
  }
}

async function* nothing(): AsyncGenerator<Buffer> {
  // A directory among the files has no bytes.
}
