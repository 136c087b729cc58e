// Common behaviour of version 3: paths, keys, methods, bodies, errors, on both databases.

import { expect, it } from "vitest";
import { meV3 } from "../../../../server/contract/v3/v3.ts";
import { eachV3, type ClientV3 } from "../../../support/content/each-v3.ts";
import { claimedPlayer } from "../../../support/content/linked-player.ts";

const ulid = "01ARZ3NDEKTSV4RRFFQ69G5FAV";

/** Every path with its methods. */
const paths: readonly (readonly [path: string, methods: string])[] = [
  ["/alerts/incidents/", "GET"],
  [`/alerts/incidents/${ulid}/`, "GET"],
  [`/alerts/incidents/${ulid}/acknowledge/`, "POST"],
  ["/alerts/rules/", "GET POST"],
  [`/alerts/rules/${ulid}/`, "GET PUT PATCH DELETE"],
  [`/alerts/rules/${ulid}/test/`, "POST"],
  ["/assets/", "GET POST"],
  ["/assets/upload/", "POST"],
  [`/assets/${ulid}/`, "GET PUT PATCH DELETE"],
  [`/assets/${ulid}/capture/`, "GET"],
  ["/edge-apps/oauth/tokens/x/", "GET"],
  [`/edge-apps/${ulid}/deploy/`, "POST"],
  [`/edge-apps/${ulid}/deploy/preview/`, "POST"],
  ["/groups/", "GET POST"],
  [`/groups/${ulid}/`, "GET PUT PATCH DELETE"],
  ["/me", "GET"],
  ["/playbacks", "GET"],
  ["/playlists/", "GET POST"],
  [`/playlists/${ulid}/`, "GET PUT PATCH DELETE"],
  ["/predicate-validation", "POST"],
  ["/predicate/evaluate", "POST"],
  ["/screens/", "GET POST"],
  ["/screens/adopted/", "POST"],
  [`/screens/adopted/${ulid}/`, "PATCH"],
  ["/screens/geocode", "GET"],
  ["/screens/commands/", "GET POST"],
  ["/screens/outages/", "GET"],
  ["/screens/outages/totals/", "GET"],
  ["/playbacks/report", "GET"],
  ["/screens/states/", "GET"],
  [`/screens/${ulid}/`, "GET PUT PATCH DELETE"],
  [`/screens/${ulid}/commands/`, "POST"],
];

/** All equivalent spellings of a path. */
const spellings = (path: string): readonly string[] =>
  ["/v3", "/api/v3"].flatMap((prefix) => {
    const bare = prefix + path.replace(/\/$/, "");
    return [bare, `${bare}/`];
  });

eachV3((service) => {
  it("[V3-1] [V3-3] serves every path with and without /api and slash, and lists its methods", async () => {
    const client = await service.client();
    for (const [path, methods] of paths)
      for (const spelling of spellings(path)) {
        const options = await client.call("OPTIONS", spelling);
        const expectedMethods = methods.split(" ");
        expect([spelling, options.status, allowOf(options)]).toEqual([
          ...[spelling, 200],
          [
            ...(expectedMethods.includes("GET") ? ["HEAD"] : []),
            ...["OPTIONS", ...expectedMethods],
          ].sort(),
        ]);
      }
  });

  it("[V3-3] [V3-4] rejects other methods with 405, unknown paths with 404, in JSON", async () => {
    const client = await service.client();
    for (const [path, methods] of paths)
      for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"])
        if (!methods.split(" ").includes(method)) {
          const answer = await client.call(method, path);
          expect([path, method, answer.status, detailOf(answer)]).toEqual([
            ...[path, method, 405, true],
          ]);
        }
    for (const path of [
      ...["/nothing", "/assets/a/b/c", "/edge-apps/", "//"],
      ...[`/assets/${ulid}`, `/groups/${ulid}/`, `/playlists/${ulid}/`],
      ...[`/screens/${ulid}/`, `/assets/${ulid}/capture/`, "/Assets/"],
      ...["/assets/%F0%9F%92%A9/", "/groups/__proto__/"],
    ]) {
      const answer = await client.call("GET", path);
      expect([path, answer.status, detailOf(answer)]).toEqual([
        ...[path, 404, true],
      ]);
    }
  });

  it("[V3-2] decides 401 before path, method and body", async () => {
    const { address } = await service.client();
    const all = [...paths, ["/nothing", ""] as const];
    // At most 50 wrong keys are accepted from one address.
    for (const [at, [path]] of all.entries())
      for (const authorization of [
        undefined,
        at % 2 === 0 ? "Token wrong" : "wrong",
      ]) {
        const answer = await fetch(`${address}/api/v3${path}`, {
          ...{ method: "PUT", body: "{broken" },
          headers: authorization ? { Authorization: authorization } : {},
        });
        expect([path, answer.status, await answer.json()]).toEqual([
          ...[path, 401, { detail: expect.any(String) as string }],
        ]);
        expect(answer.headers.get("WWW-Authenticate")).toMatch(/^Token/);
      }
  });

  it("[V3-2] [V3-5] accepts the key in every form clients send it, and returns its owner", async () => {
    const client = await service.client("Shop");
    for (const form of ["Token KEY", "token KEY", "Bearer KEY", "KEY"]) {
      const answer = await client.call("GET", "/me", undefined, {
        Authorization: form.replace("KEY", client.key),
      });
      expect([form, answer.status]).toEqual([form, 200]);
      expect(meV3.parse(answer.json)).toMatchObject({
        workspace: { name: "Shop", url: client.address },
        user: { first_name: "Shop" },
      });
    }
  });

  it("[V3-6] [V3-7] accepts JSON and forms, rejects other media types and malformed bodies", async () => {
    const client = await service.client();
    const send = (body: string, type?: string) =>
      client.call("POST", "/playlists/", body, {
        ...(type !== undefined && { "Content-Type": type }),
      });
    const form = await send(
      "title=A+b&is_enabled=False&priority=3&assets=[]&groups=%5B%7B%22id%22%3A%22all_screens%22%7D%5D",
      "application/x-www-form-urlencoded; charset=utf-8",
    );
    expect([form.status, form.json]).toMatchObject([
      ...[201, { title: "A b", is_enabled: false, priority: 3 }],
    ]);
    expect(form.json.groups).toMatchObject([{ id: "all-screens" }]);
    const odd = [
      [415, '{"title":"a"}', "text/plain"],
      [415, "--x--", "multipart/form-data; boundary=x"],
      [400, "{", "application/json"],
      [400, "[]", "application/json"],
      [400, '"text"', "application/json"],
      [400, '{"title":"\\ud800"}', "application/json"],
      [
        400,
        `{"title":${"[".repeat(200)}${"]".repeat(200)}}`,
        "application/json",
      ],
      [400, "title=%00", "application/x-www-form-urlencoded"],
      [201, '{"title":"a"}', "application/vnd.api+json"],
    ] as const;
    for (const [status, body, type] of odd) {
      const answer = await send(body, type);
      expect([body.slice(0, 20), answer.status]).toEqual([
        ...[body.slice(0, 20), status],
      ]);
      expect(answer.json).toBeTypeOf("object");
    }
    const empty = await client.call("POST", "/playlists/");
    expect([empty.status, empty.json]).toEqual([
      ...[400, { title: ["title is required"] }],
    ]);
    const large = await send(`{"title":"${"a".repeat(17 * 1024 * 1024)}"}`);
    expect([large.status, detailOf(large)]).toEqual([413, true]);
  });

  it("[V3-6] [V3-18] rejects what no body may contain within a JSON text too, and beside a file", async () => {
    const client = await service.client();
    const [asset] = await client.add("/v4.1/assets", { title: "A" });
    const { screenId } = await claimedPlayer(client);
    const texts = ['{"a":"\\u0000"}', '{"a":"\\ud800"}', '{"\\u0000":"a"}'];
    const deep = `{"a":${"[".repeat(100)}${"]".repeat(100)}}`;
    for (const [path, field, text] of [
      ...texts.map((text) => [`/assets/${asset?.id}/`, "metadata", text]),
      ...[...texts, deep].map((text) => [
        ...[`/screens/${screenId}/`, "config", text],
      ]),
    ] as [string, string, string][])
      for (const [type, body] of [
        ["application/json", JSON.stringify({ [field]: text })],
        [
          "application/x-www-form-urlencoded",
          new URLSearchParams({ [field]: text }).toString(),
        ],
      ] as const) {
        const answer = await client.call("PATCH", path, body, {
          "Content-Type": type,
        });
        const reported = [type, text, answer.status, Object.keys(answer.json)];
        expect(reported).toEqual([type, text, 400, [field]]);
      }
    const form = new FormData();
    form.set("title", "a\0");
    form.set("file", new Blob(["<p>"]), "a.html");
    const upload = await client.call("POST", "/assets/upload/", form);
    expect([upload.status, Object.keys(upload.json)]).toEqual([400, ["title"]]);
    expect(await client.rows("/v4.1/assets?select=title,metadata")).toEqual([
      { title: "A", metadata: {} },
    ]);
  });

  it("[V3-4] names every invalid field", async () => {
    const client = await service.client();
    const wrong = { title: 5, is_enabled: "maybe", priority: 1.5, groups: {} };
    const answer = await client.call("POST", "/playlists/", wrong);
    expect([answer.status, Object.keys(answer.json as object).sort()]).toEqual([
      ...[400, Object.keys(wrong).sort()],
    ]);
  });

  it("[V3-8] accepts back as it was read whatever version 4 made of an object", async () => {
    const client = await service.client();
    const { screenId } = await claimedPlayer(client);
    const v4 = async (path: string, body: object): Promise<void> => {
      const { status } = await client.call("PATCH", `/v4.1/${path}`, body);
      expect(status).toBe(204);
    };
    const [asset] = await client.add("/v4.1/assets", {
      headers: { "no name": "a", Cookie: "a\r\nb" },
    });
    const group = await client.make("/groups/", { name: "G" });
    const playlist = await client.make("/playlists/", {
      ...{ title: "P", assets: [{ id: asset?.id }] },
    });
    await v4(`labels?id=eq.${group.id}`, { name: "" });
    await v4(`playlists?id=eq.${playlist.id}`, { title: "" });
    await v4(`playlist-items?playlist_id=eq.${playlist.id}`, {
      duration: 40_000_000,
    });
    await v4(`screens?id=eq.${screenId}`, {
      ...{ name: "", timezone: "Mars", coords: [500, 500] },
    });
    for (const [path, change] of [
      [`/assets/${asset?.id}/`, { title: "A" }],
      [`/groups/${group.id}/`, { screens: [{ id: screenId }] }],
      [`/playlists/${playlist.id}/`, { priority: 3 }],
      [`/screens/${screenId}/`, { location: "Here" }],
    ] as const) {
      const shown = await client.get(path);
      const same = await client.call("PUT", path, shown);
      expect([path, same.status, same.json]).toEqual([path, 200, shown]);
      const other = await client.call("PUT", path, { ...shown, ...change });
      expect([path, other.status]).toEqual([path, 200]);
      expect(other.json).toMatchObject(change);
    }
    const empty = await client.call("PATCH", `/screens/${screenId}/`, {
      timezone: "Venus",
    });
    expect(empty.status).toBe(400);
  });

  it("[V3-8] keys such as __proto__ are plain data", async () => {
    const client = await service.client();
    const body =
      '{"title":"a","__proto__":{"is_enabled":false},"constructor":1}';
    const created = await client.make("/playlists/", JSON.parse(body));
    expect(created.is_enabled).toBe(true);
    const source =
      '{"source_url":"http://127.0.0.1:9/","disable_verification":true';
    const asset = await client.call(
      "POST",
      "/assets/",
      `${source},"metadata":{"__proto__":"x","constructor":"y"}}`,
      { "Content-Type": "application/json" },
    );
    expect(asset.status).toBe(201);
    const read = await client.call("GET", `/assets/${asset.json.id}/`);
    expect(read.text).toMatch(/"__proto__" ?: ?"x"/);
  });

  it("[V3-9] ignores unknown query parameters, and returns complete lists, however long", async () => {
    const client = await service.client();
    const { sub } = await addPlaylists(client, 1200);
    const list = await client.get("/playlists/?limit=1&page=2&");
    expect(list).toHaveLength(1200);
    expect((list as { id: string }[]).map(({ id }) => id)).toEqual(sub);
  });

  it("[V3-8] one team sees nothing of another, and cannot refer to it", async () => {
    const [one, other] = [await service.client(), await service.client()];
    const group = await one.make("/groups/", { name: "Ours" });
    const playlist = await one.make("/playlists/", { title: "Ours" });
    for (const path of [`/groups/${group.id}/`, `/playlists/${playlist.id}/`])
      for (const method of ["GET", "PUT", "PATCH", "DELETE"])
        expect(
          (await other.call(method, path, method === "GET" ? undefined : {}))
            .status,
        ).toBe(404);
    const pointing = await other.call("POST", "/playlists/", {
      ...{ title: "Theirs", groups: [{ id: group.id }] },
    });
    expect([pointing.status, Object.keys(pointing.json as object)]).toEqual([
      ...[400, ["groups"]],
    ]);
    expect(await other.get("/playlists/")).toEqual([]);
  });
});

function allowOf({ headers }: { headers: Headers }): readonly string[] {
  return (headers.get("Allow") ?? "").split(", ").sort();
}

function detailOf({ json }: { json: any }): boolean {
  return typeof json?.detail === "string";
}

/** Through version 4, which accepts many at once. */
async function addPlaylists(
  client: ClientV3,
  count: number,
): Promise<{ sub: readonly string[] }> {
  const rows = await client.add(
    "/v4.1/playlists",
    Array.from({ length: count }, (_, at) => ({
      ...{ title: `Playlist ${at}`, predicate: "TRUE" },
    })),
  );
  return { sub: rows.map(({ id }) => id).sort() };
}
