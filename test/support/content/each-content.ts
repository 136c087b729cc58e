// Runs a suite against the real content service, on SQLite and on PostgreSQL, each test with a service of its own.

import { describe, inject } from "vitest";
import type { ContentOptions } from "../../../server/content/content.ts";
import type { DatabaseKind } from "../../../server/platform/database/database.ts";
import { afterThisTest } from "../after-this-test.ts";
import { temporaryFolder } from "../folder.ts";
import { copyDatabase, makeDatabase } from "../database/postgres.ts";
import { startContent, type StartedContent } from "./start-content.ts";

export interface AnyContent {
  readonly kind: DatabaseKind;
  /** Storage for a service of its own; empty, and deleted with the test. */
  readonly ground: () => Promise<Ground>;
  /** A service with storage of its own. */
  readonly start: (
    options?: Partial<ContentOptions>,
  ) => Promise<StartedContent>;
}

export interface Ground {
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
}

export function eachContent(suite: (content: AnyContent) => void): void {
  const offer = (
    kind: DatabaseKind,
    databases: {
      readonly empty: () => Promise<string | undefined>;
      readonly migrated: () => Promise<string | undefined>;
    },
  ): AnyContent => ({
    kind,
    ground: async () => ({
      dataDir: await temporaryFolder(),
      databaseUrl: await databases.empty(),
    }),
    start: async (options) =>
      startContent(await temporaryFolder(), {
        databaseUrl: await databases.migrated(),
        ...options,
      }),
  });
  const none = async () => undefined;
  describe("on SQLite", () =>
    suite(offer("sqlite", { empty: none, migrated: none })));
  const server = inject("postgresUrl");
  // The warning is repeated prominently where the run begins: test/support/database/postgres-once.ts.
  describe.skipIf(server === "")("on PostgreSQL", () =>
    suite(
      offer("postgres", {
        empty: () => untilTheEnd(makeDatabase(server)),
        migrated: () =>
          untilTheEnd(copyDatabase(server, inject("postgresOriginal"))),
      }),
    ),
  );
}

/** Dropped when the test has ended. */
async function untilTheEnd(
  making: ReturnType<typeof makeDatabase>,
): Promise<string> {
  const created = await making;
  afterThisTest(created.drop);
  return created.url;
}
