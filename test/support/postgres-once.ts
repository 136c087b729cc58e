// Before the tests of a run: one PostgreSQL for all of them, and a loud word where there is none.

import type { TestProject } from "vitest/node";
import { startPostgres } from "./postgres.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Empty: none can be had here. */
    readonly postgresUrl: string;
  }
}

export async function setup(
  project: TestProject,
): Promise<() => Promise<void>> {
  const offered = process.env["VITRINE_TEST_POSTGRES"];
  const own = offered ? null : await startPostgres();
  project.provide("postgresUrl", offered ?? own?.url ?? "");
  if (!offered && !own)
    console.warn(
      "\n*** PostgreSQL is not installed: every suite of the content service runs on SQLite ONLY. ***\n" +
        "*** Install Debian's package postgresql, or set VITRINE_TEST_POSTGRES to the address of one. ***\n",
    );
  return async () => {
    await own?.stop();
  };
}
