// Checks the contents of a package for files that do not belong in it.

import { openSync, readSync, closeSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";

interface ArchiveFolder {
  readonly files: Readonly<Record<string, ArchiveFolder | { size?: number }>>;
}

/** File names of source maps, tests, tools and sources. */
const excluded: readonly (readonly [RegExp, string])[] = [
  [/\.map$/, "a source map"],
  [/\.(tsx?|[mc]ts)$/, "a source"],
  [/(^|\/)(test|tests|__tests__|spec)(\/|$)|\.(test|spec)\.[cm]?js$/, "a test"],
  [/(^|\/)\.bin\/|\.(gyp|gypi|c|cc|cpp|h|hpp)$/, "something to build with"],
  [
    /(^|\/)node_modules\/(?!(better-sqlite3|sharp|@img|detect-libc|semver)\/)/,
    "a package that is bundled or not needed",
  ],
  [/^resources\/(app\/|default_app\.asar$)/, "an app beside the archive"],
  [/(^|\/)\.env|\.pem$|(^|\/)id_(rsa|ed25519)/, "a secret"],
];

/** One sentence for each file that must not be in the package. */
export function checkContents(folder: string): readonly string[] {
  const archive = join(folder, "resources", "app.asar");
  const loose = filesBelow(folder).map((file) => relative(folder, file));
  const inside = archivedFiles(archive).map((file) => `app.asar/${file}`);
  const needed = ["app.asar/dist/main.cjs", "app.asar/package.json"];
  const missing = needed
    .filter((file) => !inside.includes(file))
    .map((file) => `${file} is missing.`);
  const violations = [...loose, ...inside].flatMap((file) =>
    excluded
      .filter(([pattern]) => pattern.test(file.replaceAll("\\", "/")))
      .map(([, what]) => `${file} is ${what}.`),
  );
  return [...missing, ...violations];
}

/** The paths in an asar archive: a header of four numbers and JSON, then the files. */
function archivedFiles(archive: string): readonly string[] {
  const file = openSync(archive, "r");
  try {
    const numbers = Buffer.alloc(16);
    readSync(file, numbers, 0, 16, 0);
    const header = Buffer.alloc(numbers.readUInt32LE(12));
    readSync(file, header, 0, header.length, 16);
    return namesBelow(JSON.parse(header.toString("utf8")) as ArchiveFolder);
  } finally {
    closeSync(file);
  }
}

function namesBelow({ files }: ArchiveFolder): readonly string[] {
  return Object.entries(files).flatMap(([name, entry]) =>
    "files" in entry
      ? namesBelow(entry).map((inner) => `${name}/${inner}`)
      : name,
  );
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path) : path;
  });
}
