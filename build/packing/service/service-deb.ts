// Builds the .deb of the content service: /usr/lib/vitrine-content, its commands, and a systemd unit.

import { execFile } from "node:child_process";
import { cp, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { makeReadableByAll } from "../file-modes.ts";
import { packageRoot, projectRoot } from "../paths.ts";
import { sizeOf } from "../size-on-disk.ts";

const run = promisify(execFile);
const linux = join(projectRoot, "build", "linux", "content");
const architectures: Readonly<Record<string, string>> = {
  x64: "amd64",
  arm64: "arm64",
};

/** Outside the program's folder. */
const systemFiles = [
  [
    join(linux, "vitrine-content.service"),
    "usr/lib/systemd/system/vitrine-content.service",
  ],
  [join(linux, "service.env"), "etc/vitrine-content/service.env"],
  [join(projectRoot, "LICENSE"), "usr/share/doc/vitrine-content/copyright"],
  [
    join(projectRoot, "build/guides/content-service.md"),
    "usr/share/doc/vitrine-content/content-service.md",
  ],
] as const;

/** Returns the file. */
export async function makeServiceDeb(
  staged: string,
  version: string,
  { isTestBuild }: { readonly isTestBuild: boolean },
): Promise<string> {
  const architecture = architectures[process.arch] ?? process.arch;
  const file = join(
    packageRoot,
    `vitrine-content_${version}_${architecture}.deb`,
  );
  const root = join(packageRoot, "service-deb");
  await rm(root, { recursive: true, force: true });
  const program = join(root, "usr/lib/vitrine-content");
  await cp(staged, program, { recursive: true });
  for (const folder of ["usr/bin", "usr/sbin"])
    await mkdir(join(root, folder), { recursive: true });
  for (const name of ["vitrine-content", "vitrine-cli"])
    await symlink(
      `../lib/vitrine-content/${name}`,
      join(root, "usr/bin", name),
    );
  await cp(
    join(linux, "vitrine-contentctl"),
    join(root, "usr/sbin/vitrine-contentctl"),
  );
  for (const [from, place] of systemFiles) {
    const to = join(root, place);
    await mkdir(dirname(to), { recursive: true });
    await cp(from, to);
  }
  const control = join(root, "DEBIAN");
  await mkdir(control);
  for (const name of ["postinst", "prerm", "postrm"])
    await cp(join(linux, name), join(control, name));
  await writeFile(
    join(control, "conffiles"),
    "/etc/vitrine-content/service.env\n",
  );
  await writeFile(
    join(control, "control"),
    controlText({ version, architecture, kib: Math.ceil(sizeOf(root) / 1024) }),
  );
  await makeReadableByAll(root);
  await rm(file, { force: true });
  await run("dpkg-deb", [
    // xz, a quarter smaller, takes some twenty times as long.
    ...["--root-owner-group", isTestBuild ? "-Zzstd" : "-Zxz", "-z1"],
    ...["--build", root, file],
  ]);
  await rm(root, { recursive: true });
  return file;
}

function controlText(about: {
  readonly version: string;
  readonly architecture: string;
  readonly kib: number;
}): string {
  return [
    "Package: vitrine-content",
    `Version: ${about.version.replace("-", "~")}`,
    `Architecture: ${about.architecture}`,
    `Installed-Size: ${about.kib}`,
    "Maintainer: The Vitrine authors",
    "Section: net",
    "Priority: optional",
    // The C libraries of the native modules; fonts for texts in SVG files.
    "Depends: adduser, libc6 (>= 2.34), libstdc++6 (>= 11), fontconfig-config, fonts-dejavu-core",
    "Recommends: ca-certificates",
    "Description: Content service for digital signage",
    " Stores assets, playlists and screens for many players, and shows what is on",
    " every screen. Runs with SQLite, or with PostgreSQL and object storage.",
    "",
  ].join("\n");
}
