// Packs the unpacked package into a .tar.gz, in one folder named after the package.

import { join } from "node:path";
import { create } from "tar";
import type { Mark } from "./package-name.ts";
import { packageRoot } from "./paths.ts";

/** Returns the file. */
export async function makeTarGz(
  unpacked: string,
  { fileName }: Pick<Mark, "fileName">,
): Promise<string> {
  const file = join(packageRoot, `${fileName}.tar.gz`);
  await create(
    {
      file,
      cwd: unpacked,
      prefix: fileName,
      gzip: { level: 9 },
      // Reproducible for everybody who builds it: without the builder's own user.
      portable: true,
    },
    ["."],
  );
  return file;
}
