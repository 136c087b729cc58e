// A player of the site that a test controls: announces itself like a real one, knows the key, and responds as the test says.

import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import https from "node:https";
import type { AddressInfo } from "node:net";
import {
  siteType,
  siteValues,
} from "../../../server/contract/discovery/site.ts";
import {
  presharedKeyServer,
  type PresharedKey,
} from "../../../server/platform/http/preshared-key.ts";
import { createLog } from "../../../server/platform/log.ts";
import { announceService } from "../../../server/platform/mdns/announce-service.ts";
import { afterThisTest } from "../after-this-test.ts";
import type { SiteNetwork } from "./site-players.ts";

export interface FakeSitePlayer {
  /** As it announces itself. */
  readonly id: string;
  /** Requests for the bytes of files. */
  readonly fileRequests: readonly IncomingMessage[];
  /** What it reports of every file that it is asked for; null: it does not have it. */
  report: { readonly stage: string; readonly bytes: number } | null;
  /** Responds to a request for the bytes of a file. */
  file: (request: IncomingMessage, response: ServerResponse) => void;
  /** Cuts all connections and does not listen any more. */
  die(): void;
}

export async function startFakeSitePlayer(
  network: SiteNetwork,
  key: PresharedKey,
): Promise<FakeSitePlayer> {
  const { from, network: multicast } = network.next();
  const player = randomBytes(8).toString("hex");
  const fileRequests: IncomingMessage[] = [];
  const server = https.createServer(
    presharedKeyServer((id) => (id === key.id ? key.secret : null)),
    (request, response) => {
      if (request.method === "GET") {
        fileRequests.push(request);
        fake.file(request, response);
        return;
      }
      void respondState(request, response);
    },
  );
  async function respondState(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    let text = "";
    for await (const chunk of request) text += String(chunk);
    const { files } = JSON.parse(text) as { files: string[] };
    const { report } = fake;
    response.end(
      JSON.stringify({
        player,
        files: report
          ? Object.fromEntries(files.map((md5) => [md5, report]))
          : {},
      }),
    );
  }
  const fake: FakeSitePlayer = {
    ...{ id: player, fileRequests, report: null },
    file: (_request, response) => response.writeHead(404).end(),
    die: () => {
      server.close();
      server.closeAllConnections();
    },
  };
  await new Promise<void>((resolve) => server.listen(0, from, resolve));
  const { port } = server.address() as AddressInfo;
  const announcer = announceService({
    ...{ isNear: () => true, ...multicast },
    log: createLog({ toStandardOutput: false }),
    service: () => ({
      ...{ type: siteType, port },
      values: siteValues({ player, keyIds: [key.id] }),
    }),
  });
  afterThisTest(async () => {
    await announcer.stop();
    fake.die();
  });
  return fake;
}
