// The root of version 3 documents the interface as it is served, for programs and for people.

import { describe, expect, it } from "vitest";
import type { OpenApi } from "../../../../server/contract/openapi.ts";
import { oneService } from "../../../support/content/one-service.ts";
import { schemaViolationOf } from "../../../support/http/openapi-schema.ts";
import {
  expectComplete,
  expectSelfContained,
} from "../../../support/http/reference-page.ts";

describe("[V3-176] the root of version 3", () => {
  const newTeam = oneService();

  it("describes exactly the methods of each path", async () => {
    const { v3 } = await newTeam();
    const { status, headers, json } = await v3.call("GET", "/api/v3/");
    expect(status).toBe(200);
    expect(headers.get("content-type")).toContain("application/openapi+json");
    const api = json as OpenApi;
    expect(Object.keys(api.paths).length).toBeGreaterThan(40);
    for (const [path, methods] of Object.entries(api.paths)) {
      const answer = await v3.call("OPTIONS", `/api/v3${path}`);
      const allowed = (answer.headers.get("allow") ?? "").split(", ");
      const own = allowed.filter((one) => !["HEAD", "OPTIONS"].includes(one));
      const known = Object.keys(methods).map((name) => name.toUpperCase());
      expect([path, own.sort()]).toEqual([path, known.sort()]);
    }
  });

  it("describes what lists return", async () => {
    const { v3 } = await newTeam();
    await v3.make("/groups/", { name: "Hamburg" });
    await v3.make("/playlists/", { title: "Lunch" });
    const api = (await v3.get("/api/v3")) as OpenApi;
    for (const [path, { get }] of Object.entries(api.paths)) {
      if (!get || path.includes("{") || path === "/") continue;
      const { status, json } = await v3.call("GET", `/api/v3${path}`);
      const response = get.responses[200] as {
        readonly content: Readonly<
          Record<string, { readonly schema: Readonly<Record<string, unknown>> }>
        >;
      };
      const schema = response.content["application/json"]?.schema ?? {};
      expect([path, status, schemaViolationOf(api, schema, json)]).toEqual([
        ...[path, 200, null],
      ]);
    }
  });

  it("serves people a page that loads nothing from elsewhere", async () => {
    const { v3 } = await newTeam();
    const Accept = "text/html,application/xhtml+xml,*/*;q=0.8";
    const page = await v3.call("GET", "/v3", undefined, { Accept });
    expect(page.headers.get("content-type")).toContain("text/html");
    expect(expectSelfContained(page.text, page.headers)).toEqual([]);
    expectComplete(page.text, await v3.get("/v3/"));
    expect(page.text).toContain(
      "'Authorization: Token KEY'".replaceAll("'", "&#39;"),
    );
  });

  it("needs a key, and has no other method", async () => {
    const { v3, address } = await newTeam();
    const { status } = await fetch(`${address}/api/v3/`);
    expect(status).toBe(401);
    const post = await v3.call("POST", "/api/v3/", {});
    expect([post.status, post.headers.get("allow")]).toEqual([
      ...[405, "HEAD, OPTIONS, GET"],
    ]);
  });
});
