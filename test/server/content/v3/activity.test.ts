// The activity log of the service over HTTP: every change by any interface, with who made it, and nothing else.

import { describe, expect, it } from "vitest";
import {
  activityPageV3,
  type ActivityV3,
} from "../../../../server/contract/v3/v3-activity.ts";
import {
  briefEntriesOf,
  briefly,
  entriesOf,
} from "../../../support/content/activity.ts";
import { registerPlayer } from "../../../support/content/linked-player.ts";
import { eachV3, type ClientV3 } from "../../../support/content/each-v3.ts";

const marked = { "X-Vitrine-Manager": "1" };

async function send(
  address: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(`${address}/api/v3${path}`, {
    method,
    headers: { "Content-Type": "application/json", ...marked, ...headers },
    body: body === undefined ? null : JSON.stringify(body),
  });
}

/** Without those that every team begins with: its key. */
async function newEntries(client: ClientV3): Promise<readonly ActivityV3[]> {
  const entries = await entriesOf(client);
  return entries.filter(({ kind }) => kind !== "key").toReversed();
}

const page = {
  source_url: "https://user:pass@example.org/page?token=secret1",
  title: "Menu",
  disable_verification: true,
};

let emails = 0;

async function newPerson(address: string, client: ClientV3) {
  const email = `audit-${(emails += 1)}-${Date.now()}@example.org`;
  const invitation = await client.make("/invitations", {
    ...{ email, role: "admin" },
  });
  const secret = String(invitation.link).split("#invitation=")[1];
  const password = "correct horse battery";
  const accepted = await send(address, "POST", "/invitations/accept", {
    ...{ secret, password, name: "Ada" },
  });
  expect(accepted.status).toBe(200);
  const [cookie = ""] = (accepted.headers.get("set-cookie") ?? "").split(";");
  return { email, password, cookie };
}

eachV3((service) => {
  describe("entries", () => {
    it("[V4-380] [V4-381] say who changed what, with the values before and after, by version 3", async () => {
      const client = await service.client();
      const { id } = await client.make("/assets", page);
      await client.call("PATCH", `/assets/${id}`, { title: "Menu 2" });
      const list = await client.make("/playlists", { title: "Lobby" });
      await client.call("PATCH", `/playlists/${list.id}`, {
        assets: [{ id, duration: 7 }],
      });
      const group = await client.make("/groups", { name: "East" });
      await client.call("PATCH", `/groups/${group.id}`, { name: "West" });
      for (const path of [`playlists/${list.id}`, `groups/${group.id}`])
        expect((await client.call("DELETE", `/${path}`)).status).toBe(200);
      await client.call("DELETE", `/assets/${id}`);
      const entries = await newEntries(client);
      expect(entries.map(briefly)).toEqual([
        { kind: "asset", what: "added", name: "Menu", changes: [] },
        {
          ...{ kind: "asset", what: "changed", name: "Menu 2" },
          changes: [{ field: "title", before: "Menu", after: "Menu 2" }],
        },
        { kind: "playlist", what: "added", name: "Lobby", changes: [] },
        {
          ...{ kind: "playlist", what: "changed", name: "Lobby" },
          changes: [{ field: "assets", before: "", after: `${id} (7 s)` }],
        },
        { kind: "group", what: "added", name: "East", changes: [] },
        {
          ...{ kind: "group", what: "changed", name: "West" },
          changes: [{ field: "name", before: "East", after: "West" }],
        },
        { kind: "playlist", what: "removed", name: "Lobby", changes: [] },
        { kind: "group", what: "removed", name: "West", changes: [] },
        { kind: "asset", what: "removed", name: "Menu 2", changes: [] },
      ]);
      const [first] = entries;
      expect(first).toMatchObject({
        ...{ actor_kind: "key", actor_name: "test", resource_id: id },
        ...{ address: "127.0.0.1", count: 1 },
      });
    });

    it("[V4-380] [V4-381] say the same by version 4", async () => {
      const client = await service.client();
      const prefer = { Prefer: "return=representation" };
      const make = async (path: string, body: unknown): Promise<any> => {
        const answer = await client.call("POST", `/v4.1/${path}`, body, prefer);
        expect(answer.status, answer.text).toBe(201);
        return answer.json[0];
      };
      const asset = await make("assets", page);
      await client.call("PATCH", `/v4.1/assets?id=eq.${asset.id}`, {
        title: "Menu 2",
        send_metadata: true,
      });
      const list = await make("playlists", { title: "Lobby" });
      const item = await make("playlist-items", {
        ...{ playlist_id: list.id, asset_id: asset.id, duration: 5 },
      });
      await client.call("PATCH", `/v4.1/playlist-items?id=eq.${item.id}`, {
        duration: 9,
      });
      const label = await make("labels", { name: "East" });
      await make("labels/playlists", {
        ...{ label_id: label.id, playlist_id: list.id },
      });
      for (const path of [
        `playlist-items?id=eq.${item.id}`,
        `assets?id=eq.${asset.id}`,
      ])
        expect((await client.call("DELETE", `/v4.1/${path}`)).status).toBe(204);
      const entries = await newEntries(client);
      const ofList = { kind: "playlist", what: "changed", name: "Lobby" };
      expect(entries.map(briefly)).toEqual([
        { kind: "asset", what: "added", name: "Menu", changes: [] },
        {
          ...{ kind: "asset", what: "changed", name: "Menu 2" },
          changes: [
            { field: "title", before: "Menu", after: "Menu 2" },
            { field: "send_metadata", before: false, after: true },
          ],
        },
        { kind: "playlist", what: "added", name: "Lobby", changes: [] },
        {
          ...ofList,
          changes: [{ field: "items", before: null, after: asset.id }],
        },
        {
          ...ofList,
          changes: [{ field: "items.duration", before: 5, after: 9 }],
        },
        { kind: "group", what: "added", name: "East", changes: [] },
        {
          ...ofList,
          changes: [{ field: "groups", before: null, after: label.id }],
        },
        {
          ...ofList,
          changes: [{ field: "items", before: asset.id, after: null }],
        },
        { kind: "asset", what: "removed", name: "Menu 2", changes: [] },
      ]);
      expect(new Set(entries.map(({ actor_name }) => actor_name))).toEqual(
        new Set(["test"]),
      );
    });

    it("[V4-380] exist only if the change does: nothing for what is refused or changes nothing", async () => {
      const client = await service.client();
      const { id } = await client.make("/playlists", { title: "Lobby" });
      const same = { title: "Lobby" };
      await client.call("PATCH", `/playlists/${id}`, same);
      await client.call("PATCH", `/v4.1/playlists?id=eq.${id}`, same);
      const refused = [
        await client.call(
          ...(["PATCH", `/playlists/${id}`, { title: "A" }] as const),
          { "If-Match": '"other"' },
        ),
        await client.call("PATCH", `/playlists/${id}`, {
          ...{ title: "B", assets: [{ id: "none" }] },
        }),
        await client.call("POST", "/v4.1/playlist-items", {
          ...{ playlist_id: id, asset_id: "none", duration: 5 },
        }),
        await client.call("DELETE", `/playlists/none`),
        await client.call(
          ...(["DELETE", `/v4.1/playlists?id=eq.${id}`, undefined] as const),
          { "If-Match": '"other"' },
        ),
      ];
      expect(refused.map(({ status }) => status)).toEqual([
        412, 400, 409, 404, 412,
      ]);
      const entries = await newEntries(client);
      expect(entries.map(({ what }) => what)).toEqual(["added"]);
    });

    it("[V4-381] are one for each thing up to 200, and one in all beyond", async () => {
      const client = await service.client();
      const rows = (count: number, name: string) =>
        Array.from({ length: count }, (_, at) => ({
          title: `${name} ${String(at).padStart(4, "0")}`,
        }));
      const make = (body: unknown) =>
        client.call("POST", "/v4.1/playlists", body);
      expect((await make(rows(200, "some"))).status).toBe(201);
      expect((await newEntries(client)).length).toBeLessThanOrEqual(100);
      const first = activityPageV3.parse(
        await client.get("/activity?limit=1000"),
      );
      expect(
        first.entries.filter(({ kind }) => kind === "playlist").length,
      ).toBe(200);
      expect((await make(rows(1000, "many"))).status).toBe(201);
      const [many] = await entriesOf(client, "?limit=1");
      expect(many).toMatchObject({
        ...{ kind: "playlist", what: "added", count: 1000, resource_id: null },
      });
      expect(String(many?.changes[0]?.after).split(", ")).toHaveLength(5);
      const listed = await client.get("/v4.1/playlists?select=id&limit=250");
      const ids = listed.map(({ id }: { readonly id: string }) => id).join();
      const path = `/v4.1/playlists?id=in.(${ids})`;
      await client.call("PATCH", path, { priority: true });
      await client.call("DELETE", path);
      const [removed, changed] = await entriesOf(client, "?limit=2");
      expect(removed).toMatchObject({ what: "removed", count: 250 });
      expect(changed).toMatchObject({ what: "changed", count: 250 });
      for (const value of [
        removed?.changes[0]?.before,
        changed?.changes[0]?.after,
      ])
        expect(ids.split(",")).toEqual(
          expect.arrayContaining(String(value).split(", ")),
        );
    });

    it("[V4-381] of more than 200 parts name what they belong to", async () => {
      const client = await service.client();
      const { id } = await client.make("/assets", page);
      const list = await client.make("/playlists", {
        title: "Lobby",
        assets: Array.from({ length: 250 }, () => ({ id, duration: 7 })),
      });
      const path = `/v4.1/playlist-items?playlist_id=eq.${list.id}`;
      await client.call("PATCH", path, { duration: 9 });
      const [changed] = await entriesOf(client, "?limit=1");
      expect(changed).toMatchObject({
        ...{ kind: "playlist", what: "changed", count: 250 },
        changes: [{ field: "items of", before: list.id, after: list.id }],
      });
    });

    it("[V4-381] say what an upsert changed", async () => {
      const client = await service.client();
      const upsert = (rows: unknown) =>
        client.call("POST", "/v4.1/labels/playlists", rows, {
          Prefer: "resolution=merge-duplicates",
        });
      const list = await client.make("/playlists", { title: "Lobby" });
      const group = await client.make("/groups", { name: "East" });
      const link = { label_id: group.id, playlist_id: list.id };
      expect((await upsert(link)).status).toBe(201);
      expect((await upsert(link)).status).toBe(200);
      const links = (await newEntries(client)).slice(2);
      expect(links.map(({ name }) => name)).toEqual(["Lobby"]);
    });

    it("[V4-382] have no secrets: headers, scripts, addresses, passwords, keys", async () => {
      const client = await service.client();
      const { id } = await client.make("/assets", page);
      const secrets = {
        headers: { Authorization: "Bearer secret2" },
        js_injection: "login('secret3')",
        metadata: {
          note: "https://u:secret4@example.org/?k=secret5",
          password: "secret6",
        },
      };
      expect(
        (await client.call("PATCH", `/assets/${id}`, secrets)).status,
      ).toBe(200);
      await client.call("PATCH", `/v4.1/assets?id=eq.${id}`, {
        ...secrets,
        headers: { Authorization: "Bearer secret7" },
        title: "https://me:secret8@example.org/a?b=secret9",
      });
      const key = await client.make("/keys", {
        name: "Reports",
        role: "viewer",
      });
      const person = await newPerson(service.address(), client);
      await send(
        ...([service.address(), "PATCH", "/account"] as const),
        { password: "secret10 and more", current_password: person.password },
        { Cookie: person.cookie },
      );
      const csv = await client.call("GET", "/activity?format=csv");
      const json = await client.call("GET", "/activity?limit=1000");
      for (const text of [csv.text, json.text]) {
        expect(text).not.toMatch(/secret\d/);
        expect(text).not.toContain(key.secret);
        expect(text).toContain("(hidden)");
      }
      expect(csv.headers.get("content-type")).toContain("text/csv");
    });

    it("[V4-384] of people: invited, added, changed, signed in and out, failures counted", async () => {
      const client = await service.client();
      const address = service.address();
      const { email, password, cookie } = await newPerson(address, client);
      const wrong = { email, password: "wrong wrong wrong" };
      for (let times = 0; times < 3; times += 1)
        expect((await send(address, "POST", "/sign-in", wrong)).status).toBe(
          401,
        );
      const right = await send(address, "POST", "/sign-in", {
        email,
        password,
      });
      expect(right.status).toBe(200);
      await send(
        address,
        "PATCH",
        "/account",
        { name: "Ada L." },
        { Cookie: cookie },
      );
      await send(address, "DELETE", "/sign-in", undefined, { Cookie: cookie });
      await expect
        .poll(async () => {
          const entries = await newEntries(client);
          return entries
            .map(({ kind, what, count, actor_kind }) =>
              [kind, what, count, actor_kind].join(" "),
            )
            .sort();
        })
        .toEqual(
          [
            "invitation added 1 key",
            "person added 1 person",
            "person signed-in 1 person",
            "person sign-in-failed 3 unknown",
            "person signed-in 1 person",
            "person changed 1 person",
            "person signed-out 1 person",
          ].sort(),
        );
      const entries = await newEntries(client);
      const changed = entries.find(({ what }) => what === "changed");
      expect(changed).toMatchObject({
        ...{ actor_name: "Ada", address: "127.0.0.1", name: "Ada L." },
        changes: [{ field: "name", before: "Ada", after: "Ada L." }],
      });
    });
  });

  it("[V4-380] [V4-381] screens are added, changed, assigned, commanded and removed", async () => {
    const client = await service.client();
    const { pin } = await registerPlayer(service.address());
    const { id } = await client.make("/screens", { pin, name: "Door" });
    const group = await client.make("/groups", { name: "East" });
    await client.call("PATCH", `/screens/${id}`, { name: "Hall" });
    await client.make("/screens/assignments", {
      ...{ screens: [id], add_groups: [group.id] },
    });
    await client.make(`/screens/${id}/commands`, { kind: "restart" });
    const path = `/v4.1/labels/screens?screen_id=eq.${id}&label_id=eq.${group.id}`;
    expect((await client.call("DELETE", path)).status).toBe(204);
    await client.call("DELETE", `/screens/${id}`);
    const entries = await newEntries(client);
    const ofScreen = entries.filter(({ kind }) => kind === "screen");
    expect(
      ofScreen.map(({ what, name, changes: [first] }) =>
        [what, name, first?.field, first?.before, first?.after].join(" "),
      ),
    ).toEqual([
      "added Door   ",
      "changed Hall name Door Hall",
      `changed Hall add_groups  ${group.id}`,
      "commanded Hall command  restart",
      `changed Hall groups ${group.id} `,
      "removed Hall   ",
    ]);
    expect(new Set(ofScreen.map((entry) => entry.resource_id))).toEqual(
      new Set([id]),
    );
  });

  it("[V4-382] values of secret settings are hidden, those of others are not", async () => {
    const client = await service.client();
    const make = async (path: string, body: unknown): Promise<void> => {
      const { status, text } = await client.call("POST", `/v4.1/${path}`, body);
      expect(status, text).toBe(201);
    };
    await make("edge-apps", { name: "Clock" });
    const [app] = await client.get("/v4.1/edge-apps");
    for (const type of ["string", "secret"])
      await make("edge-apps/settings", {
        ...{ app_id: app.id, name: `my_${type}`, type, title: type },
        ...{ optional: true, help_text: "" },
      });
    await make("edge-apps/settings/values", {
      ...{ app_id: app.id, name: "my_string", value: "plain value" },
    });
    await make("edge-apps/secrets/values", {
      ...{ app_id: app.id, name: "my_secret", value: "hush" },
    });
    const values = (await entriesOf(client, "?kind=setting&limit=2")).map(
      ({ name, changes }) => ({ name, after: changes[0]?.after }),
    );
    expect(values).toEqual([
      { name: "my_secret", after: "(hidden)" },
      { name: "my_string", after: "plain value" },
    ]);
  });

  it("[V4-380] [V4-381] [V4-382] alert rules, with groups by name and without the webhook", async () => {
    const client = await service.client();
    const group = await client.make("/groups", { name: "Lobby" });
    const webhook = {
      url: "https://hooks.example.org/secret1",
      secret: "secret2 of the hook",
    };
    const rule = await client.make("/alerts/rules", {
      ...{ name: "Wrong", states: ["wrong"], after_seconds: 60, webhook },
    });
    const path = `/alerts/rules/${rule.id}`;
    const change = async (body: object): Promise<void> => {
      const { status, text } = await client.call("PATCH", path, body);
      expect(status, text).toBe(200);
    };
    // What it is already.
    await change({ is_enabled: true, states: ["wrong"], name: "Wrong" });
    await change({ is_enabled: false, groups: [{ id: group.id }] });
    await change({ webhook: { ...webhook, secret: "secret3 of the hook" } });
    await change({ webhook: { url: "https://hooks.example.org/secret4" } });
    await change({ webhook: null, states: ["offline"], name: "Off" });
    expect((await client.call("DELETE", path)).status).toBe(200);
    const of = { kind: "alert-rule", what: "changed", name: "Wrong" };
    const hidden = { field: "webhook", before: "(hidden)", after: "(hidden)" };
    expect(await briefEntriesOf(client, "alert-rule")).toEqual([
      { ...of, what: "added", changes: [] },
      {
        ...of,
        changes: [
          { field: "is_enabled", before: true, after: false },
          { field: "groups", before: "", after: "Lobby" },
        ],
      },
      { ...of, changes: [hidden] },
      { ...of, changes: [hidden] },
      {
        ...{ ...of, name: "Off" },
        changes: expect.arrayContaining([
          { ...hidden, after: null },
          { field: "states", before: '["wrong"]', after: '["offline"]' },
          { field: "name", before: "Wrong", after: "Off" },
        ]),
      },
      { ...of, what: "removed", name: "Off", changes: [] },
    ]);
  });

  it("[V4-380] [V4-381] assertions, with assets and groups by name", async () => {
    const client = await service.client();
    const { id } = await client.make("/assets", page);
    const group = await client.make("/groups", { name: "School" });
    const assertion = await client.make("/assertions", {
      ...{ name: "Hourly", kind: "at-least", every_minutes: 60 },
      assets: [{ id }],
    });
    const path = `/assertions/${assertion.id}`;
    const change = async (body: object): Promise<void> => {
      const { status, text } = await client.call("PATCH", path, body);
      expect(status, text).toBe(200);
    };
    await change({ is_enabled: true, assets: [{ id }], name: "Hourly" });
    await change({ holds_back: false, groups: [{ id: group.id }] });
    await change({ name: "Never", kind: "never", every_minutes: null });
    expect((await client.call("DELETE", path)).status).toBe(200);
    const of = { kind: "assertion", what: "changed" };
    expect(await briefEntriesOf(client, "assertion")).toEqual([
      { ...of, what: "added", name: "Hourly", changes: [] },
      {
        ...{ ...of, name: "Hourly" },
        changes: [
          { field: "holds_back", before: true, after: false },
          { field: "groups", before: "", after: "School" },
        ],
      },
      {
        ...{ ...of, name: "Never" },
        changes: expect.arrayContaining([
          { field: "name", before: "Hourly", after: "Never" },
          { field: "kind", before: "at-least", after: "never" },
          { field: "every_minutes", before: 60, after: null },
        ]),
      },
      { ...of, what: "removed", name: "Never", changes: [] },
    ]);
  });

  describe("of changes at the same time", () => {
    const many = 12;
    const names = Array.from({ length: many }, (_, at) => `Name ${at}`);

    /** Each says what the one before left. */
    async function expectChain(
      client: ClientV3,
      id: string,
      first: string,
    ): Promise<void> {
      const entries = await entriesOf(client, `?resource=${id}`);
      const changes = entries
        .toReversed()
        .flatMap(({ changes }) => changes)
        .filter(({ field }) => field === "name" || field === "title");
      expect(changes.map(({ before }) => before)).toEqual([
        first,
        ...changes.slice(0, -1).map(({ after }) => after),
      ]);
      expect(changes.map(({ after }) => after).sort()).toEqual(
        names.toSorted(),
      );
    }

    it.each([
      { path: "/groups", body: { name: "First" } },
      {
        path: "/alerts/rules",
        body: { name: "First", states: ["wrong"], after_seconds: 60 },
      },
      { path: "/playlists", body: { title: "First" } },
    ])(
      "[V4-388] entries are in their order, by version 3: $path",
      async ({ path, body }) => {
        const client = await service.client();
        const { id } = await client.make(path, body);
        const field = "title" in body ? "title" : "name";
        const answers = await Promise.all(
          names.map((name) =>
            client.call("PATCH", `${path}/${id}`, { [field]: name }),
          ),
        );
        expect(new Set(answers.map(({ status }) => status))).toEqual(
          new Set([200]),
        );
        await expectChain(client, id, "First");
      },
    );

    it("[V4-388] entries are in their order, by version 4, and with changes by version 3 in between", async () => {
      const client = await service.client();
      const { id } = await client.make("/playlists", { title: "First" });
      const change = (title: string, at: number) =>
        at % 3 === 2
          ? client.call("PATCH", `/playlists/${id}`, { title })
          : client.call("PATCH", `/v4.1/playlists?id=eq.${id}`, { title });
      // One by one, and all at once.
      await change("Second", 0);
      await change("Third", 0);
      await Promise.all(names.map(change));
      const entries = await entriesOf(client, `?resource=${id}`);
      const titles = entries.toReversed().flatMap(({ changes }) => changes);
      expect(titles.map(({ before }) => before)).toEqual([
        "First",
        ...titles.slice(0, -1).map(({ after }) => after),
      ]);
      expect(titles).toHaveLength(many + 2);
    });
  });

  it("[V4-381] [V4-382] single rows by version 4: values of every type, earlier addresses and long texts", async () => {
    const client = await service.client();
    const prefer = { Prefer: "return=representation" };
    const made = await client.call("POST", "/v4.1/assets", page, prefer);
    const [{ id }] = made.json;
    const changed: (readonly [object, object | null])[] = [];
    const change = async (body: object, entry: object | null) => {
      const path = `/v4.1/assets?id=eq.${id}`;
      const { status, text } = await client.call("PATCH", path, body);
      expect(status, text).toBe(204);
      changed.push([body, entry]);
    };
    const long = "ö".repeat(250);
    const cut = `${"ö".repeat(200)}… (250 characters)`;
    await change({ title: 'A "b"\n\\ ä' }, { before: "Menu" });
    await change({ title: 'A "b"\n\\ ä' }, null);
    await change({ title: long }, { before: 'A "b"\n\\ ä', after: cut });
    await change({ title: "What?" }, { before: cut, after: "What?" });
    await change({ title: "https://a:b@example.org/?c" }, { before: "What?" });
    await change({ title: "x" }, { before: "https://…@example.org/?…" });
    await change({ user_agent: "" }, { before: null, after: "" });
    await change({ user_agent: null }, { before: "", after: null });
    await change({ zoom_level: 50 }, { before: null, after: 50 });
    await change({ zoom_level: null }, { before: 50, after: null });
    await change({ send_metadata: true }, { before: false, after: true });
    await change({ metadata: { b: 1, a: [2] } }, { before: "{}" });
    await change({ metadata: { a: [2], b: 1 } }, null);
    await change({ js_injection: "login('x')" }, { after: "(hidden)" });
    const entries = await entriesOf(client, `?resource=${id}`);
    expect(
      entries.toReversed().flatMap(({ changes }) => changes),
    ).toMatchObject(
      changed.flatMap(([body, entry]) =>
        entry ? [{ field: Object.keys(body)[0], ...entry }] : [],
      ),
    );
    expect(new Set(entries.map(({ name }) => name))).toContain("x");
  });

  describe("reading", () => {
    it("[V3-201] pages from the newest on, each entry once", async () => {
      const client = await service.client();
      for (let at = 0; at < 7; at += 1)
        await client.make("/playlists", { title: `List ${at}` });
      const names: string[] = [];
      let cursor = "";
      for (let pages = 0; pages < 10; pages += 1) {
        const page = activityPageV3.parse(
          await client.get(`/activity?kind=playlist&limit=3${cursor}`),
        );
        names.push(...page.entries.map(({ name }) => name));
        if (page.next === null) break;
        cursor = `&cursor=${page.next}`;
      }
      expect(names).toEqual([6, 5, 4, 3, 2, 1, 0].map((at) => `List ${at}`));
    });

    it("[V3-201] [V3-202] filters by time, actor, kind, thing and text; the CSV has the same rows", async () => {
      const client = await service.client();
      const other = await service.client();
      const { id } = await client.make("/playlists", { title: "Größe Ä" });
      await client.call("PATCH", `/playlists/${id}`, { title: "=Foyer" });
      await client.make("/groups", { name: "East" });
      await other.make("/groups", { name: "Others" });
      const names = async (query: string) =>
        (await entriesOf(client, query)).map(
          ({ what, name }) => `${what} ${name}`,
        );
      expect(await names("?kind=group")).toEqual(["added East"]);
      expect(await names(`?resource=${id}`)).toEqual([
        "changed =Foyer",
        "added Größe Ä",
      ]);
      expect(await names("?text=Ä")).toEqual([
        "changed =Foyer",
        "added Größe Ä",
      ]);
      expect(await names("?text=foyer")).toEqual(["changed =Foyer"]);
      expect(await names("?actor=test&kind=group")).toEqual(["added East"]);
      expect(await names("?actor=nobody")).toEqual([]);
      expect(await names("?until=2020-01-01T00:00:00Z")).toEqual([]);
      expect(await names("?since=2020-01-01T00:00:00Z&kind=group")).toEqual([
        "added East",
      ]);
      const csv = await client.call(
        ...(["GET", `/activity?resource=${id}`, undefined] as const),
        { Accept: "text/csv" },
      );
      const [head, first, second, ...rest] = csv.text.trim().split(/\r?\n/);
      expect(head).toMatch(/^at,actor_kind,actor_name/);
      // No formula of a spreadsheet.
      expect(first).toMatch(/changed,playlist,"?'=Foyer/);
      expect(second).toContain("Größe Ä");
      expect(rest).toEqual([]);
    });

    it("[V3-201] says which parameter is wrong", async () => {
      const client = await service.client();
      for (const query of [
        "kind=none",
        "limit=0",
        "since=yesterday",
        "text=",
      ]) {
        const { status, json } = await client.call("GET", `/activity?${query}`);
        expect(status).toBe(400);
        expect(Object.keys(json)).toEqual([query.split("=")[0]]);
      }
    });

    it("[V3-200] is for administrators", async () => {
      const client = await service.client();
      for (const role of ["viewer", "editor", "operator"]) {
        const { secret } = await client.make("/keys", { name: role, role });
        const { status } = await client.call("GET", "/activity", undefined, {
          Authorization: `Token ${secret}`,
        });
        expect(status, role).toBe(403);
      }
    });
  });
});
