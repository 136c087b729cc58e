// Shape of returned rows: renamed columns, casts, JSON, related rows at any depth, and their order.

import { expect, it } from "vitest";
import { eachDatabase } from "../../../support/database/each-database.ts";
import { serveV4, type V4Service } from "../../../support/content/serve-v4.ts";
import { addSamples } from "../../../support/content/v4-rows.ts";

eachDatabase((database) => {
  async function serveSamples(): Promise<V4Service> {
    const v4 = await serveV4(database);
    await addSamples(v4.database, v4.team, v4.otherTeam);
    return v4;
  }

  it("[V4-12] returns columns, new names, casts and values inside JSON", async () => {
    const v4 = await serveSamples();
    const show = async (select: string, filter = "id=eq.A2"): Promise<any> =>
      (await v4.get(`/assets?select=${encodeURIComponent(select)}&${filter}`))
        .json[0];
    expect(await show("id,name:title")).toEqual({
      ...{ id: "A2", name: "welcome, guests (all)" },
    });
    expect(await show('"title", n:width')).toEqual({
      ...{ title: "welcome, guests (all)", n: 3840 },
    });
    expect(
      await show(
        "d:duration::text,width::text,f:send_metadata::text,md5::text",
      ),
    ).toEqual({ d: "12.5", width: "3840", f: "true", md5: "0cc175b9" });
    expect(
      await show(
        "duration::int,send_metadata::int,created_at::date,w:width::bool",
      ),
    ).toEqual({
      ...{ duration: 13, send_metadata: 1, created_at: "2026-01-02", w: true },
    });
    expect(await show("m:metadata->>n::int,t:created_at::text")).toEqual({
      ...{ m: 10, t: "2026-01-02 00:00:00.123+00" },
    });
    expect(
      await show("metadata->tags,metadata->tags->>0,b:metadata->x", "id=eq.A1"),
    ).toEqual({ tags: "red", b: null });
    expect(await show("metadata->deep->a->1->b", "id=eq.A1")).toEqual({
      b: "x",
    });
    expect(await show("metadata", "id=eq.A4")).toEqual({ metadata: null });
    expect(await show("created_at", "id=eq.A1")).toEqual({
      created_at: "2026-01-01T00:00:00+00:00",
    });
  });

  it("[V4-12] casts whole numbers of 64 bits with all their digits", async () => {
    const v4 = await serveV4(database);
    const texts = ["9007199254740993", " -9223372036854775808", "+007"];
    await v4.make(
      "/assets",
      texts.map((title) => ({ title, source_size: title.trim() })),
    );
    const { text } = await v4.get(
      "/assets?select=a:title::int8,b:source_size::bigint,c:source_size::numeric,d:source_size::text&order=id",
    );
    const row = (all: string) =>
      `{"a":${all},"b":${all},"c":${all},"d":"${all}"}`;
    expect(text.replace(/\s/g, "")).toBe(
      `[${["9007199254740993", "-9223372036854775808", "7"].map(row).join()}]`,
    );
    for (const [title, cast, code] of [
      ["9223372036854775808", "int", "22003"],
      ["-9223372036854775809", "int", "22003"],
      ["1".repeat(300), "int", "22003"],
      ["12.5", "int", "22P02"],
      ["", "int", "22P02"],
      ["0x10", "int", "22P02"],
      ["1_000", "int", "22P02"],
      ["0x10", "float", "22P02"],
      ["Infinity", "float", "22P02"],
      ["nan", "float", "22P02"],
    ]) {
      const [{ id }] = await v4.make("/assets", { title });
      const answer = await v4.get(`/assets?select=title::${cast}&id=eq.${id}`);
      expect([title, answer.status, answer.json.code]).toEqual([
        ...[title, 400, code],
      ]);
    }
  });

  it("[V4-12] returns every column of the version by default", async () => {
    const v4 = await serveSamples();
    const plain = (await v4.get("/assets?id=eq.A1")).json[0];
    expect(Object.keys(plain)).toHaveLength(36);
    expect((await v4.get("/assets?id=eq.A1&select=")).json[0]).toEqual(plain);
    expect((await v4.get("/assets?id=eq.A1&select=*")).json[0]).toEqual(plain);
    const twice = await v4.get("/assets?id=eq.A1&select=id,id");
    expect(twice.text).toBe('[{"id":"A1","id":"A1"}]');
  });

  it("[V4-12] rejects unknown columns", async () => {
    const v4 = await serveSamples();
    const codes: Record<string, unknown> = {};
    for (const select of [
      ...["nope", "rowid", "toString", "constructor", "title::money"],
      ...["metadata::int", "id)", "id,", "a:b:c", "title.max()", "count()"],
    ]) {
      const { status, json } = await v4.get(`/assets?select=${select}`);
      codes[select] = `${status} ${json.code}`;
    }
    expect(codes).toEqual({
      ...{ nope: "400 42703", rowid: "400 42703", constructor: "400 42703" },
      ...{ toString: "400 42703", "title::money": "400 42704" },
      ...{ "metadata::int": "400 42846", "id)": "400 PGRST100" },
      ...{ "id,": "400 PGRST100", "a:b:c": "400 PGRST100" },
      ...{ "title.max()": "400 PGRST123", "count()": "400 PGRST123" },
    });
  });

  it("[V4-241] rejects names and keys that begin or end with a dash, or have two", async () => {
    const v4 = await serveSamples();
    const answers: string[] = [];
    const requests = [
      ...["title->>--1", "title->--1", "metadata->>-a", "metadata->>a-"],
      ...["metadata->a--b", "metadata->>", "metadata->", "metadata->>-"],
      ...["--1", "-title", "title-", "ti--tle", "->a", "->>a", "a:-title"],
      ...[
        "metadata->>(a)",
        "metadata->>a>b",
        "metadata->->a",
        "metadata->>1.5",
      ],
      ...["metadata->>--1::int", "metadata->a->>--1", "metadata->--1->>a"],
    ];
    for (const text of requests) {
      const written = encodeURIComponent(text);
      for (const query of [`select=${written}`, `order=${written}`]) {
        // In an order a dot begins the direction, and a colon is not part of a name.
        const { status, json } = await v4.get(`/assets?${query}`);
        answers.push(`${query} ${status} ${json.code}`);
      }
      const filter = await v4.get(`/assets?or=(${written}.eq.1)`);
      answers.push(`${text} ${filter.status} ${filter.json.code}`);
    }
    expect(answers.filter((each) => !each.endsWith(" 400 PGRST100"))).toEqual(
      [],
    );
  });

  it("[V4-241] accepts keys of any letters, and numbers followed by letters as keys", async () => {
    const v4 = await serveV4(database);
    const metadata = {
      ...{ "a/b": 1, größe: 2, "a b": 3, "1-2": 4, "1a": 5, "x@y!*": 6 },
      ...{ "a-b-c": 7, list: [8, 9] },
    };
    await v4.make("/assets", { title: "Keys", metadata });
    const show = async (select: string): Promise<unknown> => {
      const written = encodeURIComponent(select);
      const { json } = await v4.get(`/assets?select=${written}`);
      return Object.values(json[0] as object)[0];
    };
    for (const [key, value] of Object.entries(metadata).slice(0, -1)) {
      expect(await show(`metadata->${key}`)).toBe(value);
      expect(await show(`k:metadata->>${key}`)).toBe(String(value));
      const filter = `${encodeURIComponent(`metadata->>${key}`)}=eq.${String(value)}`;
      expect((await v4.get(`/assets?${filter}`)).json).toHaveLength(1);
    }
    expect(await show("metadata->list->-1")).toBe(9);
    expect(await show("n:metadata->list->>0::int")).toBe(8);
    expect(await show("n:metadata->list->>-1::int")).toBe(9);
  });

  it("[V4-13] counts rows for the bare word", async () => {
    const v4 = await serveSamples();
    const request = async (query: string) => (await v4.get(query)).json;
    expect(await request("/assets?select=count")).toEqual([{ count: 7 }]);
    expect(await request("/assets?select=n:count&type=eq.image")).toEqual([
      { n: 1 },
    ]);
    expect(
      await request("/asset-groups?select=id,assets(count)&order=id"),
    ).toEqual([
      { id: "G1", assets: [{ count: 2 }] },
      { id: "G2", assets: [{ count: 2 }] },
      { id: "G3", assets: [{ count: 0 }] },
    ]);
    expect(
      await request("/asset-groups?select=id,...assets(count)&order=id"),
    ).toEqual([
      { id: "G1", count: [2] },
      { id: "G2", count: [2] },
      { id: "G3", count: [0] },
    ]);
    expect(
      await request(
        "/assets?select=id,...asset_groups(groups:count)&id=in.(A1,A4)&order=id",
      ),
    ).toEqual([
      { id: "A1", groups: 1 },
      { id: "A4", groups: 0 },
    ]);
    expect(
      await request(
        "/asset-groups?select=id,...assets(n:count)&assets.type=eq.image&id=eq.G1",
      ),
    ).toEqual([{ id: "G1", n: [1] }]);
    const lobby =
      "/asset-groups?select=id,assets(count,asset_groups!inner())&assets.asset_groups.title=eq.Lobby&order=id";
    expect(await request(lobby)).toEqual([
      { id: "G1", assets: [{ count: 2 }] },
      { id: "G2", assets: [{ count: 0 }] },
      { id: "G3", assets: [{ count: 0 }] },
    ]);
    expect(
      await request(
        "/assets?select=count,asset_groups!inner()&asset_groups.title=eq.Lobby",
      ),
    ).toEqual([{ count: 2 }]);
    expect(await request("/assets?select=count&limit=0")).toEqual([]);
    expect(await request("/assets?select=count&offset=1")).toEqual([]);
    expect(await request("/assets?select=count&limit=1")).toEqual([
      { count: 7 },
    ]);
    const mixed = await v4.get("/assets?select=id,count");
    expect([mixed.status, mixed.json.code]).toEqual([400, "42803"]);
  });

  it("[V4-49] keeps the rows whose related ones are counted, however many there are", async () => {
    const v4 = await serveSamples();
    const request = async (query: string) => (await v4.get(query)).json;
    const group = (id: string, count: number) => ({ id, assets: [{ count }] });
    const inner = "/asset-groups?select=id,assets!inner(count)&order=id";
    const all = [group("G1", 2), group("G2", 2), group("G3", 0)];
    expect(await request(inner)).toEqual(all);
    expect(await request(`${inner}&assets.type=eq.image`)).toEqual([
      ...[group("G1", 1), group("G2", 0), group("G3", 0)],
    ]);
    const counted = await v4.get(`${inner}&limit=2`, { Prefer: "count=exact" });
    expect(counted.headers.get("content-range")).toBe("0-1/3");
    expect(await request(`${inner}&assets=not.is.null`)).toEqual(all);
    expect(await request(`${inner}&assets=is.null`)).toEqual([]);
    expect(await request(`${inner}&assets.limit=1`)).toEqual(all);
    for (const window of ["limit=0", "offset=1"])
      expect(await request(`${inner}&assets.${window}`)).toEqual([]);
    expect(
      await request(
        "/asset-groups?select=id,...assets!inner(n:count)&id=in.(G1,G3)&order=id",
      ),
    ).toEqual([
      { id: "G1", n: [2] },
      { id: "G3", n: [0] },
    ]);
    expect(
      await request(
        "/assets?select=id,asset_groups!inner(count)&id=in.(A1,A4)&order=id",
      ),
    ).toEqual([
      { id: "A1", asset_groups: { count: 1 } },
      { id: "A4", asset_groups: { count: 0 } },
    ]);
  });

  it("[V4-14] embeds to-one and to-many relations, at any depth, with their own filters, order and range", async () => {
    const v4 = await serveSamples();
    const request = async (query: string) => (await v4.get(query)).json;
    expect(
      await request(
        "/assets?select=id,asset_groups(title)&id=in.(A1,A4)&order=id",
      ),
    ).toEqual([
      { id: "A1", asset_groups: { title: "Lobby" } },
      { id: "A4", asset_groups: null },
    ]);
    expect(
      await request(
        "/asset-groups?select=id,all:assets(id,title)&all.order=title.desc&all.limit=1&all.offset=0&order=id.desc",
      ),
    ).toEqual([
      { id: "G3", all: [] },
      { id: "G2", all: [{ id: "A5", title: 'quote " and \\ back' }] },
      { id: "G1", all: [{ id: "A2", title: "welcome, guests (all)" }] },
    ]);
    expect(
      await request(
        "/assets?id=eq.A1&select=id,asset_groups(id,assets(id,metadata,send_metadata,asset_groups(title)))&asset_groups.assets.id=neq.A1",
      ),
    ).toEqual([
      {
        id: "A1",
        asset_groups: {
          id: "G1",
          assets: [
            {
              id: "A2",
              metadata: { tags: ["blue"], n: 10, s: "5" },
              send_metadata: true,
              asset_groups: { title: "Lobby" },
            },
          ],
        },
      },
    ]);
    expect(
      await request(
        "/asset-groups?select=id,assets!inner()&assets.width=gt.1000",
      ),
    ).toEqual([{ id: "G1" }]);
  });

  it("[V4-14] applies the range of related rows when it counts them or requires one", async () => {
    const v4 = await serveSamples();
    const request = async (query: string) =>
      (await v4.get(`/asset-groups?order=id&${query}`)).json;
    expect(
      await request("select=id,assets(count)&assets.limit=0&id=eq.G1"),
    ).toEqual([{ id: "G1", assets: [] }]);
    expect(
      await request("select=id,assets(count)&assets.limit=1&id=eq.G1"),
    ).toEqual([{ id: "G1", assets: [{ count: 2 }] }]);
    const both = [{ id: "G1" }, { id: "G2" }];
    const inner = "select=id,assets!inner()";
    expect(await request(`${inner}&assets.limit=0`)).toEqual([]);
    expect(await request(`${inner}&assets.offset=1`)).toEqual(both);
    expect(await request(`${inner}&assets.offset=2`)).toEqual([]);
  });

  it("[V4-14] spreads the columns of related rows among its own", async () => {
    const v4 = await serveSamples();
    const request = async (query: string) => (await v4.get(query)).json;
    expect(
      await request(
        "/assets?select=id,...asset_groups(group_title:title)&id=in.(A1,A4)&order=id",
      ),
    ).toEqual([
      { id: "A1", group_title: "Lobby" },
      { id: "A4", group_title: null },
    ]);
    expect(
      await request(
        "/asset-groups?select=id,...assets(ids:id,send_metadata,metadata->n)&id=in.(G1,G3)&order=id",
      ),
    ).toEqual([
      { id: "G1", ids: ["A1", "A2"], send_metadata: [false, true], n: [5, 10] },
      { id: "G3", ids: [], send_metadata: [], n: [] },
    ]);
  });

  it("[V4-14] rejects filters on what is not embedded", async () => {
    const v4 = await serveSamples();
    for (const query of [
      "asset_groups.title=eq.x",
      "nope.order=id",
      "a.b.limit=1",
    ]) {
      const { status, json } = await v4.get(`/assets?${query}`);
      expect([query, status, json.code]).toEqual([query, 400, "PGRST108"]);
    }
  });

  it("[V4-15] reports which relations there are, or that there is none", async () => {
    const v4 = await serveSamples();
    const none = await v4.get("/assets?select=asset-groups(*)");
    expect([none.status, none.json.code]).toEqual([400, "PGRST200"]);
    expect(none.json.hint).toContain("asset_groups");
    const two = await v4.get("/assets?select=id,assets(id)");
    expect([two.status, two.json.code]).toEqual([300, "PGRST201"]);
    expect(two.json.details).toHaveLength(2);
    const pages = await v4.get(
      "/assets?select=id,pdf:pdf_asset_id(id)&id=eq.A5",
    );
    expect(pages.json).toEqual([{ id: "A5", pdf: null }]);
  });

  it("[V4-16] sorts by columns, JSON and the one related row", async () => {
    const v4 = await serveSamples();
    const ids = async (order: string): Promise<string> => {
      const answer = await v4.get(
        `/assets?select=id,asset_groups()&order=${order}`,
      );
      return (
        answer.json.map?.((row: any) => row.id.slice(1)).join("") ??
        answer.json.code
      );
    };
    expect(await ids("title")).toBe("6731524");
    expect(await ids("width")).toBe("3512467");
    expect(await ids("width.desc")).toBe("4672153");
    expect(await ids("width.desc.nullslast")).toBe("2153467");
    expect(await ids("width.nullsfirst,id.desc")).toBe("7643512");
    expect(await ids("metadata->n")).toBe("6712345");
    expect(await ids("metadata->>n.desc.nullslast,id")).toBe("1273456");
    expect(await ids("asset_groups(title).desc.nullslast,id.desc")).toBe(
      "5321764",
    );
    expect(await ids("nope")).toBe("42703");
    for (const bad of ["", "id,", "id.up", "id.desc.asc"])
      expect([bad, await ids(bad)]).toEqual([bad, "PGRST100"]);
    const many = await v4.get(
      "/asset-groups?select=id,assets(id)&order=assets(title)",
    );
    expect([many.status, many.json.code]).toEqual([400, "PGRST118"]);
  });
});
