// Inserting, changing and deleting: what is stored, what is returned, and what is rejected without a change.

import { expect, it } from "vitest";
import { eachDatabase } from "../../../support/database/each-database.ts";
import {
  serveV4,
  type Answer,
  type V4Service,
} from "../../../support/content/serve-v4.ts";
import { addSamples } from "../../../support/content/v4-rows.ts";

const rows = { Prefer: "return=representation" };

function statusText({ status, json }: Answer): string {
  return `${status} ${json?.code ?? ""}`.trim();
}

eachDatabase((database) => {
  async function serveSamples(): Promise<V4Service> {
    const v4 = await serveV4(database);
    await addSamples(v4.database, v4.team, v4.otherTeam);
    return v4;
  }

  it("[V4-23] [V4-43] answers an insert with no body, with the new row, or with its location", async () => {
    const v4 = await serveV4(database);
    const body = { title: "Page", source_url: "https://example.org/" };
    const plain = await v4.request("POST", "/assets", { body });
    expect([plain.status, plain.text]).toEqual([201, ""]);
    expect(plain.headers.get("content-type")).toBeNull();
    expect(plain.headers.get("content-range")).toBe("*/*");
    const none = await v4.request("POST", "/assets", {
      body,
      headers: { Prefer: "return=none" },
    });
    expect([none.status, none.text]).toEqual([201, ""]);
    expect(none.headers.get("preference-applied")).toBe("return=none");
    const [fresh] = await v4.make("/assets", body);
    expect(fresh).toMatchObject({
      ...{ ...body, status: "none", type: null, asset_url: "", md5: null },
      ...{ headers: {}, metadata: {}, send_metadata: false },
      ...{ processing_error: "", duration: null, asset_group_id: null },
    });
    expect(fresh.id).toMatch(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
    expect(fresh.team_id).toBe(v4.team);
    const where = await v4.request("POST", "/api/v4/assets/", {
      body,
      headers: { Prefer: "return=headers-only" },
    });
    const location = where.headers.get("location") ?? "";
    expect(location).toMatch(/^\/api\/v4\/assets\?id=eq\.[0-9A-Z]{26}$/);
    expect((await v4.get(location)).json).toHaveLength(1);
  });

  it("[V4-22] inserts a list as a whole, in its order, shaped by select", async () => {
    const v4 = await serveV4(database);
    const [group] = await v4.make("/asset-groups", { title: "G" });
    const created = await v4.make(
      "/assets?select=title,g:asset_groups(title)",
      [3, 1, 2].map((n) => ({ title: `${n}`, asset_group_id: group.id })),
    );
    expect(created).toEqual(
      ["3", "1", "2"].map((title) => ({ title, g: { title: "G" } })),
    );
    expect(await v4.make("/assets", [])).toEqual([]);
    expect(await v4.make("/asset-groups?select=title", {})).toEqual([
      { title: "" },
    ]);
  });

  it("[V4-22] takes the fields that columns names, with nulls or defaults for missing ones", async () => {
    const v4 = await serveV4(database);
    const body = [
      { title: "a", more: 1 },
      { title: "b", zoom_level: 50 },
    ];
    const mixed = await v4.request("POST", "/assets", { body });
    expect(statusText(mixed)).toBe("400 PGRST102");
    const columns = `columns="title","zoom_level","metadata"`;
    const select = "select=title,zoom_level,metadata";
    expect(await v4.make(`/assets?${columns}&${select}`, body)).toEqual([
      { title: "a", zoom_level: null, metadata: null },
      { title: "b", zoom_level: 50, metadata: null },
    ]);
    const filled = await v4.request("POST", `/assets?${columns}&${select}`, {
      body,
      headers: { Prefer: "return=representation, missing=default" },
    });
    expect(filled.json).toEqual([
      { title: "a", zoom_level: null, metadata: {} },
      { title: "b", zoom_level: 50, metadata: {} },
    ]);
    expect(filled.headers.get("preference-applied")).toBe(
      "missing=default, return=representation",
    );
  });

  it("[V4-17] [V4-25] validates values and fields before anything is stored", async () => {
    const v4 = await serveV4(database);
    const scenarios: readonly (readonly [object, string])[] = [
      [{ source_size: "12" }, "201"],
      [
        {
          title: 5,
          send_metadata: "yes",
          source_size: 9007199254740993n.toString(),
        },
        "201",
      ],
      [{ source_size: 1.5 }, "400 22P02"],
      [{ source_size: "9223372036854775808" }, "400 22003"],
      [{ send_metadata: "perhaps" }, "400 22P02"],
      [{ title: null }, "400 23502"],
      [{ title: "x".repeat(4097) }, "400 22001"],
      [{ source_url: "x".repeat(8193) }, "400 22001"],
      [{ metadata: { a: "x".repeat(65_530) } }, "400 22001"],
      [{ title: "a\0b" }, "400 PGRST102"],
      [{ zoom_level: 24 }, "400 23514"],
      [{ asset_group_id: "01KDVDNA01292561032R216BJ3" }, "409 23503"],
      [{ nope: 1 }, "400 PGRST204"],
      [JSON.parse('{"__proto__": 1}') as object, "400 PGRST204"],
      [{ status: "finished" }, "403 42501"],
      [{ id: "01KDVDNA01292561032R216BJ3" }, "403 42501"],
      [{ pdf_page_rotation: 90 }, "403 42501"],
    ];
    const collected = [];
    for (const [body] of scenarios)
      collected.push([
        body,
        statusText(await v4.request("POST", "/assets", { body })),
      ]);
    expect(collected).toEqual(scenarios);
    const kept = await v4.get("/assets?select=title,source_size&order=id");
    expect(kept.text).toBe(
      '[{"title":"","source_size":12},{"title":"5","source_size":9007199254740993}]',
    );
    const bad = await v4.request("POST", "/assets", {
      body: [{ title: "good" }, { title: null }],
    });
    expect(statusText(bad)).toBe("400 23502");
    expect((await v4.get("/assets?title=eq.good")).json).toEqual([]);
  });

  it("[V4-27] stores JSON exactly", async () => {
    const v4 = await serveV4(database);
    const metadata =
      '{"__proto__": {"x": 1}, "n": 12345678901234567890.10, "b": [1e2, -0, "\\u00fc\\"\\\\"], "b": [100, null]}';
    const answer = await v4.request("POST", "/assets?select=metadata", {
      body: `{"metadata": ${metadata}}`,
      headers: rows,
    });
    expect(answer.text.replaceAll(/\s/g, "")).toBe(
      '[{"metadata":{"b":[100,null],"n":12345678901234567890.10,"__proto__":{"x":1}}}]',
    );
    const [one] = await v4.make("/assets?select=metadata,headers", {
      ...{ metadata: 7, headers: [true, "x"] },
    });
    expect(one).toEqual({ metadata: 7, headers: [true, "x"] });
  });

  it("[V4-37] reads JSON, CSV and forms, and rejects the rest", async () => {
    const v4 = await serveV4(database);
    const post = async (type: string | undefined, body: string | Uint8Array) =>
      v4.request("POST", "/assets?select=title,zoom_level", {
        body,
        headers: { ...rows, "Content-Type": type ?? "application/json" },
      });
    expect(
      (await post("text/csv", 'title,zoom_level\n"a, ""b""",30\nNULL2,NULL\n'))
        .json,
    ).toEqual([
      { title: 'a, "b"', zoom_level: 30 },
      { title: "NULL2", zoom_level: null },
    ]);
    const sparse = "\r\ntitle,zoom_level\r\n\r\na,30\r\n,NULL\r\n\r\n";
    expect((await post("text/csv", sparse)).json).toEqual([
      { title: "a", zoom_level: 30 },
      { title: "", zoom_level: null },
    ]);
    const narrow = (await post("text/csv", 'title\n\na\n""\n\n')).json;
    expect(narrow.map((row: any) => row.title)).toEqual(["a", ""]);
    expect(
      (
        await post(
          "application/x-www-form-urlencoded",
          "title=a+b&zoom_level=40",
        )
      ).json,
    ).toEqual([{ title: "a b", zoom_level: 40 }]);
    const found: Record<string, string> = {};
    for (const [type, body] of [
      ["application/json", "{"],
      ["application/json", ""],
      ["application/json", "5"],
      ["application/json", "null"],
      ["application/json", "[1]"],
      ["application/json", '{"title": "x"} y'],
      ["text/csv", "title\na,b"],
      ["text/csv", "\n"],
      ["image/png", "x"],
    ] as const)
      found[`${type} ${body}`] = statusText(await post(type, body));
    expect(found).toEqual({
      "application/json {": "400 PGRST102",
      "application/json ": "400 PGRST102",
      "application/json 5": "400 PGRST102",
      "application/json null": "400 PGRST102",
      "application/json [1]": "400 PGRST102",
      'application/json {"title": "x"} y': "400 PGRST102",
      "text/csv title\na,b": "400 PGRST102",
      "text/csv \n": "400 PGRST102",
      "image/png x": "415 PGRST102",
    });
    const odd = await post(undefined, new Uint8Array([123, 34, 0xff, 34, 125]));
    expect(statusText(odd)).toBe("400 PGRST102");
  });

  it("[V4-23] changes the rows that the filters select, and only the fields sent", async () => {
    const v4 = await serveSamples();
    const patch = (path: string, body: unknown, headers = {}) =>
      v4.request("PATCH", path, { body, headers });
    const plain = await patch("/assets?id=eq.A1", { title: "New" });
    expect([plain.status, plain.text]).toEqual([204, ""]);
    expect(plain.headers.get("content-range")).toBe("0-0/*");
    const changed = await patch(
      "/assets?id=in.(A1,A2,A3)&status=eq.finished&select=id,title,status",
      { title: "Newer", headers: { a: 1 } },
      { Prefer: "return=representation, count=exact" },
    );
    expect(changed.json).toEqual([
      { id: "A1", title: "Newer", status: "finished" },
      { id: "A2", title: "Newer", status: "finished" },
    ]);
    expect(changed.headers.get("content-range")).toBe("0-1/2");
    const itself = await patch(
      "/assets?id=eq.A2&title=eq.Newer&select=title",
      { title: "Newest" },
      rows,
    );
    expect(itself.json).toEqual([{ title: "Newest" }]);
    const nobody = await patch("/assets?id=eq.none", { title: "x" }, rows);
    expect([nobody.status, nobody.json]).toEqual([200, []]);
    expect(nobody.headers.get("content-range")).toBe("*/*");
    expect((await patch("/assets?id=eq.none", { title: "x" })).status).toBe(
      204,
    );
    const nothing = await patch("/assets?id=eq.A1", {}, rows);
    expect([nothing.status, nothing.json]).toEqual([200, []]);
    expect(
      (await v4.get("/assets?id=eq.A2&select=metadata,width")).json,
    ).toEqual([{ metadata: { n: 10, s: "5", tags: ["blue"] }, width: 3840 }]);
    expect(
      statusText(await patch("/assets?id=eq.A1", { pdf_page_rotation: 45 })),
    ).toBe("400 23514");
    expect(statusText(await patch("/assets?id=eq.A1", [{}, {}]))).toBe(
      "400 PGRST102",
    );
  });

  it("[V4-11] changes nothing unless the rows are selected by a filter of their own", async () => {
    const v4 = await serveSamples();
    const before = (await v4.get("/assets?order=id")).text;
    const found: Record<string, string> = {};
    for (const query of [
      ...["", "title=eq.x", "id=eq.", "id=neq.A1", "id=not.eq.A1", "id=in.()"],
      ...["id=is.not_null", "id=gt.A", "or=(id.eq.A1)", "id=like.*"],
      ...["select=id&asset_groups.id=eq.G1", "id->x=eq.A1", "limit=1"],
    ])
      for (const method of ["PATCH", "DELETE"])
        found[`${method} ${query}`] = statusText(
          await v4.request(method, `/assets?${query}`, {
            ...(method === "PATCH" && { body: { title: "gone" } }),
          }),
        );
    expect(new Set(Object.values(found))).toEqual(
      new Set(["400 PGRST100", "400 PGRST108"].slice(0, 1)),
    );
    expect((await v4.get("/assets?order=id")).text).toBe(before);
  });

  it("[V4-23] [V4-28] deletes rows with their dependent ones, and returns their former content", async () => {
    const v4 = await serveSamples();
    const gone = await v4.request(
      "DELETE",
      "/asset-groups?id=eq.G1&select=id,assets(id)",
      {
        headers: {
          ...{ Prefer: "return=representation,count=exact" },
          "Content-Type": "application/json",
        },
      },
    );
    expect([gone.status, gone.json]).toEqual([
      200,
      [{ id: "G1", assets: [{ id: "A1" }, { id: "A2" }] }],
    ]);
    expect(gone.headers.get("content-range")).toBe("*/1");
    expect((await v4.get("/assets?select=id&order=id")).json).toHaveLength(5);
    const plain = await v4.request(
      "DELETE",
      "/assets?id=in.(A3,A4)&status=eq.error",
    );
    expect([plain.status, plain.text]).toEqual([204, ""]);
    const again = await v4.request("DELETE", "/assets?id=eq.A4", {
      headers: rows,
    });
    expect([again.status, again.json]).toEqual([200, []]);
    expect((await v4.get("/assets?select=id&order=id")).json).toEqual(
      ["A3", "A5", "A6", "A7"].map((id) => ({ id })),
    );
  });

  it("[V4-34] [V4-35] rolls back a change of too many rows, or of more than the single one", async () => {
    const v4 = await serveSamples();
    const change = (method: string, headers: Record<string, string>) =>
      v4.request(method, "/assets?id=in.(A1,A2)", {
        headers,
        ...(method === "PATCH" && { body: { title: "gone" } }),
      });
    const strict = { Prefer: "handling=strict, max-affected=1" };
    const single = { Accept: "application/vnd.pgrst.object+json" };
    for (const method of ["PATCH", "DELETE"]) {
      expect(statusText(await change(method, strict))).toBe("400 PGRST124");
      expect(statusText(await change(method, single))).toBe("406 PGRST116");
    }
    expect((await v4.get("/assets?title=eq.gone")).json).toEqual([]);
    expect((await v4.get("/assets?id=in.(A1,A2)")).json).toHaveLength(2);
    const lenient = await change("PATCH", { Prefer: "max-affected=1" });
    expect(lenient.status).toBe(204);
    const most = await change("PATCH", {
      Prefer: "handling=strict, max-affected=2",
    });
    expect(most.headers.get("preference-applied")).toBe(
      "handling=strict, max-affected=2",
    );
  });

  it("[V4-13] [V4-23] counts the written rows where a count is selected", async () => {
    const v4 = await serveV4(database);
    const counted = async (method: string, path: string, body?: unknown) =>
      (
        await v4.request(method, `${path}select=n:count`, {
          ...(body !== undefined && { body }),
          headers: { Prefer: "return=representation" },
        })
      ).json;
    const titles = [{ title: "A" }, { title: "B" }, { title: "C" }];
    expect(await counted("POST", "/assets?", titles)).toEqual([{ n: 3 }]);
    const all = (await v4.get("/assets?select=id")).json as { id: string }[];
    const both = `/assets?id=in.(${all
      .slice(1)
      .map(({ id }) => id)
      .join()})&`;
    expect(await counted("PATCH", both, { title: "D" })).toEqual([{ n: 2 }]);
    expect(await counted("DELETE", both)).toEqual([{ n: 2 }]);
    expect((await v4.get("/assets?select=title")).json).toHaveLength(1);
  });

  it("[V4-24] rejects rows of one body that merge into the same, and stores none of them", async () => {
    const v4 = await serveV4(database);
    const [{ id: app_id }] = await v4.make("/edge-apps", { name: "App" });
    const path = "/edge-apps/settings?on_conflict=app_id,name";
    const merge = (query: string, ...rows: object[]) =>
      v4.request("POST", `${path}${query}`, {
        body: rows.map((row) => ({ app_id, name: "color", ...row })),
        headers: { Prefer: "resolution=merge-duplicates, missing=default" },
      });
    const other = { name: "size", title: "Other" };
    const titles = [{ title: "One" }, { title: "Two" }];
    expect(statusText(await merge("", ...titles, other))).toBe("400 21000");
    const columns = "&columns=app_id,name,title";
    expect(statusText(await merge(columns, { title: "One" }, {}))).toBe(
      "400 21000",
    );
    expect((await v4.get("/edge-apps/settings")).json).toEqual([]);
    expect((await merge("", { title: "One" }, other)).status).toBe(201);
  });

  it("[V4-5] applies known preferences, ignores others, and rejects them under strict handling", async () => {
    const v4 = await serveV4(database);
    const request = (Prefer: string) => v4.get("/assets", { Prefer });
    const lenient = await request("count=none, return=representation, nope=1");
    expect(lenient.headers.get("preference-applied")).toBe("count=none");
    expect(
      statusText(await request("handling=strict, nope=1, tx=rollback")),
    ).toBe("400 PGRST122");
    const known = await request(
      "handling=strict, timezone=America/Los_Angeles, tx=commit",
    );
    expect([known.status, known.headers.get("preference-applied")]).toEqual([
      ...[200, "handling=strict, timezone=America/Los_Angeles"],
    ]);
    expect(statusText(await request("handling=strict, tx=perhaps"))).toBe(
      "400 PGRST122",
    );
    expect(
      (await request("handling=strict, count=none, return=none")).status,
    ).toBe(200);
    const first = await request("count=exact, count=none");
    expect(first.headers.get("content-range")).toBe("*/0");
  });
});
