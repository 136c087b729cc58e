// A web server over loopback that answers as a test specifies, or not at all, and records its requests.

import {
  createServer,
  type IncomingHttpHeaders,
  type RequestListener,
  type ServerResponse,
} from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { afterThisTest } from "../after-this-test.ts";
import { testCertificate, testKey } from "./certificate.ts";

export interface RecordedRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

/** HTML, a status, a redirect, a custom response, or silence. */
export type WebAnswer =
  | string
  | number
  | { readonly to: string }
  | ((response: ServerResponse, requests: RecordedRequest) => void)
  | null;

export interface WebServer {
  /** e.g. `http://127.0.0.1:40123` */
  readonly address: string;
  readonly port: number;
  readonly requests: readonly RecordedRequest[];
  /** By path, without the query. */
  readonly answers: Map<string, WebAnswer>;
}

/** As an answer: the connection stays open, and nothing is sent. */
export const silence = null;

/** An unknown path is a 404. It ends with the test. */
export async function serveWeb(
  answers: Readonly<Record<string, WebAnswer>>,
  { isSecure = false } = {},
): Promise<WebServer> {
  const known = new Map(Object.entries(answers));
  const requests: RecordedRequest[] = [];
  const answer: RequestListener = (request, response) => {
    const { method = "", url = "/", headers } = request;
    const recorded = { method, url, headers };
    requests.push(recorded);
    const given = known.get(url.split("?")[0] ?? "");
    if (given === silence) return;
    if (given === undefined) return void response.writeHead(404).end();
    if (typeof given === "function") given(response, recorded);
    else if (typeof given === "number") response.writeHead(given).end();
    else if (typeof given === "object")
      response.writeHead(302, { Location: given.to }).end();
    else
      response.setHeader("Content-Type", "text/html; charset=utf-8").end(given);
  };
  const server = isSecure
    ? createTlsServer({ cert: testCertificate, key: testKey }, answer)
    : createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, resolve));
  afterThisTest(
    () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  );
  const { port } = server.address() as AddressInfo;
  const scheme = isSecure ? "https" : "http";
  return {
    address: `${scheme}://127.0.0.1:${port}`,
    port,
    requests,
    answers: known,
  };
}
