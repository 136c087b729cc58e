// All screens with their states, and their outages, over real sockets, on both databases.

import { describe, expect, it } from "vitest";
import {
  screenOutageV3,
  type ScreenOutageV3,
} from "../../../../server/contract/v3/v3-outages.ts";
import {
  screenStateV3,
  type ScreenStateV3,
} from "../../../../server/contract/v3/v3-screens.ts";
import { eachV3, type ClientV3 } from "../../../support/content/each-v3.ts";
import {
  claimedPlayer,
  stableRevision,
} from "../../../support/content/linked-player.ts";
import { reportOf } from "../../../support/content/screen-reports.ts";
import { png } from "../../../support/media/media.ts";

const statesOf = async (
  client: ClientV3,
  query = "",
): Promise<readonly ScreenStateV3[]> =>
  screenStateV3.array().parse(await client.get(`/screens/states/${query}`));

const outagesOf = async (
  client: ClientV3,
  query = "",
): Promise<readonly ScreenOutageV3[]> =>
  screenOutageV3.array().parse(await client.get(`/screens/outages/${query}`));

const complete = { wanted: 2, here: 2, failed: 0 };
const blank = reportOf({ verdict: "blank" });

eachV3((service) => {
  describe("states", () => {
    it("[V3-81] [L-40] every screen is listed with its state, its groups and what its player reported", async () => {
      const client = await service.client();
      const [seen, unseen] = [
        await claimedPlayer(client, "Seen"),
        await claimedPlayer(client, "Unseen"),
      ];
      const group = await client.make("/groups/", {
        ...{ name: "Lobby", screens: [{ id: seen.screenId }] },
      });
      await seen.beat({
        ...{ report: reportOf(), item_counts: complete },
        facts: { software_version: "2.0" },
      });
      const states = await statesOf(client);
      const nothing = {
        ...{ report: null, reported_at: null, item_counts: null },
        ...{ last_ping: null, software_version: null, screenshot: null },
      };
      expect(states).toEqual([
        {
          ...{ ...nothing, id: seen.screenId, name: "Seen", is_enabled: true },
          ...{ timezone: "UTC", location: "", state: "right", reason: null },
          groups: [{ id: group.id, name: "Lobby" }],
          ...{ report: reportOf(), item_counts: complete },
          state_since: expect.any(String) as string,
          reported_at: states[0]?.state_since,
          last_ping: states[0]?.state_since,
          software_version: "2.0",
        },
        {
          ...{ ...nothing, id: unseen.screenId, name: "Unseen" },
          ...{ is_enabled: true, timezone: "UTC", location: "", groups: [] },
          ...{ state: "never-seen", state_since: null },
          reason: "The player has not connected yet.",
        },
      ]);
    });

    it("[V3-81] ?state=, repeated, returns only those states", async () => {
      const client = await service.client();
      const players = [];
      for (const name of ["A", "B", "C"])
        players.push(await claimedPlayer(client, name));
      await players[0]?.beat({ report: reportOf() });
      await players[1]?.beat({ report: blank });
      const names = async (query: string) =>
        (await statesOf(client, query)).map(({ name }) => name);
      expect(await names("?state=wrong")).toEqual(["B"]);
      expect(await names("?state=never-seen&state=right")).toEqual(["A", "C"]);
      expect(await names("?state=offline")).toEqual([]);
      const bad = await client.call("GET", "/screens/states/?state=good");
      expect([bad.status, Object.keys(bad.json as object)]).toEqual([
        ...[400, ["state"]],
      ]);
    });

    it("[V3-81] is 304 while nothing but the last contact changed", async () => {
      const client = await service.client();
      const player = await claimedPlayer(client);
      await player.beat({ report: reportOf() });
      const path = "/screens/states/";
      const first = await client.call("GET", path);
      const tag = first.headers.get("ETag") ?? "";
      expect(tag).toMatch(/^W\/"/);
      const again = async () => {
        const headers = { "If-None-Match": `"other", ${tag}` };
        const { status, text } = await client.call(
          ...(["GET", path, undefined, headers] as const),
        );
        return [status, text === ""];
      };
      expect(await again()).toEqual([304, true]);
      await player.beat();
      await player.beat({ report: reportOf() });
      expect(await again()).toEqual([304, true]);
      await player.beat({ report: reportOf({ name: "Soup" }) });
      expect(await again()).toEqual([200, false]);
    });

    it("[V3-81] [L-13] the latest screenshot can be opened at its address", async () => {
      const client = await service.client();
      const player = await claimedPlayer(client);
      const image = png([200, 30, 30]);
      await fetch(`${client.address}/link/v1/screenshot`, {
        ...{ method: "PUT", body: new Uint8Array(image) },
        headers: { Authorization: `Bearer ${player.credential}` },
      });
      const [state] = await statesOf(client);
      const opened = await fetch(state?.screenshot?.url ?? "");
      expect(Buffer.from(await opened.arrayBuffer()).equals(image)).toBe(true);
      const first = await client.call("GET", "/screens/states/");
      const headers = { "If-None-Match": first.headers.get("ETag") ?? "" };
      const second = await client.call(
        ...(["GET", "/screens/states/", undefined, headers] as const),
      );
      expect(second.status).toBe(304);
    });

    it("[L-40] a screen that is disabled is dark from its next heartbeat on", async () => {
      const client = await service.client();
      const player = await claimedPlayer(client);
      await player.beat({ report: reportOf() });
      const path = `/screens/${player.screenId}/`;
      await client.call("PATCH", path, { is_enabled: false });
      await player.beat();
      expect(await statesOf(client)).toMatchObject([
        ...[{ is_enabled: false, state: "dark" }],
      ]);
    });

    it.each<[string, unknown]>([
      ["report.showing.verdict", reportOf({ verdict: "fine" as "blank" })],
      ["report.missing", { ...reportOf(), missing: undefined }],
      [
        "report",
        reportOf(
          { name: "ü".repeat(100), playlist: "ü".repeat(100) },
          {
            missing: Array.from({ length: 3 }, () => ({
              ...{ name: "ü".repeat(100), reason: "ü".repeat(300) },
            })),
          },
        ),
      ],
    ])(
      "[L-38] an invalid or too large report is 400 on %s, and nothing of the heartbeat is stored",
      async (field, report) => {
        const client = await service.client();
        const player = await claimedPlayer(client);
        const answer = await player.request("POST", "/link/v1/heartbeat", {
          ...{ sync: "in-sync", report },
        });
        expect([answer.status, await answer.json()]).toEqual([
          400,
          { [field]: [expect.any(String) as string] },
        ]);
        expect(await statesOf(client)).toMatchObject([{ state: "never-seen" }]);
      },
    );

    it("[L-10] a report is no change of content", async () => {
      const client = await service.client();
      const player = await claimedPlayer(client);
      const revision = await stableRevision(player);
      await player.beat({ report: blank });
      const held = await player.news(`revision=${revision}&wait=0.7`);
      expect(held.revision).toBe(revision);
    });
  });

  describe("outages", () => {
    it("[V3-84] [L-43] ongoing ones come first, then the newest", async () => {
      const client = await service.client();
      const [a, b] = [
        await claimedPlayer(client, "A"),
        await claimedPlayer(client, "B"),
      ];
      for (const player of [a, b, b]) {
        await player.beat({ report: reportOf() });
        await player.beat({ report: blank });
      }
      const outages = await outagesOf(client);
      expect(
        outages.map(({ screen_name, state, ended_at }) => [
          ...[screen_name, state, ended_at === null],
        ]),
      ).toEqual([
        ["B", "wrong", true],
        ["A", "wrong", true],
        ["B", "wrong", false],
      ]);
      expect(outages[0]).toMatchObject({
        screen_id: b.screenId,
        reason: "The screen is blank instead of showing “Menu”.",
      });
      expect(await outagesOf(client, `?screen=${a.screenId}`)).toEqual([
        outages[1],
      ]);
      const ended = outages[2];
      const at = (of: string | null | undefined, ms: number) =>
        encodeURIComponent(new Date(Date.parse(of ?? "") + ms).toISOString());
      expect(
        await outagesOf(client, `?until=${at(ended?.started_at, 0)}`),
      ).not.toContainEqual(ended);
      expect(
        await outagesOf(client, `?since=${at(ended?.ended_at, 1)}`),
      ).toEqual(outages.slice(0, 2));
    });

    it("[V3-84] are available as CSV, safe to open in a spreadsheet", async () => {
      const client = await service.client();
      const player = await claimedPlayer(client, "=1+1");
      const read = async (path: string, accept: string) => {
        const headers = { Accept: accept };
        const answer = await client.call(
          ...(["GET", path, undefined, headers] as const),
        );
        expect(answer.headers.get("content-type")).toBe(
          "text/csv; charset=utf-8",
        );
        return answer.text.split("\r\n");
      };
      const head =
        "id,screen_id,screen_name,state,reason,cause,started_at,ended_at,duration_seconds";
      expect(await read("/screens/outages/", "text/csv")).toEqual([head, ""]);
      await player.beat({ report: reportOf() });
      await player.beat({ report: blank });
      expect(await read("/screens/outages/?format=csv", "*/*")).toEqual([
        head,
        expect.stringMatching(
          /^\w{26},\w{26},'=1\+1,wrong,The screen is blank instead of showing “Menu”\.,unknown,[\dT:.-]+Z,,$/,
        ) as string,
        "",
      ]);
    });

    it.each(["since=today", "until=", "screen=", "format=xml"])(
      "[V3-84] rejects ?%s",
      async (query) => {
        const client = await service.client();
        const answer = await client.call("GET", `/screens/outages/?${query}`);
        expect([answer.status, Object.keys(answer.json as object)]).toEqual([
          ...[400, [query.replace(/=.*/, "")]],
        ]);
      },
    );
  });

  it("[V3-81] [V3-84] a team sees its own screens, states and outages only", async () => {
    const [ours, theirs] = [await service.client(), await service.client()];
    const player = await claimedPlayer(theirs);
    await player.beat({ report: reportOf() });
    await player.beat({ report: blank });
    expect([await statesOf(ours), await outagesOf(ours)]).toEqual([[], []]);
    const screen = `?screen=${player.screenId}`;
    expect(await outagesOf(ours, screen)).toEqual([]);
    expect(await outagesOf(theirs)).toHaveLength(1);
  });

  it("[V3-45] a deleted screen takes its state and outages with it", async () => {
    const client = await service.client();
    const player = await claimedPlayer(client);
    await player.beat({ report: reportOf() });
    await player.beat({ report: blank });
    await client.call("DELETE", `/screens/${player.screenId}/`);
    expect([await statesOf(client), await outagesOf(client)]).toEqual([[], []]);
  });
});
