// Third-party licences: collects the packages in the bundles and their licence texts, for display in the manager.

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

interface Notice {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  readonly text: string;
}

interface Manifest {
  readonly name?: string;
  readonly version?: string;
  readonly license?: string | { readonly type?: string };
}

interface LockedPackage {
  readonly dev?: boolean;
  readonly optional?: boolean;
}

/** Every installed runtime package, with its licence texts. */
export function writeLicences(root: string, target: string): void {
  const lock = JSON.parse(
    readFileSync(join(root, "package-lock.json"), "utf8"),
  ) as { readonly packages: Readonly<Record<string, LockedPackage>> };
  const notices = Object.entries(lock.packages)
    .filter(([place, { dev }]) => place !== "" && dev !== true)
    .flatMap(([place]) => noticeIn(join(root, place)))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  writeFileSync(target, JSON.stringify(onceEach(notices)));
}

function noticeIn(folder: string): readonly Notice[] {
  const file = join(folder, "package.json");
  // The lock file has only the names of packages for other systems.
  if (!existsSync(file)) return [];
  const { name, version, license } = JSON.parse(
    readFileSync(file, "utf8"),
  ) as Manifest;
  if (name === undefined) return [];
  const text = readdirSync(folder).find((entry) =>
    /^(licen[cs]e|copying)(\.|-|$)/i.test(entry),
  );
  return [
    {
      ...{ name, version: version ?? "" },
      licence: typeof license === "string" ? license : (license?.type ?? ""),
      text: text === undefined ? "" : readFileSync(join(folder, text), "utf8"),
    },
  ];
}

function onceEach(notices: readonly Notice[]): readonly Notice[] {
  const byName = new Map(
    notices.map((notice) => [`${notice.name} ${notice.version}`, notice]),
  );
  return [...byName.values()];
}
