// Screens of version 3: claimed by PIN, changed, deleted, geocoded, on both databases.

import { describe, expect, it } from "vitest";
import {
  placesV3,
  screenListV3,
  screenV3,
  type PlacesV3,
} from "../../../../server/contract/v3/v3.ts";
import {
  clientV3,
  eachV3,
  type ClientV3,
} from "../../../support/content/each-v3.ts";
import { temporaryFolder } from "../../../support/folder.ts";
import {
  claimedPlayer,
  registerPlayer,
} from "../../../support/content/linked-player.ts";
import {
  contentKey,
  startContent,
} from "../../../support/content/start-content.ts";
import { serveWeb } from "../../../support/http/web-server.ts";

const wrongPins = (client: ClientV3, count: number) =>
  Promise.all(
    Array.from({ length: count }, () =>
      client.call("POST", "/screens/", { pin: "AAAAAA" }),
    ),
  );

eachV3((service) => {
  describe("claimed by PIN", () => {
    it("[V3-40] [V3-41] a player is a screen with a label of its own, in All Screens", async () => {
      const client = await service.client();
      const { pin } = await registerPlayer(service.address());
      const answer = await client.call("POST", "/screens/", {
        ...{ pin, name: "Till" },
      });
      expect(answer.status).toBe(201);
      const screen = screenV3.parse(answer.json);
      expect(screen).toMatchObject({
        ...{ name: "Till", is_enabled: true, coords: [0, 0], ws_open: false },
        ...{ last_ping: null, last_screenshot: "", last_screenshot_time: null },
        ...{ team: screen.team_id, uptime: "", config: {} },
        groups: [{ id: "all-screens", name: "All Screens" }],
      });
      const list = await client.get("/screens/");
      expect(screenListV3.parse(list[0])).toEqual(
        Object.fromEntries(
          Object.keys(screenListV3.shape).map((name) => [
            ...[name, screen[name as keyof typeof screen]],
          ]),
        ),
      );
      const labels = await client.rows(
        "/v4.1/screens?select=id,labels!label_screen(id,type)",
      );
      expect(labels).toMatchObject([{ id: screen.id }]);
      const own = (labels[0]!["labels"] as { id: string; type: string }[]).map(
        ({ id, type }) => (type === "screen" ? id : type),
      );
      expect(own.sort()).toEqual([screen.id, "all-screens"].sort());
    });

    it("[V3-40] of ten that enter the same PIN at once one gets the screen", async () => {
      const client = await service.client();
      const { pin } = await registerPlayer(service.address());
      const answers = await Promise.all(
        Array.from({ length: 10 }, () =>
          client.call("POST", "/screens/", { pin }),
        ),
      );
      const statuses = answers.map(({ status }) => status).sort();
      expect(statuses).toEqual([201, ...Array<number>(9).fill(400)]);
      expect(await client.get("/screens/")).toHaveLength(1);
    });

    it.each([[{}], [{ pin: "" }], [{ pin: 123456 }], [{ name: "A" }]])(
      "[V3-40] rejects %j",
      async (body) => {
        const client = await service.client();
        const answer = await client.call("POST", "/screens/", body);
        expect([answer.status, Object.keys(answer.json as object)]).toEqual([
          ...[400, ["pin"]],
        ]);
      },
    );

    it("[V3-42] thirty wrong PINs of a key are 400, then any is 429; other keys are not affected", async () => {
      const client = await service.client();
      const first = await wrongPins(client, 29);
      expect(new Set(first.map(({ status }) => status))).toEqual(
        new Set([400]),
      );
      // A right one does not count as a guess.
      await claimedPlayer(client);
      const { pin } = await registerPlayer(service.address());
      const last = await wrongPins(client, 6);
      expect(last.map(({ status }) => status).sort()).toEqual([
        ...[400, ...Array<number>(5).fill(429)],
      ]);
      const right = await client.call("POST", "/screens/", { pin });
      expect([
        right.status,
        Number(right.headers.get("Retry-After")) > 0,
      ]).toEqual([429, true]);
      const other = await service.client();
      expect((await other.call("POST", "/screens/", { pin })).status).toBe(201);
    });
  });

  describe("changed", () => {
    it("[V3-8] [V3-43] [V3-44] PUT accepts the whole object as it was read, with one more group", async () => {
      const client = await service.client();
      const { screenId } = await claimedPlayer(client);
      const group = await client.make("/groups/", { name: "Lobby" });
      const path = `/screens/${screenId}/`;
      const screen = await client.get(path);
      const groups = [...screen.groups, { id: group.id }];
      const put = await client.call("PUT", path, { ...screen, groups });
      const { id, url, name } = group;
      expect([put.status, put.json]).toEqual([
        ...[200, { ...screen, groups: [...screen.groups, { id, url, name }] }],
      ]);
      const none = await client.call("PATCH", path, { groups: [] });
      expect(none.json.groups).toMatchObject([{ id: "all-screens" }]);
    });

    it("[V3-43] is named, placed and switched off, and its label follows", async () => {
      const client = await service.client();
      const { screenId } = await claimedPlayer(client);
      const path = `/screens/${screenId}/`;
      const body = {
        ...{ name: "Door", is_enabled: false, coords: [52.5, 13.4] },
        ...{ location: "Berlin", timezone: "Europe/Berlin" },
        config: { shuffle_playlist: true },
      };
      const answer = await client.call("PATCH", path, body);
      expect([answer.status, answer.json]).toMatchObject([200, body]);
      const [label] = await client.rows(`/v4.1/labels?id=eq.${screenId}`);
      expect(label).toMatchObject({ name: "Door", human_name: "Door" });
      const form = await client.call("PATCH", path, "is_enabled=True", {
        "Content-Type": "application/x-www-form-urlencoded",
      });
      expect(form.json).toEqual({ ...answer.json, is_enabled: true });
    });

    it.each([
      [{ name: "" }, "name"],
      [{ coords: [91, 0] }, "coords"],
      [{ coords: "52,13" }, "coords"],
      [{ timezone: "Mars/Olympus" }, "timezone"],
      [{ timezone: "+02:00" }, "timezone"],
      [{ config: [] }, "config"],
      [{ groups: [{ id: "none" }] }, "groups"],
      [{ is_enabled: null }, "is_enabled"],
    ])("[V3-8] [V3-43] rejects %j as a whole", async (body, field) => {
      const client = await service.client();
      const { screenId } = await claimedPlayer(client);
      const path = `/screens/${screenId}/`;
      const before = await client.get(path);
      const answer = await client.call("PATCH", path, {
        ...{ location: "X", ...body },
      });
      expect([answer.status, Object.keys(answer.json as object)]).toEqual([
        ...[400, [field]],
      ]);
      expect(await client.get(path)).toEqual(before);
    });

    it("[V3-41] returns values that version 4 may have written in the required type", async () => {
      const client = await service.client();
      const { screenId } = await claimedPlayer(client);
      for (const odd of ["text", { a: 1 }, [1], ["a", "b"], null])
        for (const column of ["coords", "config"]) {
          await client.request(`/v4.1/screens?id=eq.${screenId}`, {
            ...{ method: "PATCH", body: JSON.stringify({ [column]: odd }) },
            headers: { "Content-Type": "application/json" },
          });
          screenV3.parse(await client.get(`/screens/${screenId}/`));
        }
    });

    it("[V3-45] deleted it is gone, with its label, in both versions", async () => {
      const client = await service.client();
      const { screenId } = await claimedPlayer(client);
      const playlist = await client.make("/playlists/", {
        ...{ title: "P", groups: [{ id: screenId }] },
      });
      const gone = await client.call("DELETE", `/screens/${screenId}`);
      expect([gone.status, gone.text]).toEqual([200, ""]);
      expect(await client.get("/screens/")).toEqual([]);
      expect(await client.rows("/v4.1/labels?type=eq.screen")).toEqual([]);
      const after = await client.get(`/playlists/${playlist.id}/`);
      expect(after.groups).toEqual([]);
    });
  });
});

// Geocoding uses no database: one is enough.
describe("geocode", () => {
  it("[V3-47] [V3-48] finds towns in the words of an address, and the nearest to a point, with their time zones", async () => {
    const content = await startContent(await temporaryFolder());
    const client = clientV3(content.address, contentKey);
    const find = async (query: string): Promise<PlacesV3> =>
      placesV3.parse(await client.get(`/screens/geocode?${query}`));
    for (const nothing of ["", "address=", "address=Xyzzyplugh"])
      expect(await find(nothing)).toEqual([]);
    const first = async (address: string) => {
      const [place] = await find(`address=${encodeURIComponent(address)}`);
      return [place?.location, place?.timezone];
    };
    expect(await first("Alexanderplatz 1, 10178 Berlin, Germany")).toEqual([
      ...["Berlin, Germany", "Europe/Berlin"],
    ]);
    expect(await first("Paris")).toEqual(["Paris, France", "Europe/Paris"]);
    expect(await first("Paris, TX, USA")).toEqual([
      ...["Paris, TX, United States", null],
    ]);
    expect(await first("Evanston, IL, USA")).toEqual([
      ...["Evanston, IL, United States", "America/Chicago"],
    ]);
    expect(await first("koln deutschland")).toEqual([
      ...["Köln, Germany", "Europe/Berlin"],
    ]);
    const [near] = await find("lat=48.14&lng=11.58");
    expect(near?.coords.map((degree) => Math.round(degree))).toEqual([48, 12]);
    expect(await find("lat=-60&lng=-130")).toEqual([]);
    for (const query of ["lat=1", "lat=a&lng=2", "lat=91&lng=0"]) {
      const path = `/screens/geocode?${query}`;
      expect((await client.call("GET", path)).status).toBe(400);
    }
  });

  it("[V3-47] queries a provider where one is configured, and falls back to the built-in data set when it fails", async () => {
    const places = [{ display_name: "Home", lat: "1.5", lon: "2.5" }];
    const web = await serveWeb({
      "/search": (response) => void response.end(JSON.stringify(places)),
    });
    const content = await startContent(await temporaryFolder(), {
      geocoderUrl: `${web.address}/search?q={query}`,
    });
    const client = clientV3(content.address, contentKey);
    const path = "/screens/geocode?address=Berlin,%20Germany";
    expect(await client.get(path)).toEqual([
      { location: "Home", coords: [1.5, 2.5], timezone: null },
    ]);
    expect(web.requests.map(({ url }) => url)).toEqual([
      "/search?q=Berlin%2C%20Germany",
    ]);
    web.answers.set("/search", 500);
    expect(await client.get(path)).toMatchObject([
      { location: "Berlin, Germany" },
    ]);
  });
});
