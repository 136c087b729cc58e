// A receiver of alerts over loopback: records every request, checks its signature, and answers as the test specifies.

import { createHmac } from "node:crypto";
import {
  createServer,
  type IncomingHttpHeaders,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { vi } from "vitest";
import { afterThisTest } from "../after-this-test.ts";

export interface ReceivedAlert {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly json: any;
  isSignedWith(secret: string): boolean;
}

export interface AlertReceiver {
  /** e.g. `http://127.0.0.1:40123/` */
  readonly address: string;
  readonly requests: readonly ReceivedAlert[];
  /** The next request that this has not returned yet. */
  nextMessage(): Promise<ReceivedAlert>;
  /** Of all requests from now on; 204 until then. */
  answerWith(answer: (response: ServerResponse) => void): void;
}

/** Closed with the test. */
export async function startReceiver(): Promise<AlertReceiver> {
  const requests: ReceivedAlert[] = [];
  let answer = (response: ServerResponse): void => {
    response.writeHead(204).end();
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString();
      const { method = "", url = "", headers } = request;
      const signature = String(headers["x-vitrine-signature"]);
      requests.push({
        ...{ method, url, headers, body, json: JSON.parse(body) as unknown },
        isSignedWith: (secret) => {
          const time = /^t=(\d+),/.exec(signature)?.[1] ?? "";
          const mac = createHmac("sha256", secret).update(`${time}.${body}`);
          return signature === `t=${time},v1=${mac.digest("hex")}`;
        },
      });
      answer(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterThisTest(async () => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  let returned = 0;
  return {
    address: `http://127.0.0.1:${port}/`,
    requests,
    nextMessage: async () => {
      const next = await vi.waitUntil(() => requests[returned]);
      returned += 1;
      return next;
    },
    answerWith: (given) => {
      answer = given;
    },
  };
}
