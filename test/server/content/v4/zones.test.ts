// Times in a time zone that the client prefers.

import { expect, it } from "vitest";
import { eachDatabase } from "../../../support/database/each-database.ts";
import { serveV4, type V4Service } from "../../../support/content/serve-v4.ts";
import { addSamples } from "../../../support/content/v4-rows.ts";

const at = (timezone: string) => ({ Prefer: `timezone=${timezone}` });

eachDatabase((database) => {
  async function serveSamples(): Promise<V4Service> {
    const v4 = await serveV4(database);
    await addSamples(v4.database, v4.team, v4.otherTeam);
    return v4;
  }

  it("[V4-50] returns times in the preferred zone, in every form of request", async () => {
    const v4 = await serveSamples();
    const request = async (select: string, timezone: string, id = "A2") =>
      (await v4.get(`/assets?id=eq.${id}&select=${select}`, at(timezone)))
        .json[0];
    const created = (created_at: string) => ({ created_at });
    for (const [timezone, text] of [
      ["America/Los_Angeles", "2026-01-01T16:00:00.123-08:00"],
      ["Asia/Kolkata", "2026-01-02T05:30:00.123+05:30"],
      ["UTC", "2026-01-02T00:00:00.123+00:00"],
    ] as const)
      expect(await request("created_at", timezone)).toEqual(created(text));
    const short = "t:created_at::text,d:created_at::date";
    expect(await request(short, "America/Los_Angeles")).toEqual({
      ...{ t: "2026-01-01 16:00:00.123-08", d: "2026-01-01" },
    });
    expect(await request(short, "asia/kolkata", "A1")).toEqual({
      ...{ t: "2026-01-01 05:30:00+05:30", d: "2026-01-01" },
    });
    const nested =
      "id,asset_groups(assets(created_at),...assets(made:created_at))";
    expect(await request(nested, "Europe/Berlin", "A1")).toEqual({
      id: "A1",
      asset_groups: {
        assets: [
          created("2026-01-01T01:00:00+01:00"),
          created("2026-01-02T01:00:00.123+01:00"),
        ],
        made: ["2026-01-01T01:00:00+01:00", "2026-01-02T01:00:00.123+01:00"],
      },
    });
    const line = await v4.get("/assets?id=eq.A1&select=id,created_at", {
      ...{ ...at("Europe/Berlin"), Accept: "text/csv" },
    });
    expect(line.text).toBe("id,created_at\nA1,2026-01-01T01:00:00+01:00\n");
    expect(await request("*", "Europe/Berlin")).toMatchObject(
      created("2026-01-02T01:00:00.123+01:00"),
    );
    expect(await request("created_at->x", "Europe/Berlin")).toEqual({
      x: null,
    });
  });

  it("[V4-50] returns written rows and long lists in it, too", async () => {
    const v4 = await serveV4(database);
    const path = "/assets?select=created_at&columns=title";
    const headers = {
      Prefer: "return=representation, timezone=Asia/Tokyo",
    };
    const body = Array.from({ length: 1_500 }, () => ({ title: "A" }));
    const created = await v4.request("POST", path, { body, headers });
    expect(created.headers.get("preference-applied")).toBe(
      "return=representation, timezone=Asia/Tokyo",
    );
    const listed = await v4.get("/assets?select=created_at", headers);
    for (const { json } of [created, listed]) {
      expect(json).toHaveLength(body.length);
      for (const row of json)
        expect(row.created_at).toMatch(/^2026-01-01T09:00:0\d\S*\+09:00$/);
    }
  });

  it("[V4-50] reads a filter's time without a zone in the preferred one", async () => {
    const v4 = await serveSamples();
    const ids = async (filter: string, timezone: string) =>
      (await v4.get(`/assets?select=id&order=id&${filter}`, at(timezone))).json
        .map(({ id }: { id: string }) => id)
        .join();
    const after = "created_at=gt.2026-01-01T16:00:00";
    expect(await ids(after, "America/Los_Angeles")).toBe("A2,A3,A4,A6");
    expect(await ids(`${after}.2`, "America/Los_Angeles")).toBe("A3,A4,A6");
    expect(await ids(`${after}Z`, "America/Los_Angeles")).toBe("A2,A3,A4,A6");
    expect(await ids("created_at=eq.2026-02-01 21:30", "Asia/Tokyo")).toBe(
      "A3",
    );
    const years = Array.from({ length: 1000 }, (_, at) => 9000 - at * 9);
    const days = years.map((year) => `${String(year).padStart(4, "0")}-06-01`);
    expect(await ids(`created_at=in.(${days.join()})`, "Asia/Tokyo")).toBe("");
    expect(await ids("created_at=gt.0000-01-01", "Asia/Tokyo")).toBe(
      "A1,A2,A3,A4,A5,A6,A7",
    );
    expect(await ids("created_at=gt.99999-01-01", "Asia/Tokyo")).toBe("");
    // The clocks of 2026-03-29 have no 02:30, and those of 2026-10-25 have it twice.
    const shown = async (moment: string) => {
      const created = await v4.database.kysely
        .updateTable("assets")
        .set({ created_at: Date.parse(moment) } as never)
        .where("id", "=", "A1")
        .executeTakeFirst();
      expect(Number(created.numUpdatedRows)).toBe(1);
    };
    for (const [clock, moment] of [
      ["2026-03-29T02:30", "2026-03-29T01:30:00Z"],
      ["2026-10-25T02:30", "2026-10-25T01:30:00Z"],
      ["2026-10-25T01:30", "2026-10-24T23:30:00Z"],
      ["2026-10-25T03:30", "2026-10-25T02:30:00Z"],
    ] as const) {
      await shown(moment);
      expect(await ids(`created_at=eq.${clock}`, "Europe/Berlin")).toBe("A1");
    }
  });

  it("[V4-50] rejects an unknown zone, strict or not: its times would be taken for those of another", async () => {
    const v4 = await serveSamples();
    const request = (Prefer: string) =>
      v4.get("/assets?id=eq.A1&select=created_at", { Prefer });
    for (const zone of ["Jupiter/Red_Spot", "", "+05:30", "A".repeat(3000)]) {
      for (const path of [
        `timezone=${zone}`,
        `handling=strict, timezone=${zone}`,
      ]) {
        const answer = await request(path);
        expect([answer.status, answer.json.code]).toEqual([400, "22023"]);
        expect(answer.text.length).toBeLessThan(300);
      }
    }
    const known = await request("handling=strict, timezone=Asia/Tokyo");
    expect(known.headers.get("preference-applied")).toBe(
      "handling=strict, timezone=Asia/Tokyo",
    );
  });
});
