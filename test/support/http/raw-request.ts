// A request with any header, including those that a browser or fetch would set by itself; and bare connections.

import { request } from "node:http";
import { request as requestTls } from "node:https";
import { connect, type Socket } from "node:net";
import { afterThisTest } from "../after-this-test.ts";

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  // Any response is for the test to judge.
  readonly body: any;
}

export function rawRequest(
  address: string,
  options: {
    readonly method?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
    /** Of this machine; the request comes from it. */
    readonly localAddress?: string;
  } = {},
): Promise<RawAnswer> {
  const { method = "GET", headers = {}, body, localAddress } = options;
  return new Promise((resolve, reject) => {
    const isTls = address.startsWith("https:");
    const sent = (isTls ? requestTls : request)(
      address,
      // A test that cares looks at the certificate itself.
      { method, headers, localAddress, rejectUnauthorized: false },
      (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (chunk: string) => (text += chunk));
        response.on("end", () => {
          const isJson = response.headers["content-type"]?.includes("json");
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: isJson ? (JSON.parse(text) as unknown) : text,
          });
        });
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}

/** An open connection on which this text was sent; closed with the test. */
export async function openConnection(
  address: string,
  text: string,
): Promise<Socket> {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname.replace(/^\[|\]$/g, ""));
  afterThisTest(async () => socket.destroy());
  socket.on("error", () => undefined);
  await new Promise((resolve) => socket.once("connect", resolve));
  if (text !== "") socket.write(text);
  return socket;
}

/** Everything received until the other side closes. */
export async function readToEnd(socket: Socket): Promise<string> {
  let text = "";
  socket.setEncoding("utf8");
  socket.on("data", (chunk: string) => (text += chunk));
  await new Promise((resolve) => socket.once("close", resolve));
  return text;
}
