// The unpacked package in one .tar.gz, with everything below one folder of the package's name.

import { join } from "node:path";
import { create } from "tar";
import type { Mark } from "./mark.ts";
import { packageRoot } from "./places.ts";

/** Answers the file. */
export async function makeTarGz(unpacked: string, mark: Mark): Promise<string> {
  const file = join(packageRoot, `${mark.fileName}.tar.gz`);
  await create(
    {
      file,
      cwd: unpacked,
      prefix: mark.fileName,
      gzip: { level: 9 },
      // The same for everybody who builds it: not the builder's own user.
      portable: true,
    },
    ["."],
  );
  return file;
}
