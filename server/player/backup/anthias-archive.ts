// Unpacks an archive of the peer (`.anthias/` and `anthias_assets/`, or their older names) to temporary files, and converts it.

import { readFile } from "node:fs/promises";
import path from "node:path";
import { playerSentences } from "../../contract/sentences/player-sentences.ts";
import type { ArrivingMember } from "../../platform/archive/archive.ts";
import type { Aside } from "../../platform/files/partial-file.ts";
import { OutsideError } from "../../platform/outside-error.ts";
import type { Sqlite, SqliteOptions } from "../../platform/sqlite/sqlite.ts";
import { importPeer } from "./anthias-import.ts";
import { readPeerAssets } from "./anthias-assets.ts";
import { settingsOfPeer } from "./anthias-settings.ts";
import {
  assertWithin,
  corrupt,
  layAside,
  type UnpackOptions,
  type Unpacked,
} from "./unpack.ts";
import type { Workspace } from "./workspace.ts";
import { moveFile } from "../../platform/files/replace-file.ts";
export interface PeerOptions extends UnpackOptions {
  readonly database: Sqlite;
  readonly sqlite: SqliteOptions;
  readonly makeId: () => string;
}

const peerFolder = /^\.(?:anthias|screenly)$/;
const mediaFolder = /^(?:anthias|screenly)_assets$/;
/** The newer name first; other files in the folder (secrets among them) are skipped. */
const databaseNames = ["anthias.db", "screenly.db"];
const settingsNames = ["anthias.conf", "screenly.conf"];
const memberNames = new Set([
  ...databaseNames,
  // Rows that were committed but not checkpointed yet; the -shm file is only an index of it.
  ...databaseNames.map((name) => `${name}-wal`),
  ...settingsNames,
]);
/** A thousand assets take less than 1 MiB. */
const maxOwnBytes = 256 * 1024 * 1024;
const maxMembers = 200_000;

interface Laid {
  /** By name in the peer's own folder. */
  readonly own: ReadonlyMap<string, Aside>;
  /** By path below the folder of assets. */
  readonly media: ReadonlyMap<string, Aside>;
}

export function isPeers(first: ArrivingMember): boolean {
  const [top = ""] = first.path.replace(/^\.\//, "").split("/");
  return peerFolder.test(top) || mediaFolder.test(top);
}

/** Throws `corrupt`, `too-large` or `no-space`; a missing or broken image is a problem of its asset only. */
export async function unpackPeers(
  first: ArrivingMember,
  following: AsyncIterable<ArrivingMember>,
  options: PeerOptions,
): Promise<Unpacked> {
  const { workspace, database, sqlite, makeId } = options;
  const { own, media } = await layPeersAside(first, following, options);
  const file = await placeDatabase(own, workspace);
  const assets = readPeerAssets(file, sqlite);
  const settingsName = settingsNames.find((name) => own.has(name)) ?? "";
  const settingsFile = own.get(settingsName);
  const settings = settingsFile
    ? settingsOfPeer(await readFile(settingsFile.path, "utf8"))
    : {};
  return importPeer(path.join(workspace.dir, "imported.db"), {
    assets,
    media,
    settings,
    database,
    sqlite,
    makeId,
  });
}

async function layPeersAside(
  first: ArrivingMember,
  following: AsyncIterable<ArrivingMember>,
  { workspace, maxBytes }: PeerOptions,
): Promise<Laid> {
  const lay = await layAside(workspace);
  const uploadedFiles = new Map<string, Aside>();
  const media = new Map<string, Aside>();
  const seen = new Set<string>();
  let sizeBytes = 0;

  async function take(member: ArrivingMember): Promise<void> {
    const [top, name] = placeOf(member.path);
    const place = `${top}/${name}`;
    if (seen.has(place)) throw corrupt("entry-twice", member.path);
    seen.add(place);
    sizeBytes += member.sizeBytes;
    assertWithin(sizeBytes, maxBytes);
    if (seen.size > maxMembers)
      throw new OutsideError("too-large", playerSentences["archive-too-many"]);
    if (member.kind === "folder") return;
    const isOwn = peerFolder.test(top);
    if (isOwn ? !memberNames.has(name) : name.endsWith(".tmp")) return;
    if (isOwn) assertWithin(member.sizeBytes, maxOwnBytes);
    await workspace.assertDiskSpaceFor(member.sizeBytes);
    (isOwn ? uploadedFiles : media).set(name, await lay(member));
  }

  await take(first);
  for await (const member of following) await take(member);
  return { own: uploadedFiles, media };
}

/** The folder and the rest of the path; throws `corrupt` for a path that leads anywhere else. */
function placeOf(name: string): readonly [top: string, rest: string] {
  const [top = "", ...rest] = name
    .replace(/^\.\//, "")
    .replace(/\/$/, "")
    .split("/");
  const isPlain = rest.every((part) => !["", ".", ".."].includes(part));
  const isKnown = peerFolder.test(top) || mediaFolder.test(top);
  if (!isPlain || !isKnown || /[\\\0]/.test(name))
    throw corrupt("entry-outside", name);
  return [top, rest.join("/")];
}

/** The database with its write-ahead log next to it, under the names SQLite expects. */
async function placeDatabase(
  uploadedFiles: ReadonlyMap<string, Aside>,
  workspace: Workspace,
): Promise<string> {
  const name =
    databaseNames.find((candidate) => uploadedFiles.has(candidate)) ?? "";
  const database = uploadedFiles.get(name);
  if (!database)
    throw new OutsideError("corrupt", playerSentences["archive-no-database"]);
  const file = path.join(workspace.dir, "peer.db");
  await moveFile(database.path, file);
  const waiting = uploadedFiles.get(`${name}-wal`);
  if (waiting) await moveFile(waiting.path, `${file}-wal`);
  return file;
}
