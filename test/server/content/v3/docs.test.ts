// The root of version 3 documents the interface as it is served, for programs and for people.

import { describe, expect, it } from "vitest";
import type { OpenApi } from "../../../../server/contract/openapi.ts";
import {
  invitedV3,
  signedInV3,
} from "../../../../server/contract/v3/v3-people.ts";
import type { ClientV3 } from "../../../support/content/each-v3.ts";
import { oneService } from "../../../support/content/one-service.ts";
import { schemaViolationOf } from "../../../support/http/openapi-schema.ts";
import {
  expectComplete,
  expectSelfContained,
} from "../../../support/http/reference-page.ts";

/** Headers of an administrator who has just accepted an invitation. */
async function signedIn(v3: ClientV3): Promise<Record<string, string>> {
  const invitation = { email: "ada@example.org", role: "admin" };
  const { link } = invitedV3.parse(await v3.make("/invitations/", invitation));
  const [, secret = ""] = link.split("#invitation=");
  const marked = { "X-Vitrine-Manager": "1" };
  const answer = await fetch(`${v3.address}/api/v3/invitations/accept/`, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...marked },
    body: JSON.stringify({ secret, password: "correct horse", name: "Ada" }),
  });
  expect(signedInV3.parse(await answer.json()).person?.role).toBe("admin");
  const [cookie = ""] = (answer.headers.get("set-cookie") ?? "").split(";");
  return { Cookie: cookie, ...marked };
}

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
    await v3.make("/invitations/", { email: "b@example.org", role: "viewer" });
    const headers = await signedIn(v3);
    const api = (await v3.get("/api/v3")) as OpenApi;
    for (const [path, { get }] of Object.entries(api.paths)) {
      if (!get || path.includes("{") || path === "/") continue;
      // It leads elsewhere, whatever happens.
      if (path === "/sign-in/openid/callback") continue;
      const answer = await fetch(`${v3.address}/api/v3${path}`, { headers });
      const json: unknown = await answer.json();
      const response = get.responses[200] as {
        readonly content: Readonly<
          Record<string, { readonly schema: Readonly<Record<string, unknown>> }>
        >;
      };
      const schema = response.content["application/json"]?.schema ?? {};
      expect([
        path,
        answer.status,
        schemaViolationOf(api, schema, json),
      ]).toEqual([...[path, 200, null]]);
    }
  });

  it("[V3-150] [V3-151] describes ETag and If-Match where they are", async () => {
    const { v3 } = await newTeam();
    const api = (await v3.get("/api/v3")) as OpenApi;
    const kinds = ["assets", "playlists", "groups", "screens"];
    for (const [path, methods] of Object.entries(api.paths))
      for (const [method, operation] of Object.entries(methods)) {
        const isOne = kinds.some((kind) => path === `/${kind}/{id}/`);
        const { responses, parameters = [] } = operation;
        const tagged = Object.entries(responses).flatMap(([status, answer]) =>
          "headers" in answer && "ETag" in (answer.headers as object)
            ? [status]
            : [],
        );
        const isConditional = parameters.some(
          ({ name }) => name === "If-Match",
        );
        const expected =
          !isOne || method === "post"
            ? []
            : {
                ...{ get: ["200"], delete: ["412"] },
                ...{ put: ["200", "412"], patch: ["200", "412"] },
              }[method];
        expect([path, method, tagged, isConditional]).toEqual([
          ...[path, method, expected, isOne && method !== "get"],
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
