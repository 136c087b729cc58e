// Serves one interface of the service alone, on a real socket until the test ends.

import express, { type RequestHandler } from "express";
import { once } from "node:events";
import http, { type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { answerFailures } from "../../../server/content/errors.ts";
import { createLog } from "../../../server/platform/log.ts";

/** Returns its address. `teamOf` replaces the keys. */
export async function serveExpress(
  router: RequestHandler,
  teamOf: (request: IncomingMessage) => unknown,
): Promise<string> {
  const app = express();
  app.disable("x-powered-by").disable("etag");
  app.use((request, response, next) => {
    response.locals["team"] = teamOf(request);
    next();
  });
  app.use(router);
  app.use(answerFailures(createLog({ toStandardOutput: false })));
  const server = http.createServer(app).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
