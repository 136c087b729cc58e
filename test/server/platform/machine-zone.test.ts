// The machine's time zone: determined again when the system's has been changed.

import { rename, rm, symlink } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { watchedZone } from "../../../server/platform/machine-zone.ts";
import { temporaryFolder } from "../../support/folder.ts";

it("[V2-862] the time zone is determined again once after each change of the system's, never without one", async () => {
  const file = path.join(await temporaryFolder(), "localtime");
  const replace = async (zone: string): Promise<void> => {
    await symlink(`/usr/share/zoneinfo/${zone}`, `${file}.new`);
    await rename(`${file}.new`, file);
  };
  await replace("Europe/Berlin");
  let count = 0;
  const zone = watchedZone({ file, redetect: () => (count += 1) });
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  expect([zone(), zone(), count]).toEqual([here, here, 0]);
  await replace("Asia/Tokyo");
  expect([zone(), zone(), count]).toEqual([here, here, 1]);
  // As a tool does that removes it before it links it again.
  await rm(file);
  expect([zone(), count]).toEqual([here, 1]);
  await replace("Europe/London");
  expect([zone(), zone(), count]).toEqual([here, here, 2]);
  // A machine without one, such as a small container.
  expect(
    watchedZone({ file: `${file}/none`, redetect: () => undefined })(),
  ).toBe(here);
});
