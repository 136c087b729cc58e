// API v2 as a whole: methods, paths, media types, which requests are accepted, and control of the screen.

import { request as httpRequest, type RequestOptions } from "node:http";
import { describe, expect, it } from "vitest";
import { flushPromises } from "../../../support/clock.ts";
import { answerOf, startPlayer } from "../../../support/player/start-player.ts";

describe("the API", () => {
  it("[V2-2] is 404 in JSON for an unknown path", async () => {
    const { request } = await startPlayer();
    for (const path of ["/nothing", "/assets/a/b/c", "/../../etc/passwd"]) {
      const { status, body } = await answerOf(await request(path));
      expect(status).toBe(404);
      expect(body).toHaveProperty("detail");
    }
  });

  it("[V2-2] is 405 with Allow for a wrong method, and supports OPTIONS and HEAD", async () => {
    const { request } = await startPlayer();
    const wrong = await answerOf(
      await request("/assets", { method: "DELETE" }),
    );
    expect(wrong.status).toBe(405);
    expect(wrong.headers.get("allow")).toBe("GET, POST, HEAD, OPTIONS");
    expect((await request("/assets", { method: "OPTIONS" })).status).toBe(200);
    const head = await request("/assets", { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
  });

  it("[V2-1] treats a trailing slash as the same path", async () => {
    const { request } = await startPlayer();
    expect(await (await request("/assets/")).json()).toEqual([]);
  });

  it("[V2-5] is 415 for another media type, 400 for invalid JSON, 413 for a body that is too large", async () => {
    const { request } = await startPlayer();
    const post = async (type: string, body: string) =>
      answerOf(
        await request("/assets", {
          method: "POST",
          body,
          headers: { "Content-Type": type },
        }),
      );
    expect(await post("text/plain", "hello")).toMatchObject({ status: 415 });
    expect(await post("application/json", "{broken")).toMatchObject({
      status: 400,
      body: { detail: "The body is not valid JSON." },
    });
    expect(
      await post("application/json", `"${"x".repeat(2 ** 21)}"`),
    ).toMatchObject({ status: 413 });
    expect(await post("application/json; charset=klingon", "{}")).toMatchObject(
      { status: 415 },
    );
  });

  it("[V2-2] is 400 for a path with invalid percent-encoding", async () => {
    const { request } = await startPlayer();
    expect((await answerOf(await request("/assets/%E0%A4%A"))).status).toBe(
      400,
    );
  });

  it.each([
    { host: "evil.example" },
    { host: "evil.example:8080" },
    { origin: "https://evil.example" },
    { origin: "null" },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
  ])("[V2-4] rejects a request with %j", async (headers) => {
    const { player } = await startPlayer();
    const status = await statusOf(player.apiAddress, "/assets", { headers });
    expect(status).toBe(403);
  });

  it.each([
    {},
    { "user-agent": "Mozilla/5.0 (X11; Linux x86_64)" },
    { "user-agent": "Mozilla/5.0 (X11)", "sec-fetch-site": "none" },
    { "user-agent": "curl/8", "sec-fetch-site": "none" },
    { "user-agent": "Vitrine" },
  ])("[V2-450] does not skip for a plain link, with %j", async (headers) => {
    const { player, add, stage } = await startPlayer();
    await add({ name: "A" });
    await add({ name: "B" });
    await flushPromises();
    const before = stage.shown.length;
    expect(await statusOf(player.apiAddress, next, { headers })).toBe(403);
    await flushPromises();
    expect(stage.shown).toHaveLength(before);
  });

  it("[V2-450] skips for a program with a name, and not for a HEAD", async () => {
    const { player, add, stage } = await startPlayer();
    await add({ name: "A" });
    await add({ name: "B" });
    await flushPromises();
    const before = stage.shown.length;
    const curl = { "user-agent": "curl/8.5.0" };
    const requests = { method: "HEAD", headers: curl };
    expect(await statusOf(player.apiAddress, next, requests)).toBe(200);
    await flushPromises();
    expect(stage.shown).toHaveLength(before);
    const ordered = { headers: curl };
    expect(await statusOf(player.apiAddress, next, ordered)).toBe(200);
    await flushPromises();
    expect(stage.shown).toHaveLength(before + 1);
  });

  it("[V2-22] returns a screenshot", async () => {
    const { request } = await startPlayer();
    const answer = await request("/screenshot");
    expect(answer.headers.get("content-type")).toBe("image/png");
    expect(
      Buffer.from(await answer.arrayBuffer())
        .subarray(1, 4)
        .toString(),
    ).toBe("PNG");
  });
});

describe("control", () => {
  it("[V2-20] skips and jumps, and the screen follows", async () => {
    const { add, request, stage } = await startPlayer();
    await add({ name: "A" });
    await add({ name: "B" });
    const { asset_id: id } = await add({ name: "C" });
    await flushPromises();
    for (const [command, name] of [
      ["next", "B"],
      ["previous", "A"],
      [`asset&${id}`, "C"],
      ["next", "B"],
      [`asset%26${id}`, "C"],
    ]) {
      const answer = await request(`/assets/control/${command}`);
      expect([answer.status, await answer.json()]).toEqual([
        200,
        "Asset switched",
      ]);
      await flushPromises();
      expect(stage.visible()?.name).toBe(name);
    }
  });

  it("[V2-21] is 404 with the reason for what is unknown or not due", async () => {
    const { add, request } = await startPlayer();
    const detail = async (command: string) => {
      const { status, body } = await answerOf(
        await request(`/assets/control/${command}`),
      );
      return [status, body.detail];
    };
    expect(await detail("next")).toEqual([
      404,
      "Nothing is scheduled right now.",
    ]);
    const { asset_id: id } = await add({ is_enabled: false });
    expect(await detail("banana")).toEqual([
      404,
      expect.stringContaining("not known"),
    ]);
    expect(await detail("asset&nobody")).toEqual([
      404,
      expect.stringContaining("nobody"),
    ]);
    expect(await detail(`asset&${id}`)).toEqual([
      404,
      expect.stringContaining("it is disabled"),
    ]);
  });
});

const next = "/assets/control/next";

/** With these headers and no others. */
function statusOf(
  api: string,
  path: string,
  options: Pick<RequestOptions, "method" | "headers">,
): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    httpRequest(`${api}/api/v2${path}`, options, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on("error", reject)
      .end();
  });
}
