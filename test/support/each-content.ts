// Runs a suite against the real content service, on SQLite and on PostgreSQL, each test with a service of its own.

import { describe, inject } from "vitest";
import type { ContentOptions } from "../../server/content/content.ts";
import type { DatabaseKind } from "../../server/platform/database.ts";
import { afterThisTest } from "./after-this-test.ts";
import { temporaryFolder } from "./folder.ts";
import { makeDatabase } from "./postgres.ts";
import { startContent, type StartedContent } from "./start-content.ts";

export interface AnyContent {
  readonly kind: DatabaseKind;
  /** Where a service of its own can keep things; empty, and gone with the test. */
  readonly ground: () => Promise<Ground>;
  /** A service on a ground of its own. */
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
    databaseUrl: () => Promise<string | undefined>,
  ): AnyContent => {
    const ground = async (): Promise<Ground> => ({
      dataDir: await temporaryFolder(),
      databaseUrl: await databaseUrl(),
    });
    return {
      ...{ kind, ground },
      start: async (options) => {
        const { dataDir, ...others } = await ground();
        return startContent(dataDir, { ...others, ...options });
      },
    };
  };
  describe("on SQLite", () => suite(offer("sqlite", async () => undefined)));
  const server = inject("postgresUrl");
  // Said loudly once more where the run begins: test/support/postgres-once.ts.
  describe.skipIf(server === "")("on PostgreSQL", () =>
    suite(
      offer("postgres", async () => {
        const made = await makeDatabase(server);
        afterThisTest(() => made.drop());
        return made.url;
      }),
    ),
  );
}
