// Edge apps of version 3: previewed, deployed, played, and issued tokens, on both databases.

import { writeFile } from "node:fs/promises";
import { describe, expect, it, vi } from "vitest";
import { appLink } from "../../../../server/contract/link/link.ts";
import {
  deployedV3,
  outstandingV3,
  previewV3,
} from "../../../../server/contract/v3/v3-edge-apps.ts";
import { briefEntriesOf } from "../../../support/content/activity.ts";
import {
  clientV3,
  eachV3,
  type ClientV3,
} from "../../../support/content/each-v3.ts";
import { temporaryFolder } from "../../../support/folder.ts";
import { claimedPlayer } from "../../../support/content/linked-player.ts";
import {
  contentKey,
  startContent,
} from "../../../support/content/start-content.ts";

const setting = (more: object = {}) => ({
  ...{ type: "string", default_value: "hi", title: "Greeting" },
  ...{ optional: true, help_text: "What is said", ...more },
});

async function newApp(client: ClientV3): Promise<string> {
  const [app] = await client.add("/v4/edge-apps?select=id,name", {
    name: "Clock",
  });
  return app?.id ?? "";
}

/** Staged and processed; returns its signature. */
async function staged(
  client: ClientV3,
  app_id: string,
  title: string,
  text: string,
): Promise<string> {
  await client.upload(Buffer.from(text), { title, app_id });
  const row = await vi.waitUntil(
    async () => {
      const [found] = await client.rows(
        `/v4/assets?select=signature,status&app_id=eq.${app_id}&title=eq.${title}&app_revision=is.null`,
      );
      return found?.["status"] === "finished" && found;
    },
    { interval: 20 },
  );
  return String(row["signature"]);
}

eachV3((service) => {
  const deployer = async () => {
    const client = await service.client();
    const app = await newApp(client);
    const post = (path: string, body: unknown) =>
      client.call("POST", `/v3/edge-apps/${app}/${path}`, body);
    return {
      ...{ client, app },
      preview: async (body: unknown) =>
        previewV3.parse((await post("deploy/preview", body)).json),
      deploy: (body: unknown) => post("deploy", body),
      deployment: (
        file_tree: object,
        manifest: object = {},
        more: object = {},
      ) => ({
        ...{ manifest: { syntax: "manifest_v1", ...manifest }, file_tree },
        ...{ delete_missing_settings: false, ...more },
      }),
    };
  };

  it("[V4-380] [V4-381] the activity log says which revision was deployed, and how many files were copied", async () => {
    const { client, app, deploy, deployment } = await deployer();
    const copy = (signature: string) =>
      client.call("POST", "/v4/edge-apps/copy-assets", {
        ...{ app_id: app, revision: null, signatures: [signature, "none"] },
      });
    const first = await staged(client, app, "index.html", "<p>1</p>");
    const body = deployment(
      { "index.html": first },
      { settings: { greeting: setting() } },
    );
    expect((await deploy(body)).status).toBe(200);
    // Neither has anything to do.
    expect((await deploy(body)).json).toMatchObject({ created: false });
    expect((await copy("none")).json).toEqual([]);
    expect((await copy(first)).json).toEqual([first]);
    const second = await staged(client, app, "a.js", "1");
    const more = { "index.html": first, "a.js": second };
    expect((await deploy(deployment(more))).json).toMatchObject({
      revision: 2,
    });
    const of = { kind: "edge-app", name: "Clock" };
    expect(await briefEntriesOf(client, "edge-app")).toEqual([
      { ...of, what: "added", changes: [] },
      {
        ...{ ...of, what: "deployed" },
        changes: [{ field: "revision", before: null, after: 1 }],
      },
      {
        ...{ ...of, what: "changed" },
        changes: [{ field: "files", before: null, after: 1 }],
      },
      {
        ...{ ...of, what: "deployed" },
        changes: [{ field: "revision", before: 1, after: 2 }],
      },
    ]);
  });

  it("[V3-55] [V3-56] a deployment is previewed, waits for its files, and becomes the next revision", async () => {
    const { client, app, preview, deploy, deployment } = await deployer();
    const body = deployment(
      { "index.html": "0a0b" },
      {
        ...{ user_version: "1", entrypoint: { type: "file" } },
        settings: {
          greeting: setting(),
          word: setting({ type: "secret", default_value: null }),
        },
      },
    );
    expect(await preview(body)).toEqual({
      deploy_needed: true,
      outstanding: { missing: ["index.html"], pending: [], failed: [] },
      diff: {
        settings: { create: ["greeting", "word"], update: [], delete: [] },
        revision: { update: [] },
        files: { create: ["index.html"], update: [], delete: [] },
      },
    });
    const early = await deploy(body);
    expect(early.status).toBe(409);
    expect(
      outstandingV3.parse((early.json as { outstanding: unknown }).outstanding),
    ).toMatchObject({ missing: ["index.html"] });
    expect(await client.rows("/v4/edge-apps/versions")).toEqual([]);

    const signature = await staged(client, app, "index.html", "<p>1</p>");
    const ready = { ...body, file_tree: { "index.html": signature } };
    const done = await deploy(ready);
    expect([done.status, deployedV3.parse(done.json)]).toEqual([
      200,
      { revision: 1, created: true, published: true, channel: "stable" },
    ]);
    expect(
      await client.rows("/v4/edge-apps/channels?select=channel,app_revision"),
    ).toEqual([{ channel: "stable", app_revision: 1 }]);
    const files = await client.rows(
      `/v4/assets?select=title,app_revision&app_id=eq.${app}`,
    );
    expect(files).toEqual([{ title: "index.html", app_revision: 1 }]);
    const settings = await client.rows(
      "/v4.1/edge-apps/settings?select=name,type,default_value,help_text&order=name",
    );
    expect(settings).toMatchObject([
      { name: "greeting", type: "string", default_value: "hi" },
      { name: "word", type: "secret", default_value: null },
    ]);

    expect((await preview(ready)).deploy_needed).toBe(false);
    expect((await deploy(ready)).json).toEqual({
      ...{ revision: 1, created: false, published: true, channel: "stable" },
    });
  });

  it("[V3-56] the next revision shares unchanged files, and the one before stays as it was", async () => {
    const { client, app, preview, deploy, deployment } = await deployer();
    const page = await staged(client, app, "index.html", "<p>page</p>");
    const one = await staged(client, app, "a.js", "1");
    await deploy(deployment({ "index.html": page, "a.js": one }));
    const filesOf = (revision: number) =>
      client.rows(
        `/v4/assets?select=id,title,signature,status,asset_url&app_revision=eq.${revision}&order=title`,
      );
    const before = await filesOf(1);
    const two = await staged(client, app, "a.js", "2");
    const next = deployment(
      { "index.html": page, "a.js": two, "copy/of.html": page },
      { user_version: "2", ready_signal: true },
    );
    expect((await preview(next)).diff).toMatchObject({
      revision: { update: ["user_version", "ready_signal"] },
      files: { create: ["copy/of.html"], update: ["a.js"], delete: [] },
    });
    expect((await deploy(next)).json).toMatchObject({ revision: 2 });
    expect((await filesOf(1)).map(({ id }) => id)).toEqual(
      before.map(({ id }) => id),
    );
    const after = await filesOf(2);
    expect(after.map((row) => [row["title"], row["signature"]])).toEqual([
      ...[
        ["a.js", two],
        ["copy/of.html", page],
        ["index.html", page],
      ],
    ]);
    for (const row of after) {
      const file = await fetch(row["asset_url"] as string);
      expect([row["status"], file.status]).toEqual(["finished", 200]);
    }
    const gone = deployment({ "index.html": page });
    expect((await preview(gone)).diff.files.delete).toEqual([
      ...["a.js", "copy/of.html"],
    ]);
    // Returning to an earlier state is a new revision of the same files.
    const back = await deploy(deployment({ "index.html": page, "a.js": one }));
    expect(back.json).toMatchObject({ revision: 3, created: true });
  });

  it("[V3-56] settings are changed, and missing ones deleted only on request", async () => {
    const { client, preview, deploy, deployment } = await deployer();
    const of = (settings: object, more: object = {}, rest: object = {}) =>
      deployment({}, { settings, ...rest }, more);
    await deploy(of({ a: setting(), b: setting() }));
    const changed = {
      a: setting({ default_value: "ho", help_text: { schema_version: 1 } }),
    };
    expect((await preview(of(changed))).diff.settings).toEqual({
      ...{ create: [], update: ["a"], delete: ["b"] },
    });
    await deploy(of(changed));
    const names = async () =>
      (
        await client.rows("/v4.1/edge-apps/settings?select=name&order=name")
      ).map((row) => row["name"]);
    expect(await names()).toEqual(["a", "b"]);
    await deploy(of(changed, { delete_missing_settings: true }));
    expect(await names()).toEqual(["a"]);
    await deploy(
      of(
        changed,
        {},
        {
          entrypoint: { type: "remote-global", uri: "https://example.org/" },
          auth: { type: "basic", global: true },
        },
      ),
    );
    expect(await names()).toEqual([
      "a",
      ...["screenly_entrypoint", "screenly_http_basic_auth_password"],
      "screenly_http_basic_auth_username",
    ]);
    const [value] = await client.rows(
      "/v4.1/edge-apps/settings/values?select=name,value",
    );
    expect(value).toEqual({
      ...{ name: "screenly_entrypoint", value: "https://example.org/" },
    });
  });

  it("[V3-56] [L-14] an app that no longer has a remote entry point, nor signs in, plays its files", async () => {
    const { client, app, preview, deploy, deployment } = await deployer();
    const remote = {
      entrypoint: { type: "remote-global", uri: "https://example.org/" },
      auth: { type: "basic", global: true },
    };
    await deploy(deployment({}, remote));
    const player = await claimedPlayer(client);
    const [installation] = await client.add("/v4/edge-apps/installations", {
      ...{ app_id: app, name: "Clock" },
    });
    const played = async () => {
      const path = `/link/v1/apps/${installation?.id ?? ""}`;
      const answer = await player.request("GET", path);
      const { entrypoint, settings } = appLink.parse(await answer.json());
      return { entrypoint, settings };
    };
    expect(await played()).toEqual({
      entrypoint: "https://example.org/",
      settings: { screenly_entrypoint: "https://example.org/" },
    });
    const { diff, deploy_needed } = await preview(deployment({}));
    expect(diff.settings.delete).toEqual([
      ...["screenly_entrypoint", "screenly_http_basic_auth_password"],
      "screenly_http_basic_auth_username",
    ]);
    expect(deploy_needed).toBe(true);
    expect((await deploy(deployment({}))).json).toMatchObject({ revision: 2 });
    expect(await played()).toEqual({ entrypoint: null, settings: {} });
    expect(await client.rows("/v4/edge-apps/settings")).toEqual([]);
    // A changed sign-in alone is a change, too.
    await deploy(deployment({}, { auth: { type: "bearer", global: false } }));
    expect((await preview(deployment({}))).deploy_needed).toBe(true);
    expect((await deploy(deployment({}))).json).toMatchObject({
      created: true,
    });
    expect((await preview(deployment({}))).deploy_needed).toBe(false);
  });

  it("[V3-55] returns 200 without the slash, 201 with it; an unknown app is 404 before its body", async () => {
    const { client, app, deployment } = await deployer();
    const status = async (path: string, body: unknown) =>
      (await client.call("POST", path, body)).status;
    const base = `/edge-apps/${app}/deploy`;
    expect([
      await status(`${base}/preview`, deployment({})),
      await status(`${base}/preview/`, deployment({})),
      await status(base, deployment({})),
      await status(`${base}/`, deployment({})),
      await status("/edge-apps/nobody/deploy", "{"),
    ]).toEqual([200, 201, 200, 201, 404]);
    const [other, mine] = [await service.client(), base];
    expect((await other.call("POST", mine, deployment({}))).status).toBe(404);
  });

  it.each([
    [{ file_tree: {} }, "manifest"],
    [{ manifest: {} }, "file_tree"],
    [{ manifest: {}, file_tree: { "../a": "00" } }, "file_tree"],
    [{ manifest: {}, file_tree: { "/a": "00" } }, "file_tree"],
    [{ manifest: {}, file_tree: { "a//b": "00" } }, "file_tree"],
    [{ manifest: {}, file_tree: { "screenly.js": "00" } }, "file_tree"],
    [{ manifest: {}, file_tree: { a: "xyz" } }, "file_tree"],
    [{ manifest: { syntax: "v9" }, file_tree: {} }, "manifest.syntax"],
    [{ manifest: { id: "other" }, file_tree: {} }, "manifest.id"],
    [
      { manifest: { settings: { screenly_a: setting() } }, file_tree: {} },
      "manifest.settings.screenly_a",
    ],
    [
      {
        manifest: { settings: { a: setting({ type: "secret" }) } },
        file_tree: {},
      },
      "manifest.settings.a.default_value",
    ],
    [
      { manifest: { entrypoint: { type: "remote-global" } }, file_tree: {} },
      "manifest.entrypoint.uri",
    ],
  ])("[V3-4] [V3-56] rejects %.70j", async (body, field) => {
    const { deploy, client } = await deployer();
    const answer = await deploy(body);
    expect([answer.status, Object.keys(answer.json as object)]).toEqual([
      ...[400, [field]],
    ]);
    expect(await client.rows("/v4/edge-apps/versions")).toEqual([]);
  });

  it("[L-14] [V3-57] [V3-60] [V3-70] secrets, and a credential for tokens, are sent to its player alone", async () => {
    const { client, app, deploy, deployment } = await deployer();
    const page = await staged(client, app, "index.html", "<p>page</p>");
    await deploy(
      deployment(
        { "index.html": page },
        {
          settings: {
            ...{ greeting: setting(), place: setting() },
            word: setting({ type: "secret", default_value: null }),
          },
        },
      ),
    );
    const [installation] = await client.add(
      "/v4.1/edge-apps/installations?select=id",
      { app_id: app, name: "Lobby" },
    );
    const installation_id = installation?.id ?? "";
    const post = (path: string, body: object) =>
      client.request(`/v4.1/edge-apps/${path}`, {
        ...{ method: "POST", body: JSON.stringify(body) },
        headers: { "Content-Type": "application/json" },
      });
    await post("settings/values", { app_id: app, name: "place", value: "all" });
    const ownPlace = { installation_id, name: "place", value: "here" };
    await post("settings/values", ownPlace);
    const secret = { installation_id, name: "word", value: "sesame-open" };
    expect((await post("secrets/values", secret)).status).toBe(201);

    const player = await claimedPlayer(client);
    const path = `/link/v1/apps/${installation_id}`;
    const reported = appLink.parse(
      await (await player.request("GET", path)).json(),
    );
    expect(reported).toMatchObject({
      ...{ app_id: app, revision: 1, name: "Lobby", entrypoint: null },
      settings: { greeting: "hi", place: "here", word: "sesame-open" },
      files: { "index.html": expect.any(String) as string },
    });
    for (const spied of [
      ...["/v4.1/edge-apps/secrets/values", "/v4.1/edge-apps/settings"],
      "/v4.1/edge-apps/settings?select=*,edge_app_setting_values(*)",
      ...["/v4.1/edge-apps/installations", "/api/v3/assets/"],
    ])
      expect(await (await client.request(spied)).text()).not.toContain(
        "sesame",
      );
    const stranger = await claimedPlayer(await service.client());
    expect((await stranger.request("GET", path)).status).toBe(404);

    const asApp = (at: string, token = reported.app_auth_token) =>
      fetch(`${client.address}/api/v3${at}`, {
        headers: { Authorization: `Bearer ${token}` },
      });
    const tokens = await asApp("/edge-apps/oauth/tokens/access_token/");
    expect([tokens.status, await tokens.json()]).toEqual([
      ...[404, { error: expect.any(String) as string }],
    ]);
    expect((await asApp("/assets/")).status).toBe(401);
    const forged = `${reported.app_auth_token.slice(0, -1)}x`;
    const at = "/edge-apps/oauth/tokens/access_token/";
    expect((await asApp(at, forged)).status).toBe(401);

    // As the edge app library requests it from an app's page, and a browser before it.
    const request = async (method: string, origin: string, path: string) => {
      const { status, headers } = await fetch(
        `${client.address}/api/v3${path}`,
        {
          method,
          headers: {
            ...{ Origin: origin, "Sec-Fetch-Site": "cross-site" },
            ...(method === "OPTIONS"
              ? {
                  "Access-Control-Request-Method": "GET",
                  "Access-Control-Request-Headers": "authorization",
                }
              : {
                  Accept: "application/json",
                  Authorization: `Bearer ${reported.app_auth_token}`,
                }),
          },
        },
      );
      const [allowed, names] = ["origin", "headers"].map((name) =>
        headers.get(`access-control-allow-${name}`),
      );
      return [status, allowed, names];
    };
    const own = `edge-app://${installation_id.toLowerCase()}`;
    expect(await request("OPTIONS", own, at)).toEqual([
      204,
      own,
      "Authorization",
    ]);
    expect(await request("GET", own, at)).toEqual([404, own, null]);
    for (const [origin, path] of [
      ["https://elsewhere.example", at],
      ["edge-app://a.b", at],
      ["null", at],
      [own, "/assets/"],
    ] as const)
      for (const method of ["OPTIONS", "GET"])
        expect(await request(method, origin, path)).toEqual([403, null, null]);
  });
});

describe("tokens for apps", () => {
  it("[V3-58] are read from the operator's file unchanged, by team and name, each time anew", async () => {
    const folder = await temporaryFolder();
    const oauthTokens = `${folder}/tokens.json`;
    const content = await startContent(folder, { oauthTokens });
    const client = clientV3(content.address, contentKey);
    const request = async (name: string) => {
      const path = `/edge-apps/oauth/tokens/${name}/`;
      const { status, json } = await client.call("GET", path);
      return [status, json as unknown];
    };
    const error = { error: expect.any(String) as string };
    expect(await request("access_token")).toEqual([503, error]);
    const kept = { token: "abc", metadata: { scope: "x" } };
    const embed = { token: "def", expiration: "2027-01-01T00:00:00Z" };
    await writeFile(
      oauthTokens,
      JSON.stringify({
        Vitrine: { access_token: kept, embed_token: embed },
        Other: { other_token: kept },
      }),
    );
    expect([
      ...[await request("access_token"), await request("embed_token")],
      ...[await request("other_token"), await request("__proto__")],
    ]).toEqual([
      [200, kept],
      [200, embed],
      [404, error],
      [404, error],
    ]);
    await writeFile(oauthTokens, "{broken");
    expect(await request("access_token")).toEqual([503, error]);
  });
});
