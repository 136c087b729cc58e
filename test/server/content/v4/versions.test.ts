// Two versions over one store, two separate teams, and every path in all its spellings.

import { expect, it } from "vitest";
import { eachDatabase } from "../../../support/database/each-database.ts";
import { serveV4, type V4Service } from "../../../support/content/serve-v4.ts";
import { addSamples } from "../../../support/content/v4-rows.ts";

const newIn41 = [
  ...["zoom_level", "user_agent", "player_side_render"],
  ...["screenshot_cache_seconds", "pdf_asset_id", "pdf_page_number"],
  ...["pdf_page_enabled", "pdf_page_rotation"],
];

eachDatabase((database) => {
  async function serveSamples(): Promise<V4Service> {
    const v4 = await serveV4(database);
    await addSamples(v4.database, v4.team, v4.otherTeam);
    return v4;
  }

  it("[V4-2] [V4-42] describes what copy-assets accepts, and copies nothing except for POST", async () => {
    const v4 = await serveV4(database, {
      shareFiles: () => Promise.reject(new Error("Nobody asked for a copy.")),
    });
    const [app] = await v4.make("/edge-apps", { name: "App" });
    const body = { app_id: app.id, revision: 1, signatures: ["a"] };
    for (const options of [{}, { body }]) {
      const reported = await v4.request(
        "OPTIONS",
        "/edge-apps/copy-assets",
        options,
      );
      expect([
        reported.status,
        reported.text,
        reported.headers.get("allow"),
      ]).toEqual([...[200, "", "OPTIONS, POST"]]);
    }
    const put = await v4.request("PUT", "/edge-apps/copy-assets", { body });
    expect([put.status, put.headers.get("allow")]).toEqual([
      ...[405, "OPTIONS, POST"],
    ]);
  });

  it("[V4-1] [V4-2] serves each path with and without /api and slash, and lists its methods", async () => {
    const v4 = await serveSamples();
    for (const prefix of ["/v4", "/v4.1", "/api/v4", "/api/v4.1"])
      for (const end of ["", "/", "/?", "?", "?id=neq.x&"]) {
        const answer = await v4.get(`${prefix}/asset-groups${end}`);
        expect([prefix, end, answer.status, answer.json.length]).toEqual([
          ...[prefix, end, 200, 3],
        ]);
      }
    const found: Record<string, string> = {};
    for (const path of [
      "/nope",
      "/assets/A1",
      "/asset_groups",
      "/assets//x",
      "/%ff",
    ]) {
      const { status, json } = await v4.get(path);
      found[path] = `${status} ${json.code}`;
    }
    expect(found).toEqual({
      "/nope": "404 PGRST205",
      "/assets/A1": "404 PGRST125",
      "/asset_groups": "404 PGRST205",
      "/assets//x": "404 PGRST125",
      "/%ff": "400 PGRST125",
    });
    const put = await v4.request("PUT", "/assets?id=eq.A1", { body: {} });
    expect([put.status, put.json.code]).toEqual([405, "PGRST117"]);
    const allow = "OPTIONS, GET, HEAD, POST, PATCH, DELETE";
    expect(put.headers.get("allow")).toBe(allow);
    const options = await v4.request("OPTIONS", "/assets");
    expect([options.status, options.text]).toEqual([200, ""]);
    expect(options.headers.get("allow")).toBe(allow);
  });

  it("[V4-4] parses a query string strictly, and tolerates empty terms", async () => {
    const v4 = await serveSamples();
    const request = async (query: string) => {
      const { status, json } = await v4.get(`/assets?select=id&${query}`);
      return json.code ? `${status} ${json.code}` : json.length;
    };
    expect(await request("title=eq.Welcome+to+the+lobby")).toBe(1);
    expect(await request("status=eq.finished&status=neq.error&nothing")).toBe(
      3,
    );
    expect(await request("select=nope&limit=1&limit=2")).toBe(2);
    expect(await request("title=eq.%ff")).toBe("400 PGRST100");
    expect(await request("title=eq.%00")).toBe("400 PGRST100");
    expect(await request("title=")).toBe("400 PGRST100");
    expect(await request("title=EQ.x")).toBe("400 PGRST100");
    expect(await request("id;drop=eq.1")).toBe("400 PGRST100");
  });

  it("[V4-21] rejects fields of 4.1 under 4.0, and leaves them unchanged", async () => {
    const v4 = await serveSamples();
    const [row] = (await v4.get("/v4/assets?id=eq.A5")).json;
    expect(Object.keys(row).filter((name) => newIn41.includes(name))).toEqual(
      [],
    );
    expect(Object.keys(row)).toHaveLength(28);
    const inside = (await v4.get("/v4/asset-groups?select=assets(*)&id=eq.G2"))
      .json[0].assets[1];
    expect(Object.keys(inside)).toEqual(Object.keys(row));
    for (const name of newIn41) {
      const codes = [];
      for (const query of [
        ...[`select=${name}`, `${name}=is.null`, `order=${name}`],
      ])
        codes.push((await v4.get(`/v4/assets?${query}`)).json.code);
      const patched = await v4.request("PATCH", "/v4/assets?id=eq.A5", {
        body: { [name]: null },
      });
      codes.push(patched.json.code);
      expect([name, ...codes]).toEqual([
        ...[name, "42703", "42703", "42703", "PGRST204"],
      ]);
    }
    const changed = await v4.request("PATCH", "/v4/assets?id=eq.A5", {
      body: { title: "x" },
    });
    expect(changed.status).toBe(204);
    const kept = await v4.get("/assets?id=eq.A5&select=title,pdf_page_enabled");
    expect(kept.json).toEqual([{ title: "x", pdf_page_enabled: true }]);
    const related = await v4.get("/v4/assets?select=id,assets(id)");
    expect(related.json.code).toBe("PGRST200");
  });

  it("[V4-20] returns types that 4.0 does not know as the empty text", async () => {
    const v4 = await serveSamples();
    const request = async (query: string) => {
      const { json } = await v4.get(
        `/v4/assets?select=id,type&order=id&${query}`,
      );
      return (
        json.map?.((row: any) => `${row.id} ${row.type}`).join() ?? json.code
      );
    };
    expect(await request("id=in.(A4,A7,A6,A1)")).toBe(
      "A1 image,A4 ,A6 null,A7 ",
    );
    expect(await request("type=eq.")).toBe("A4 ,A7 ");
    expect(await request("type=in.(image,)")).toBe("A1 image,A4 ,A7 ");
    expect(await request("type=eq.pdf")).toBe("");
    expect(await request("type=neq.appweb")).toBe(
      await request("type=not.is.null"),
    );
    expect(await request("type=eq.nope")).toBe("22P02");
    expect(await request("status=eq.nope")).toBe("22P02");
    // As the vendor's quality control scripts send it.
    const kinds = '("appweb","audio","edge-app","image","video","web")';
    expect(await request(`type=in.${kinds}&status=in.("finished")`)).toBe(
      "A1 image,A2 video",
    );
    const newer = await v4.get(
      "/assets?select=id&type=in.(pdf,appweb)&order=id",
    );
    expect(newer.json).toEqual([{ id: "A4" }, { id: "A7" }]);
    expect((await v4.get("/assets?type=eq.")).json).toEqual([]);
  });

  it("[V4-31] [V4-29] separates teams in reads, writes, references and embeddings", async () => {
    const v4 = await serveSamples();
    const Prefer = "return=representation";
    expect((await v4.get("/assets?id=eq.X2")).json).toEqual([]);
    expect(
      (await v4.get("/assets?or=(id.eq.X2,id.eq.A1)&select=id")).json,
    ).toEqual([{ id: "A1" }]);
    expect((await v4.get("/assets?select=count")).json).toEqual([{ count: 7 }]);
    expect((await v4.get("/teams?select=id,assets(count)")).json).toEqual([
      { id: v4.team, assets: [{ count: 7 }] },
    ]);
    for (const [method, path] of [
      ["PATCH", "/assets?id=in.(X2,A1)&select=id"],
      ["DELETE", "/assets?id=in.(X2,A1)&select=id"],
    ] as const) {
      const body = method === "PATCH" ? { body: { title: "ours" } } : {};
      const answer = await v4.request(method, path, {
        ...body,
        headers: { Prefer },
      });
      expect(answer.json).toEqual([{ id: "A1" }]);
    }
    for (const [method, path] of [
      ["POST", "/assets"],
      ["PATCH", "/assets?id=eq.A2"],
    ] as const) {
      const answer = await v4.request(method, path, {
        body: { asset_group_id: "X1" },
      });
      expect([answer.status, answer.json.code]).toEqual([409, "23503"]);
    }
    const theirs = await v4.request("GET", "/assets?select=id,title", {
      team: v4.otherTeam,
    });
    expect(theirs.json).toEqual([{ id: "X2", title: "Hidden" }]);
  });
});
