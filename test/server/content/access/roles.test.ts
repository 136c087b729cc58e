// Roles: every operation of every interface with every role, a key's limit to labels, and the keys that an administrator manages.

import { describe, expect, it } from "vitest";
import { linkPaths } from "../../../../server/contract/link/link.ts";
import type { OperationAccess } from "../../../../server/contract/operation-access.ts";
import { accessOfRoutesV3 } from "../../../../server/contract/v3/operations/v3-operation-roles.ts";
import {
  apiKeyV3,
  createdApiKeyV3,
} from "../../../../server/contract/v3/v3-access.ts";
import { isAtLeast, roles, type Role } from "../../../../server/core/role.ts";
import { requireRoles } from "../../../../server/content/access/operation-roles.ts";
import { catalogues } from "../../../../server/content/catalogue.ts";
import { withKeys } from "../../../../server/content/content.ts";
import { readContentConfig } from "../../../../server/content/config.ts";
import { inRow } from "../../../../server/content/http/middleware-chain.ts";
import { handleRoutes } from "../../../../server/content/http/routes.ts";
import { findAccessV3 } from "../../../../server/content/v3/operation-roles.ts";
import { findAccessV4 } from "../../../../server/content/v4/operation-roles.ts";
import {
  clientV3,
  eachV3,
  type ClientV3,
} from "../../../support/content/each-v3.ts";
import { registerPlayer } from "../../../support/content/linked-player.ts";
import {
  contentKey,
  startContent,
} from "../../../support/content/start-content.ts";
import { temporaryFolder } from "../../../support/folder.ts";
import { serveExpress } from "../../../support/http/serve-express.ts";

const atOnce = 8;

interface Operation {
  readonly method: string;
  readonly path: string;
}

/** Of version 3, as the service itself lists the methods of each path. */
async function operationsOfV3(client: ClientV3): Promise<readonly Operation[]> {
  const found: Operation[] = [];
  for (const pattern of Object.keys(accessOfRoutesV3)) {
    const path = `/api/v3${pattern.replace(/:\w+/g, "nothing")}`;
    const { status, headers } = await client.call("OPTIONS", path);
    expect(status, path).toBe(200);
    for (const method of (headers.get("allow") ?? "").split(", "))
      if (method !== "OPTIONS") found.push({ method, path });
  }
  return found;
}

function operationsOfV4(): readonly Operation[] {
  return Object.values(catalogues).flatMap(({ version, tables }) => {
    const prefix = version === "4.0" ? "/api/v4" : "/v4.1";
    const ofTables = [...tables.values()].flatMap(({ path, methods }) =>
      path === null
        ? []
        : methods.map((method) => ({ method, path: `${prefix}/${path}` })),
    );
    return [
      ...ofTables,
      { method: "HEAD", path: `${prefix}/assets` },
      { method: "POST", path: `${prefix}/edge-apps/copy-assets` },
    ];
  });
}

function accessOf({ method, path }: Operation): OperationAccess {
  const request = { method, path } as Parameters<typeof findAccessV3>[0];
  const access = findAccessV3(request) ?? findAccessV4(request);
  if (access === null || access === "missing")
    throw new Error(`${method} ${path} is not classified`);
  return access;
}

async function keyOf(
  admin: ClientV3,
  role: Role,
  labels?: readonly string[],
): Promise<ClientV3> {
  const created = await admin.make("/keys/", {
    ...{ name: role, role },
    ...(labels && { labels: labels.map((id) => ({ id })) }),
  });
  return clientV3(admin.address, createdApiKeyV3.parse(created).secret);
}

/** A screen with its player; returns the credential, too. */
async function screenOf(
  admin: ClientV3,
): Promise<{ readonly id: string; readonly credential: string }> {
  const { pin, credential } = await registerPlayer(admin.address);
  const { id } = await admin.make("/screens/", { pin });
  return { id, credential };
}

describe("keys of the command line", () => {
  it("[V4-360] [V4-362] name labels, and refuse what does not exist", async () => {
    const dataDir = await temporaryFolder();
    const { address } = await startContent(dataDir);
    const reading = readContentConfig(["--data-dir", dataDir], {});
    if (!reading.ok) throw new Error(reading.message);
    const admin = clientV3(address, contentKey);
    for (const name of ["Site C", "Twice", "Twice"])
      await admin.make("/groups/", { name });
    const key = { name: "from the shell", team: "Vitrine" };
    await withKeys(reading.value, async (keys) => {
      await keys.add({ ...key, role: "operator", labels: ["Site C"] });
      for (const label of ["Site D", "Twice"])
        await expect(
          keys.add({ ...key, role: "editor", labels: [label] }),
        ).rejects.toThrow(label);
      const [, added] = await keys.list();
      expect(await keys.labelNames(added?.labelIds ?? [])).toEqual(["Site C"]);
    });
    expect(await admin.get("/keys/")).toMatchObject([
      { role: "admin", labels: null },
      { role: "operator", labels: [{ name: "Site C" }] },
    ]);
  });
});

describe("an operation that no table classifies", () => {
  it("[V4-361] is refused to everyone", async () => {
    const routes = { "/new": { GET: (): void => expect.fail("answered") } };
    const address = await serveExpress(
      inRow(requireRoles(findAccessV3), handleRoutes("/v3", routes)),
      () => "team",
    );
    expect((await fetch(`${address}/v3/new`)).status).toBe(403);
  });
});

eachV3((service) => {
  it("[V4-361] [V4-204] every operation of every interface is refused to roles below its own, and to no other", async () => {
    const admin = await service.client();
    const { credential } = await screenOf(admin);
    const player = clientV3(admin.address, credential);
    const label = await admin.make("/groups/", { name: "Site B" });
    const clients = await Promise.all(
      roles.map(async (role) => ({ role, client: await keyOf(admin, role) })),
    );
    const limited = await keyOf(admin, "operator", [label.id]);
    const operations = [...(await operationsOfV3(admin)), ...operationsOfV4()];
    expect(operations.length).toBeGreaterThan(150);
    const check = async (operation: Operation): Promise<void> => {
      const { method, path } = operation;
      const { least, limits } = accessOf(operation);
      const title = `${method} ${path}`;
      const isReading = method === "GET" || method === "HEAD";
      const send = async (client: ClientV3) =>
        // Read only where the role is sufficient, and then invalid: nothing is written.
        client.call(method, path, isReading ? undefined : "{");
      await Promise.all(
        clients.map(async ({ role, client }) => {
          const { status, text } = await send(client);
          expect([401, 500], `${title} as ${role}`).not.toContain(status);
          expect(status === 403, `${title} as ${role}: ${text}`).toBe(
            !isAtLeast(role, least),
          );
          if (status === 403 && method !== "HEAD")
            expect(text, title).toContain(
              `This requires the role ${least}; yours is ${role}.`,
            );
        }),
      );
      const unknown = await fetch(`${admin.address}${path}`, { method });
      expect(unknown.status, `${title} without a key`).toBe(401);
      expect((await send(limited)).status === 403, `${title}, limited`).toBe(
        limits === "refused" || least === "admin",
      );
      expect((await send(player)).status === 403, `${title} as a player`).toBe(
        !isReading || !isAtLeast("viewer", least),
      );
    };
    for (let from = 0; from < operations.length; from += atOnce)
      await Promise.all(operations.slice(from, from + atOnce).map(check));
  });

  it("[V4-361] the link accepts players only, and files every role", async () => {
    const admin = await service.client();
    for (const role of roles) {
      const client = await keyOf(admin, role);
      for (const [name, path] of Object.entries(linkPaths))
        if (name !== "players")
          for (const method of ["GET", "POST", "PUT"]) {
            const { status } = await client.call(method, `/api${path}`);
            expect([401, 404, 405], `${method} ${path}`).toContain(status);
          }
      const file = await client.request("/files/nothing");
      expect(file.status).toBe(404);
    }
  });

  it("[V4-361] a refusal has the shape of its interface, and an upload is refused before it is read", async () => {
    const admin = await service.client();
    const viewer = await keyOf(admin, "viewer");
    const message = "This requires the role editor; yours is viewer.";
    const ofV3 = await viewer.call("POST", "/playlists/", "not JSON");
    expect([ofV3.status, ofV3.json]).toEqual([403, { detail: message }]);
    const ofV4 = await viewer.call("POST", "/v4/playlists", "not JSON");
    const fourKeys = { code: "42501", message, details: null, hint: null };
    expect([ofV4.status, ofV4.json]).toEqual([403, fourKeys]);
    const upload = await viewer.upload(Buffer.from("x"), { title: "x" });
    expect(upload.status).toBe(403);
    expect(await admin.get("/assets/")).toEqual([]);
  });

  it("[V3-134] [V3-135] keys are created with a role and limits, listed without their secrets, and revoked, within the team", async () => {
    const admin = await service.client();
    const other = await service.client();
    const label = await admin.make("/groups/", { name: "Site B" });
    const answer = await admin.call("POST", "/keys/", {
      ...{ name: "script", role: "editor", labels: [{ id: label.id }] },
    });
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const { secret, ...key } = createdApiKeyV3.parse(answer.json);
    expect(key).toMatchObject({
      ...{ name: "script", role: "editor" },
      labels: [{ id: label.id, name: "Site B" }],
    });
    const listed = await admin.get("/keys/");
    expect(apiKeyV3.array().parse(listed)).toMatchObject([
      { name: "test", role: "admin", labels: null },
      key,
    ]);
    expect(JSON.stringify(listed)).not.toContain(secret);
    expect(await admin.get(`/keys/${key.id}/`)).toEqual(key);
    for (const [body, field] of [
      [{ name: "x", role: "owner" }, "role"],
      [{ name: "", role: "admin" }, "name"],
      [{ name: "x", role: "admin", labels: [{ id: label.id }] }, "labels"],
      [{ name: "x", role: "editor", labels: [] }, "labels"],
      [{ name: "x", role: "editor", labels: [{ id: "none" }] }, "labels"],
      [{ name: "x", role: "editor", labels: "all" }, "labels"],
    ] as const) {
      const { status, json } = await admin.call("POST", "/keys/", body);
      expect([status, Object.keys(json)]).toEqual([400, [field]]);
    }
    const path = `/keys/${key.id}/`;
    expect((await other.call("GET", path)).status).toBe(404);
    expect((await other.call("DELETE", path)).status).toBe(404);
    expect((await admin.call("DELETE", path)).status).toBe(200);
    expect((await admin.call("DELETE", path)).status).toBe(404);
    expect(await admin.get("/keys/")).toHaveLength(1);
  });
});

interface Site {
  readonly label: string;
  readonly screen: string;
  readonly playlist: string;
  readonly asset: string;
}

/** A label with a screen, and a playlist with an asset for it. */
async function siteOf(admin: ClientV3, name: string): Promise<Site> {
  const screen = (await screenOf(admin)).id;
  const { id: label } = await admin.make("/groups/", {
    ...{ name, screens: [{ id: screen }] },
  });
  const { id: asset } = await admin.make("/assets/", {
    ...{ source_url: "http://127.0.0.1:9/x.png", disable_verification: true },
  });
  const { id: playlist } = await admin.make("/playlists/", {
    ...{ title: name, groups: [{ id: label }], assets: [{ id: asset }] },
  });
  return { label, screen, playlist, asset };
}

eachV3((service) => {
  async function sites() {
    const admin = await service.client();
    const ours = await siteOf(admin, "Ours");
    const theirs = await siteOf(admin, "Theirs");
    const editor = await keyOf(admin, "editor", [ours.label]);
    const operator = await keyOf(admin, "operator", [ours.label]);
    const all = { groups: [{ id: "all-screens" }], title: "Everywhere" };
    const everywhere: string = (await admin.make("/playlists/", all)).id;
    return { admin, ours, theirs, editor, operator, everywhere };
  }

  /** Everything that decides what screens show. */
  const state = async (admin: ClientV3): Promise<unknown> => ({
    screens: await admin.get("/screens/"),
    groups: await admin.get("/groups/"),
    playlists: await admin.rows("/v4.1/playlists?select=*&order=id"),
    links: await admin.rows(
      "/v4.1/labels/playlists?select=*&order=label_id,playlist_id",
    ),
    items: await admin.rows("/v4.1/playlist-items?select=*&order=id"),
    assets: await admin.rows("/v4.1/assets?select=id,title&order=id"),
  });

  type Step = readonly [method: string, path: string, body?: unknown];

  const statuses = async (
    client: ClientV3,
    steps: readonly Step[],
    headers?: Readonly<Record<string, string>>,
  ): Promise<readonly string[]> => {
    const found: string[] = [];
    for (const [method, path, body] of steps) {
      const { status, text } = await client.call(method, path, body, headers);
      if (status >= 300 && status !== 403) throw new Error(`${path} ${text}`);
      found.push(`${method} ${path} ${status === 403 ? "refused" : "done"}`);
    }
    return found;
  };
  const all = (steps: readonly Step[], what: string) =>
    steps.map(([method, path]) => `${method} ${path} ${what}`);

  it("[V4-362] [V4-363] [V4-364] [V4-365] what could affect another screen is refused and changes nothing, in both versions", async () => {
    const { admin, ours, theirs, editor, operator, everywhere } = await sites();
    const [item] = await admin.rows(
      `/v4.1/playlist-items?playlist_id=eq.${theirs.playlist}`,
    );
    const empty = await admin.make("/groups/", { name: "Empty" });
    const before = await state(admin);
    const ofEditor: readonly Step[] = [
      ["PATCH", `/playlists/${theirs.playlist}/`, { title: "x" }],
      ["PUT", `/playlists/${everywhere}/`, { is_enabled: false }],
      ["DELETE", `/playlists/${theirs.playlist}/`],
      [
        ...(["PATCH", `/playlists/${ours.playlist}/`] as const),
        { groups: [{ id: ours.label }, { id: theirs.label }] },
      ],
      [
        ...(["PATCH", `/playlists/${ours.playlist}/`] as const),
        { groups: [{ id: "all-screens" }] },
      ],
      [
        ...(["PATCH", `/playlists/${ours.playlist}/`] as const),
        { groups: [{ id: theirs.screen }] },
      ],
      ["POST", "/playlists/", { title: "x", groups: [{ id: empty.id }] }],
      ["PATCH", `/assets/${theirs.asset}/`, { title: "x" }],
      ["DELETE", `/assets/${theirs.asset}/`],
      ["POST", `/edge-apps/x/deploy`, {}],
      ["PATCH", `/v4.1/playlists?id=eq.${theirs.playlist}`, { title: "x" }],
      [
        ...([
          "PATCH",
          `/v4/playlists?id=in.(${ours.playlist},${everywhere})`,
        ] as const),
        { is_enabled: false },
      ],
      ["DELETE", `/v4.1/playlists?id=in.(${ours.playlist},${theirs.playlist})`],
      ["PATCH", `/v4.1/playlist-items?id=eq.${item?.id}`, { duration: 5 }],
      ["DELETE", `/v4.1/playlist-items?playlist_id=eq.${theirs.playlist}`],
      [
        ...(["POST", "/v4.1/playlist-items"] as const),
        [ours.playlist, theirs.playlist].map((playlist_id) => ({
          ...{ playlist_id, asset_id: ours.asset },
        })),
      ],
      ["PATCH", `/v4/assets?id=eq.${theirs.asset}`, { title: "x" }],
      ["DELETE", `/v4/assets?id=in.(${ours.asset},${theirs.asset})`],
      [
        "POST",
        "/v4/assets",
        { source_url: "http://127.0.0.1:9/a.png", app_id: "x" },
      ],
      [
        ...(["POST", "/v4.1/labels/playlists"] as const),
        { label_id: theirs.label, playlist_id: ours.playlist },
      ],
      [
        ...(["POST", "/v4.1/labels/playlists"] as const),
        { label_id: ours.label, playlist_id: theirs.playlist },
      ],
      ["DELETE", `/v4.1/labels/playlists?playlist_id=eq.${theirs.playlist}`],
      ["POST", "/v4.1/edge-apps", { name: "x" }],
      ["POST", "/v4/edge-apps/copy-assets", {}],
      ["PATCH", "/v4/asset-groups?id=eq.x", { title: "x" }],
    ];
    const ofOperator: readonly Step[] = [
      ["PATCH", `/screens/${theirs.screen}/`, { name: "x" }],
      ["DELETE", `/screens/${theirs.screen}/`],
      ["PATCH", `/screens/${ours.screen}/`, { groups: [] }],
      [
        ...(["PATCH", `/screens/${ours.screen}/`] as const),
        { groups: [{ id: ours.label }, { id: theirs.label }] },
      ],
      ["POST", `/screens/${theirs.screen}/commands/`, { kind: "next" }],
      [
        ...(["POST", "/screens/commands/"] as const),
        { kind: "next", groups: [{ id: "all-screens" }] },
      ],
      [
        ...(["POST", "/screens/commands/"] as const),
        { kind: "next", screens: [{ id: ours.screen }, { id: theirs.screen }] },
      ],
      ["POST", `/screens/${theirs.screen}/replace/`, { pin: "ABCDEF" }],
      ["POST", "/screens/", { pin: "ABCDEF" }],
      ["POST", "/screens/adopted/", { address: "127.0.0.1" }],
      ["PATCH", `/screens/adopted/${theirs.screen}/`, { username: "x" }],
      [
        ...(["POST", "/screens/assignments/"] as const),
        { screens: [theirs.screen], add_groups: [ours.label] },
      ],
      [
        ...(["POST", "/screens/assignments/"] as const),
        { screens: [ours.screen], remove_groups: [ours.label] },
      ],
      [
        ...(["POST", "/screens/assignments/"] as const),
        { screens: [ours.screen], add_groups: [theirs.label] },
      ],
      [
        ...(["POST", "/screens/assignments/"] as const),
        { screens: [ours.screen], add_playlists: [theirs.playlist] },
      ],
      ["POST", "/groups/", { name: "x" }],
      ["PATCH", `/groups/${ours.label}/`, { name: "x" }],
      ["POST", "/alerts/rules/", {}],
      ["POST", "/assertions/", {}],
      ["PATCH", `/v4/screens?id=eq.${theirs.screen}`, { name: "x" }],
      ["DELETE", `/v4/screens?id=in.(${ours.screen},${theirs.screen})`],
      [
        ...(["POST", "/v4/labels/screens"] as const),
        { label_id: ours.label, screen_id: theirs.screen },
      ],
      [
        "DELETE",
        `/v4/labels/screens?screen_id=eq.${ours.screen}&label_id=eq.${ours.label}`,
      ],
      ["POST", "/v4/labels", { name: "x" }],
    ];
    expect(await statuses(editor, ofEditor)).toEqual(all(ofEditor, "refused"));
    expect(await statuses(operator, [...ofEditor, ...ofOperator])).toEqual(
      all([...ofEditor, ...ofOperator], "refused"),
    );
    const merge = { Prefer: "resolution=merge-duplicates" };
    const upserts: readonly Step[] = [
      [
        ...(["POST", "/v4/labels/screens"] as const),
        [{ label_id: ours.label, screen_id: theirs.screen }],
      ],
      [
        ...(["POST", "/v4.1/labels/playlists"] as const),
        [{ label_id: theirs.label, playlist_id: theirs.playlist }],
      ],
    ];
    expect(await statuses(operator, upserts, merge)).toEqual(
      all(upserts, "refused"),
    );
    expect(await state(admin)).toEqual(before);
  });

  it("[V4-362] [V4-363] [V4-364] [V4-366] what affects only screens within the limit is done, and everything can be read", async () => {
    const { admin, ours, theirs, editor, operator } = await sites();
    const { id: mine } = await editor.make("/playlists/", {
      ...{ title: "Mine", groups: [{ id: ours.label }, { id: ours.screen }] },
    });
    const [draft] = await editor.add("/v4.1/playlists", { title: "Draft" });
    const [asset] = await editor.add("/v4/assets", {
      source_url: "http://127.0.0.1:9/b.png",
    });
    const ofEditor: readonly Step[] = [
      // Assets are the team's: also one that plays elsewhere can be used.
      [
        ...(["PATCH", `/playlists/${mine}/`] as const),
        { assets: [{ id: theirs.asset }, { id: ours.asset }] },
      ],
      ["PATCH", `/assets/${ours.asset}/`, { folder_name: "Ours" }],
      ["POST", "/v4/asset-groups", { title: "Folder" }],
      [
        ...(["POST", "/v4.1/playlist-items"] as const),
        [{ playlist_id: draft?.id, asset_id: asset?.id }],
      ],
      [
        ...(["POST", "/v4.1/labels/playlists"] as const),
        { label_id: ours.label, playlist_id: draft?.id },
      ],
      [
        "PATCH",
        `/v4.1/playlist-items?playlist_id=eq.${draft?.id}`,
        { duration: 3 },
      ],
      ["PATCH", `/v4/playlists?id=in.(${mine},${draft?.id})`, { title: "x" }],
      [
        "DELETE",
        `/v4.1/labels/playlists?playlist_id=eq.${draft?.id}&label_id=eq.${ours.label}`,
      ],
      ["DELETE", `/v4/assets?id=eq.${asset?.id}`],
      ["DELETE", `/playlists/${draft?.id}/`],
      ["GET", `/playlists/${theirs.playlist}/`],
      ["GET", "/v4.1/playlists?select=*,playlist_items(*)"],
    ];
    expect(await statuses(editor, ofEditor)).toEqual(all(ofEditor, "done"));
    const ofOperator: readonly Step[] = [
      ["PATCH", `/screens/${ours.screen}/`, { name: "Lobby" }],
      ["PATCH", `/screens/${ours.screen}/`, { groups: [{ id: ours.label }] }],
      ["PATCH", `/v4/screens?id=eq.${ours.screen}`, { location: "Hall" }],
      ["POST", `/screens/${ours.screen}/commands/`, { kind: "next" }],
      [
        ...(["POST", "/screens/commands/"] as const),
        { kind: "next", groups: [{ id: ours.label }] },
      ],
      [
        ...(["POST", "/screens/assignments/"] as const),
        { screens: [ours.screen], add_playlists: [mine] },
      ],
      ["GET", `/screens/${theirs.screen}/schedule/`],
      ["DELETE", `/screens/${ours.screen}/`],
    ];
    expect(await statuses(operator, ofOperator)).toEqual(
      all(ofOperator, "done"),
    );
    // A limit to a label that was deleted is a limit to no screen.
    await admin.call("DELETE", `/groups/${ours.label}/`);
    expect(
      await statuses(operator, [
        ["PATCH", `/screens/${theirs.screen}/`, { name: "x" }],
      ]),
    ).toEqual([`PATCH /screens/${theirs.screen}/ refused`]);
  });
});
