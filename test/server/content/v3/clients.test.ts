// Requests exactly as public clients send them, in their order, with the fields each of them reads, on both databases.

import { describe, expect, it } from "vitest";
import { eachV3, type ClientV3 } from "../../../support/content/each-v3.ts";
import { registerPlayer } from "../../../support/content/linked-player.ts";
import { serveWeb } from "../../../support/http/web-server.ts";

/** Sends a request like a client that has a fixed address. */
function requestAs({ address, key }: ClientV3) {
  return async (
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<{ status: number; json: any }> => {
    const isForm = body instanceof URLSearchParams || body instanceof FormData;
    const answer = await fetch(`${address}${path}`, {
      method,
      headers: {
        Authorization: `Token ${key}`,
        ...(body !== undefined &&
          !isForm && { "Content-Type": "application/json" }),
        ...headers,
      },
      body: (body === undefined || isForm
        ? (body ?? null)
        : JSON.stringify(body)) as RequestInit["body"] & {},
    });
    const text = await answer.text();
    return {
      status: answer.status,
      json: text === "" ? null : JSON.parse(text),
    };
  };
}

const representation = { Prefer: "return=representation" };

eachV3((service) => {
  const client = async () => {
    const created = await service.client();
    return { client: created, request: requestAs(created) };
  };

  describe("the command-line client", () => {
    it("[V3-2] [V3-3] [V3-5] signs in: a valid key finds no such group, an invalid one is 401; then requests its identity", async () => {
      const { client: own, request } = await client();
      const probe = "/v3/groups/11CF9Z3GZR0005XXKH00F8V20R/";
      expect((await request("GET", probe)).status).toBe(404);
      const bad = requestAs({ ...own, key: "bad" });
      expect((await bad("GET", probe)).status).toBe(401);
      const me = await request("GET", "/v3/me");
      expect([me.status, Object.keys(me.json as object)]).toEqual([
        ...[200, ["workspace", "user"]],
      ]);
    });

    it("[V3-40] [V3-45] adds a screen by its PIN, lists and deletes it", async () => {
      const { request } = await client();
      const { pin } = await registerPlayer(service.address());
      const added = await request("POST", "/v3/screens/", {
        pin,
        name: "Till",
      });
      expect([added.status, added.json]).toMatchObject([
        ...[201, { name: "Till", status: "Offline", type: "hardware" }],
      ]);
      const { id } = added.json as { id: string };
      const [row] = (
        await request("GET", "/v4/screens", undefined, representation)
      ).json;
      expect(row).toMatchObject({ id, is_enabled: true, coords: [0, 0] });
      const gone = await request("DELETE", `/v3/screens/${id}/`);
      expect([200, 204]).toContain(gone.status);
    });

    it("[V3-55] [V3-56] creates an edge app, uploads its files, previews, deploys, and plays it", async () => {
      const { request } = await client();
      const created = await request(
        "POST",
        "/v4/edge-apps?select=id,name",
        { name: "Clock" },
        representation,
      );
      const { id } = created.json[0] as { id: string };
      const manifest = {
        ...{ syntax: "manifest_v1", id, entrypoint: { type: "file" } },
        settings: {
          greeting: {
            ...{ type: "string", default_value: "Unknown", optional: true },
            ...{ title: "greeting title", help_text: "An example" },
          },
        },
      };
      const body = (signature: string) => ({
        ...{ manifest, file_tree: { "index.html": signature } },
        delete_missing_settings: false,
      });
      const preview = await request(
        "POST",
        `/v3/edge-apps/${id}/deploy/preview`,
        body("00"),
      );
      expect([preview.status, preview.json]).toMatchObject([
        ...[200, { outstanding: { missing: ["index.html"] } }],
      ]);
      const form = new FormData();
      form.set("title", "index.html");
      form.set("file", new Blob(["<p>12:00</p>"]), "file");
      form.set("app_id", id);
      const sent = await request("POST", "/v4/assets", form, representation);
      expect(sent.status).toBe(201);
      const unfinished = `/v4/assets?select=status,processing_error,title&app_id=eq.${id}&app_revision=is.null&status=neq.finished`;
      await expect
        .poll(async () => (await request("GET", unfinished)).json)
        .toEqual([]);
      const [file] = (
        await request(
          "GET",
          `/v4/assets?select=signature&app_id=eq.${id}&app_revision=is.null&type=eq.edge-app-file`,
        )
      ).json;
      const deployed = await request(
        "POST",
        `/v3/edge-apps/${id}/deploy`,
        body(file.signature as string),
      );
      expect([deployed.status, deployed.json]).toEqual([
        ...[
          200,
          { revision: 1, created: true, published: true, channel: "stable" },
        ],
      ]);
      const installed = await request(
        "POST",
        "/v4/edge-apps/installations?select=id",
        { app_id: id, name: "Lobby" },
        representation,
      );
      const installation = installed.json[0].id as string;
      const shown = await request(
        "GET",
        `/v4.1/edge-apps/settings?select=name,type,edge_app_setting_values(value)&edge_app_setting_values.installation_id=eq.${installation}&name=eq.greeting&app_id=eq.${id}`,
      );
      expect(shown.json).toEqual([
        { name: "greeting", type: "string", edge_app_setting_values: [] },
      ]);
      const value = {
        ...{ installation_id: installation, name: "greeting", value: "Ho" },
      };
      await request("POST", "/v4.1/edge-apps/settings/values", value);
      const changed = await request(
        "PATCH",
        `/v4.1/edge-apps/settings?app_id=eq.${id}&name=eq.greeting`,
        { ...manifest.settings.greeting, title: "New", name: "greeting" },
        representation,
      );
      expect([changed.status, changed.json]).toMatchObject([
        ...[200, [{ name: "greeting", title: "New", type: "string" }]],
      ]);
      const [kept] = (await request("GET", "/v4.1/edge-apps/settings/values"))
        .json;
      expect(kept).toMatchObject(value);
      const apps = (await request("GET", "/api/v3/assets/")).json as any[];
      expect(apps.map(({ type }) => type as string).sort()).toEqual([
        ...["edge-app", "edge-app-file"],
      ]);
      const gone = await request(
        "POST",
        "/v3/edge-apps/none/deploy",
        body("00"),
      );
      expect([gone.status, gone.json]).toEqual([
        ...[404, { detail: expect.any(String) as string }],
      ]);
    });
  });

  describe("scripts for version 3", () => {
    it("[V3-11] [V3-21] [V3-31] [V3-43] a page with a script, a group, a playlist on it, and a screen put into the group", async () => {
      const { request } = await client();
      const web = await serveWeb({ "/": "<p>hello</p>" });
      const asset = await request("POST", "/api/v3/assets/", {
        ...{ title: "Page", source_url: web.address, js_injection: "1+1" },
      });
      expect(asset.status).toBe(201);
      const created = `/api/v3/assets/${asset.json.id}/`;
      await expect
        .poll(async () => (await request("GET", created)).json.status)
        .toBe("finished");
      const { pin } = await registerPlayer(service.address());
      const { json: screen } = await request("POST", "/api/v3/screens/", {
        pin,
      });
      const group = await request("POST", "/api/v3/groups/", {
        ...{ name: "Script", screens: [{ id: screen.id }] },
      });
      expect(group.status).toBe(201);
      const playlist = await request("POST", "/api/v3/playlists/", {
        ...{ title: "Script", groups: [{ id: group.json.id }] },
        assets: [{ id: asset.json.id, duration: 10 }],
      });
      expect([playlist.status, playlist.json]).toMatchObject([
        ...[201, { is_enabled: true, predicate: "TRUE", priority: 0 }],
      ]);
      const another = await request("POST", "/api/v3/groups/", {
        name: "More",
      });
      const path = `/api/v3/screens/${screen.id}/`;
      const complete = (await request("GET", path)).json;
      complete.groups.push({ id: another.json.id });
      expect((await request("PUT", path, complete)).status).toBe(200);
      const after = (await request("GET", path)).json.groups as {
        id: string;
      }[];
      expect(after.map(({ id }) => id)).toEqual([
        ...["all-screens", group.json.id, another.json.id],
      ]);
    });

    it("[V3-16] [V3-17] pages in a folder, shown with a header of their own", async () => {
      const { request } = await client();
      const web = await serveWeb({ "/": "<p>graph</p>" });
      const { status, json } = await request("POST", "/api/v3/assets/", {
        ...{ title: "Graph", source_url: web.address, folder_name: "Graphs" },
        headers: { Authorization: "Bearer x" },
      });
      expect([status, json]).toMatchObject([
        201,
        { folder_name: "Graphs", headers: { Authorization: "Bearer x" } },
      ]);
    });

    it("[V3-6] [V3-7] playlists switched on and off by forms, and by JSON", async () => {
      const { request } = await client();
      const { json } = await request("POST", "/api/v3/playlists/", {
        title: "A",
      });
      const path = `/api/v3/playlists/${json.id}/`;
      const seen: unknown[] = [];
      for (const word of ["False", "True", "false", "true"]) {
        const form = new URLSearchParams({ is_enabled: word });
        const { status } = await request("PATCH", path, form);
        seen.push(status, (await request("GET", path)).json.is_enabled);
      }
      expect(seen).toEqual([200, false, 200, true, 200, false, 200, true]);
      const urgent = { is_enabled: true, priority: 1 };
      expect((await request("PATCH", path, urgent)).json).toMatchObject(urgent);
      const day = { predicate: "TRUE AND ($DATE = 1783123200000)" };
      expect((await request("PATCH", path, day)).json).toMatchObject(day);
    });

    it("[V3-20] [V3-31] [V3-41] a check of all screens creates its playlist, monitors them, and cleans up", async () => {
      const { request } = await client();
      const { pin } = await registerPlayer(service.address());
      await request("POST", "/api/v3/screens/", { pin });
      const rows = await request(
        "POST",
        "/api/v4/assets",
        { title: "A" },
        representation,
      );
      const assets = (rows.json as { id: string }[]).map(({ id }) => ({
        ...{ id, duration: 4 },
      }));
      for (const id of ["all_screens", "all-screens"]) {
        const created = await request("POST", "/api/v3/playlists/", {
          ...{ title: "Check", groups: [{ id }], is_enabled: true, assets },
          predicate: "TRUE",
        });
        expect(created.status).toBe(201);
      }
      const screens = (await request("GET", "/api/v3/screens/")).json as any[];
      for (const { id, is_enabled } of screens) {
        const one = (await request("GET", `/api/v3/screens/${id}/`)).json;
        expect([is_enabled, one.ws_open, one.status, one.in_sync]).toEqual([
          ...[true, false, "Offline", false],
        ]);
      }
      const list = (await request("GET", "/api/v3/playlists/")).json as any[];
      for (const { id, title } of list)
        if (title === "Check")
          expect(
            (await request("DELETE", `/api/v3/playlists/${id}/`)).status,
          ).toBeLessThan(400);
      expect((await request("GET", "/api/v3/playlists/")).json).toEqual([]);
      const gone = await request("DELETE", "/api/v3/playlists/none/");
      expect([gone.status, gone.json]).toEqual([
        ...[404, { detail: expect.any(String) as string }],
      ]);
    });
  });

  describe("clients of version 4", () => {
    it("[V3-59] [V4-281] a workflow creates a page, a playlist for one screen and a label, and finds existing links", async () => {
      const { request } = await client();
      const { pin } = await registerPlayer(service.address());
      const { json: screen } = await request("POST", "/v3/screens/", { pin });
      const web = await serveWeb({ "/": "<p>hello</p>" });
      const [asset] = (
        await request(
          "POST",
          "/api/v4/assets",
          {
            ...{ title: "Page", source_url: web.address },
            ...{ disable_verification: false, metadata: { tags: ["created"] } },
          },
          representation,
        )
      ).json;
      const found = await request(
        "GET",
        `/api/v4/assets/?metadata->tags=cs.${encodeURIComponent('["created"]')}`,
      );
      expect(found.json).toMatchObject([{ id: asset.id }]);
      const now = Date.now();
      const [playlist] = (
        await request(
          "POST",
          "/api/v4/playlists",
          { title: "Flow", predicate: `TRUE AND ($DATE >= ${now})` },
          representation,
        )
      ).json;
      const link = { label_id: screen.id, playlist_id: playlist.id };
      const linked = await request("POST", "/api/v4/labels/playlists", link);
      expect(linked.status).toBe(201);
      const again = await request("POST", "/api/v4/labels/playlists", link);
      expect(again.status).toBe(409);
      await request("POST", "/api/v4/playlist-items", {
        ...{ playlist_id: playlist.id, asset_id: asset.id, duration: 15 },
      });
      const seen = await request("GET", `/api/v3/playlists/${playlist.id}/`);
      expect(seen.json).toMatchObject({
        ...{ title: "Flow", groups: [{ id: screen.id }], duration: 15 },
        assets: [{ id: asset.id, duration: 15 }],
      });
      // This client reads `id` of the response, and that of a list would be undefined.
      const { json: label } = await request(
        "POST",
        "/api/v4/labels/",
        { name: "Tag" },
        representation,
      );
      const both = { label_id: label.id, screen_id: screen.id };
      expect(
        (await request("POST", "/api/v4/labels/screens", both)).status,
      ).toBe(201);
      const group = await request("GET", `/api/v3/groups/${label.id}/`);
      expect(group.json).toMatchObject({
        ...{ name: "Tag", screens: [{ id: screen.id }] },
      });
      const report = await request(
        "GET",
        "/api/v4.1/screens?select=id,name,hostname,groups:labels!label_screen!inner(human_name),report:screen_reports(client_version)&groups.human_name=eq.Tag&",
      );
      expect(report.json).toMatchObject([
        { id: screen.id, groups: [{ human_name: "Tag" }], report: null },
      ]);
      const gone = await request(
        "DELETE",
        `/api/v4/assets?id=eq.${asset.id}`,
        undefined,
        representation,
      );
      expect(gone.status).toBe(200);
    });
  });
});
