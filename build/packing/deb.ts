// The unpacked package as a .deb: installed below /usr/lib/vitrine, with its unit for systemd, its scripts and its icons.

import { copyFile, mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
// @ts-expect-error It brings no types.
import { Installer } from "electron-installer-debian";
import { iconSizes } from "./icons.ts";
import type { Mark } from "./mark.ts";
import { iconFolder, packageRoot, projectRoot } from "./places.ts";
import { makeReadableByAll } from "./readable.ts";
import { executableName } from "./unpacked.ts";

const linux = join(projectRoot, "build", "linux");
/** Beside the program: where the unit and the supervisor are found by systemd and by people. */
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

/** The part of it that is used here. */
interface DebianInstaller {
  /** Names of the methods that lay out what is inside. */
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

/** Answers the file. */
export async function makeDeb(
  unpacked: string,
  electronVersion: string,
  mark: Mark,
): Promise<string> {
  const file = join(packageRoot, `${mark.fileName}.deb`);
  await rm(file, { force: true });
  // The installer reads there what Electron needs of the system; the builder does not leave it.
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

/** Beside what it lays out itself; its own copyright is that of Electron. */
function addSystemFiles(installer: DebianInstaller): void {
  const own = installer.contentFunctions.filter(
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
    contentFunctions: { value: [...own, "copySystemFiles"] },
    copySystemFiles: { value: copySystemFiles },
  });
}

function optionsOf(mark: Mark): Record<string, unknown> {
  const script = (name: string): string => join(linux, name);
  return {
    name: "vitrine",
    productName: mark.productName,
    genericName: "Digital signage",
    // To Debian a tilde sorts before the release it leads to.
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
    // Chromium does not start without it, though it may stay silent.
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
    // The smallest takes two minutes; a test is made more often than it is sent.
    compression: mark.isTest ? "gzip" : "xz",
  };
}
