// Files of a drop or a file dialog: whole folders with everything in them, in the order of their names, without the files that
// operating systems leave in folders.

import { language } from "../../locales/language.ts";

export interface ChosenFile {
  readonly file: File;
  /** Names of the folders it came in, separated by slashes; empty for a single file. */
  readonly folder: string;
}

export interface Chosen {
  readonly files: readonly ChosenFile[];
  /** There were more than can be taken at once. */
  readonly isCut: boolean;
}

/** More than anybody prepares for screens, and what one list of uploads can hold. */
export const maxFilesAtOnce = 10_000;
/** A folder can contain a link to itself. */
const maxDepth = 32;

/** Call during the event: afterwards its items are gone. */
export async function filesOfDrop(transfer: DataTransfer): Promise<Chosen> {
  const items = [...transfer.items].filter(({ kind }) => kind === "file");
  const entries = items.map((item) => item.webkitGetAsEntry());
  const plain = [...transfer.files];
  if (!entries.some((entry) => entry?.isDirectory))
    return chosen(plain.map((file) => ({ file, folder: "" })));
  const found: ChosenFile[] = [];
  for (const [place, entry] of inOrder(entries.map(named)))
    if (entry === null) {
      // Not of the file system, such as an image of another page.
      const file = items[place]?.getAsFile();
      if (file) found.push({ file, folder: "" });
    } else await collect(entry, "", 0, found);
  return chosen(found);
}

/** Of a dialog; one for folders gives the path of every file within. */
export function filesOfDialog(files: readonly File[]): Chosen {
  const all = files.map((file) => ({
    file,
    folder: file.webkitRelativePath.split("/").slice(0, -1).join("/"),
  }));
  const collator = byName();
  return chosen(
    all.some(({ folder }) => folder !== "")
      ? all.sort((one, other) =>
          collator(one.file.webkitRelativePath, other.file.webkitRelativePath),
        )
      : all,
  );
}

function chosen(all: readonly ChosenFile[]): Chosen {
  const files = all.filter(({ file }) => !isOfSystem(file.name));
  return {
    files: files.slice(0, maxFilesAtOnce),
    isCut: files.length > maxFilesAtOnce,
  };
}

/** `.DS_Store`, `._photo.jpg`, `Thumbs.db`, `desktop.ini` and everything else that is hidden. */
function isOfSystem(name: string): boolean {
  return /^(\..*|thumbs\.db|ehthumbs\.db|desktop\.ini)$/i.test(name);
}

type Numbered = readonly [place: number, entry: FileSystemEntry | null];

const named = (entry: FileSystemEntry | null, place: number): Numbered => [
  place,
  entry,
];

function inOrder(entries: readonly Numbered[]): readonly Numbered[] {
  const collator = byName();
  return [...entries].sort(([, one], [, other]) =>
    collator(one?.name ?? "", other?.name ?? ""),
  );
}

/** `Photo 2` before `Photo 10`. */
function byName(): (one: string, other: string) => number {
  return new Intl.Collator(language, { numeric: true }).compare;
}

async function collect(
  entry: FileSystemEntry,
  folder: string,
  depth: number,
  found: ChosenFile[],
): Promise<void> {
  if (found.length > maxFilesAtOnce || depth > maxDepth) return;
  if (entry.isFile) {
    const file = await fileOf(entry as FileSystemFileEntry);
    if (file) found.push({ file, folder });
    return;
  }
  if (isOfSystem(entry.name)) return;
  const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
  const entries = await entriesOf(entry as FileSystemDirectoryEntry);
  for (const [, one] of inOrder(entries.map(named)))
    if (one) await collect(one, path, depth + 1, found);
}

/** Null: it disappeared, or may not be read. */
function fileOf(entry: FileSystemFileEntry): Promise<File | null> {
  return new Promise((resolve) => {
    entry.file(resolve, () => {
      resolve(null);
    });
  });
}

/** A reader gives a hundred at a time, and none at the end. */
async function entriesOf(
  folder: FileSystemDirectoryEntry,
): Promise<readonly FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<readonly FileSystemEntry[]>((resolve) => {
      reader.readEntries(resolve, () => {
        resolve([]);
      });
    });
    all.push(...some);
    if (some.length === 0 || all.length > maxFilesAtOnce) return all;
  }
}
