// A plan on a stick as a row of members: out of one archive, or out of a folder that it was unpacked to.

import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import { Failure } from "../core/failure.ts";
import {
  bytesOfFile,
  readArchive,
  type ArrivingMember,
} from "../platform/archive.ts";
import { manifestPath, signaturePath } from "./air-gap-manifest.ts";

export type PlanMembers = AsyncGenerator<ArrivingMember, void, undefined>;

/** A file, a folder with an unpacked plan, or a folder with one archive in it. Throws `not-found` and `conflict`. */
export async function planMembersAt(place: string): Promise<PlanMembers> {
  const entry = await stat(place).catch(() => null);
  if (entry?.isFile()) return readArchive(createReadStream(place));
  if (!entry?.isDirectory())
    throw new Failure("not-found", `There is nothing at ${place}.`);
  const names = await readdir(place);
  if (names.includes(manifestPath)) return membersOfFolder(place);
  const archives = names.filter((name) => name.endsWith(".tar.gz"));
  const [only] = archives;
  if (only === undefined)
    throw new Failure("not-found", `There is no plan in ${place}.`);
  if (archives.length > 1)
    throw new Failure(
      "conflict",
      `There are several archives in ${place}: name one of them.`,
    );
  return readArchive(createReadStream(path.join(place, only)));
}

/** The manifest and its signature first, as an archive has them. */
async function* membersOfFolder(folder: string): PlanMembers {
  const files = await readdir(path.join(folder, "files")).catch(() => []);
  const names = [
    ...[manifestPath, signaturePath],
    ...files.toSorted().map((name) => `files/${name}`),
  ];
  for (const name of names) {
    const place = path.join(folder, name);
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
  // A folder among the files has no bytes.
}
