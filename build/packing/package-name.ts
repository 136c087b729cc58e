// Names of packages; one that contains the fallback Electron is marked TEST wherever possible.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "./paths.ts";

export interface Mark {
  readonly productName: string;
  readonly version: string;
  /** e.g. `vitrine-0.1.0-x64` or `vitrine-TEST-0.1.0-test-x64` */
  readonly fileName: string;
  readonly isTest: boolean;
}

export function markedFor({
  isOfficial,
}: {
  readonly isOfficial: boolean;
}): Mark {
  const { version, productName } = JSON.parse(
    readFileSync(join(projectRoot, "package.json"), "utf8"),
  ) as { version: string; productName: string };
  const arch = process.arch;
  return isOfficial
    ? {
        ...{ productName, version, isTest: false },
        fileName: `vitrine-${version}-${arch}`,
      }
    : {
        productName: `${productName} TEST`,
        version: `${version}-test`,
        isTest: true,
        fileName: `vitrine-TEST-${version}-test-${arch}`,
      };
}
