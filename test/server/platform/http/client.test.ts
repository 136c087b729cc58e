// HTTP client: where a connection may lead, and which headers are sent along the way.

import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import {
  requestHttp,
  reasonOfConnection,
  type HttpRequestOptions,
} from "../../../../server/platform/http/client.ts";
import {
  anotherProtocol,
  serveSources,
} from "../../../support/http/sources.ts";

const usual: HttpRequestOptions = { verifyTls: true, silenceMs: 30_000 };

async function outcome(address: string, options: Partial<HttpRequestOptions>) {
  return requestHttp(new URL(address), { ...usual, ...options }).then(
    ({ status, body }) => {
      body.destroy();
      return status;
    },
    (error: unknown) => reasonOfConnection(error),
  );
}

describe("the HTTP client", () => {
  const refusalReason = "it resolves to an address on a private network";

  it("connects only to allowed addresses, by address, by name and after a redirect", async () => {
    const inside = await serveSources({ "/secret": "secret" });
    const { port } = new URL(inside.address);
    const outside = await serveSources({
      "/there": (_request, response) => {
        response.writeHead(302, {
          Location: `http://127.0.0.2:${port}/secret`,
        });
        response.end();
      },
    });
    const mayConnect = (address: string) => address === "127.0.0.1";
    const only = { mayConnect };
    expect(await outcome(`${inside.address}/secret`, only)).toBe(200);
    const none = { mayConnect: () => false };
    expect(await outcome(`${inside.address}/secret`, none)).toBe(refusalReason);
    expect(await outcome(`http://localhost:${port}/secret`, none)).toBe(
      refusalReason,
    );
    expect(await outcome(`http://[::1]:${port}/secret`, only)).toBe(
      refusalReason,
    );
    expect(await outcome(`${outside.address}/there`, only)).toBe(refusalReason);
    expect(inside.requests("/secret")).toHaveLength(1);
  });

  it("sends nothing over a pooled connection to an address that is not allowed", async () => {
    const inside = await serveSources({ "/open": "open", "/secret": "secret" });
    const { port } = new URL(inside.address);
    const named = `http://localhost:${port}`;
    const { body } = await requestHttp(new URL(`${named}/open`), usual);
    for await (const _ of body) void _;
    const none = { mayConnect: () => false };
    expect(await outcome(`${named}/secret`, none)).toBe(refusalReason);
    expect(inside.requests("/secret")).toHaveLength(0);
  });

  it("[V2-670] fails when the connection closes without a response, or switches protocols unasked", async () => {
    const server = await serveSources({
      "/none": ({ socket }) => socket.destroy(),
      "/other": anotherProtocol,
    });
    for (const at of ["/none", "/other"])
      expect(await outcome(server.address + at, {})).toBe(
        "the connection was lost",
      );
  });

  it("sends headers for one origin to no other", async () => {
    const other = await serveSources({ "/end": "end" });
    const first = await serveSources({
      "/start": (_request, response) =>
        response.writeHead(302, { Location: "/near" }).end(),
      "/near": (_request, response) =>
        response.writeHead(302, { Location: `${other.address}/end` }).end(),
    });
    const originHeaders = { Cookie: "secret" };
    await outcome(`${first.address}/start`, { originHeaders });
    const cookies = (requests: readonly IncomingMessage[]) =>
      requests.map(({ headers }) => headers.cookie);
    expect(cookies(first.requests("/start"))).toEqual(["secret"]);
    expect(cookies(first.requests("/near"))).toEqual(["secret"]);
    expect(cookies(other.requests("/end"))).toEqual([undefined]);
  });
});
