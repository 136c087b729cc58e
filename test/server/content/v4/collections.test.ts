// Collections beyond the specification, as real clients use them, and their relations.

import { expect, it } from "vitest";
import type { ContentTables } from "../../../../server/content/tables.ts";
import type { Database } from "../../../../server/platform/database/database.ts";
import { eachDatabase } from "../../../support/database/each-database.ts";
import {
  firstMoment,
  serveV4,
  type Answer,
} from "../../../support/content/serve-v4.ts";

const rows = { Prefer: "return=representation" };
const nobody = { company: "", email: "", first_name: "", last_name: "" };

function statusText({ status, json }: Answer): string {
  return `${status} ${json?.code ?? ""}`.trim();
}

/** As pairing creates it: with its own label, and in All Screens too. */
async function addScreen(
  { kysely }: Database<ContentTables>,
  team: string,
  id: string,
): Promise<void> {
  const created_at = firstMoment;
  const own = { team_id: team, created_at };
  await kysely
    .insertInto("screens")
    .values({ ...own, id, name: "Front", hostname: "srly-1" })
    .execute();
  await kysely
    .insertInto("labels")
    .values({ ...own, id, type: "screen", name: "Front", human_name: "Front" })
    .execute();
  await kysely
    .insertInto("screen_reports")
    .values({
      ...{ screen_id: id, team_id: team, client_version: "1.2.3" },
      reported_at: created_at,
    })
    .execute();
}

eachDatabase((database) => {
  it("[V4-38] creates and renames manual labels, and protects the built-in ones", async () => {
    const v4 = await serveV4(database);
    await addScreen(v4.database, v4.team, "S1");
    const [made] = await v4.make("/labels", { name: "Lobby" });
    expect(made).toMatchObject({
      ...{ name: "Lobby", human_name: "Lobby", type: "manual" },
    });
    const renamed = await v4.request("PATCH", `/labels?id=eq.${made.id}`, {
      ...{ body: { name: "Hall" }, headers: rows },
    });
    expect(renamed.json[0]).toMatchObject({ name: "Hall", human_name: "Hall" });
    const all = (await v4.get("/labels?type=eq.all-screens")).json[0];
    expect(all.human_name).toBe("All Screens");
    for (const id of [all.id, "S1"]) {
      const patch = await v4.request(
        "PATCH",
        `/labels?id=in.(${id},${made.id})`,
        {
          body: { name: "x" },
        },
      );
      const gone = await v4.request("DELETE", `/labels?id=eq.${id}`);
      expect([statusText(patch), statusText(gone)]).toEqual([
        "403 42501",
        "403 42501",
      ]);
    }
    expect(statusText(await v4.request("POST", "/labels", { body: {} }))).toBe(
      "400 23502",
    );
    expect(
      (await v4.request("DELETE", `/labels?id=eq.${made.id}`)).status,
    ).toBe(204);
    expect((await v4.get("/labels?select=id")).json).toHaveLength(2);
    const screen = await v4.request("PATCH", "/screens?id=eq.S1", {
      body: { name: "Back" },
    });
    expect(screen.status).toBe(204);
    expect((await v4.get("/labels?id=eq.S1")).json[0].human_name).toBe("Back");
    expect((await v4.request("DELETE", "/screens?id=eq.S1")).status).toBe(204);
    expect((await v4.get("/labels?id=eq.S1")).json).toEqual([]);
  });

  it("[V4-281] returns one label as an object where a slash ends the address, and a list as a list", async () => {
    const v4 = await serveV4(database);
    const headers = { Prefer: "return=representation" };
    const post = async (path: string, body: unknown, more = {}) =>
      (
        await v4.request("POST", path, {
          body,
          headers: { ...headers, ...more },
        })
      ).json;
    const one = { name: "Tag" };
    for (const path of ["/v4/labels/", "/labels/?select=name"])
      expect(await post(path, one)).toMatchObject(one);
    expect(await post("/labels", one)).toMatchObject([one]);
    expect(await post("/v4/labels/", [one])).toMatchObject([one]);
    const Accept = "application/vnd.pgrst.array+json";
    expect(await post("/v4/labels/", one, { Accept })).toMatchObject([one]);
    const title = { title: "Tag" };
    expect(await post("/v4/playlists/", title)).toMatchObject([title]);
  });

  it("[V4-11] [V4-39] links labels to screens and playlists, once, and unlinks them by one id or both", async () => {
    const v4 = await serveV4(database);
    await addScreen(v4.database, v4.team, "S1");
    const [label] = await v4.make("/labels", { name: "candidate" });
    const [playlist] = await v4.make("/playlists", { title: "P" });
    for (const [path, link] of [
      ["/labels/screens", { label_id: label.id, screen_id: "S1" }],
      ["/labels/playlists/", { label_id: label.id, playlist_id: playlist.id }],
      [
        "/playlists/shared",
        { playlist_id: playlist.id, team_id: v4.otherTeam },
      ],
    ] as const) {
      expect(await v4.make(path, link)).toEqual([link]);
      expect(statusText(await v4.request("POST", path, { body: link }))).toBe(
        "409 23505",
      );
      const [name = "", id = ""] = Object.entries(link)[0] ?? [];
      expect((await v4.get(`${path}?${name}=eq.${id}`)).json).toEqual([link]);
      expect(statusText(await v4.request("DELETE", path))).toBe("400 PGRST100");
      expect(
        statusText(
          await v4.request("PATCH", `${path}?${name}=eq.${id}`, { body: {} }),
        ),
      ).toBe("405 PGRST117");
    }
    const screens = await v4.get(
      "/screens?select=id,name,hostname,groups:labels!label_screen!inner(human_name),report:screen_reports(client_version)&groups.human_name=eq.candidate",
    );
    expect(screens.json).toEqual([
      {
        ...{ id: "S1", name: "Front", hostname: "srly-1" },
        groups: [{ human_name: "candidate" }],
        report: { client_version: "1.2.3" },
      },
    ]);
    for (const query of [
      `labels/screens?label_id=eq.${label.id}&screen_id=eq.S1`,
      `labels/playlists?playlist_id=eq.${playlist.id}`,
      `playlists/shared?playlist_id=eq.${playlist.id}`,
    ]) {
      const gone = await v4.request("DELETE", `/v4/${query}`, {
        headers: rows,
      });
      expect([query, gone.status, gone.json?.length]).toEqual([query, 200, 1]);
    }
    const none = await v4.get("/screens?select=labels!inner(id)");
    expect(none.json).toEqual([]);
  });

  it("[V4-41] stores playlists, their items in order, and their predicates unchanged", async () => {
    const v4 = await serveV4(database);
    const [asset] = await v4.make("/assets", { title: "A" });
    const [playlist] = await v4.make("/playlists", {
      ...{ title: "P", predicate: "TRUE AND ($DATE >= 5)", priority: false },
      ...{ is_enabled: true, transitions: true },
    });
    expect(playlist).toMatchObject({ priority: false, is_enabled: true });
    const link = { playlist_id: playlist.id, asset_id: asset.id };
    const items = await v4.make("/playlist-items", [link, link]);
    expect(items.map(({ position, duration }) => [position, duration])).toEqual(
      [
        ...[
          [100000, 10],
          [200000, 10],
        ],
      ],
    );
    await v4.make("/playlist-items", {
      ...{ ...link, position: 150000, duration: 4.5 },
    });
    const complete = await v4.get(
      "/playlists?select=title,playlist_items(position,duration,assets(title))&playlist_items.order=position.asc",
    );
    expect(complete.json).toEqual([
      {
        title: "P",
        playlist_items: [
          { position: 100000, duration: 10, assets: { title: "A" } },
          { position: 150000, duration: 4.5, assets: { title: "A" } },
          { position: 200000, duration: 10, assets: { title: "A" } },
        ],
      },
    ]);
    const path = `/playlists?id=eq.${playlist.id}`;
    const wrong = await v4.request("PATCH", path, {
      body: { predicate: "WHEN" },
    });
    expect(statusText(wrong)).toBe("400 22023");
    await v4.database.kysely
      .updateTable("playlists")
      .set({ priority: 7 })
      .execute();
    const patched = await v4.request(
      "PATCH",
      `${path}&priority=is.true&select=priority`,
      {
        ...{ body: { priority: true }, headers: rows },
      },
    );
    expect(patched.json).toEqual([{ priority: true }]);
    const level = await v4.database.kysely
      .selectFrom("playlists")
      .select("priority")
      .executeTakeFirstOrThrow();
    expect(level.priority).toBe(7);
    await v4.request("PATCH", path, { body: { priority: false } });
    expect((await v4.get("/playlists?priority=eq.true")).json).toEqual([]);
    const emptied = await v4.request(
      "DELETE",
      `/playlist-items?playlist_id=eq.${playlist.id}`,
    );
    expect(emptied.status).toBe(204);
    expect((await v4.get("/playlist-items")).json).toEqual([]);
  });

  it("[V4-24] merges or ignores existing rows", async () => {
    const v4 = await serveV4(database);
    const [app] = await v4.make("/edge-apps", { name: "App" });
    const setting = { app_id: app.id, name: "color", title: "Old" };
    const post = (
      body: unknown,
      Prefer: string,
      query = "?select=name,title",
    ) =>
      v4.request("POST", `/edge-apps/settings${query}`, {
        ...{ body, headers: { Prefer: `return=representation,${Prefer}` } },
      });
    const by = "?on_conflict=app_id,name&select=name,title&order=name";
    const merge = "resolution=merge-duplicates";
    const first = await post(setting, merge, by);
    expect([first.status, first.json]).toEqual([
      ...[201, [{ name: "color", title: "Old" }]],
    ]);
    const merged = await post({ ...setting, title: "New" }, merge, by);
    expect([merged.status, merged.json]).toEqual([
      ...[200, [{ name: "color", title: "New" }]],
    ]);
    expect(merged.headers.get("preference-applied")).toBe(
      "resolution=merge-duplicates, return=representation",
    );
    const mixed = await post(
      [setting, { ...setting, name: "size" }],
      "resolution=ignore-duplicates",
      by,
    );
    expect([mixed.status, mixed.json]).toEqual([
      ...[201, [{ name: "size", title: "Old" }]],
    ]);
    expect(statusText(await post(setting, merge))).toBe("409 23505");
    expect(statusText(await post(setting, merge, "?on_conflict=title"))).toBe(
      "400 42P10",
    );
    expect(statusText(await post(setting, merge, "?on_conflict=nope"))).toBe(
      "400 42703",
    );
    const theirs = await v4.request("POST", `/edge-apps/settings${by}`, {
      ...{ body: setting, team: v4.otherTeam, headers: { Prefer: merge } },
    });
    expect(statusText(theirs)).toBe("409 23503");
  });

  it("[V4-29] lets a channel play a revision of its own app alone, or none", async () => {
    const v4 = await serveV4(database);
    const names = [{ name: "App" }, { name: "Other" }];
    const [app, other] = await v4.make("/edge-apps?select=id", names);
    await v4.make("/edge-apps/versions", { app_id: other.id });
    const channels = "/edge-apps/channels";
    const beta = { app_id: app.id, channel: "beta", app_revision: 1 };
    const stable = `${channels}?app_id=eq.${app.id}&channel=eq.stable`;
    const add = () => v4.request("POST", channels, { body: beta });
    const change = (app_revision: number | null) =>
      v4.request("PATCH", stable, { body: { app_revision } });
    expect(statusText(await add())).toBe("409 23503");
    expect(statusText(await change(1))).toBe("409 23503");
    expect((await v4.get(stable)).json[0].app_revision).toBeNull();
    await v4.make("/edge-apps/versions", { app_id: app.id });
    expect((await add()).status).toBe(201);
    for (const revision of [1, null])
      expect((await change(revision)).status).toBe(204);
    expect(statusText(await change(2))).toBe("409 23503");
  });

  it("[V4-42] [V4-283] stores edge apps with channels, versions, installations and values", async () => {
    const v4 = await serveV4(database);
    const [app] = await v4.make("/edge-apps?select=id,name", { name: "App" });
    const [version] = await v4.make("/edge-apps/versions", {
      ...{ app_id: app.id, user_version: "1", categories: ["clock"] },
      file_tree: { "index.html": "ab" },
    });
    expect(version).toMatchObject({ revision: 1, categories: ["clock"] });
    const channel = await v4.request(
      "PATCH",
      `/edge-apps/channels?select=channel,app_revision&channel=eq.stable&app_id=eq.${app.id}`,
      { body: { app_revision: 1 }, headers: rows },
    );
    expect(channel.json).toEqual([{ channel: "stable", app_revision: 1 }]);
    const [installed] = await v4.make("/edge-apps/installations?select=id", {
      ...{ app_id: app.id, name: "Clock" },
    });
    const asset = await v4.get(
      `/assets?app_installation_id=eq.${installed.id}&select=title,type,status,app_channel`,
    );
    expect(asset.json).toEqual([
      {
        ...{ title: "Clock", type: "edge-app", status: "finished" },
        app_channel: "stable",
      },
    ]);
    const own = `id=eq.${installed.id}`;
    await v4.request("PATCH", `/v4/edge-apps/installations?${own}`, {
      body: { name: "Lobby clock" },
    });
    const renamed = await v4.get("/assets?type=eq.edge-app&select=title");
    expect(renamed.json).toEqual([{ title: "Lobby clock" }]);
    const setting = { app_id: app.id, title: "t", optional: true };
    await v4.make("/edge-apps/settings", { ...setting, name: "zone" });
    await v4.make("/edge-apps/settings", {
      ...{ ...setting, name: "key", type: "secret" },
    });
    const values = "/edge-apps/settings/values";
    const value = { installation_id: installed.id, name: "zone", value: "UTC" };
    expect(await v4.make(values, value)).toEqual([
      { ...value, app_id: app.id },
    ]);
    expect(statusText(await v4.request("POST", values, { body: value }))).toBe(
      "409 23505",
    );
    await v4.make(values, { app_id: app.id, name: "zone", value: "CET" });
    const forAll = await v4.request(
      "PATCH",
      `${values}?app_id=eq.${app.id}&installation_id=is.null&name=eq.zone&select=value`,
      { body: { value: "EET" }, headers: rows },
    );
    expect(forAll.json).toEqual([{ value: "EET" }]);
    const shown = await v4.get(
      `/edge-apps/settings?select=name,edge_app_setting_values(value)&edge_app_setting_values.installation_id=eq.${installed.id}&order=name`,
    );
    expect(shown.json).toEqual([
      { name: "key", edge_app_setting_values: [] },
      { name: "zone", edge_app_setting_values: [{ value: "UTC" }] },
    ]);
    const secrets = "/edge-apps/secrets/values";
    const secret = { app_id: app.id, name: "key", value: "hush" };
    expect((await v4.request("POST", secrets, { body: secret })).status).toBe(
      201,
    );
    expect(statusText(await v4.request("POST", values, { body: secret }))).toBe(
      "400 23514",
    );
    expect(statusText(await v4.get(secrets))).toBe("405 PGRST117");
    expect(
      statusText(
        await v4.request("POST", values, { body: { ...value, name: "nope" } }),
      ),
    ).toBe("409 23503");
    expect(
      (await v4.request("DELETE", `/edge-apps?id=eq.${app.id}`)).status,
    ).toBe(204);
    expect((await v4.get("/assets")).json).toEqual([]);
  });

  it("[V4-11] changes no values of all apps when no installation is given", async () => {
    const v4 = await serveV4(database);
    const values = "/edge-apps/settings/values";
    for (const title of ["one", "two"]) {
      const [app] = await v4.make("/edge-apps?select=id", { name: title });
      const setting = { app_id: app.id, name: "theme" };
      await v4.make("/edge-apps/settings", { ...setting, title });
      await v4.make(values, { ...setting, value: title });
    }
    const path = `${values}?installation_id=is.null&name=eq.theme`;
    const patch = await v4.request("PATCH", path, { body: { value: "x" } });
    const gone = await v4.request("DELETE", path);
    expect([statusText(patch), statusText(gone)]).toEqual([
      "400 PGRST100",
      "400 PGRST100",
    ]);
    const left = await v4.get(`${values}?select=value&order=value`);
    expect(left.json).toEqual([{ value: "one" }, { value: "two" }]);
  });

  it("[V4-42] [V4-280] copies files into the given revision, or stages them", async () => {
    const shared: { readonly to: string }[] = [];
    const v4 = await serveV4(database, {
      shareFiles: async (_run, pairs) => void shared.push(...pairs),
    });
    const [app] = await v4.make("/edge-apps", { name: "App" });
    const { id } = (await v4.make("/assets", { app_id: app.id }))[0];
    await v4.database.kysely
      .updateTable("assets")
      .set({
        signature: "aa",
        type: "edge-app-file",
        status: "finished",
      } as never)
      .where("id", "=", id)
      .execute();
    await v4.database.kysely
      .updateTable("assets")
      .set({ app_revision: 1 } as never)
      .execute();
    const copy = (path: string, revision: unknown) =>
      v4.request("POST", path, {
        body: { app_id: app.id, revision, signatures: ["aa", "bb"] },
      });
    for (const revision of [2, null]) {
      const path = "edge-apps/copy-assets";
      expect((await copy(`/v4/${path}`, revision)).json).toEqual(["aa"]);
      expect((await copy(`/${path}/`, revision)).json).toEqual(["aa"]);
    }
    expect(statusText(await copy("/edge-apps/copy-assets", "x"))).toBe(
      "400 22P02",
    );
    const { json } = await v4.get(
      "/assets?select=id,app_revision,signature&order=id",
    );
    expect(json).toEqual([
      { id, app_revision: 1, signature: "aa" },
      { id: json[1].id, app_revision: 2, signature: "aa" },
      { id: json[2].id, app_revision: null, signature: "aa" },
    ]);
    expect(shared.map(({ to }) => to)).toEqual([json[1].id, json[2].id]);
  });

  it("[V4-39] [V4-282] [V4-31] returns the team and its people, and no other's", async () => {
    const v4 = await serveV4(database);
    // As version 3 returns `me`: a team without people has itself as its only one.
    const name = `Team ${v4.team.slice(-2)}`;
    for (const path of ["/api/v4.1/users/", "/v4/users?order=id"])
      expect((await v4.get(path)).json).toEqual([
        { ...nobody, id: v4.team, team_id: v4.team, first_name: name },
      ]);
    const known = await v4.get("/teams?select=users(first_name)");
    expect(known.json).toEqual([{ users: [{ first_name: name }] }]);
    for (const team_id of [v4.team, v4.otherTeam])
      await v4.database.kysely
        .insertInto("users")
        .values({
          ...{ id: `U${team_id}`, team_id, email: "a@b.example" },
          created_at: firstMoment,
        })
        .execute();
    const users = await v4.get("/api/v4.1/users/");
    expect(users.json).toMatchObject([{ email: "a@b.example", company: "" }]);
    const teams = await v4.get(
      `/api/v4.1/teams/?select=id,domain&id=eq.${v4.team}`,
    );
    const domain = name.toLowerCase().replace(" ", "-");
    expect(teams.json).toEqual([{ id: v4.team, domain }]);
    // A team whose name yields no domain, or of an older version, uses its id.
    await v4.database.kysely.updateTable("teams").set({ domain: "" }).execute();
    expect((await v4.get("/v4/teams?select=domain&order=name")).json).toEqual([
      { domain: v4.team.toLowerCase() },
    ]);
    const other = await v4.get(`/teams?id=eq.${v4.otherTeam}`);
    expect(other.json).toEqual([]);
    expect(statusText(await v4.request("POST", "/users", { body: {} }))).toBe(
      "405 PGRST117",
    );
  });
});
