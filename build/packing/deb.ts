// Builds the .deb from the unpacked package: installs to /usr/lib/vitrine, with systemd unit, maintainer scripts and icons.

import { copyFile, mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
// @ts-expect-error The package has no types.
import { Installer } from "electron-installer-debian";
import { iconSizes } from "./icons.ts";
import type { Mark } from "./package-name.ts";
import { iconFolder, packageRoot, projectRoot } from "./paths.ts";
import { makeReadableByAll } from "./file-modes.ts";
import { executableName } from "./unpacked.ts";

const linux = join(projectRoot, "build", "linux");
/** Placed outside the program folder, where systemd and users look for the unit and the supervisor. */
const systemFiles = [
  [join(linux, "vitrine.service"), "usr/lib/systemd/user/vitrine.service"],
  [join(projectRoot, "LICENSE"), "usr/share/doc/vitrine/copyright"],
  [
    join(projectRoot, "build/guides/debian.md"),
    "usr/share/doc/vitrine/kiosk.md",
  ],
  [
    join(projectRoot, "build/provision/debian.sh"),
    "usr/share/doc/vitrine/provision.sh",
  ],
] as const;

/** The part of its interface that is used here. */
interface DebianInstaller {
  /** Names of the methods that create the contents. */
  readonly contentFunctions: readonly string[];
  readonly stagingDir: string;
  generateDefaults(): Promise<unknown>;
  generateOptions(): unknown;
  createStagingDir(): Promise<unknown>;
  createContents(): Promise<unknown>;
  createPackage(): Promise<unknown>;
  movePackage(): Promise<unknown>;
}

interface DebianOptions {
  readonly src: string;
  readonly dest: string;
  readonly arch: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly rename: (dest: string) => string;
  readonly logger: (sentence: string) => void;
}

const PlainInstaller = Installer as new (
  options: DebianOptions,
) => DebianInstaller;

/** Returns the file. */
export async function makeDeb(
  unpacked: string,
  electronVersion: string,
  mark: Mark,
): Promise<string> {
  const file = join(packageRoot, `${mark.fileName}.deb`);
  await rm(file, { force: true });
  // The installer reads Electron's system requirements from this file, which the builder does not leave there.
  const versionFile = join(unpacked, "version");
  await writeFile(versionFile, electronVersion);
  process.umask(0o022);
  const installer = new PlainInstaller({
    src: unpacked,
    dest: packageRoot,
    arch: process.arch === "x64" ? "amd64" : process.arch,
    rename: () => file,
    logger: () => undefined,
    options: optionsOf(mark),
  });
  addSystemFiles(installer);
  try {
    await installer.generateDefaults();
    installer.generateOptions();
    await installer.createStagingDir();
    await installer.createContents();
    await makeReadableByAll(installer.stagingDir);
    await installer.createPackage();
    await installer.movePackage();
  } finally {
    await rm(versionFile);
  }
  return file;
}

/** In addition to the files it creates itself; its copyright file is the one of Electron. */
function addSystemFiles(installer: DebianInstaller): void {
  const addedFunctions = installer.contentFunctions.filter(
    (name) => name !== "createCopyright",
  );
  const copySystemFiles = async (): Promise<void> => {
    for (const [from, place] of systemFiles) {
      const to = join(installer.stagingDir, place);
      await mkdir(dirname(to), { recursive: true });
      await copyFile(from, to);
    }
  };
  Object.defineProperties(installer, {
    contentFunctions: { value: [...addedFunctions, "copySystemFiles"] },
    copySystemFiles: { value: copySystemFiles },
  });
}

function optionsOf(mark: Mark): Record<string, unknown> {
  const script = (name: string): string => join(linux, name);
  return {
    name: "vitrine",
    productName: mark.productName,
    genericName: "Digital signage",
    // In Debian versions a tilde sorts before the release.
    version: mark.version.replace("-", "~"),
    maintainer: "The Vitrine authors",
    bin: executableName,
    section: "video",
    description: mark.isTest
      ? "Digital signage player and manager (TEST, not for use)"
      : "Digital signage player and manager",
    productDescription:
      "Plays pictures, films, pages and apps full screen from its own store,\nand tells what is on the screen and why.",
    categories: ["AudioVideo", "Video", "Player"],
    // Chromium does not start without the sound library, even when no sound is played.
    depends: ["libasound2t64 | libasound2", "libxss1", "fonts-dejavu-core"],
    recommends: ["perl-base", "x11-xserver-utils"],
    icon: Object.fromEntries(
      iconSizes.map((size) => [
        `${size}x${size}`,
        join(iconFolder, `${size}x${size}.png`),
      ]),
    ),
    scripts: {
      postinst: script("postinst"),
      prerm: script("prerm"),
      postrm: script("postrm"),
    },
    // xz, the smallest, takes two minutes; test packages are built more often than they are transferred.
    compression: mark.isTest ? "gzip" : "xz",
  };
}
