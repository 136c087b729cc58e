// CORS: pages of other origins are rejected, unless the operator listed them.

import { describe, expect, it } from "vitest";
import { rawRequest } from "../../../../support/http/raw-request.ts";
import {
  startPlayer,
  type RunningPlayer,
} from "../../../../support/player/start-player.ts";

const managerOrigin = "https://desk.example.org";

async function withListed(origins: string): Promise<RunningPlayer> {
  const running = await startPlayer();
  const { status } = await running.send("PATCH", "/device_settings", {
    cors_origins: origins,
  });
  expect(status).toBe(200);
  return running;
}

const from = (
  { player }: RunningPlayer,
  origin: string,
  method = "GET",
  headers: Readonly<Record<string, string>> = {},
) =>
  rawRequest(`${player.apiAddress}/api/v2/assets`, {
    method,
    headers: { Origin: origin, "Sec-Fetch-Site": "cross-site", ...headers },
  });

const preflight = { "Access-Control-Request-Method": "PATCH" };

function corsHeaders(headers: object): readonly string[] {
  return Object.keys(headers).filter((name) => /^access-control/.test(name));
}

describe("pages of other origins", () => {
  it("[V2-66] are rejected and receive nothing by default", async () => {
    const running = await startPlayer();
    for (const method of ["GET", "OPTIONS"]) {
      const answer = await from(running, managerOrigin, method, preflight);
      expect(answer.status).toBe(403);
      expect(corsHeaders(answer.headers)).toEqual([]);
    }
  });

  it("[V2-66] are allowed when listed, preflight included, without credentials of the browser", async () => {
    const running = await withListed(
      `HTTPS://Desk.example.org, http://[::1]:1`,
    );
    const answer = await from(running, managerOrigin);
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      "access-control-allow-origin": managerOrigin,
      vary: "Origin",
    });
    const requests = await from(running, managerOrigin, "OPTIONS", preflight);
    expect(requests.status).toBe(204);
    expect(requests.headers["access-control-allow-methods"]).toContain("PATCH");
    expect(requests.headers["access-control-allow-headers"]).toContain(
      "Authorization",
    );
    for (const { headers } of [answer, requests])
      expect(headers).not.toHaveProperty("access-control-allow-credentials");
  });

  it("[V2-66] are still rejected when another is listed, and again when the list is emptied", async () => {
    const running = await withListed(managerOrigin);
    for (const other of [
      "https://evil.example",
      "null",
      `${managerOrigin}.evil.example`,
      "http://desk.example.org",
      `${managerOrigin}:8443`,
    ]) {
      const answer = await from(running, other);
      expect([answer.status, corsHeaders(answer.headers)]).toEqual([403, []]);
    }
    await running.send("PATCH", "/device_settings", { cors_origins: "" });
    expect((await from(running, managerOrigin)).status).toBe(403);
  });

  it.each([
    "chrome-extension://abcdefghijklmnopabcdefghijklmnop",
    "moz-extension://3e1e2d5c-6a6f-4c39-9c1e-0d2b5a0a7f11",
  ])(
    "[V2-584] include a browser's extension, %s, with a token",
    async (extension) => {
      const running = await startPlayer();
      expect((await from(running, extension)).status).toBe(403);
      await running.send("PATCH", "/device_settings", {
        cors_origins: extension,
      });
      const requests = await from(running, extension, "OPTIONS", preflight);
      expect(requests.status).toBe(204);
      const { token } = (
        await running.send("POST", "/tokens", { name: "extension" })
      ).body as unknown as { token: string };
      const stranger = await from(running, extension);
      const known = await from(running, extension, "GET", {
        Authorization: `Bearer ${token}`,
      });
      expect([stranger.status, known.status]).toEqual([401, 200]);
      for (const { headers } of [requests, stranger, known])
        expect(headers["access-control-allow-origin"]).toBe(extension);
    },
  );

  it.each([
    "*",
    "null",
    "desk.example.org",
    `${managerOrigin}/path`,
    "https://*.a.org",
  ])("[V2-66] cannot be listed as %s", async (origins) => {
    const { send } = await startPlayer();
    const { status, body } = await send("PATCH", "/device_settings", {
      cors_origins: origins,
    });
    expect([status, Object.keys(body as object)]).toEqual([
      400,
      ["cors_origins"],
    ]);
  });
});
