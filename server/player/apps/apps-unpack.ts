// Unpacks an app: checks the members of an archive of web files and writes each to a temporary file.

import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { playerSentences } from "../../contract/sentences/player-sentences.ts";
import { composeSentence } from "../../contract/sentence-templates.ts";
import { maxAppBytes, maxAppFiles } from "../../core/app-limits.ts";
import { isAppPath } from "../../core/app-path.ts";
import { fieldFailure } from "../../core/failure.ts";
import {
  readArchive,
  type ArrivingMember,
} from "../../platform/archive/archive.ts";
import type { Aside } from "../../platform/files/partial-file.ts";
import type { FileStore } from "../../platform/files/file-store.ts";
import { OutsideError } from "../../platform/outside-error.ts";
import { archiveKindOf, readZip } from "../../platform/archive/zip.ts";
import { manifestOf, type AppManifest } from "./apps-manifest.ts";
import { webTypeOf } from "./apps-web-types.ts";

export interface AppMember {
  /** Relative to the app's folder, without a leading slash. */
  readonly path: string;
  readonly type: string;
  readonly aside: Aside;
}

export interface UnpackedApp {
  readonly manifest: AppManifest;
  readonly members: readonly AppMember[];
}

const maxManifestBytes = 256 * 1024;

/** Files that operating systems add to archives. */
const litter = /(^|\/)(__MACOSX\/|\.DS_Store$|Thumbs\.db$|desktop\.ini$)/i;
const marks = ["index.html", "screenly.yml"];

/**
 * Null when the bytes are not an archive; throws `invalid` on the field, and leaves no temporary files, for an archive that is not
 * an app.
 */
export async function unpackApp(
  archive: Aside,
  store: FileStore,
  field: string,
): Promise<UnpackedApp | null> {
  const source = await membersOf(archive);
  if (!source) return null;
  const asides = new Map<string, Aside>();
  try {
    await layAside(source, asides, store);
    const folder = folderOf(asides, field);
    const members: AppMember[] = [];
    for (const [whole, aside] of asides) {
      const name = whole.slice(folder.length);
      if (whole.startsWith(folder))
        members.push({ path: name, type: webTypeOf(name), aside });
      else await store.discard(aside);
    }
    return { manifest: await readManifest(members, field), members };
  } catch (error) {
    for (const aside of asides.values()) await store.discard(aside);
    const isArchives =
      error instanceof OutsideError && error.kind === "corrupt";
    throw isArchives ? fieldFailure(field, error.message) : error;
  }
}

async function membersOf({
  path: file,
  bytes,
}: Aside): Promise<AsyncIterable<ArrivingMember> | null> {
  const kind = await archiveKindOf(file, bytes);
  if (kind === "zip") return readZip(file);
  return kind === "gzip" ? readArchive(createReadStream(file)) : null;
}

async function layAside(
  source: AsyncIterable<ArrivingMember>,
  asides: Map<string, Aside>,
  store: FileStore,
): Promise<void> {
  let count = 0;
  let bytes = 0;
  for await (const { path: name, kind, sizeBytes, content } of source) {
    count += 1;
    if (count > maxAppFiles)
      throw new OutsideError(
        "corrupt",
        composeSentence(playerSentences["app-files-limit"], {
          limit: maxAppFiles,
        }),
      );
    const plain = name.replace(/^(\.\/)+/, "");
    if (kind === "folder" || litter.test(plain)) continue;
    assertPlain(plain);
    if (asides.has(plain))
      throw new OutsideError(
        "corrupt",
        composeSentence(playerSentences["app-file-twice"], { name: plain }),
      );
    // The size is declared before the member is unpacked, and enforced while it is.
    bytes += sizeBytes;
    if (bytes > maxAppBytes)
      throw new OutsideError(
        "too-large",
        composeSentence(playerSentences["app-size-limit"], {
          limit: maxAppBytes,
        }),
      );
    const aside = await store.receive(Readable.from(content), sizeBytes);
    asides.set(plain, aside);
  }
}

function assertPlain(name: string): void {
  if (!isAppPath(name))
    throw new OutsideError(
      "corrupt",
      composeSentence(playerSentences["app-path-outside"], {
        name: JSON.stringify(name.slice(0, 100)),
      }),
    );
}

/** The app's folder in its archive: the top level, or the only folder there. */
function folderOf(asides: ReadonlyMap<string, Aside>, field: string): string {
  if (marks.some((mark) => asides.has(mark))) return "";
  const tops = new Set([...asides.keys()].map((name) => name.split("/")[0]));
  const folder = tops.size === 1 ? `${[...tops][0]}/` : "";
  if (folder !== "" && marks.some((mark) => asides.has(folder + mark)))
    return folder;
  throw fieldFailure(field, playerSentences["app-none"]);
}

async function readManifest(
  members: readonly AppMember[],
  field: string,
): Promise<AppManifest> {
  const textOf = async (name: string): Promise<string | null> => {
    const entry = members.find((member) => member.path === name);
    if (!entry) return null;
    if (entry.aside.sizeBytes > maxManifestBytes)
      throw fieldFailure(
        field,
        composeSentence(playerSentences["app-manifest-large"], { name }),
      );
    return readFile(entry.aside.path, "utf8");
  };
  const manifest = manifestOf(
    await textOf("screenly.yml"),
    await textOf("instance.yml"),
    field,
  );
  const { entry } = manifest;
  if (
    entry.kind === "file" &&
    !members.some((member) => member.path === entry.path)
  )
    throw fieldFailure(
      field,
      composeSentence(playerSentences["app-entry-missing"], {
        name: path.posix.normalize(entry.path),
      }),
    );
  return manifest;
}
