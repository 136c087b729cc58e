// HTTP proxy: plain requests through it, TLS tunnels, and the error when it is unreachable or rejects.

import { createServer, request as sendRequest } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import {
  requestHttp,
  reasonOfConnection,
} from "../../../../server/platform/http/client.ts";
import { ProxyError } from "../../../../server/platform/http/proxy-tunnel.ts";
import { afterThisTest } from "../../../support/after-this-test.ts";
import { serveWeb } from "../../../support/http/web-server.ts";

async function serveProxy(mayPass: boolean) {
  const passed: string[] = [];
  const server = createServer((request, response) => {
    passed.push(request.url ?? "");
    const { method = "GET", headers } = request;
    request.pipe(
      sendRequest(new URL(request.url ?? ""), { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      }).on("error", () => response.destroy()),
    );
  });
  server.on("connect", (request, near) => {
    passed.push(`CONNECT ${request.url}`);
    if (!mayPass) {
      near.on("error", () => undefined);
      near.end("HTTP/1.1 403 Forbidden\r\n\r\n");
      return;
    }
    const [host = "", port = "0"] = (request.url ?? "").split(":");
    const far = connect(Number(port), host, () => {
      near.write("HTTP/1.1 200 Connection established\r\n\r\n");
      near.pipe(far).pipe(near);
    });
    near.on("error", () => far.destroy());
    far.on("error", () => near.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterThisTest(async () => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { proxy: `http://127.0.0.1:${port}`, passed };
}

const usual = { verifyTls: false, silenceMs: 30_000 };

async function textAt(address: string, proxy: string): Promise<string> {
  const { body } = await requestHttp(new URL(address), { ...usual, proxy });
  let text = "";
  for await (const chunk of body as AsyncIterable<Buffer>)
    text += chunk.toString();
  return text;
}

describe("a proxy", () => {
  it("is used for plain addresses, and tunnels TLS", async () => {
    const plain = await serveWeb({ "/": "plain" });
    const secure = await serveWeb({ "/": "secure" }, { isSecure: true });
    const { proxy, passed } = await serveProxy(true);
    expect(await textAt(plain.address, proxy)).toBe("plain");
    expect(await textAt(secure.address, proxy)).toBe("secure");
    expect(passed).toEqual([
      `${plain.address}/`,
      `CONNECT 127.0.0.1:${secure.port}`,
    ]);
    expect(plain.requests[0]?.headers.host).toBe(`127.0.0.1:${plain.port}`);
  });

  it("that rejects or is unreachable is given as the reason, not the server behind it", async () => {
    const secure = await serveWeb({ "/": "secure" }, { isSecure: true });
    const { proxy } = await serveProxy(false);
    const proxyError = await textAt(secure.address, proxy).catch(
      (error: unknown) => error,
    );
    expect(proxyError).toBeInstanceOf(ProxyError);
    expect(reasonOfConnection(proxyError)).toContain("403");
    for (const address of [secure.address, "http://127.0.0.1:1/"]) {
      const away = await textAt(address, "http://127.0.0.1:9").catch(
        (error: unknown) => error,
      );
      expect(away).toBeInstanceOf(ProxyError);
    }
  });
});
