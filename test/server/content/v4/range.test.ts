// Ranges of a list, counts, and response formats.

import { expect, it } from "vitest";
import { eachDatabase } from "../../../support/database/each-database.ts";
import { serveV4, type V4Service } from "../../../support/content/serve-v4.ts";
import { addSamples } from "../../../support/content/v4-rows.ts";

interface Scenario {
  readonly query: string;
  readonly range?: string;
  readonly prefer?: string;
  /** Status, Content-Range, ids. */
  readonly expected: string;
}

const scenarios: readonly Scenario[] = [
  { query: "", expected: "200 0-6/* 1234567" },
  { query: "id=eq.none", expected: "200 */* " },
  { query: "limit=2", expected: "200 0-1/* 12" },
  { query: "limit=2&offset=5", expected: "200 5-6/* 67" },
  { query: "limit=2&limit=1&offset=1&offset=3", expected: "200 3-3/* 4" },
  { query: "offset=99", expected: "200 */* " },
  { query: "limit=0", expected: "200 */* " },
  { query: "limit=abc&offset=x", expected: "200 0-6/* 1234567" },
  { query: "offset=-4", expected: "200 0-6/* 1234567" },
  { query: "limit=99999999999999999999", expected: "200 0-6/* 1234567" },
  { query: "limit=-1", expected: "416 null PGRST103" },
  { query: "", range: "0-1", expected: "200 0-1/* 12" },
  { query: "", range: "5-", expected: "200 5-6/* 67" },
  { query: "", range: "items=0-1", expected: "200 0-6/* 1234567" },
  { query: "", range: "-5", expected: "200 0-6/* 1234567" },
  { query: "", range: "5-2", expected: "416 null PGRST103" },
  { query: "limit=1", range: "0-3", expected: "200 0-0/* 1" },
  { query: "offset=2", range: "0-3", expected: "200 2-3/* 34" },
  { query: "offset=1&limit=1", range: "0-0", expected: "416 null PGRST103" },
  { query: "limit=2", prefer: "count=exact", expected: "206 0-1/7 12" },
  { query: "limit=2", prefer: "count=planned", expected: "206 0-1/7 12" },
  { query: "limit=2", prefer: "count=estimated", expected: "206 0-1/7 12" },
  { query: "limit=2", prefer: "count=none", expected: "200 0-1/* 12" },
  { query: "", prefer: "count=exact", expected: "200 0-6/7 1234567" },
  { query: "id=eq.none", prefer: "count=exact", expected: "200 */0 " },
  { query: "limit=0", prefer: "count=exact", expected: "206 */7 " },
  { query: "offset=99", prefer: "count=exact", expected: "416 */7 PGRST103" },
  { query: "offset=7", prefer: "count=exact", expected: "206 */7 " },
];

eachDatabase((database) => {
  async function serveSamples(): Promise<V4Service> {
    const v4 = await serveV4(database);
    await addSamples(v4.database, v4.team, v4.otherTeam);
    return v4;
  }

  it("[V4-6] [V4-7] [V4-26] returns the part selected by limit, offset and Range, and counts on request", async () => {
    const v4 = await serveSamples();
    const collected: Scenario[] = [];
    for (const scenario of scenarios) {
      const { query, range, prefer } = scenario;
      const answer = await v4.get(`/assets?select=id&${query}`, {
        "Range-Unit": "items",
        ...(range !== undefined && { Range: range }),
        ...(prefer !== undefined && { Prefer: prefer }),
      });
      const rows = Array.isArray(answer.json)
        ? answer.json.map((row) => row.id.slice(1)).join("")
        : answer.json.code;
      const contentRange = answer.headers.get("content-range");
      collected.push({
        ...scenario,
        expected: `${answer.status} ${contentRange} ${rows}`,
      });
    }
    expect(collected).toEqual(scenarios);
  });

  it("[V4-46] returns 304 for an unchanged list, and a new one once it changed", async () => {
    const v4 = await serveSamples();
    const list = "/assets?select=id,title&order=id";
    const first = await v4.get(list);
    const tag = first.headers.get("etag") ?? "";
    expect(tag).toMatch(/^W\/"/);
    const again = await v4.get(list, { "If-None-Match": tag });
    expect([again.status, again.text]).toEqual([304, ""]);
    const body = { title: "Another" };
    await v4.request("PATCH", `/assets?id=eq.${first.json[0].id}`, { body });
    const changed = await v4.get(list, { "If-None-Match": tag });
    expect(changed.status).toBe(200);
    expect(changed.headers.get("etag")).not.toBe(tag);
  });

  it("[V4-2] [V4-6] answers HEAD like GET without the rows, and ignores Range", async () => {
    const v4 = await serveSamples();
    const head = await v4.request("HEAD", "/assets?limit=3", {
      headers: { Prefer: "count=exact", Range: "0-0" },
    });
    expect(head.status).toBe(206);
    expect(head.headers.get("content-range")).toBe("0-2/7");
    expect(head.text).toBe("");
    const wrong = await v4.request("HEAD", "/assets?nope=eq.1");
    expect(wrong.status).toBe(400);
  });

  it("[V4-35] returns one row without a list, or reports how many there are", async () => {
    const v4 = await serveSamples();
    const Accept = "application/vnd.pgrst.object+json";
    const one = await v4.get("/assets?select=id&id=eq.A1", { Accept });
    expect(one.json).toEqual({ id: "A1" });
    expect(one.headers.get("content-type")).toContain(Accept);
    for (const [query, count] of [
      ["id=eq.none", 0],
      ["", 7],
    ] as const) {
      const { status, json } = await v4.get(`/assets?${query}`, { Accept });
      expect([status, json.code]).toEqual([406, "PGRST116"]);
      expect(json.details).toBe(`The result contains ${count} rows`);
    }
  });

  it("[V4-35] omits nulls on request, and rejects formats it does not have", async () => {
    const v4 = await serveSamples();
    const stripped = await v4.get("/assets?select=id,type,metadata&id=eq.A6", {
      Accept: "application/vnd.pgrst.array+json;nulls=stripped",
    });
    expect(stripped.json).toEqual([{ id: "A6", metadata: { tags: [] } }]);
    const none = await v4.get("/assets", { Accept: "image/png" });
    expect([none.status, none.json.code]).toEqual([406, "PGRST107"]);
    const some = await v4.get("/assets?limit=1", {
      Accept: "image/png, text/csv;q=0.5, application/json;q=0.9, */*;q=0.1",
    });
    expect(some.headers.get("content-type")).toContain("application/json");
  });

  it("[V4-36] returns CSV in the spelling of the convention", async () => {
    const v4 = await serveSamples();
    const Accept = "text/csv";
    const csv = await v4.get(
      "/assets?select=id,title,type,send_metadata,duration,t:metadata->tags&id=in.(A2,A5,A6)&order=id",
      { Accept },
    );
    expect(csv.text).toBe(
      "id,title,type,send_metadata,duration,t\n" +
        'A2,"welcome, guests (all)",video,t,12.5,"[""blue""]"\n' +
        'A5,"quote "" and \\ back",pdf-page,f,,\n' +
        'A6,"",,f,,[]\n',
    );
    const empty = await v4.get("/assets?id=eq.none", { Accept });
    expect([empty.status, empty.text]).toEqual([200, ""]);
  });

  it("[V4-44] streams a long list while it is read, complete and of one moment", async () => {
    const v4 = await serveV4(database);
    const rows = Array.from({ length: 2500 }, (_, at) => ({
      title: `Group ${String(at).padStart(4, "0")}`,
    }));
    await v4.request("POST", "/asset-groups", { body: rows });
    const all = await v4.get("/asset-groups?select=title&order=title");
    expect(all.headers.get("content-range")).toBe("0-2499/*");
    expect(all.json).toEqual(rows);
    const part = await v4.get(
      "/asset-groups?select=title&offset=100&limit=2000",
      {
        ...{ Prefer: "count=exact", Accept: "text/csv" },
      },
    );
    expect(part.status).toBe(206);
    expect(part.headers.get("content-range")).toBe("100-2099/2500");
    expect(part.text.split("\n")).toHaveLength(2002);
    const one = await v4.get("/asset-groups", {
      Accept: "application/vnd.pgrst.object+json",
    });
    expect([one.status, one.json.details]).toEqual([
      ...[406, "The result contains 2500 rows"],
    ]);
  });

  it("[V4-276] selects the rows deep in a list first: no JSON is built of those before them", async () => {
    const texts: string[] = [];
    const v4 = await serveV4({
      ...database,
      open: async () => {
        const opened = await database.open();
        const noting: typeof opened.read = (statement) => {
          texts.push(statement.text);
          return opened.read(statement);
        };
        return { ...opened, read: noting, readHeavy: noting };
      },
    });
    await addSamples(v4.database, v4.team, v4.otherTeam);
    const { json } = await v4.get("/assets?select=id,title&limit=2&offset=5");
    expect(json).toHaveLength(2);
    const [text = ""] = texts.filter((each) => each.includes(`"title"`));
    const [, inner = ""] = /FROM \(([^]*)\) AS chosen JOIN/.exec(text) ?? [];
    expect(inner).toContain("LIMIT");
    expect(inner).not.toMatch(/json/);
  });
});
