// Version 3 on a real socket over any database, for one team, and nothing else of the service: enough for lists.

import express from "express";
import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { answerFailures } from "../../server/content/errors.ts";
import type { ContentTables } from "../../server/content/tables.ts";
import { createV3Router } from "../../server/content/v3/router.ts";
import type { Database } from "../../server/platform/database.ts";
import { createLog } from "../../server/platform/log.ts";
import { makeUlid } from "./each-database.ts";

/** Answers the address of the prefix. */
export async function serveV3Router(
  database: Database<ContentTables>,
  team: string,
): Promise<string> {
  const app = express();
  app.use((_request, response, next) => {
    response.locals["team"] = team;
    next();
  });
  app.use(
    createV3Router({
      ...{ database, now: Date.now, makeId: () => makeUlid(0) },
      // What lists never ask.
      ...({} as Pick<
        Parameters<typeof createV3Router>[0],
        "store" | "keeper" | "link" | "appTokens" | "log" | "geocode"
      >),
      ...{ takePicture: undefined, oauthTokens: undefined },
      ...{ mayConnect: () => true, onChanged: () => undefined },
    }),
  );
  app.use(answerFailures(createLog({ toStandardOutput: false })));
  const server = http.createServer(app).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v3`;
}
